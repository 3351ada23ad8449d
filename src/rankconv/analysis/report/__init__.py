"""A report on runs in one page.

May import every other room that reads data; nothing but the command line imports it.
"""
