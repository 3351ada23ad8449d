"""Why do two definitions give different numbers? The difference, divided over the answers in which they differ."""
