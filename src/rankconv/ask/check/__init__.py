"""What in labels and a run makes metrics lie, before any number is believed.

May import `evaluate` and what is below it; a lint sees data, and says what else it could be taken for.
"""
