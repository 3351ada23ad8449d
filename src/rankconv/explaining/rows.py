"""The judged list of one user as plain rows: what a working may read, and all of it is printed."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from rankconv.ranking.block import Block
from rankconv.ranking.rows import NOTHING

NOBODY_KNOWS = "(nothing)"
"""The name of an item that was invented to fill a list."""


@dataclass(frozen=True)
class Row:
    """One row of the judged list."""

    rank: int
    """The rank that the metric sees: rows of a tie may share one."""
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


@dataclass(frozen=True)
class Label:
    """One label that exists."""

    item: str
    grade: Fraction
    relevant: bool
    at_end: bool
    row: int | None
    """The place of the first row of its item, from 0; None where it was not returned."""
    stands_for_row: bool
    """Whether no label stands behind it, but a row of the list that has none."""


@dataclass(frozen=True)
class JudgedList:
    """One user's list and labels after judging."""

    rows: tuple[Row, ...]
    labels: tuple[Label, ...]
    tie_rule: str
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


def fraction(value: Any) -> Fraction:
    """The fraction that the shortest decimal for this number says."""
    return Fraction(repr(float(value)))


def plain_list(block: Block) -> JudgedList:
    """What a judged block of one user holds, as plain rows."""
    working, judging = block.judged, block.judging
    labels, catalogue = working.labels, working.joined.extra.catalogue
    names = [name_of(block, code) for code in working.rows.item.tolist()]
    there = labels.exists & ~labels.in_pool
    return JudgedList(
        rows=tuple(_rows(block, names)),
        labels=tuple(_labels(block)),
        tie_rule=judging.tie_rule,
        labels_are_rows=working.known_rows,
        level=fraction(judging.answers["relevant"].keywords.get("level", 0)),
        catalogue=catalogue,
        judged_grades=tuple(fraction(grade) for grade in labels.grade[there].tolist()),
        label_rows=int(working.label_rows[0]),
        in_rankings=bool(working.in_rankings[0]),
        refusals=tuple(_refusals(block)),
    )


def name_of(block: Block, code: int) -> str:
    """The id of an item as text."""
    return NOBODY_KNOWS if code == NOTHING else str(block.judged.joined.items.id(code))


def _rows(block: Block, names: list[str]) -> list[Row]:
    rows = block.judged.rows
    in_pool, anyone = block.judged.labels.in_pool.tolist(), block.judged.joined.labelled.tolist()
    weights = [1] * len(names) if rows.weight is None else [int(weight) for weight in rows.weight.tolist()]
    made = []
    seen: set[int] = set()
    ties = _ties(rows.score.tolist())
    for at, (code, label, grade) in enumerate(
        zip(rows.item.tolist(), rows.label.tolist(), rows.grade.tolist(), strict=True)
    ):
        made.append(
            Row(
                rank=_rank(at, ties[at], block),
                item=names[at],
                score=float(rows.score[at]),
                grade=None if grade != grade else fraction(grade),
                judged=bool(rows.judged[at]),
                relevant=bool(rows.relevant[at]),
                hit=bool(block.hit_rows[at]),
                repeated=code in seen,
                weight=weights[at],
                place=int(rows.place[at]),
                in_pool=label >= 0 and in_pool[label],
                labelled_by_anyone=code >= 0 and anyone[code],
                tie=ties[at],
            )
        )
        seen |= {code} - {NOTHING}
    return made


def _ties(scores: list[float]) -> list[range]:
    found: list[range] = []
    for _, tied in groupby(scores):
        size = len(list(tied))
        found += [range(len(found), len(found) + size)] * size
    return found


def _rank(place: int, tie: range, block: Block) -> int:
    if block.tie_rule != "shared":
        return place + 1
    at = block.judging.answers["ties"].keywords["at"]
    return tie[-1] + 1 if at == "last" else (tie[0] + tie[-1] + 2) // 2


def _labels(block: Block) -> list[Label]:
    known = block.known
    first: dict[int, int] = {}
    for at, label in enumerate(block.judged.rows.label.tolist()):
        first.setdefault(label, at)
    return [
        Label(
            name_of(block, item), fraction(grade), relevant, at_end, first.get(label) if label >= 0 else None, label < 0
        )
        for item, grade, relevant, at_end, label in zip(
            *(getattr(known, name).tolist() for name in ("item", "grade", "relevant", "at_end", "label")), strict=True
        )
    ]


def _refusals(block: Block) -> list[str]:
    items = block.judged.joined.items
    return [reason.text.format(item=repr(items.id(int(reason.item[0])))) for reason in block.reasons]
