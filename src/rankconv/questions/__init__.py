"""Questions on which systems differ, and their answers as text, as functions and in words.

Imports errors and plugins; knows no data, no list and no metric.
"""
