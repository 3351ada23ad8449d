"""Which definitions give a printed number, and what would distinguish them.

May import `evaluate`, the engine and what is below it; `cite` looks fingerprints up here.
"""
