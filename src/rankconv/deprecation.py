"""Deprecated public names: they work until the next major version, and warn (docs/explanation/design.md)."""

from typing_extensions import deprecated as _deprecated  # pydantic brings it along; in `warnings` from Python 3.13 on


def deprecated(since: str, instead: str) -> _deprecated:
    """Mark a public function or class: since which version it is deprecated, and what to use instead."""
    return _deprecated(f"deprecated since {since}; use {instead}")
