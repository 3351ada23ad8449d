"""The rows of all lists as counts and back: for a metric of all lists together, and for all lists as one."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.aggregation.exact_sum import ExactSum
from rankconv.data.arrays import Codes, Numbers
from rankconv.data.ids import Ids
from rankconv.engine.exact import TIMES, Exact, RowCounts, exact
from rankconv.engine.summed import Refused
from rankconv.metrics.beyond.of_all_lists import COUNTED_BY, OF_ALL_DATA, OF_ITEMS, OfAllLists, Shown
from rankconv.preparation.block import Block
from rankconv.preparation.pooling import Chosen
from rankconv.preparation.row_block import MORE_TOTALS, TOTALS, CountedBlock
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition


def counted_items(metric: OfAllLists, parts: Sequence[Shown]) -> RowCounts:
    """How often each item occurs in these lists, distinguished as far as the metric reads."""
    shown, read = Shown.together(parts), metric.all_counted_by
    assert read is not None
    assert shown.joined is not None
    columns = {name: getattr(shown, name) for name in COUNTED_BY if name in read}
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


def shown_of(metric: OfAllLists, counts: RowCounts) -> Shown:
    """The rows that were counted, as the metric reads them."""
    _, item = np.unique(counts.column("item"), return_inverse=True)
    one = np.ones(counts.size, np.int64)
    columns = {name: counts.column(name) if counts.has(name) else one for name in COUNTED_BY}
    known = {name: counts.column(name) for name in OF_ITEMS if counts.has(name)} | dict(counts.given)
    lists = int(counts.totals["lists"].sum.total) if counts.totals else 0
    times = counts.column(TIMES).astype(np.int64)
    return Shown(None, item, columns["rank"], columns["of"], lists, metric.k, times=times, known=known)


def counted_rows(definition: Definition, lists: Chosen) -> RowCounts:
    """How many rows of these lists have each score, distinguished by hit, and by grade where the metric reads it."""
    columns: dict[str, list[NDArray[Any]]] = {}
    for block, inside in lists:
        for name, values in _columns(definition, block).items():
            columns.setdefault(name, []).append(values[inside[block.judged.rows.user]])
    totals = {name: ExactSum() for name in (*TOTALS, *MORE_TOTALS)}
    for block, inside in lists:
        for name, summed in totals.items():
            summed.add(np.asarray(_of_users(name, block)[inside], np.float64))
    strung = {name: np.concatenate(parts) for name, parts in columns.items()}
    return RowCounts.of(strung, {name: exact(one) for name, one in totals.items()}, {})


def _columns(definition: Definition, block: Block) -> dict[str, NDArray[Any]]:
    rows = block.judged.rows
    found: dict[str, NDArray[Any]] = {"score": rows.score + 0.0, "hit": block.hit_rows}  # -0 is 0
    if not definition.metric.many_at_once:
        found["grade"] = np.nan_to_num(rows.grade)
    if rows.hits is not None:
        found["worth"] = np.asarray(rows.hits, np.float64)
    return found


def _of_users(name: str, block: Block) -> Numbers:
    if name == "distinct hits":
        return block.distinct_hits.whole
    return np.ones(block.size) if name == "lists" else np.asarray(getattr(block, name))


def refusals_of(lists: Chosen, users: Ids) -> Refused:
    """What preparation did not allow: the user of the least id, and what is wrong."""
    found: dict[str, tuple[Any, str]] = {}
    for block, inside in lists:
        for reason in block.reasons:
            for at in np.flatnonzero(inside[reason.user]).tolist():
                user = users.id(int(block.users[reason.user[at]]))
                what = reason.text.format(item=repr(block.joined.items.id(int(reason.item[at]))))
                found["on-invalid"] = min(found.get("on-invalid", (user, what)), (user, what))
    return found


def one_list(definition: Definition, counts: RowCounts, refused: Refused) -> Block | None:
    """All lists as one; None where there was none."""
    totals = {name: one.sum.total for name, one in counts.totals.items()}
    if not totals.get("lists"):
        return None
    score, hit = counts.column("score").astype(np.float64), counts.column("hit").astype(bool)
    grade = counts.column("grade") if counts.has("grade") else np.zeros(counts.size)
    order = np.lexsort((hit, grade, -score))
    times = counts.column(TIMES).astype(np.int64)[order]
    if not definition.metric.many_at_once or definition.applied.tie_rule is TieEffect.EXPECTED:
        order, times = np.repeat(order, times), np.ones(int(times.sum()), np.int64)
    worth = counts.column("worth")[order] if counts.has("worth") else None
    why = {kind: what for kind, (_, what) in refused.items()}
    return CountedBlock(definition.applied, (score[order], grade[order], hit[order], worth), times, totals, why)


def _whole(number: int) -> Exact:
    return Exact(number, (float(number),) if number else ())
