"""SciPy's distributions and tests, where something needs them."""

from importlib import import_module
from typing import Any

from rankconv.errors import LibraryError


def scipy_stats(what: str, part: str = "stats") -> Any:
    """The module scipy.stats, or another part of SciPy; a LibraryError says what needs it and how it is installed."""
    try:
        return import_module(f"scipy.{part}")
    except ImportError:
        raise LibraryError(f"{what} needs scipy", do="Install it: pip install 'rankconv[stats]'.") from None
