"""How much does a number depend on its definition: on the preset, the order of ties, the cutoff, the threshold?

May import `evaluate`, `compare` and what is below them.
"""
