"""Conformance: vectors of small data with expected values, and the definitions that another program implements.

May import `evaluate`, `identify` and what is below them; nothing in the core imports it.
"""
