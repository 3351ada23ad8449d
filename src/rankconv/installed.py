"""Libraries that are asked for by name, and may be missing."""

from importlib import import_module
from typing import Any

from rankconv.errors import LibraryError


def installed(module: str, package: str) -> Any:
    """The module, imported now; a LibraryError with the command that installs its package where it is missing.

    Where something else is missing that the package needs, the error says that.

    >>> installed("math", "python").sqrt(4)
    2.0
    """
    try:
        return import_module(module)
    except ImportError as problem:
        own = problem.name is None or module.startswith(problem.name)
        wrong = f"{package} is not installed" if own else f"{package} cannot be used: {problem}"
        raise LibraryError(wrong, do=f"Install it: pip install {package if own else problem.name}.") from None
