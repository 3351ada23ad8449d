"""What is there to know of some runs, in one page to send?

May import every other convention that is asked of data; nothing but the command line imports it.
"""
