"""Learning curves: the quality of recommendations after 1, 2, … ratings of a user."""
