"""Presets: named, cited sets of definitions, read from YAML."""
