"""Several runs by name, told from one run: both may come as a dict."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from rankconv.data.labels_and_rankings import Run, Runs
from rankconv.errors import InputError
from rankconv.inputs import frames
from rankconv.inputs.reading import rankings, runs

FEW = 20
"""A dict of more entries holds users, and not runs."""


def several(data: Any) -> Runs | None:
    """Several runs by name: `rc.Runs(…)`, or a dict of which every value is a whole run; None for all else.

    A whole run is a frame, an array of more than one dimension, a path, what `rc.Run` gave, or a mapping of
    lists. `{user: [items]}` and `{user: {item: score}}` are one run.
    """
    if isinstance(data, Runs):
        return data
    return runs(dict(data)) if are_runs(data) else None


def are_runs(data: Any) -> bool:
    """Whether this is a dict of which every value is a whole run."""
    return isinstance(data, Mapping) and bool(data) and all(map(_is_run, data.values()))


def one_run(data: Any) -> Run:
    """A run; an InputError for a dict that is none says how several runs are given."""
    try:
        return rankings(data)
    except InputError as error:
        if not isinstance(data, Mapping) or len(data) > FEW or not all(isinstance(name, str) for name in data):
            raise
        names = ", ".join(f"{name}=…" if name.isidentifier() else "…" for name in data)
        raise error.replace(allowed=f"This was read as one run; several come by name: rc.Runs({names})") from None


def _is_run(given: Any) -> bool:
    if isinstance(given, Run | os.PathLike) or (isinstance(given, str) and os.path.exists(given)):
        return True
    if isinstance(given, Mapping):
        return bool(given) and all(_is_list(one) for one in given.values())
    shape = getattr(given, "shape", ())
    return frames.takes(given) or (isinstance(shape, tuple) and len(shape) > 1)


def _is_list(given: Any) -> bool:
    return isinstance(given, list | tuple | Mapping | np.ndarray)
