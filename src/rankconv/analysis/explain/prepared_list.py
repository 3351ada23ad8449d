"""The prepared list of one user as an explanation prints it, and what each step of preparation changed on the way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rankconv.analysis.explain.span_rows import given_spans, hits_and_pieces, piece_names, span_changes, whole_rows
from rankconv.data.joined import Joined, rows_of
from rankconv.data.pieces import span_text
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.row_block import RowBlock, separate_subtopics
from rankconv.preparation.pipeline import Preparation, PreparationStep
from rankconv.preparation.steps.labels import LABELS_USED, RELEVANT
from rankconv.preparation.ties import TieEffect, Ties
from rankconv.preparation.working_rows import NOTHING, ListRows, Reason, WorkingBlock
from rankconv.rendering.pages.cells import plural

NO_ITEM = "(nothing)"
"""The name of an item that was invented to fill a list."""
SHOWN = 8
"""Items that are named before the rest are counted."""


class PreparedRow(NamedTuple):
    """One row of the prepared list."""

    rank: float
    """The rank that the metric sees: rows of a tie may share one, which may be a half."""
    item: str
    score: float
    grade: float | None
    judged: bool
    relevant: bool
    hit: bool
    """Relevant, and not kept from counting by its score."""
    weight: int
    """How often the row counts."""
    tie: range
    """The places, from 0, of the rows that have the same score."""
    groups: tuple[str, ...] = ()
    """The groups of labels that the item serves, by name, where labels came in groups."""
    calls: tuple[str, ...] = ()
    """The calls that returned the row, by name, where there are several searches for one task."""
    chunk: str = ""
    """The span of a document that the row was given as, where its item is the label that it matches."""
    hit_pieces: tuple[str, ...] = ()
    """Of a span that was cut: the pieces that are hits, each with the label that it is of."""


@dataclass(frozen=True)
class PreparedList:
    """One user's list after preparation."""

    rows: tuple[PreparedRow, ...]
    scored: bool
    """Whether the run states scores; else each is the negative of a place."""
    tie_rule: TieEffect
    keeps_ties: bool
    """Whether what is read down to rank k includes the rows tied with the k-th."""
    refusals: tuple[str, ...]
    """Why the data of this user are not allowed."""

    def within(self, k: int | None) -> int:
        """How many rows stand at rank k or above."""
        if k is None:
            return len(self.rows)
        return sum(row.tie[0] < k if self.keeps_ties else row.rank <= k for row in self.rows)


def prepared_list(block: Block) -> PreparedList:
    """The list of a prepared block of one user."""
    rows, served = whole_rows(block), _groups_served(block)
    ties, items = Ties(rows.user, rows.score, rows.rank), rows.item.tolist()
    hit, pieces = hits_and_pieces(block)
    columns = (
        block.ranks_by_rank[:, 0].tolist(),
        [item_name(block.joined, code) for code in items],
        rows.score.tolist(),
        [None if grade != grade else grade for grade in rows.grade.tolist()],
        rows.judged.tolist(),
        (rows.relevant if pieces is None else hit).tolist(),
        hit.tolist(),
        [1] * len(items) if rows.weight is None else map(int, rows.weight.tolist()),
        [range(first, last + 1) for first, last in zip(ties.first.tolist(), ties.last.tolist(), strict=True)],
        [tuple(served.get(code, ())) for code in items],
        _calls_of(block, rows),
        given_spans(block, rows),
        [()] * len(items) if pieces is None else pieces,
    )
    return PreparedList(
        tuple(PreparedRow(*one) for one in zip(*columns, strict=True)),
        block.prepared.scored,
        block.preparation.tie_rule,
        block.preparation.keeps_ties,
        _refusals(block.joined, block.reasons),
    )


def item_name(joined: Joined, code: int) -> str:
    """The id of an item as text; of a span of a document where it begins and ends."""
    if code == NOTHING:
        return NO_ITEM
    known = joined.items.id(code)
    return span_text(*known) if joined.has_spans else str(known)


def score_text(value: float) -> str:
    """A score as one writes it."""
    return f"{value:.10g}"


def _calls_of(block: Block, rows: ListRows) -> list[tuple[str, ...]]:
    """The names of the calls that returned each row of the block's one user; none of rows that no call returned."""
    run = block.joined.rankings
    if run.calls is None or block.preparation.pools:
        return [()] * len(rows.item)
    at = int(block.joined.list_rows_of[block.users[0]])
    count = int(run.lengths[at]) if at >= 0 else 0
    places = [(place, int(run.starts[at]) + place) for place in rows.place.tolist()]
    return [tuple(run.calls.having(row)) if place < count else () for place, row in places]


def _groups_served(block: Block) -> dict[int, list[str]]:
    """The names of the groups that each item serves, by its code; none where labels came in no groups."""
    if block.joined.labels.groups is None or block.preparation.pools or block.prepared.given is not None:
        return {}
    groups = block.once(separate_subtopics)
    known, names, served = groups.block.known, groups.names(), dict[int, list[str]]()
    for at in known.relevant.nonzero()[0].tolist():
        served.setdefault(int(known.item[at]), []).append(names[int(known.user[at])])
    return served


def _refusals(joined: Joined, reasons: Sequence[Reason]) -> tuple[str, ...]:
    codes = [int(reason.item[0]) for reason in reasons]
    names = [NO_ITEM if code == NOTHING else repr(joined.items.id(code)) for code in codes]
    return tuple(reason.text.format(item=name) for reason, name in zip(reasons, names, strict=True))


# what each step of preparation changes


@dataclass(frozen=True)
class ListChange:
    """What one setting changed in the list or its labels."""

    convention: str
    setting: str
    words: str


Clause = tuple[str, str, Sequence[str]]
"""A convention, what its setting changed, and the items that it concerns; of none, nothing changed."""


def trace_preparation(
    block: WorkingBlock, preparation: Preparation, scope: int | None = None
) -> tuple[RowBlock, PreparedList, list[ListChange]]:
    """Prepare the block of one user; return the block, its list, and what was changed on the way, in ties to a rank."""
    clauses: list[Clause] = []
    before = _snapshot(block)
    for step in preparation.steps:
        step.take(block)
        after = _snapshot(block)
        of_spans = span_changes(step.convention_name, block)
        clauses += _step_clauses(step, before, after) if of_spans is None else of_spans
        before = after
    done = RowBlock(block, preparation.settings["min-score"](block=block), preparation)
    result = prepared_list(done)
    clauses += _tie_clauses(result, preparation, scope)
    gated = [f"{row.item} (score {score_text(row.score)})" for row in result.rows if row.relevant and not row.hit]
    clauses.append(("min-score", "relevant, and no hit because of the score", gated))
    changes = [
        ListChange(convention_name, preparation.given(convention_name), f"{words}: {_listed(items)}")
        for convention_name, words, items in clauses
        if items
    ]
    return done, result, changes


def collapse_changes(joined: Joined, documents: Joined, code: int, preparation: Preparation) -> list[ListChange]:
    """Which items of one user are chunks of which documents, where they were collapsed before all else."""
    parents, found = joined.extra.parents, dict[str, list[str]]()
    if parents is None or documents is joined:
        return []
    labelled, listed = (
        side[rows_of(starts, np.array([at]))[1]]
        for side, starts, at in (
            (joined.labels.item, joined.labels.starts, joined.label_rows_of[code]),
            (joined.list_item, joined.rankings.starts, joined.list_rows_of[code]),
        )
    )
    document, ids = parents.documents(joined.items)
    for item in dict.fromkeys([*listed.tolist(), *labelled.tolist()]):
        name, of = item_name(joined, item), str(ids.id(int(document[item])))
        found.setdefault(of, []).extend([name] if name != of else [])
    chunks = [f"{name} ({_listed(items)})" for name, items in found.items() if items]
    words = f"{plural(len(chunks), 'document')} of chunks: {_listed(chunks)}"
    return [ListChange("collapse", preparation.given("collapse"), words)] if chunks else []


def word_changes(joined: Joined, preparation: Preparation) -> list[ListChange]:
    """Which numbers the words of labels and run are, where they came in place of numbers."""
    sides = (("grade-words", joined.labels.words), ("score-words", joined.rankings.words))
    found = list[ListChange]()
    for name, words in sides:
        if words is not None:
            numbers = preparation.settings[name](words=words.texts).tolist()
            said = ", ".join(f"{text} is {number:g}" for text, number in zip(words.texts, numbers, strict=True))
            found.append(ListChange(name, preparation.given(name), said))
    return found


def _listed(items: Sequence[str]) -> str:
    """Items by name, the first ones of many."""
    if len(items) <= SHOWN:
        return ", ".join(items)
    return f"{', '.join(items[: SHOWN - 1])}, … ({len(items)} in all)"


class LabelState(NamedTuple):
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

    @property
    def text(self) -> str:
        """The item with its grade."""
        return f"{self.item} (grade {self.grade:g})"


class RowState(NamedTuple):
    """A ranked row at one moment."""

    item: str
    score: float
    relevant: bool | None
    """None before it is decided."""
    weight: float


@dataclass(frozen=True)
class Snapshot:
    """Labels and rows at one moment."""

    labels: list[LabelState]
    rows: dict[tuple[str, int], RowState]
    """By item and place, which stay the same while scores and order change."""
    known: int
    """How many labels exist for the metric; 0 before it is settled."""
    refusals: tuple[str, ...]

    @property
    def judged_labels(self) -> list[LabelState]:
        """The labels that are judgments."""
        return [label for label in self.labels if label.judged]


def _snapshot(block: WorkingBlock) -> Snapshot:
    """The block of one user as it is now."""
    labels, rows = block.labels, block.rows
    names = [item_name(block.joined, code) for code in labels.item.tolist()]
    columns = (labels.grade, labels.exists, labels.in_pool, labels.at_end, labels.relevant)
    items, size = _row_names(block), len(rows.item)
    relevant = rows.relevant.tolist() if hasattr(rows, "relevant") else [None] * size
    weights = [1.0] * size if rows.weight is None else rows.weight.tolist()
    states = map(RowState, items, rows.score.tolist(), relevant, weights)
    return Snapshot(
        list(map(LabelState, names, *(column.tolist() for column in columns))),
        dict(zip(zip(items, rows.place.tolist(), strict=True), states, strict=True)),
        0 if block.known is None else len(block.known.item),
        _refusals(block.joined, block.reasons),
    )


def _row_names(block: WorkingBlock) -> list[str]:
    """The item of each row by name, or the piece of a span."""
    if block.given is not None:
        return piece_names(block, block.rows.item)
    return [item_name(block.joined, code) for code in block.rows.item.tolist()]


def _step_clauses(step: PreparationStep, before: Snapshot, after: Snapshot) -> Iterator[Clause]:
    name, labels = step.convention_name, list(zip(before.labels, after.labels, strict=True))
    gone = [old.text for old, new in labels if old.exists and not new.exists]
    if name == RELEVANT.name:
        judgments = after.judged_labels
        yield name, "not relevant", [one.text for one in judgments if not one.relevant and one.grade > 0]
        yield name, "relevant all the same", [one.text for one in judgments if one.relevant and one.grade <= 0]
        yield LABELS_USED.name, f"{plural(len(gone), 'label')} of other grades not seen", gone
    elif name == LABELS_USED.name:
        yield from _label_clauses(step, after)
    else:
        grades = [f"{old.item} from {old.grade:g} to {new.grade:g}" for old, new in labels if old.grade != new.grade]
        yield name, f"{'grade' if len(grades) == 1 else 'grades'} changed", grades
        yield name, f"{plural(len(gone), 'label')} dropped", gone
        yield name, "in the pool, not judged", [old.item for old, new in labels if new.in_pool and not old.in_pool]
        yield name, "to stand at the end", [old.item for old, new in labels if new.at_end and not old.at_end]
        yield from ((name, words, items) for words, items in _changes_of_rows(step, before, after).items())
        yield from ((name, "refused", [reason]) for reason in after.refusals[len(before.refusals) :])
        if before.known and after.known != before.known:
            yield name, "labels that exist", [f"{after.known}, and {before.known} before"]


def _changes_of_rows(step: PreparationStep, before: Snapshot, after: Snapshot) -> dict[str, list[str]]:
    gone = [row.item for key, row in before.rows.items() if key not in after.rows]
    new = [row.item for key, row in after.rows.items() if key not in before.rows]
    pairs = [(before.rows[key], row) for key, row in after.rows.items() if key in before.rows]
    moved = [key for key in after.rows if key in before.rows] != [key for key in before.rows if key in after.rows]
    by_score = step.setting.traits.by_score
    return {
        f"{plural(len(gone), 'item')} dropped": gone,
        f"{plural(len(new), 'row')} appended": new,
        f"re-ordered {step.setting.setting_type.rule if by_score else 'so that the last rows are last'}": (
            [row.item for row in after.rows.values()] if moved else []
        ),
        "scores changed": [f"{row.item} to {score_text(row.score)}" for old, row in pairs if row.score != old.score],
        "no hit again": [row.item for old, row in pairs if old.relevant and row.relevant is False],
        "counted as often as rows hold the item": [
            f"{row.item} ({row.weight:g} times)" for old, row in pairs if row.weight != old.weight
        ],
    }


def _label_clauses(step: PreparationStep, after: Snapshot) -> Iterator[Clause]:
    judgments = [label.item for label in after.judged_labels]
    if step.setting.traits.aligned_arrays:
        rows = [row.item for row in after.rows.values()]
        returned, labelled = set(rows), set(judgments)
        unseen = [item for item in judgments if item not in returned]
        yield "labels-used", "labels of items that were not returned are not seen", unseen
        yield "labels-used", "without a label, so grade 0", [item for item in rows if item not in labelled]
    elif step.setting.traits.labels_of_rows and after.known > len(judgments):
        yield "labels-used", "a label counts once for each row of its item", [f"{after.known} labels"]


def _tie_clauses(result: PreparedList, preparation: Preparation, scope: int | None) -> Iterator[Clause]:
    if not preparation.by_score and preparation.tie_rule is TieEffect.ORDER:
        return
    for at, first in enumerate(result.rows[: result.within(scope)]):
        tie, size = first.tie, len(first.tie)
        if tie[0] != at or size == 1:
            continue
        match preparation.tie_rule:
            case TieEffect.EXPECTED:
                words = f"tie group of {size} by expected values, ranks {tie[0] + 1} to {tie[-1] + 1}"
            case TieEffect.SHARED:
                words = f"tie group of {size} shares rank {first.rank:g}"
            case TieEffect.ORDER:
                words = f"equal scores ({score_text(first.score)}), {preparation.settings['ties'].setting_type.rule}"
        yield "ties", words, [result.rows[at].item for at in tie]
