"""For whom is a run good, and is one run better than another for all of them?

May import `compare` and what is below it.
"""
