"""The difference of two definitions, attributed to the settings in which they differ.

May import `evaluate`, the engine and what is below them.
"""
