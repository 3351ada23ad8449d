"""The data: labels and rankings, joined, judged, and laid out in blocks."""
