"""Several runs under several definitions, side by side: who agrees with whom, and which answers part them.

May import `evaluate` and what is below it.
"""
