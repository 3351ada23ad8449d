"""A room for each verb that users ask: what it computes, what it gives back, and the page that this prints.

May import everything but the command line; of the other verbs only those above it in `tests/test_arrows.py`.
"""
