"""Errors, registries, plugins, optional libraries, files written whole: what every floor may use."""
