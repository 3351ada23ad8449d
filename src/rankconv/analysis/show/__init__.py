"""Pages of presets, of single definitions, and of their conventions.

May import presets, pages and what is below them; no data is read here.
"""
