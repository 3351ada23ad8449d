"""Definitions, each one answer to every question, and presets: named, cited sets of them, read from YAML.

May import judging, metrics and averaging, whose questions they answer; no data is touched here.
"""
