"""Which list is evaluated, in which order, and what in it is relevant: the steps, and the block that they leave.

May import data, numbers and conventions; ties, duplicates, missing users and labels are decided here and nowhere above.
"""
