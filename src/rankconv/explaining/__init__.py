"""One user's number worked out as in a textbook: the metric itself, over the exact numbers of that user's list.

Imports the engine and what lies below it; plugins may write a working of their own.
"""
