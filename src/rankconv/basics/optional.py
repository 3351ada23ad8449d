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


GIVEN_BACK = ("pandas", "pyarrow", "modin", "cudf")
"""Libraries of frames in whose frames results come back; all others get one of polars."""


def frame_of(data: Any, types: Mapping[str, type] | None = None, library: str = "") -> Any:
    """Return a frame of rows, each a dict, or of columns by name.

    It is of the library whose table was given, where that is one of `GIVEN_BACK`; else of polars, or of pandas where
    only that is installed. `types` are those of columns that may be empty. Raises LibraryError where neither is there.
    """
    if library in GIVEN_BACK:
        return _frame_of_library(data, types or {}, library)
    if find_spec("polars") is None and find_spec("pandas") is not None:
        return import_module("pandas").DataFrame(data)
    polars = require("polars", "rankconv[files]", "A frame")
    return polars.DataFrame(data, schema_overrides=types, infer_schema_length=None, strict=False)


def _frame_of_library(data: Any, types: Mapping[str, type], library: Any) -> Any:
    import narwhals.stable.v2 as nw

    names = list(data if isinstance(data, Mapping) else dict.fromkeys(name for row in data for name in row))
    columns = data if isinstance(data, Mapping) else {name: [row.get(name) for row in data] for name in names}
    frame = nw.from_dict({name: _of_one_kind(column) for name, column in columns.items()}, backend=library)
    empty = [name for name in types if name in columns and all(value is None for value in columns[name])]
    kinds = {float: nw.Float64(), str: nw.String()}
    return frame.with_columns(nw.col(name).cast(kinds[types[name]]) for name in empty).to_native()


def _of_one_kind(column: Any) -> Any:
    """Numbers among texts as texts, as polars has them: pyarrow refuses the two in one column."""
    if not isinstance(column, list) or not {str}.issubset(map(type, column)):
        return column
    return [None if value is None else str(value) for value in column]
