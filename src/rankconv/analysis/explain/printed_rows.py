"""From the judged block of one user to plain rows."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

from rankconv.analysis.explain.rows import NOBODY_KNOWS, JudgedList, Label, Row, fraction
from rankconv.preparation.apart import apart
from rankconv.preparation.block import Block
from rankconv.preparation.rows import NOTHING, ListRows


def printed_rows(block: Block) -> JudgedList:
    """What a judged block of one user holds, as plain rows."""
    working, relevant = block.judged, block.preparation.settings["relevant"]
    labels = working.labels
    return JudgedList(
        rows=tuple(Row(*one) for one in zip(*_columns(block), strict=True)),
        labels=tuple(_labels(block)),
        scored=working.scored,
        tie_rule=block.preparation.tie_rule,
        keeps_ties=block.preparation.keeps_ties,
        labels_are_rows=working.known_rows,
        level=fraction(relevant.keywords.get("level", 0)),
        catalogue=working.joined.extra.catalogue,
        judged_grades=tuple(fraction(grade) for grade in labels.grade[labels.exists & ~labels.in_pool].tolist()),
        label_rows=int(working.label_rows[0]),
        in_rankings=bool(working.in_rankings[0]),
        refusals=tuple(_refusals(block)),
    )


def _columns(block: Block) -> Iterator[list[Any]]:
    """What a row holds, column by column, in the order of its fields."""
    rows, joined = block.judged.rows, block.judged.joined
    items, ties = rows.item.tolist(), _ties(_tied_by(rows))
    in_pool, anyone = block.judged.labels.in_pool.tolist(), joined.labelled.tolist()
    yield [rank_of(rank) for rank in block.ranks_by_rank[:, 0].tolist()]
    yield [name_of(block, code) for code in items]
    yield rows.score.tolist()
    yield [None if grade != grade else fraction(grade) for grade in rows.grade.tolist()]
    yield rows.judged.tolist()
    yield rows.relevant.tolist()
    yield block.hit_rows.tolist()
    yield _repeated(items)
    yield [1] * len(items) if rows.weight is None else list(map(int, rows.weight.tolist()))
    yield rows.place.tolist()
    yield [label >= 0 and in_pool[label] for label in rows.label.tolist()]
    yield [code >= 0 and anyone[code] for code in items]
    yield ties
    served = _groups_served(block)
    yield [tuple(served.get(code, ())) for code in items]


def name_of(block: Block, code: int) -> str:
    """The id of an item as text."""
    return NOBODY_KNOWS if code == NOTHING else str(block.judged.joined.items.id(code))


def _repeated(items: list[int]) -> list[bool]:
    first: dict[int, int] = {}
    return [first.setdefault(code, place) != place and code != NOTHING for place, code in enumerate(items)]


def _groups_served(block: Block) -> dict[int, list[str]]:
    """The names of the groups that each item serves, by its code; none where labels came in no groups."""
    if block.joined.labels.groups is None or block.preparation.pools:
        return {}
    groups = block.once(apart)
    known, names, served = groups.block.known, groups.names(), dict[int, list[str]]()
    for at in known.relevant.nonzero()[0].tolist():
        served.setdefault(int(known.item[at]), []).append(names[int(known.user[at])])
    return served


def _tied_by(rows: ListRows) -> list[Any]:
    """What tied rows have in common: the score, and the rank where it counts."""
    scores = rows.score.tolist()
    return scores if rows.rank is None else list(zip(scores, rows.rank.tolist(), strict=True))


def _ties(tied_by: list[Any]) -> list[range]:
    found: list[range] = []
    for _, tied in groupby(tied_by):
        size = len(list(tied))
        found += [range(len(found), len(found) + size)] * size
    return found


def rank_of(rank: float) -> int | Fraction:
    """A rank as a whole number, or as a half."""
    return int(rank) if rank == int(rank) else fraction(rank)


def _labels(block: Block) -> Iterator[Label]:
    known, first = block.known, dict[int, int]()
    for at, label in enumerate(block.judged.rows.label.tolist()):
        first.setdefault(label, at)
    columns = (getattr(known, name).tolist() for name in ("item", "grade", "relevant", "at_end", "label"))
    for item, grade, relevant, at_end, label in zip(*columns, strict=True):
        row = first.get(label) if label >= 0 else None
        yield Label(name_of(block, item), fraction(grade), relevant, at_end, row, label < 0)


def _refusals(block: Block) -> list[str]:
    items = block.judged.joined.items
    return [reason.text.format(item=repr(items.id(int(reason.item[0])))) for reason in block.reasons]
