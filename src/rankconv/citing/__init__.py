"""A definition told to readers of a paper: in words, as a formula, with its sources; and found again by its name."""
