"""Why do two definitions give different numbers? The difference, divided over the settings in which they differ.

May import `evaluate`, the engine and what is below them.
"""
