"""Metrics of groups of items: how rows, hits and exposure are divided among them."""
