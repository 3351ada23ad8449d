"""The numbers of labels and a run that are tables of Spark."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from rankconv import inputs
from rankconv.data.joined import Joined
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.metric_result import OUTSIDE
from rankconv.engine.run import populations, run
from rankconv.errors import InputError, MetricError
from rankconv.evaluation.partial import nobody
from rankconv.evaluation.result import Errors, Result
from rankconv.inputs.side_data import catalogue_of
from rankconv.inputs.side_data import features as features_of
from rankconv.optional import require
from rankconv.plugins import is_loaded, load_plugin
from rankconv.presets import arguments
from rankconv.presets.defining import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.spark.request import Request, Rows
from rankconv.spark.taking import collected, take
from rankconv.spark.together import distinct, is_table, labelled_items, needs_labelled, tables
from rankconv.spark.worker_rows import Places

if TYPE_CHECKING:
    import pyarrow as pa


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
            masks = populations(joined, [*empty.definitions.values()], None)
            values = _values(joined, empty.definitions, masks, set(self.fixed))
            for spec, definition in empty.definitions.items():
                inside = masks[definition.aggregation.given("users")]
                columns[spec] = values.get(spec, np.where(inside, self.fixed.get(spec, np.nan), np.nan))
            yield pa.RecordBatch.from_pydict(columns)


def _values(joined: Joined, definitions: Mapping[str, Any], masks: Mapping[str, Any], but: set[str]) -> dict[str, Any]:
    """The values of these users under each definition, shape (users,), but of those whose values are fixed."""
    request = {spec: one for spec, one in definitions.items() if spec not in but}
    found = {spec: Aggregate(one, len(joined.users), per_user=True) for spec, one in request.items()}
    readers = {spec: one.reader(masks[request[spec].aggregation.given("users")]) for spec, one in found.items()}
    run(joined, [*readers.values()])
    return {spec: np.where(one.of_each[1] == OUTSIDE, np.nan, one.of_each[0]) for spec, one in found.items()}


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


@overload
def evaluate(
    labels: Any,
    run: Any,
    metrics: Metrics,
    preset: str | Preset | None = ...,
    *,
    user: Column = ...,
    item: Column = ...,
    grade: str | None = ...,
    group: str | None = ...,
    score: str | None = ...,
    rank: str | None = ...,
    position: str | None = ...,
    partitions: int | None = ...,
    seen: Any = ...,
    catalogue: Any = ...,
    train: Any = ...,
    item_features: Any = ...,
    plugins: Sequence[str | Path] = ...,
    per_user: Literal[False] = ...,
    on_error: Errors = ...,
) -> Result: ...
@overload
def evaluate(
    labels: Any,
    run: Any,
    metrics: Metrics,
    preset: str | Preset | None = ...,
    *,
    user: Column = ...,
    item: Column = ...,
    grade: str | None = ...,
    group: str | None = ...,
    score: str | None = ...,
    rank: str | None = ...,
    position: str | None = ...,
    partitions: int | None = ...,
    seen: Any = ...,
    catalogue: Any = ...,
    train: Any = ...,
    item_features: Any = ...,
    plugins: Sequence[str | Path] = ...,
    per_user: Literal[True],
    on_error: Errors = ...,
) -> tuple[Result, Any]: ...
def evaluate(
    labels: Any,
    run: Any,
    metrics: Metrics,
    preset: str | Preset | None = None,
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
    `seen` is a table of Spark, or what `rc.join` takes, as are `catalogue`, `train` and `item_features`. `plugins` are
    files that all workers run first. With `per_user=True` there is a second result, a DataFrame of Spark with the
    columns `user` and one for each metric (NaN where a user has no value), made when you use it.

    A definition that asks which items any user has a label for gets them by a job before all others, and all workers
    are given them.

    Raises InputError for columns and for ids of two types, MetricError for metrics that need all users at once or an
    order that is not there, all before any job; and what `rc.evaluate` raises of rows, naming the least user. Needs
    pyspark and pyarrow: `rankconv[spark]`.
    """
    arguments.word(on_error, Errors, "on_error")
    require("pyarrow", "pyarrow", "Evaluation on Spark")
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
    side_data = {
        "catalogue": _catalogue(catalogue),
        "train": None if train is None else inputs.labels(train),
        "item_features": None if item_features is None else features_of(item_features),
        **({} if seen is None or "seen" in given else {"seen": inputs.labels(seen)}),
        **({"labelled": labelled_items(taken.labelled)} if spans else {}),
    }
    work = Rows(taken.sent, places(empty.definitions), side_data, taken.pairs)
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
