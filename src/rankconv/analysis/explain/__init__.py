"""One user's number worked out as in a textbook: the metric itself, over the exact numbers of that user's list.

May import `evaluate`, the engine and what is below them; plugins may write a working of their own.
"""
