"""The values of users in a file, and the evaluation of files that may write it."""

import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.basics.output_files import check_table, write_table
from rankconv.data.ids import Ids, columns_of
from rankconv.data.inputs.disk_parts import folder_of_parts, full_disk
from rankconv.data.inputs.sides import gives_batches
from rankconv.data.joined import Joined
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.metric_result import OUTSIDE, Measured, unshown
from rankconv.engine.user_sums import check_summable
from rankconv.evaluation.joining import SharedData
from rankconv.evaluation.notes import warn_of_grades
from rankconv.evaluation.results.result import Errors, Result
from rankconv.evaluation.streaming.large_files import Files, Paths, ReadOptions
from rankconv.presets.arguments import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE
from rankconv.presets.preset_registry import preset as find_preset

if TYPE_CHECKING:
    import polars as pl


class EachUser:
    """Values and states of users in a folder for temporary files: a part after the other, in each by rising ids."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "users.arrow"
        self._writer: Any = None

    def begin(self, labelled: Ids | None = None) -> None:
        """Forget the users that there were."""
        self._end()
        self._file.unlink(missing_ok=True)

    @property
    def bytes(self) -> int:
        """Of memory that grows with the users: none."""
        return 0

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Keep these users, and what each definition made of them; an InputError where the disk is full."""
        if not len(joined.users):
            return
        import polars as pl
        from pyarrow import ipc

        each = [one.of_each for one in found]
        columns = {_value(at): values for at, (values, _) in enumerate(each)}
        states = {_state(at): states for at, (_, states) in enumerate(each)}
        users = columns_of("user", joined.users.values.tolist())
        table = pl.DataFrame({**users, **columns, **states}).sort([*users]).to_arrow()
        with full_disk(self._file.parent):
            if self._writer is None:
                options = ipc.IpcWriteOptions(compression="lz4")
                self._writer = ipc.new_file(str(self._file), table.schema, options=options)
            self._writer.write_table(table)

    def write(self, result: Result, file: Path, *, force: bool) -> None:
        """All users in a file, with a column for each number, and the name of the run where it has one."""
        import polars as pl

        self._end()
        named = [pl.lit(result.run).alias("run")] if result.run else []
        columns = [_column(at, one).alias(spec) for at, (spec, one) in enumerate(result.by_spec.items())]
        write_table(self._kept(result).select(r"^user(_\d+)?$", *columns, *named), file, force=force)

    def _kept(self, result: Result) -> "pl.LazyFrame":
        import polars as pl

        if self._file.exists():
            return pl.scan_ipc(self._file)
        kinds = {_value(at): pl.Float64 for at, _ in enumerate(result.by_spec)}
        return pl.LazyFrame(schema={"user": pl.String, **kinds, **{_state(at): pl.Int8 for at, _ in enumerate(kinds)}})

    def _end(self) -> None:
        if self._writer is not None:
            with full_disk(self._file.parent):
                self._writer.close()
            self._writer = None


def _value(at: int) -> str:
    return f"value {at}"


def _state(at: int) -> str:
    return f"state {at}"


def _column(at: int, one: Measured) -> "pl.Expr":
    """The values of a definition; where all data decided, everybody in the population has the same."""
    import polars as pl

    if one.of_everybody is None:
        hidden = pl.col(_state(at)).is_in(unshown(one.definition))
        return pl.when(hidden).then(pl.lit(np.nan)).otherwise(pl.col(_value(at)))
    inside = pl.col(_state(at)) != OUTSIDE
    return pl.when(inside).then(pl.lit(one.of_everybody)).otherwise(pl.lit(np.nan))


def check_file(per_user: str | os.PathLike[str], *, force: bool) -> Path:
    """The path of a table that can be written; an InputError before anything is computed for it."""
    file = Path(per_user)
    if file.is_file() and not force:
        do = "Choose another name, or remove it first"  # commands, which have --force, check it before
        raise InputError("there is such a file already", where=str(file), do=do)
    check_table(file, force=force)
    return file


def of_files(
    labels: Any,
    rankings: Any,
    metrics: Metrics | None,
    preset: str | Preset | None,
    memory: str | int,
    *,
    side_data: SharedData,
    per_user: str | os.PathLike[str] | None = None,
    force: bool = False,
    run: str = "",
    on_error: Errors = "raise",
    digests: bool = True,
    **options: Unpack[ReadOptions],
) -> Result:
    """The numbers of these paths; with `per_user` the values of users are written to that file.

    `side_data` is what else `rc.Evaluator` takes. Raises what `rc.evaluate` does; nothing is written then.
    """
    chosen = find_preset(HOUSE if preset is None else preset)
    definitions = define(metrics, chosen)
    check_summable(definitions, labelled=True)
    file = None if per_user is None else check_file(per_user, force=force)
    home = options.get("temp_dir")
    with nullcontext() if file is None else folder_of_parts(None if home is None else Path(home)) as folder:
        each = None if folder is None else EachUser(folder)
        with Files.opened(labels, {"": rankings}, memory, **options) as files:
            listeners = None if each is None else {"": each}
            found = files.evaluate(chosen.name, definitions, side_data, listeners, digests=digests)
        warn_of_grades(found[""].grades)
        result = replace(found[""].compute(on_error), run=run)
        if each is not None and file is not None:
            each.write(result, file, force=force)
    return result


def measured_in_files(
    labels: Paths,
    runs: Mapping[str, Paths],
    table: Mapping[tuple[str, str], Definition],
    memory: str | int,
    *,
    side_data: SharedData,
    **options: Unpack[ReadOptions],
) -> dict[tuple[str, str, str], Measured]:
    """What each definition gives for each run, by run, metric and preset; raises what `rc.evaluate` does."""
    definitions = {f"{preset}:{name}": one for (name, preset), one in table.items()}
    check_summable(definitions, labelled=True)
    with Files.opened(labels, runs, memory, **options) as files:
        found = files.evaluate("", definitions, side_data, digests=False)
    warn_of_grades(next(iter(found.values())).grades)
    return {
        (run, *place): one
        for run, numbers in found.items()
        for place, one in zip(table, numbers.compute("collect").by_spec.values(), strict=True)
    }


def check_paths(labels: Any, runs: Sequence[Any], users: Any, side_data: Mapping[str, Any]) -> SharedData:
    """The side data that are the same for all batches.

    An InputError where data are no paths, which alone are read batch by batch, or what is of users is given too.
    """
    for given, name in ((labels, "labels"), *((run, "rankings") for run in runs)):
        each = given if isinstance(given, list | tuple) and given else [given]
        if not gives_batches(given) and not all(isinstance(one, str | os.PathLike) for one in each):
            do = "Pass the path of a file or a folder, or a table of DuckDB, ibis or Arrow."
            raise InputError(f"with memory= the {name} are read from files or streams", do=do)
    shared = SharedData.__annotations__
    for name, value in {"users": users, **side_data}.items():
        if value is not None and name not in shared:
            raise InputError(f"{name}= needs all users at once, and with memory= they come in batches")
    return cast(SharedData, {name: value for name, value in side_data.items() if name in shared})
