"""Values by segment of users, and the order of runs in each segment.

May import `compare` and what is below it.
"""
