"""The numbers of labels and a run that are tables of Spark: each partition is judged where it is.

Both tables are divided by user, each worker makes one `rc.Partial` of its users, and the driver merges these.
"""

import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankconv import errors as all_errors
from rankconv import inputs
from rankconv.ask.evaluate.accumulate import Unchecked
from rankconv.ask.evaluate.partial import Partial, merge, nobody
from rankconv.ask.evaluate.partial_bytes import read
from rankconv.ask.evaluate.result import Errors, Result
from rankconv.errors import InputError, MetricError, RankingError
from rankconv.inputs.columns import find_columns
from rankconv.inputs.features import features as features_of
from rankconv.inputs.reader import Wanted
from rankconv.plugins import load_plugin
from rankconv.presets.defining import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_OF_LABELS, _OF_RUN = 0, 1
_ANSWER = "part binary, error string"
"""What a worker gives: the bytes of a part, or what is wrong with its rows."""


def evaluate(
    labels: Any,
    run: Any,
    metrics: Metrics,
    preset: str | Preset | None = None,
    *,
    user: str | None = None,
    item: str | None = None,
    grade: str | None = None,
    score: str | None = None,
    rank: str | None = None,
    position: str | None = None,
    partitions: int | None = None,
    catalogue: Any = None,
    train: Any = None,
    features: Any = None,
    plugins: Sequence[str | Path] = (),
    errors: Errors = "raise",
) -> Result:
    """What are the numbers of a run that is a table of Spark? The bits of `rc.evaluate`, without users.

    `labels` and `run` are DataFrames of Spark, or of pandas on Spark; the columns are named as in `rc.labels` and
    `rc.rankings`. Rows have no order in Spark: `position` names a column of numbers by which the rows of a user stand
    as they came. It is needed where a definition goes by the order given, with no ranks, or leaves ties as given.
    `partitions` is how many parts there are; unless said, as many as Spark likes. `plugins` are files that the
    workers run first. The rest is as in `rc.evaluate`.

    Raises InputError for columns, MetricError for metrics that need all users at once or an order that is not there,
    all before any job; and what `rc.evaluate` raises of rows. Needs pyspark and pyarrow: `rankconv[spark]`.
    """
    tables = _tables(labels, run)
    chosen = find_preset(HOUSE if preset is None else preset)
    empty = nobody(chosen.name, define(metrics, chosen))
    empty.to_bytes()  # a definition that cannot be sent is an error here
    roles = {"user": user, "item": item, "position": position}
    sides = [
        _Columns.of_table(table, what, {**roles, **own})
        for table, what, own in zip(
            tables, ("labels", "rankings"), ({"grade": grade}, {"score": score, "rank": rank}), strict=True
        )
    ]
    _check_kinds(*sides)
    _check_order(empty.definitions, sides[1])
    work = _Work(
        pickle.dumps(empty.definitions),
        empty.preset,
        {"catalogue": catalogue, "train": _read(train, inputs.labels), "features": _read(features, features_of)},
        tuple(Path(one).read_text(encoding="utf-8") for one in plugins),
    )
    rows = sides[0].tagged(_OF_LABELS).unionByName(sides[1].tagged(_OF_RUN))
    divided = rows.repartition("user") if partitions is None else rows.repartition(partitions, "user")
    found = divided.mapInArrow(work, _ANSWER).collect()
    return _merged(empty, found).result(errors)


def _tables(*given: Any) -> "list[DataFrame]":
    """Tables of Spark; an InputError for what is none."""
    found = [one.to_spark() if hasattr(one, "to_spark") else one for one in given]
    for one, name in zip(found, ("labels", "run"), strict=True):
        if not hasattr(one, "mapInArrow"):
            kind = type(one).__name__
            raise InputError(f"the {name} are no table of Spark ({kind})", do="Evaluate data in memory without Spark.")
    return found


def _read(data: Any, reader: Any) -> Any:
    return None if data is None else reader(data)


@dataclass(frozen=True, eq=False)
class _Columns:
    """One side: its table, the column of each role, whether its ids are text."""

    table: Any
    what: str
    of: Mapping[str, str]

    @classmethod
    def of_table(cls, table: Any, what: Any, named: Mapping[str, str | None]) -> "_Columns":
        """The columns that are named, or have usual names."""
        position = named["position"]
        wanted = Wanted(what, {role: name for role, name in named.items() if role != "position"})
        found = find_columns(table.columns, wanted, f"the {what}")
        if position is not None and position in table.columns:
            found["position"] = position
        return cls(table, what, found)

    def kind(self, role: str) -> str:
        """Whether the ids of users or items are text or integers."""
        name = self.table.schema[self.of[role]].dataType.typeName()
        kinds = {"string": "text", **dict.fromkeys(("byte", "short", "integer", "long"), "integer")}
        if name not in kinds:
            wrong = f"{role} ids must be text or integers, and the column '{self.of[role]}' is {name}"
            raise InputError(wrong, where=f"the {self.what}", do="Cast the column")
        return kinds[name]

    def tagged(self, tag: int) -> Any:
        """The rows with the columns that a worker gets, those that this side has not as nulls."""
        from pyspark.sql import functions as sql

        kinds = {"text": "string", "integer": "long"}
        columns = [sql.lit(tag).cast("byte").alias("tag")]
        columns += [sql.col(self.of[role]).cast(kinds[self.kind(role)]).alias(role) for role in ("user", "item")]
        for role in ("grade", "score", "rank", "position"):
            number = sql.col(self.of[role]) if role in self.of else sql.lit(None)
            columns.append(number.cast("long" if role == "position" else "double").alias(role))
        columns.append(sql.lit(",".join(self.of)).alias("has"))
        return self.table.select(*columns)


def _check_kinds(known: _Columns, ranked: _Columns) -> None:
    for role in ("user", "item"):
        kinds = [one.kind(role) for one in (known, ranked)]
        if kinds[0] != kinds[1]:
            wrong = f"{role} ids are {kinds[0]} in the labels and {kinds[1]} in the run, so nothing can match"
            raise InputError(wrong, do="Cast the column of one of them")


def _check_order(definitions: Mapping[str, Definition], ranked: _Columns) -> None:
    """A MetricError for the first definition that goes by an order which the table does not have."""
    if "position" in ranked.of:
        return
    for spec, definition in definitions.items():
        judging = definition.judging
        asked = "ties" if judging.by_score else "order"
        placed = judging.answers["ties"].trait("by_place") if judging.by_score else "rank" not in ranked.of
        if placed:
            raise MetricError(
                f"{asked}={judging.given(asked)} goes by the order of rows, and a table of Spark has none",
                where=spec,
                do="Name the column that has it as position, or take another answer, such as order=score, "
                "ties=item-ascending.",
            )


@dataclass(frozen=True)
class _Work:
    """What a worker does with the rows of its users."""

    definitions: bytes
    preset: str
    beside: Mapping[str, Any]
    plugins: tuple[str, ...]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """One row: the part that these batches are, or the error that they hold."""
        import pyarrow as pa

        try:
            part, wrong = self._part(list(batches)), None
        except RankingError as problem:
            part, wrong = None, json.dumps([type(problem).__name__, problem.wrong, _parts_of(problem)])
        columns = [pa.array([part], pa.binary()), pa.array([wrong], pa.string())]
        yield pa.RecordBatch.from_arrays(columns, ["part", "error"])

    def _part(self, batches: list[Any]) -> bytes:
        import pyarrow as pa

        self._load_plugins()
        definitions: dict[str, Definition] = pickle.loads(self.definitions)  # of the driver, as all that Spark sends
        numbers = Unchecked(nobody(self.preset, definitions), dict(self.beside))
        if any(one.num_rows for one in batches):
            rows = pa.Table.from_batches([one for one in batches if one.num_rows])
            numbers.update(*(_side(rows, tag) for tag in (_OF_LABELS, _OF_RUN)))
        return numbers.partial().to_bytes()

    def _load_plugins(self) -> None:
        import tempfile

        for text in self.plugins:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "plugin.py"
                file.write_text(text, encoding="utf-8")
                load_plugin(file)


def _side(rows: Any, tag: int) -> Any:
    """The table of one side, in the order of the positions; nothing where it has no row."""
    import pyarrow.compute as pc

    found = rows.filter(pc.equal(rows.column("tag"), tag))
    if not found.num_rows:
        return {}
    roles = found.column("has")[0].as_py().split(",")
    if "position" in roles:
        found = found.sort_by("position")
    return found.select([role for role in roles if role != "position"])


def _parts_of(problem: RankingError) -> dict[str, str]:
    names = ("where", "allowed", "nearest", "do", "shell")
    return {name: getattr(problem, name) for name in names}


def _merged(empty: Partial, rows: Sequence[Any]) -> Partial:
    """All parts together; the error of the worker whose text comes first, where there is one."""
    wrong = min((row["error"] for row in rows if row["error"] is not None), default=None)
    if wrong is not None:
        name, said, parts = json.loads(wrong)
        raise getattr(all_errors, name)(said, **parts)
    return merge([empty, *(Partial(*read(bytes(row["part"]), empty.definitions)) for row in rows)])
