"""Libraries that only some data needs."""

from importlib import import_module
from typing import Any

from rankconv.errors import InputError


def needed(module: str, package: str, what: str) -> Any:
    """The module, imported now; an InputError with the command that installs it where it is missing."""
    try:
        return import_module(module)
    except ImportError:
        raise InputError(f"{what} needs {package}, which is not installed", do=f"pip install {package}") from None
