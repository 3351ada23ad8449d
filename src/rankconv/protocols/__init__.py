"""Protocols: what is hidden, from whom, and what is to be found; all that is decided before a metric sees a list.

A protocol is one answer to each question in `questions/`, and presets of them stand in `conventions/protocols/`.
"""
