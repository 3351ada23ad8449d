"""Several runs under several definitions, side by side: which presets agree, and which settings separate them.

May import `evaluate` and what is below it.
"""
