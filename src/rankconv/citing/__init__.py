"""A definition in words, as a formula, as BibTeX and in one line, put together from what each answer says of itself.

May import presets and the numbers that the engine measured; no result, and no words of its own for a metric or an answer.
"""
