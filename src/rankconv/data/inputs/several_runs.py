"""Several runs, each under its name, and one run where several may be given too."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rankconv.basics.errors import InputError
from rankconv.data.inputs.reading import FEW, are_runs, is_run, rankings
from rankconv.data.labels_and_rankings import Run, Runs


def runs(data: Any = None, /, **by_name: Any) -> Runs:
    """Read several named runs, as `rc.Runs` does; the message of one that cannot be read names it."""
    given = {**_named_runs(data), **by_name}
    if not given:
        raise InputError("there is no run", do="Pass each under its name: runs(bm25=…, dense=…)")
    return Runs({name: _run(name, run) for name, run in given.items()})


def _named_runs(data: Any) -> dict[str, Any]:
    if isinstance(data, Runs):
        return dict(data.by_name)
    if isinstance(data, str | os.PathLike):
        from rankconv.data.inputs.run_files import runs_in

        return {name: str(file) for name, file in runs_in(Path(data)).items()}
    if data is None or isinstance(data, dict):
        return dict(data or {})
    if isinstance(data, list | tuple) and data and all(map(_is_file, data)):
        from rankconv.data.inputs.run_files import named_by_file

        return {name: str(file) for name, file in named_by_file([Path(one) for one in data]).items()}
    do = "Pass each under its name: runs(bm25=…, dense=…)"
    raise InputError(f"{data!r:.60} is neither a folder nor a dict of runs", do=do)


def _is_file(one: Any) -> bool:
    """Whether this is a path; a text is one where there is such a file, as it may also be the id of an item."""
    return isinstance(one, os.PathLike) or (isinstance(one, str) and Path(one).is_file())


def _run(name: str, data: Any) -> Run:
    try:
        return rankings(data)
    except InputError as error:
        named = error.at(f"run '{name}'")
        if is_run(data):
            raise named from None
        do = "Several runs are expected, each under its name: {'bm25': run, 'dense': run}"
        raise InputError(named.wrong, where=named.where, do=do) from None


def several(data: Any) -> Runs | None:
    """Several runs by name: `rc.Runs(…)`, or a dict of which every value is a whole run; None for all else.

    A whole run is a frame, an array of more than one dimension, a path, what `rc.Run` gave, or a mapping of
    lists. `{user: [items]}` and `{user: {item: score}}` are one run.
    """
    if isinstance(data, Runs):
        return data
    return runs(dict(data)) if are_runs(data) else None


def one_run(data: Any) -> Run:
    """A run; an InputError for a dict that is none says how several runs are given."""
    try:
        return rankings(data)
    except InputError as error:
        if not isinstance(data, Mapping) or len(data) > FEW or not all(isinstance(name, str) for name in data):
            raise
        names = ", ".join(f"{name}=…" if name.isidentifier() else "…" for name in data)
        raise error.replace(allowed=f"This was read as one run; several come by name: rc.Runs({names})") from None


Runs.read_with(runs)
