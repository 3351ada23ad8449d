"""What is imported when it is first used: libraries that may be missing, and modules that import much."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rankconv.basics.errors import LibraryError


def require(module: str, package: str, what: str = "") -> Any:
    """Return the module, imported now.

    Raises LibraryError with the command that installs its package, or the extra `rankconv[…]` that brings it, where it
    is missing; `what` names the feature that needs it. Where a dependency of it is missing, the error names that.

    >>> require("math", "python").sqrt(4)
    2.0
    """
    try:
        return import_module(module)
    except ImportError as problem:
        own = problem.name is None or module.startswith(problem.name)
        is_extra = package.startswith("rankconv[")
        library, command = (module.partition(".")[0], f"'{package}'") if is_extra else (package, package)
        missing = f"{what} needs {library}, which is not installed" if what else f"{library} is not installed"
        wrong = missing if own else f"{library} cannot be used: {problem}"
        raise LibraryError(wrong, do=f"Install it: pip install {command if own else problem.name}.") from None


def frame_of(data: Any, types: Mapping[str, type] | None = None) -> Any:
    """Return a frame of rows, each a dict, or of columns by name: of polars, of pandas where only that is installed.

    `types` are those of columns that may be empty. Raises LibraryError where neither is installed.
    """
    if find_spec("polars") is None and find_spec("pandas") is not None:
        return import_module("pandas").DataFrame(data)
    polars = require("polars", "rankconv[files]", "A frame")
    return polars.DataFrame(data, schema_overrides=types, infer_schema_length=None, strict=False)
