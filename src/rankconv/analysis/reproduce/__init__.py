"""Printed numbers against what comes out: files of published numbers, verdicts, and what a reproduction gives.

May import `evaluate` and what is below it; a preset's own checks are read here as well.
"""
