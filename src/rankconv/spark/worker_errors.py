"""What is wrong with rows comes back from a worker as data: a failed task would be tried again, and fail again."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rankconv import errors as all_errors
from rankconv.errors import RankconvError

SETTING = "part binary, error string"
"""What a worker gives: the bytes of a part, or what is wrong."""
_PARTS = ("where", "allowed", "nearest", "do", "shell")


def caught(work: Callable[[], bytes | None]) -> Iterator[Any]:
    """One row with what the work gives, or with the error that it raises; no row where there is nothing."""
    try:
        part, wrong = work(), None
    except RankconvError as problem:
        part, wrong = None, _written(problem)
    if part is not None or wrong is not None:
        yield batch([part], wrong)


def batch(parts: list[bytes | None], wrong: str | None) -> Any:
    """A row for each part, all with this error."""
    import pyarrow as pa

    columns = [pa.array(parts, pa.binary()), pa.array([wrong] * len(parts), pa.string())]
    return pa.RecordBatch.from_arrays(columns, ["part", "error"])


def first(errors: Iterable[str | None]) -> str | None:
    """The error that is raised: that of the least user, whoever found it."""
    return min((one for one in errors if one), key=_place, default=None)


def raise_error(wrong: str) -> None:
    """Raise the error of a worker."""
    name, said, parts = json.loads(wrong)
    raise getattr(all_errors, name)(said, **parts)


def _written(problem: RankconvError) -> str:
    return json.dumps([type(problem).__name__, problem.wrong, {name: getattr(problem, name) for name in _PARTS}])


def _place(wrong: str) -> list[tuple[int, int, str]]:
    """By what errors are sorted: where and what they are, numbers as numbers."""
    _, said, parts = json.loads(wrong)
    pieces = re.split(r"(\d+)", f"{parts['where']} {said}")
    return [(1, int(one), "") if one.isdigit() else (2, 0, one) for one in pieces if one]
