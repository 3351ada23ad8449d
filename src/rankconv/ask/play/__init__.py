"""One list that somebody moves about: every preset's number for it, why two differ, and who gives a number, as JSON.

May import `compare`, `why`, `identify` and what is below them; knows nothing of servers or browsers.
"""
