"""Citations of definitions, and definitions by their fingerprint.

May import `citing`, and `identify` for the definitions among which a fingerprint is looked up.
"""
