"""Data problems that change metrics: how each is found, and how far it changes a value.

May import the engine and what is below it; a lint sees data, and says what else it could be taken for.
"""
