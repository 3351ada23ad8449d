"""The numbers of files, within a budget of memory."""

import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rankconv.engine.summed import counting, spanning
from rankconv.errors import InputError
from rankconv.evaluation.accumulate import accumulate
from rankconv.evaluation.each_user import EachUser, check_file
from rankconv.evaluation.result import Errors, Result
from rankconv.evaluation.within import within
from rankconv.inputs.parts import folder_of_parts
from rankconv.inputs.sides import gives_batches
from rankconv.presets.defining import Metrics, define
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset


def of_files(
    labels: Any,
    rankings: Any,
    metrics: Metrics,
    preset: str | Preset | None,
    memory: str | int,
    *,
    beside: Mapping[str, Any],
    per_user: str | os.PathLike[str] | None = None,
    force: bool = False,
    run: str = "",
    temp_dir: str | os.PathLike[str] | None = None,
    columns: Mapping[str, Any] | None = None,
    progress: bool | None = None,
    on_error: Errors = "raise",
) -> Result:
    """The numbers of these paths; with `per_user` the values of users are written to that file.

    `beside` is what else `rc.Evaluator` takes. Raises what `rc.evaluate` does; nothing is written then.
    """
    make = partial(accumulate, metrics, preset, **beside, per_user=False, repeated_users="unchecked")
    asked = define(metrics, find_preset(HOUSE if preset is None else preset)).values()
    file = None if per_user is None else check_file(per_user, force=force)
    home = None if temp_dir is None else Path(temp_dir)
    with nullcontext() if file is None else folder_of_parts(home) as folder:
        each = None if folder is None else EachUser(folder)
        spans, counts = any(map(spanning, asked)), any(map(counting, asked))
        how: dict[str, Any] = {
            "temp_dir": temp_dir,
            "columns": columns,
            "progress": progress,
            "definitions": len(asked),
        }
        how |= {} if each is None else {"each": {"": each}}
        numbers = within(labels, rankings, make, memory, labelled=spans, counting=counts, **how)
        result = replace(numbers.compute(on_error), run=run)
        if each is not None and file is not None:
            each.write(result, file, force=force)
    return result


def check_paths(labels: Any, runs: Sequence[Any], others: Mapping[str, Any]) -> None:
    """An InputError where data are no paths, which alone are read batch by batch, or what is not is given too."""
    for given, name in ((labels, "labels"), *((run, "rankings") for run in runs)):
        each = given if isinstance(given, list | tuple) and given else [given]
        if not gives_batches(given) and not all(isinstance(one, str | os.PathLike) for one in each):
            do = "Pass the path of a file or a folder, or a table of DuckDB, ibis or Arrow."
            raise InputError(f"with memory= the {name} are read from files or streams", do=do)
    for name, value in others.items():
        if value is not None:
            raise InputError(f"{name}= needs all users at once, and with memory= they come in batches")
