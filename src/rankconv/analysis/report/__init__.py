"""A report on runs in one page.

May import every other convention that is asked of data; nothing but the command line imports it.
"""
