"""What the rest works without; no floor below imports it."""
