"""What is evaluated: ids, labels, rankings, and the two joined under common codes. No convention is in it.

May import errors alone; whatever two systems could decide differently is decided in `preparation`.
"""
