"""The numbers of labels and a run that are tables of Spark."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np

from rankconv import inputs
from rankconv.engine.aggregate import aggregated
from rankconv.engine.metric_result import OUTSIDE
from rankconv.errors import InputError, LibraryError, MetricError
from rankconv.evaluation.joining import SharedData
from rankconv.evaluation.result import Errors, Result
from rankconv.inputs.columns import has_usual_name
from rankconv.inputs.side_data import catalogue_of
from rankconv.optional import require
from rankconv.plugins import is_loaded, load_plugin
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.spark.sides import (
    ROLES,
    Cell,
    Sent,
    Side,
    What,
    cells_of,
    check_kinds,
    column,
    distinct,
    is_table,
    items_in_lists,
    items_of_side,
    kind_of_ids,
    labelled_items,
    name_of,
    needs_labelled,
    number_sent_as,
    tables,
    together,
)
from rankconv.spark.workers import SETTING, Judge, Merge, Places, Request, Rows, first, merged, raise_error
from rankconv.streaming.evaluator import known_data
from rankconv.streaming.partial import Partial, nobody

if TYPE_CHECKING:
    import pyarrow as pa


USUAL: dict[What, tuple[str, ...]] = {
    "labels": ("relevant", "label", "labels", "_2"),
    "run": ("predicted", "prediction", "predictions", "_1"),
}
"""What the lists of either side are usually called; Spark calls the parts of a pair without names _1 and _2."""


def named_items(table: Any, item: Any) -> dict[What, str] | None:
    """The column of lists of either side, where one table has both: as named, or as usual; None where it has not."""
    cells = cells_of(table)
    if isinstance(item, Mapping) and {*item} == {"labels", "run"}:
        return {"labels": item["labels"], "run": item["run"]}
    if item is not None or "item" in cells:
        return None
    found = {side: [name for name in names if name in cells and cells[name].listed] for side, names in USUAL.items()}
    return {side: names[0] for side, names in found.items()} if all(len(one) == 1 for one in found.values()) else None


def of_rows(
    table: Any, items: dict[What, str], numbers: dict[What, dict[str, str | None]]
) -> tuple[Any, tuple[Sent, ...]]:
    """A table of users, numbered, with their lists, and how it is sent; `numbers` names lists next to those of items.

    Nothing is moved: a row has all that there is of a user.
    """
    from pyspark.sql import functions as sql

    cells, columns, sent = cells_of(table), [], []
    kinds = dict[What, str]()
    for side, name in items.items():
        where = f"the {side}"
        kinds[side] = kind_of_ids(_held(table, cells, name, where), "item", where, name, listed=True)
        of = {"item": name, **{role: column for role, column in numbers[side].items() if column is not None}}
        for role, called in of.items():
            if role != "item":
                number_sent_as(_held(table, cells, called, where), role, where, called)
            columns.append(column(called).alias(f"{side} {role}"))
        columns_of = {"user": "user", **{role: f"{side} {role}" for role in of}, "position": "position"}
        sent.append(Sent(side, columns_of, of, True, kinds[side] == "whole", True))
    if len({*kinds.values()}) > 1:
        words = " and ".join(f"{kind} in the {side}" for side, kind in kinds.items()).replace("whole", "floating-point")
        raise InputError(f"item ids are {words}, so nothing can match", do="Cast one of the columns")
    return table.select(sql.monotonically_increasing_id().alias("user"), *columns), tuple(sent)


def _held(table: Any, cells: dict[str, Cell], name: str, where: str) -> Any:
    """What the lists of a column hold."""
    if name not in cells:
        raise InputError(f"there is no column '{name}'", where=where, allowed=f"The columns are: {', '.join(cells)}")
    kind = table.schema[cells[name].column].dataType
    if cells[name].field or name_of(kind) != "array":
        raise InputError(f"the column '{name}' holds no lists", where=where, do="Give each row a list of items")
    return kind.elementType


MOST_AT_ONCE = 256
"""Of more parts, some are put together by workers before the driver gets them, in tasks that cost what 50 parts do."""


@dataclass(frozen=True, eq=False)
class Taken:
    """The rows that workers get: all of a user in one partition."""

    rows: Any
    sent: tuple[Sent, ...]
    ordered: bool
    """Whether something says how the rows of a list stand."""
    pairs: bool
    """Whether each row is a user with both lists, numbered where they stand."""
    text: bool
    """Whether users are text."""
    labelled: Any
    """The items of all labels, in one column, as workers get them."""


def take(
    given: Mapping[str, Any], names: Mapping[str, Any], position: str | None, partitions: int | None, *, same: bool
) -> Taken:
    """Tables by what they are, as rows; `names` are those of columns by role, `same` says that labels and run are one.

    Raises InputError for columns that are not there, for types that are no ids or numbers, and for ids that differ.
    """
    if partitions is not None and (isinstance(partitions, bool) or not isinstance(partitions, int) or partitions < 1):
        raise InputError(f"partitions={partitions!r:.100} is no number of partitions", allowed="It is 1 or more")
    items = named_items(given["labels"], names["item"]) if same else None
    if items and not (names["user"] or has_usual_name(["user"], *cells_of(given["labels"]))):
        if "seen" in given:
            raise InputError("seen= needs users, and these pairs have none", do="Add a column of users")
        numbers: dict[What, dict[str, str | None]] = {
            "labels": {"grade": names["grade"]},
            "run": {"score": names["score"]},
        }
        table = given["labels"] if partitions is None else given["labels"].repartition(partitions)
        rows, sent = of_rows(table, items, numbers)
        return Taken(rows, sent, ordered=True, pairs=True, text=False, labelled=items_in_lists(rows, sent[0]))
    sides = _sides(given, names, position, items)
    check_kinds(sides)
    rows, sent = together(sides, partitions)
    text, labelled = sides[0].kinds["user"] == "text", items_of_side(sides[0])
    return Taken(rows, sent, sides[1].ordered, pairs=False, text=text, labelled=labelled)


def _sides(
    given: Mapping[str, Any], names: Mapping[str, Any], position: str | None, items: Mapping[What, str] | None
) -> list[Side]:
    sides = list[Side]()
    for what in ROLES:
        table = given.get(what.rstrip("="))
        if table is None:
            continue
        named = {role: _of_side(role, name, what) for role, name in names.items()}
        named |= {"item": items[what]} if items and what in items else {}
        if what == "seen=":
            named = {role: name if name in table.columns else None for role, name in named.items()}
        sides.append(Side.of(what, table, named, position))
    if position is not None and "position" not in sides[1].called and not sides[1].listed:
        columns = ", ".join(given["run"].columns)
        raise InputError(f"there is no column '{position}'", where="the run", allowed=f"The columns are: {columns}")
    return sides


def _of_side(role: str, name: Any, what: What) -> str | None:
    """One name for both sides, or that of each side; an InputError for anything else."""
    found = name.get("labels" if what == "seen=" else what) if isinstance(name, Mapping) else name
    if found is None or isinstance(found, str):
        return found
    wrong = f"{role}={found!r:.100} is not the name of a column"
    raise InputError(wrong, do="Put ids of several columns into one column of text first")


def collected(taken: Taken, request: Request, work: Rows, partitions: int | None) -> Partial:
    """What all users are: one part of each partition, put together by workers where there are many.

    Raises what is wrong with the rows.
    """
    parts = taken.rows.mapInArrow(Judge(request, work), SETTING)
    expected = partitions or _usual_number(taken.rows)
    if expected > MOST_AT_ONCE:
        parts = parts.repartition(math.isqrt(expected)).mapInArrow(Merge(request), SETTING)
    found = _rows_of(parts)
    wrong = first(row["error"] for row in found)
    if wrong:
        raise_error(wrong)
    return merged(request.empty(), [row["part"] for row in found])


def _usual_number(rows: Any) -> int:
    return int(rows.sparkSession.conf.get("spark.sql.shuffle.partitions"))


def _rows_of(table: Any) -> list[Any]:
    """All rows; a LibraryError where the workers do not have this library."""
    try:
        return list(table.collect())
    except Exception as problem:
        if "No module named 'rankconv" not in str(problem):
            raise
    do = "Install the same version there, or send it along: spark.addArtifacts, or an archive of the environment"
    raise LibraryError("the workers of Spark have no rankconv", do=do)


def of_each_user(request: Request, rows: Rows, result: Result, *, text: bool) -> tuple["JudgeEach", str]:
    """What `mapInArrow` takes: what judges rows once more, and the columns: users, and the values of each metric."""
    named = ", ".join(f"`{spec.replace('`', '``')}` double" for spec in result.specs)
    fixed = {spec: value for spec, one in result.by_spec.items() if (value := one.of_everybody) is not None}
    return JudgeEach(request, rows, fixed), f"user {'string' if text else 'long'}, {named}"


@dataclass(frozen=True)
class JudgeEach:
    """Gives one row for each user; their rows were found right when the numbers of all were made."""

    request: Request
    rows: Rows
    fixed: Mapping[str, float]
    """What all users have under some metrics, as the data as a whole say."""

    def __call__(self, batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        """As Spark's mapInArrow calls it."""
        import pyarrow as pa

        empty = self.request.empty()
        for joined in self.rows.joined(batches):
            columns: dict[str, Any] = {"user": joined.users.values.tolist()}
            found = aggregated(joined, [*empty.definitions.values()], per_user=True)
            for spec, one in zip(empty.definitions, found, strict=True):
                values, states = one.of_each
                columns[spec] = np.where(states == OUTSIDE, np.nan, self.fixed.get(spec, values))
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
    last = [one.preparation.settings["duplicate-labels"].trait("by_place", False) for one in definitions.values()]
    return Places(any(map(_by_place, definitions.values())), any(last))


def _by_place(definition: Definition) -> bool:
    preparation = definition.preparation
    return not preparation.by_score or bool(preparation.settings["ties"].trait("by_place"))


Column = str | Mapping[str, str] | None
"""The name of a column; or `{"labels": "userId", "run": "uid"}` where the sides call it otherwise."""


class Options(SharedData, total=False):
    """What `evaluate` takes besides the two tables, metrics, a preset and `per_user`."""

    user: Column
    item: Column
    grade: str | None
    group: str | None
    score: str | None
    rank: str | None
    position: str | None
    partitions: int | None
    seen: Any
    plugins: Sequence[str | Path]
    on_error: Errors


PresetLike = str | Preset | None


@overload
def evaluate(
    labels: Any,
    run: Any,
    metrics: Metrics,
    preset: PresetLike = ...,
    *,
    per_user: Literal[False] = ...,
    **options: Unpack[Options],
) -> Result: ...
@overload
def evaluate(
    labels: Any,
    run: Any,
    metrics: Metrics,
    preset: PresetLike = ...,
    *,
    per_user: Literal[True],
    **options: Unpack[Options],
) -> tuple[Result, Any]: ...
def evaluate(
    labels: Any,
    run: Any,
    metrics: Metrics,
    preset: PresetLike = None,
    *,
    user: Column = None,
    item: Column = None,
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
    plugins: Sequence[str | Path] = (),
    per_user: bool = False,
    on_error: Errors = "raise",
) -> Result | tuple[Result, Any]:
    """Evaluate a run that is a table of Spark, to the bits of `rc.evaluate`, without users.

    `labels` and `run` are DataFrames of Spark, or of pandas on Spark, with a row for each item, or a row for each user
    and arrays: of items, of items with arrays of numbers, or of structs, as ALS recommends them. Columns are named
    as in `rc.Labels` and `rc.Run`; `user={"labels": "userId", "run": "uid"}` names what both call otherwise.
    One table of (predicted, relevant) arrays is passed twice: `evaluate(pairs, pairs, …)`, as RankingMetrics takes
    them; each of its rows is a user, and none is moved.

    Rows have no order in Spark: `position` names a column of numbers by which the rows of a user stand as they came.
    It is needed where a definition goes by the order given and there are no ranks. Arrays have their order.
    `partitions` is how many parts there are, of about a million rows if you say; otherwise as many as Spark likes.
    `seen` is a table of Spark, or what `rc.join` takes, as are `catalogue`, `train`, `item_features` and `parents`.
    `plugins` are files that all workers run first. With `per_user=True` there is a second result, a DataFrame of Spark
    with the columns `user` and one for each metric (NaN where a user has no value), made when you use it.

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
    empty = nobody(chosen.name, definitions, labelled=spans)
    empty.to_bytes()  # a definition that cannot be sent is an error here
    names = {"user": user, "item": item, "grade": grade, "group": group, "score": score, "rank": rank}
    taken = take(given, names, position, partitions, same=labels is run)
    check_order(empty.definitions, taken.ordered)
    request = Request.of(empty, plugins)
    side_data = known_data(_catalogue(catalogue), train, item_features, parents)
    of_all = None if seen is None or "seen" in given else inputs.labels(seen)
    labelled = labelled_items(taken.labelled) if spans else None
    work = Rows(taken.sent, places(empty.definitions), side_data, taken.pairs, of_all, labelled)
    result = collected(taken, request, work, partitions).compute(on_error)
    if not per_user:
        return result
    return result, taken.rows.mapInArrow(*of_each_user(request, work, result, text=taken.text))


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
