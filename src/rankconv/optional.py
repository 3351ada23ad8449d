"""Libraries that only some features need, and that may be missing."""

from importlib import import_module
from typing import Any

from rankconv.errors import LibraryError


def require(module: str, package: str, what: str = "") -> Any:
    """Return the module, imported now.

    Raises LibraryError with the command that installs its package where it is missing; `what` names the feature that
    needs it. Where a dependency of the package is missing, the error names that.

    >>> require("math", "python").sqrt(4)
    2.0
    """
    try:
        return import_module(module)
    except ImportError as problem:
        own = problem.name is None or module.startswith(problem.name)
        missing = f"{what} needs {package}, which is not installed" if what else f"{package} is not installed"
        wrong = missing if own else f"{package} cannot be used: {problem}"
        raise LibraryError(wrong, do=f"Install it: pip install {package if own else problem.name}.") from None
