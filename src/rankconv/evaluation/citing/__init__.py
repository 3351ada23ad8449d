"""A definition in words, as a formula, as BibTeX and in one line, put together from what each setting says of itself.

May import presets and the numbers that the engine measured; it knows no result, and has no words of its own.
"""
