"""Several runs under several definitions, side by side: who agrees with whom, and which settings part them.

May import `evaluate` and what is below it.
"""
