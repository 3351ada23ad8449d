"""What is summed over users who are not kept, what metrics of all lists count, and which definitions add up so."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import PlainValidator

from rankconv.aggregation import Aggregation
from rankconv.aggregation.means import MeanTraits
from rankconv.basics.errors import MetricError
from rankconv.conventions.parameters import Setting
from rankconv.data.arrays import Codes
from rankconv.data.ids import Ids
from rankconv.data.joined import Joined
from rankconv.engine.aggregate import Aggregate, larger
from rankconv.engine.exact_sums import NO_SUM, TIMES, CompactSum, Kept, RowCounts, exact, kept_values
from rankconv.engine.metric_result import SCORED
from rankconv.engine.needs import NUMBERED_ITEMS, spanning, tied, unmet
from rankconv.engine.scoring import entering
from rankconv.metrics.beyond.of_all_lists import OF_ALL_DATA, OF_ITEMS, ShownRows, SystemLevelMetric
from rankconv.preparation.step_registry import PREPARATION
from rankconv.presets.definition import Definition, settings_of

WHILE_ADDED = 4
"""Times as much memory as counted rows take is needed while others are added to them."""
Id = str | int | tuple[str | int, ...]
Refused = Mapping[str, tuple[Id, str]]


@dataclass(frozen=True)
class Summed:
    """What one definition makes of some users."""

    tally: tuple[int, ...] = ()
    """How many users are in each state, from `scored` on; empty where nobody was looked at yet."""
    values: CompactSum = NO_SUM
    """The values of those who count."""
    sums: tuple[CompactSum, ...] = ()
    """What else the mean is made of: weights, numerators, logarithms."""
    prepared_users: int = 0
    """How many users were looked at for what follows."""
    prepared_sums: Mapping[str, CompactSum] = field(default_factory=dict)
    """What the prepared lists add up to, by the situation of the data as a whole that it tells of."""
    refused: Refused = field(default_factory=dict)
    """The policies under which users are refused, each with the user of the least id and what is wrong with them."""
    largest: tuple[float, Id] | None = None
    """The size of the largest number that the mean adds up, and the user; None where none may be too large."""
    kept: Annotated[Any, PlainValidator(kept_values)] = None
    """Values of users as `Kept`, where the mean is none of sums: all of them for a median, one for a minimum."""
    rows: RowCounts = field(default_factory=RowCounts)
    """Where all lists make one number: their rows, counted."""
    unmet: str = ""
    """What the definition needs and some of the users' data do not have."""
    tied: bool = False
    """Whether rows are tied in the scores, for a definition that would then compare item ids as numbers."""

    @property
    def memory_bytes(self) -> int:
        """Bytes of memory that grow with the data: counted rows and kept values, while others are added to them."""
        kept = 0 if self.kept is None else sum(level.nbytes for level in self.kept.levels)
        return (self.rows.bytes + kept) * WHILE_ADDED

    def plus(self, other: "Summed", aggregation: Aggregation) -> "Summed":
        """Both together."""
        return Summed(
            tally=_each(self.tally, other.tally),
            values=self.values + other.values,
            sums=_each(self.sums, other.sums),
            prepared_users=self.prepared_users + other.prepared_users,
            prepared_sums={
                name: one + other.prepared_sums.get(name, NO_SUM) for name, one in self.prepared_sums.items()
            }
            or other.prepared_sums,
            refused=_first_of_each(self.refused, other.refused),
            largest=larger(self.largest, other.largest),
            kept=_both(aggregation.settings["aggregate"], self.kept, other.kept),
            rows=self.rows.plus(other.rows),
            unmet=min(filter(None, (self.unmet, other.unmet)), default=""),
            tied=self.tied or other.tied,
        )


def _each(ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Both added place by place; the other where one is empty."""
    return tuple(one + other for one, other in zip(ours, theirs, strict=True)) if ours and theirs else ours or theirs


def _first_of_each(ours: Refused, theirs: Refused) -> Refused:
    """Of each policy the user of the least id."""
    both = {policy: [each[policy] for each in (ours, theirs) if policy in each] for policy in sorted({*ours, *theirs})}
    return {policy: min(found) for policy, found in both.items()}


def _both(mean: Setting, ours: Kept | None, theirs: Kept | None) -> Kept | None:
    if not (ours and theirs):
        return ours or theirs
    keeps = MeanTraits.of(mean).keeps
    assert keeps is not None
    return ours.plus(theirs, keeps)


def summed(found: Aggregate, joined: Joined) -> Summed:
    """What a definition made of these users in plain data; the users concerned are named by their ids."""
    definition, keeps, kept = found.definition, MeanTraits.of(found.mean).keeps, None
    if found.users is not None and keeps is not None:
        values = found.users.values[entering(definition, found.users.states)]
        kept = Kept([keeps(values)]) if len(values) else None
    refusal = unmet(joined, definition) or found.unmet
    of_all = refusal is not None and NUMBERED_ITEMS in refusal.what  # ties and ids of other users may be such
    return Summed(
        tally=tuple(found.tally[SCORED:].tolist()),
        values=exact(found.summed),
        sums=tuple(map(exact, found.sums)),
        prepared_users=found.prepared_totals.users,
        prepared_sums={name: exact(one) for name, one in found.prepared_totals.sums.items()},
        refused=dict(found.refused),
        largest=found.largest,
        kept=kept,
        rows=_item_counts(found),
        unmet="" if refusal is None or of_all else refusal.what,
        tied=NUMBERED_ITEMS in definition.needs and tied(joined, definition.preparation),
    )


def as_aggregate(definition: Definition, summed: Summed, users: int) -> Aggregate:
    """What was summed, of so many users in all, as far as `Aggregate.finish` reads it."""
    made = Aggregate(definition, users, per_user=False)
    made.users, made.combine = None, definition.metric.combine
    made.tally[SCORED:] = summed.tally or 0
    made.summed, made.sums = summed.values.sum, [one.sum for one in summed.sums]
    made.prepared_totals.users = summed.prepared_users
    made.prepared_totals.sums = {name: summed.prepared_sums.get(name, NO_SUM).sum for name in made.prepared_totals.sums}
    made.kept = np.empty(0) if summed.kept is None else summed.kept.whole
    if isinstance(definition.metric, SystemLevelMetric) and summed.rows.totals:
        made.shown = [shown_of(definition.metric, summed.rows)]
    made.refused, made.largest = dict(summed.refused), summed.largest
    return made


def _item_counts(found: Aggregate) -> RowCounts:
    """The items of all lists, where they make one number."""
    metric = found.definition.metric
    return counted_items(metric, found.shown) if found.shown and isinstance(metric, SystemLevelMetric) else RowCounts()


def why_not_summed(definition: Definition) -> str:
    """Why users of this definition do not add up without being kept, in words; empty where they do."""
    mean = definition.aggregation.settings["aggregate"]
    if reading_all(definition):
        only = "a plugin's setting that looks at each user alone says spans_users=False"
        return f"{reading_all(definition)} is given the data of all users at once ({only})"
    if definition.preparation.pools:
        return f"scope={definition.preparation.given('scope')} makes one list of all users"
    if definition.metric.of_groups:
        return f"{definition.metric.name} has the values of groups of items"
    if isinstance(definition.metric, SystemLevelMetric):
        if definition.metric.all_counted_by is None:
            return f"{definition.metric.name} does not say, by `counted_by`, what it reads of the rows of all lists"
        return ""
    if definition.metric.of_all_lists:
        return f"{definition.metric.name} is one number of the lists of all users"
    if "values" in mean.reads and MeanTraits.of(mean).keeps is None:
        return f"aggregate={mean.text} reads the values of all users in their order"
    if "combine" in mean.reads and definition.metric.combine is None:
        return f"{definition.metric.name} does not say by a method `combine` what its averaged parts make"
    unsummed = {"weights", "ratios", "parts"} & {*mean.reads}
    return f"aggregate={mean.text} reads the {min(unsummed)} of each user" if unsummed else ""


def reading_all(definition: Definition) -> str:
    """The setting that is given the joined data, or spans users in preparation, in words; empty where none is."""
    settings = settings_of(*definition.setting_sets).items()
    each = [(name, one) for name, setting in settings for one in setting.whole]
    preparing = [(name, one) for name, one in each if name in PREPARATION and one.traits.spans_users]
    reading = [(name, one) for name, one in each if "joined" in one.setting_type.parameters.data]
    across = preparing + [(name, one) for name, one in reading if one.traits.spans_users is not False]
    return next((f"{name}={one.text}" for name, one in across), "")


def spans_users(definition: Definition) -> bool:
    """Whether what it gives a user may depend on the data of others, beyond the mean."""
    return definition.pools or bool(spanning(definition) or reading_all(definition))


def check_summable(definitions: dict[str, Definition], *, labelled: bool) -> None:
    """A MetricError for the first number whose users do not add up without being kept.

    `labelled` says whether the items that any user has a label for are known.
    """
    for spec, definition in definitions.items():
        if spanning(definition) and not labelled:
            do = "Say which items any user has a label for: labelled=[…]."
            raise MetricError(f"{spanning(definition)} looks at the labels of all users", where=spec, do=do)
        why = why_not_summed(definition)
        if why:
            do = "Leave it out, or evaluate all users at once, in memory."
            raise MetricError(f"it cannot be put together from parts: {why}", where=spec, do=do)


def counted_items(metric: SystemLevelMetric, parts: Sequence[ShownRows]) -> RowCounts:
    """How often each item occurs in these lists, distinguished as far as the metric reads."""
    shown, read = ShownRows.together(parts), metric.all_counted_by
    assert read is not None
    assert shown.joined is not None
    columns: dict[str, Any] = {name: each for name, each in (("rank", shown.rank), ("of", shown.of)) if name in read}
    columns |= {name: shown.of_items(name) for name in OF_ITEMS if name in read}
    given = {name: shown.of_all_data(name) for name in OF_ALL_DATA if name in read}
    by_code = RowCounts.of({"item": shown.item, **columns}, {}, {})
    columns = {name: by_code.column(name) for name in (*columns, TIMES)} if by_code.size else {}
    items = _keys(shown.joined.items, by_code.column("item")) if by_code.size else NOTHING
    return RowCounts.of({"item": items, **columns}, {"lists": _whole(shown.lists)}, given)


NOTHING = np.empty(0, np.int64)


def _keys(items: Ids, codes: Codes) -> NDArray[Any]:
    """What distinguishes these items in all parts, shape (codes,): their ids, compound ones as text."""
    values = items.values[codes]
    return values if items.kind != "compound" else np.array([json.dumps(one) for one in values.tolist()], object)


def shown_of(metric: SystemLevelMetric, counts: RowCounts) -> ShownRows:
    """The rows that were counted, as the metric reads them."""
    _, item = np.unique(counts.column("item"), return_inverse=True)
    one = np.ones(counts.size, np.int64)
    rank, of = (counts.column(name) if counts.has(name) else one for name in ("rank", "of"))
    read = [name for name in OF_ITEMS if name in (metric.all_counted_by or ())]
    known = {name: counts.column(name) if counts.size else np.empty(0, bool) for name in read}
    lists = int(counts.totals["lists"].sum.total) if counts.totals else 0
    times = counts.column(TIMES).astype(np.int64)
    return ShownRows(None, item, rank, of, lists, metric.k, times=times, items_known=known, data_known=counts.given)


def _whole(number: int) -> CompactSum:
    return CompactSum(number, (float(number),) if number else ())
