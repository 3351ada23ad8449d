"""Significance tests of runs under definitions.

May import `compare`, `sensitivity` and what is below them.
"""
