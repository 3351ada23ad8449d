"""The numbers of labels and a run that are tables of Spark."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np

from rankconv.addons.spark.spark_sides import (
    ROLES,
    SparkSide,
    What,
    cells_of,
    check_kinds,
    distinct,
    is_table,
    labelled_items,
    needs_labelled,
    tables,
    together,
)
from rankconv.addons.spark.workers import SETTING, PartialMaker, Places, Request, WorkerRows, first, raise_error
from rankconv.basics.errors import InputError, LibraryError, MetricError
from rankconv.basics.optional import require
from rankconv.basics.plugins import is_loaded, load_plugin
from rankconv.data import inputs
from rankconv.data.inputs.side_data import catalogue_of
from rankconv.data.inputs.usual_names import has_usual_name
from rankconv.engine.aggregate import aggregated
from rankconv.engine.metric_result import OUTSIDE, unshown
from rankconv.evaluation.joining import SharedData
from rankconv.evaluation.results.result import Errors, Result
from rankconv.evaluation.streaming.evaluator import known_data
from rankconv.evaluation.streaming.partial import Partial, nobody, read
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE
from rankconv.presets.preset_registry import preset as find_preset

if TYPE_CHECKING:
    import pyarrow as pa


def check_partitions(partitions: int | None) -> None:
    """An InputError for what is no number of partitions."""
    if partitions is not None and (isinstance(partitions, bool) or not isinstance(partitions, int) or partitions < 1):
        raise InputError(f"partitions={partitions!r:.100} is no number of partitions", allowed="It is 1 or more")


def _each_side(table: Any, user: Any, item: Any) -> dict[str, Any]:
    """A table with the lists of both sides, for each without that of the other; InputError where it has no users."""
    if user is None and not has_usual_name(["user"], *cells_of(table)):
        do = 'Number them, and name the lists: pairs.withColumn("user", monotonically_increasing_id()).cache(), item=…'
        raise InputError("the rows of a table with the lists of both sides have no users", do=do)
    named = item if isinstance(item, Mapping) else {}
    others = {side: [one for one in named.values() if one != named.get(side)] for side in ("labels", "run")}
    return {side: table.drop(*names) for side, names in others.items()}


def sides_of(given: Mapping[str, Any], names: Mapping[str, Any], position: str | None) -> list[SparkSide]:
    """Labels, run and what users had seen, where it is a table; `names` are those of columns by role.

    Raises InputError for columns that are not there, for types that are no ids or numbers, and for ids that differ.
    """
    sides = list[SparkSide]()
    for what in ROLES:
        table = given.get(what.rstrip("="))
        if table is None:
            continue
        named = {role: _of_side(role, name, what) for role, name in names.items()}
        if what == "seen=":
            named = {role: name if name in table.columns else None for role, name in named.items()}
        sides.append(SparkSide.of(what, table, named, position))
    if position is not None and "position" not in sides[1].called and not sides[1].listed:
        columns = ", ".join(given["run"].columns)
        raise InputError(f"there is no column '{position}'", where="the run", allowed=f"The columns are: {columns}")
    check_kinds(sides)
    return sides


def _of_side(role: str, name: Any, what: What) -> str | None:
    """One name for both sides, or that of each side; an InputError for anything else."""
    found = name.get("labels" if what == "seen=" else what) if isinstance(name, Mapping) else name
    if found is None or isinstance(found, str):
        return found
    wrong = f"{role}={found!r:.100} is not the name of a column"
    raise InputError(wrong, do="Put ids of several columns into one column of text first")


def collected(rows: Any, request: Request, work: WorkerRows) -> Partial:
    """What all users are: the parts of all partitions, merged. Raises what is wrong with the rows."""
    found = _rows_of(rows.mapInArrow(PartialMaker(request, work), SETTING))
    wrong = first(row["error"] for row in found)
    if wrong:
        raise_error(wrong)
    empty = request.empty()
    return Partial.merged([empty, *(Partial(*read(bytes(row["part"]), empty.definitions)) for row in found)])


def _rows_of(table: Any) -> list[Any]:
    """All rows; a LibraryError where the workers do not have this library."""
    try:
        return list(table.collect())
    except Exception as problem:
        if "No module named 'rankconv" not in str(problem):
            raise
    do = "Install the same version there, or send it along: spark.addArtifacts, or an archive of the environment"
    raise LibraryError("the workers of Spark have no rankconv", do=do)


def of_each_user(request: Request, rows: WorkerRows, result: Result, *, text: bool) -> tuple["UserValuesMaker", str]:
    """What `mapInArrow` takes: what evaluates rows once more, and the columns: users, and the values of each metric."""
    named = ", ".join(f"`{spec.replace('`', '``')}` double" for spec in result.specs)
    fixed = {spec: value for spec, one in result.by_spec.items() if (value := one.of_everybody) is not None}
    return UserValuesMaker(request, rows, fixed), f"user {'string' if text else 'long'}, {named}"


@dataclass(frozen=True)
class UserValuesMaker:
    """Gives one row for each user; their rows were found right when the numbers of all were made."""

    request: Request
    rows: WorkerRows
    fixed: Mapping[str, float]
    """What all users have under some metrics, as the data as a whole say."""

    def __call__(self, batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        """As Spark's mapInArrow calls it."""
        import pyarrow as pa

        empty = self.request.empty()
        joined = self.rows.joined(batches)
        if joined is None:
            return
        columns: dict[str, Any] = {"user": joined.users.values.tolist()}
        found = aggregated(joined, [*empty.definitions.values()], per_user=True)
        for spec, one in zip(empty.definitions, found, strict=True):
            values, states = one.of_each
            without = [OUTSIDE, *unshown(one.definition)]
            columns[spec] = np.where(np.isin(states, without), np.nan, self.fixed.get(spec, values))
        yield pa.RecordBatch.from_pydict(columns)


_DO = (
    "Name the column that has it: position=…, or rank=… where it rises from 1; "
    "or take another setting, such as order=score, ties=item-ascending."
)


def check_order(definitions: Mapping[str, Definition], ordered: bool) -> None:
    """A MetricError for the first definition that goes by an order that nothing says: the run is not `ordered`."""
    for spec, definition in definitions.items():
        if not ordered and _by_place(definition):
            name = "ties" if definition.preparation.by_score else "order"
            wrong = f"{name}={definition.preparation.given(name)} goes by the order of rows"
            raise MetricError(f"{wrong}, and a table of Spark has none", where=spec, do=_DO)


def places(definitions: Mapping[str, Definition]) -> Places:
    """What goes by the order of rows in some of these definitions."""
    last = [one.preparation.settings["duplicate-labels"].traits.by_place for one in definitions.values()]
    return Places(any(map(_by_place, definitions.values())), any(last))


def _by_place(definition: Definition) -> bool:
    preparation = definition.preparation
    return not preparation.by_score or preparation.settings["ties"].traits.by_place


ColumnNames = str | Mapping[str, str] | None
"""The name of a column; or `{"labels": "userId", "run": "uid"}` where the sides call it otherwise."""


class SparkOptions(SharedData, total=False):
    """What `evaluate` takes besides the two tables, metrics, a preset and `per_user`."""

    user: ColumnNames
    item: ColumnNames
    grade: str | None
    group: str | None
    score: str | None
    rank: str | None
    position: str | None
    partitions: int | None
    seen: Any
    plugins: Sequence[str | Path]
    digests: bool
    on_error: Errors


PresetOrName = str | Preset | None


@overload
def evaluate(
    labels: Any,
    run: Any,
    metrics: Metrics,
    preset: PresetOrName = ...,
    *,
    per_user: Literal[False] = ...,
    **options: Unpack[SparkOptions],
) -> Result: ...
@overload
def evaluate(
    labels: Any,
    run: Any,
    metrics: Metrics,
    preset: PresetOrName = ...,
    *,
    per_user: Literal[True],
    **options: Unpack[SparkOptions],
) -> tuple[Result, Any]: ...
def evaluate(
    labels: Any,
    run: Any,
    metrics: Metrics,
    preset: PresetOrName = None,
    *,
    user: ColumnNames = None,
    item: ColumnNames = None,
    grade: str | None = None,
    group: str | None = None,
    score: str | None = None,
    rank: str | None = None,
    position: str | None = None,
    partitions: int | None = None,
    seen: Any = None,
    catalogue: Any = None,
    train: Any = None,
    item_features: Any = None,
    parents: Any = None,
    propensities: Any = None,
    shown: Any = None,
    plugins: Sequence[str | Path] = (),
    per_user: bool = False,
    digests: bool = True,
    on_error: Errors = "raise",
) -> Result | tuple[Result, Any]:
    """Evaluate a run that is a table of Spark, to the bits of `rc.evaluate`, without users.

    `labels` and `run` are DataFrames of Spark, or of pandas on Spark, with a row for each item, or a row for each user
    and arrays: of items, of items with arrays of numbers, or of structs, as ALS recommends them. Columns are named
    as in `rc.Labels` and `rc.Run`; `user={"labels": "userId", "run": "uid"}` names what both call otherwise.
    A table with the lists of both sides is passed twice: `item={"labels": "relevant", "run": "predicted"}`.

    Rows have no order in Spark: `position` names a column of numbers by which the rows of a user stand as they came.
    It is needed where a definition goes by the order given and there are no ranks. Arrays have their order.
    `partitions` is how many parts there are, of about a million rows if you say; otherwise as many as Spark likes.
    `seen` is a table of Spark, or what `rc.join` takes, as are `catalogue`, `train`, `item_features`, `parents`,
    `propensities` and `shown`.
    `plugins` are files that all workers run first. With `per_user=True` there is a second result, a DataFrame of Spark
    with the columns `user` and one for each metric (NaN where a user has no value), made when you use it.
    Without `digests` no digests of the data are made, and signatures say `not-made`.

    A definition that asks which items any user has a label for gets them by a job before all others, and all workers
    are given them.

    Raises InputError for columns and for ids of two types, MetricError for metrics that need all users at once or an
    order that is not there, all before any job; and what `rc.evaluate` raises of rows, naming the least user. Needs
    pyspark and pyarrow: `rankconv[spark]`.
    """
    arguments.word(on_error, Errors, "on_error")
    require("pyarrow", "rankconv[spark]", "Evaluation on Spark")
    given = tables(labels=labels, run=run) | (tables(seen=seen) if is_table(seen) else {})
    for plugin in plugins:
        if not is_loaded(plugin):
            load_plugin(plugin)
    chosen = find_preset(HOUSE if preset is None else preset)
    definitions = define(metrics, chosen)
    spans = needs_labelled(definitions)
    empty = nobody(chosen.name, definitions, labelled=spans, digests=digests)
    empty.to_bytes()  # a definition that cannot be sent is an error here
    names = {"user": user, "item": item, "grade": grade, "group": group, "score": score, "rank": rank}
    check_partitions(partitions)
    given |= _each_side(given["labels"], user, item) if labels is run else {}
    sides = sides_of(given, names, position)
    check_order(empty.definitions, sides[1].ordered)
    rows, sent = together(sides, partitions)
    request = Request.of(empty, plugins, digests=digests)
    side_data = known_data(_catalogue(catalogue), train, item_features, parents, propensities, shown)
    of_all = None if seen is None or "seen" in given else inputs.labels(seen)
    labelled = labelled_items(sides[0].table.select("item")) if spans else None
    work = WorkerRows(sent, places(empty.definitions), side_data, of_all, labelled)
    result = collected(rows, request, work).compute(on_error)
    if not per_user:
        return result
    text = sides[0].kinds["user"] == "text"
    return result, rows.mapInArrow(*of_each_user(request, work, result, text=text))


def _catalogue(given: Any) -> Any:
    """How many items there are, or which; those of a table of Spark are brought to the driver."""
    if given is None:
        return None
    if is_table(given):
        if len(given.columns) != 1:
            wrong = f"catalogue= is a table with the columns {', '.join(given.columns)}"
            raise InputError(wrong, do="Select the column of the items: catalogue=table.select('item')")
        given = distinct(given)
    size, items = catalogue_of(given)
    return size if items is None else items.values.tolist()
