"""What is there, and what does it say? Pages of presets, of single definitions, and of the conventions they answer.

May import presets, pages and what is below them; no data is read here.
"""
