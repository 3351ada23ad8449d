"""How does a paper say what was computed; and which definition has this fingerprint?

May import `citing`, and `identify` for the definitions among which a fingerprint is looked up.
"""
