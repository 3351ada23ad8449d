"""Definitions in harnesses that call a function of one row: of a test case, a sample, an example of a data set."""
