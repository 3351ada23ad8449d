"""Libraries that are asked for by name, and may be missing."""

from importlib import import_module
from typing import Any

from rankconv.errors import LibraryError


def installed(module: str, package: str) -> Any:
    """The module, imported now; a LibraryError with the command that installs its package where it is missing.

    >>> installed("math", "python").sqrt(4)
    2.0
    """
    try:
        return import_module(module)
    except ImportError:
        raise LibraryError(f"{package} is not installed", do=f"Install it: pip install {package}.") from None
