"""Protocols: what is hidden, from which users, and what is to be found; public as `rankconv.protocols`."""
