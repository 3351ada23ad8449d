"""The sensitivity of a value to its definition: preset, order of ties, cutoff, threshold.

May import `evaluate`, `compare` and what is below them.
"""
