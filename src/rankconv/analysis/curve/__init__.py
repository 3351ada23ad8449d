"""A metric against the length of the list, and precision against recall."""
