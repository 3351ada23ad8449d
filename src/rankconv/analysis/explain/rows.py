"""The rows of a list as an explanation prints them."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from rankconv.preparation.block import Block
from rankconv.preparation.expected import TieEffect
from rankconv.preparation.rows import NOTHING, ListRows, WorkingBlock
from rankconv.preparation.subtopics import separate_subtopics

NOBODY_KNOWS = "(nothing)"
"""The name of an item that was invented to fill a list."""


@dataclass(frozen=True)
class Row:
    """One row of the judged list."""

    rank: int | Fraction
    """The rank that the metric sees: rows of a tie may share one, which may be a half."""
    item: str
    score: float
    grade: Fraction | None
    judged: bool
    relevant: bool
    hit: bool
    """Relevant, and not kept from counting by its score."""
    repeated: bool
    """Whether a row above holds the same item."""
    weight: int
    """How often the row counts."""
    place: int
    """Where it stood in the list as given, from 0."""
    in_pool: bool
    labelled_by_anyone: bool
    tie: range
    """The places, from 0, of the rows that have the same score."""
    groups: tuple[str, ...] = ()
    """The groups of labels that the item serves, by name, where labels came in groups."""


@dataclass(frozen=True)
class Label:
    """One label that exists."""

    item: str
    grade: Fraction
    relevant: bool
    at_end: bool
    row: int | None
    """The place of the first row of its item, from 0; None where it was not returned."""
    represents_row: bool
    """Whether it is not a label, but a row of the list that has none."""


@dataclass(frozen=True)
class JudgedList:
    """One user's list and labels after preparation."""

    rows: tuple[Row, ...]
    labels: tuple[Label, ...]
    scored: bool
    """Whether the run states scores; else each is the negative of a place."""
    tie_rule: TieEffect
    keeps_ties: bool
    """Whether what is read down to rank k includes the rows tied with the k-th."""
    labels_are_rows: bool
    level: Fraction
    """The level that `relevant` names; 0 where it names none."""
    catalogue: int | None
    judged_grades: tuple[Fraction, ...]
    """The grade of each judgment, also of those that do not exist for the metric."""
    label_rows: int
    in_rankings: bool
    refusals: tuple[str, ...]
    """Why the data of this user are not allowed."""

    def within(self, k: int | None) -> int:
        """How many rows stand at rank k or above."""
        if k is None:
            return len(self.rows)
        return sum(row.tie[0] < k if self.keeps_ties else row.rank <= k for row in self.rows)


def fraction(value: Any) -> Fraction:
    """The fraction that the shortest decimal for this number says."""
    return Fraction(repr(float(value)))


@dataclass(frozen=True)
class LabelSnapshot:
    """A label row at one moment."""

    item: str
    grade: float
    exists: bool
    in_pool: bool
    at_end: bool
    relevant: bool

    @property
    def judged(self) -> bool:
        """Whether it is a judgment."""
        return self.exists and not self.in_pool


@dataclass(frozen=True)
class RowSnapshot:
    """A ranked row at one moment."""

    item: str
    place: int
    score: float
    relevant: bool | None
    """None before it is decided."""
    weight: float

    @property
    def key(self) -> tuple[str, int]:
        """What stays the same while scores and order change."""
        return self.item, self.place


@dataclass(frozen=True)
class Snapshot:
    """Labels and rows at one moment."""

    labels: tuple[LabelSnapshot, ...]
    rows: tuple[RowSnapshot, ...]
    known: int
    """How many labels exist for the metric; 0 before it is settled."""
    refusals: tuple[str, ...]


def moment(block: WorkingBlock) -> Snapshot:
    """The block of one user as it is now."""
    return Snapshot(
        tuple(_labels(block)),
        tuple(_rows(block)),
        0 if block.known is None else len(block.known.item),
        tuple(reason.text.format(item=_name(block, int(reason.item[0]))) for reason in block.reasons),
    )


def _name(block: WorkingBlock, code: int) -> str:
    return NOBODY_KNOWS if code == NOTHING else str(block.joined.items.id(code))


def _labels(block: WorkingBlock) -> list[LabelSnapshot]:
    labels = block.labels
    columns = (labels.grade, labels.exists, labels.in_pool, labels.at_end, labels.relevant)
    names = [_name(block, code) for code in labels.item.tolist()]
    return [LabelSnapshot(*one) for one in zip(names, *(column.tolist() for column in columns), strict=True)]


def _rows(block: WorkingBlock) -> list[RowSnapshot]:
    rows = block.rows
    size = len(rows.item)
    relevant = rows.relevant.tolist() if hasattr(rows, "relevant") else [None] * size
    weights = [1.0] * size if rows.weight is None else rows.weight.tolist()
    names = [_name(block, code) for code in rows.item.tolist()]
    columns = (names, rows.place.tolist(), rows.score.tolist(), relevant, weights)
    return [RowSnapshot(*one) for one in zip(*columns, strict=True)]


def printed_rows(block: Block) -> JudgedList:
    """What a judged block of one user holds, as plain rows."""
    working, relevant = block.judged, block.preparation.settings["relevant"]
    labels = working.labels
    return JudgedList(
        rows=tuple(Row(*one) for one in zip(*_columns(block), strict=True)),
        labels=tuple(_printed_labels(block)),
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
    groups = block.once(separate_subtopics)
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


def _printed_labels(block: Block) -> Iterator[Label]:
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
