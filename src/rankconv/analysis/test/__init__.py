"""Which run is better, how sure is that, and under which definitions?

May import `compare`, `sensitivity` and what is below them.
"""
