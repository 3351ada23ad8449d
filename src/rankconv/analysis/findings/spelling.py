"""Ids of labels and run that are the same but for their spelling."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from unicodedata import normalize

import numpy as np

from rankconv.analysis.findings.finding import EXAMPLES, Example, Found
from rankconv.data.arrays import Codes, Numbers, within
from rankconv.data.ids import Ids, Kind, encode
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.inputs.rows import Column, RankSource, RawRows, as_labels, as_rankings

RESPELLED = "As they are spelled, the ids of labels and run do not match at all; all else is said of matched ids."
Respelled = Mapping[str, str]
"""From the spelling of one side to that of the other."""


@dataclass(frozen=True)
class MatchingIds:
    """Ids of users, or of items, that stand on one side only, and on the other in another spelling."""

    role: str
    in_run: Respelled = field(default_factory=dict)
    in_labels: Respelled = field(default_factory=dict)
    of: int = 0
    """How many ids both sides have together."""
    by_type: str = ""
    """Where one side has numbers and the other text, what each of them has."""

    @property
    def count(self) -> int:
        """How many ids match on neither side as they are spelled."""
        return self.of if self.by_type else len(self.in_run) + len(self.in_labels)

    @property
    def examples(self) -> list[Example]:
        """The first of them, in both spellings."""
        pairs = [*self.in_run.items(), *((there, here) for here, there in self.in_labels.items())]
        notes = [f"ids are {self.by_type}"] if self.by_type else []
        notes += [f"{run!r} in the run, {known!r} in the labels" for run, known in pairs[:EXAMPLES]]
        return [Example(note=f"{self.role} {note}") for note in notes]


@dataclass(frozen=True)
class Spelled:
    """The ids of one role on one side."""

    kind: Kind
    size: int
    texts: Callable[[], Sequence[str]] = field(repr=False)
    """All of them as text, once they are needed."""


@dataclass(frozen=True)
class Spelling:
    """Which ids of labels and a run are the same but for their spelling."""

    users: MatchingIds = field(default_factory=lambda: MatchingIds("user"))
    items: MatchingIds = field(default_factory=lambda: MatchingIds("item"))

    @classmethod
    def of(cls, labels: Labels, run: Run) -> "Spelling":
        """How the ids of these labels and this run are spelled."""
        return cls(
            matching_ids("user", _spelled(labels.users), _spelled(run.users)),
            matching_ids("item", _spelled(labels.items), _spelled(run.items)),
        )

    @property
    def found(self) -> Found | None:
        """How many ids differ by their spelling alone, of all ids."""
        count, examples = self.users.count + self.items.count, [*self.users.examples, *self.items.examples]
        return Found(count, self.users.of + self.items.of, examples[:EXAMPLES]) if count else None

    def respelled(self, labels: Labels, run: Run) -> tuple[Labels, Run]:
        """These labels and this run with one spelling for each id; ids are text then."""
        known = _rows(labels, labels.grade, self.users.in_labels, self.items.in_labels)
        ranked = _rows(run, run.score, self.users.in_run, self.items.in_run)
        if not run.by_score:
            places = Column(within(ranked.owner).astype(np.float64))
            ranked = replace(ranked, rank=places, rank_source=RankSource.LIST)
        return as_labels(known), as_rankings(ranked)


def _spelled(ids: Ids) -> Spelled:
    return Spelled(ids.kind, len(ids), lambda: _texts(ids))


def _texts(ids: Ids) -> list[str]:
    return [str(value) for value in ids.values.tolist()]


def matching_ids(role: str, labels: Spelled, run: Spelled) -> MatchingIds:
    """The ids of a role that stand on one side only, and on the other in another spelling."""
    one_spelling = labels.kind == run.kind != "text" or "compound" in (labels.kind, run.kind)
    if "none" in (labels.kind, run.kind) or one_spelling:
        return MatchingIds(role, of=labels.size + run.size)
    known, ranked = _spellings(labels.texts()), _spellings(run.texts())
    missing, unknown = _without(known, ranked), _without(ranked, known)
    in_run = _pairs(unknown, known)
    in_labels = _pairs(_without(missing, {*in_run.values()}), _without(ranked, in_run))
    missing, unknown = _without(missing, {*in_labels, *in_run.values()}), _without(unknown, in_run)
    in_run |= _pairs(*({text: plain.lower() for text, plain in some.items()} for some in (unknown, missing)))
    by_type = f"{_NUMBERS_OR_TEXT[labels.kind]} in the labels and {_NUMBERS_OR_TEXT[run.kind]} in the run"
    return MatchingIds(role, in_run, in_labels, labels.size + run.size, by_type if labels.kind != run.kind else "")


_NUMBERS_OR_TEXT = {"integer": "numbers", "text": "text"}


_ZEROS_AFTER, _ZEROS_BEFORE = re.compile(r"^(\d+)\.0+$"), re.compile(r"(^|[^\d.])0+(\d)")


def _spellings(texts: Sequence[str]) -> dict[str, str]:
    """Each id as text, rising, and without blanks around it and zeros before or after its numbers."""
    plain = {text: _ZEROS_AFTER.sub(r"\1", normalize("NFKC", text).strip()) for text in sorted(texts)}
    return {text: _ZEROS_BEFORE.sub(r"\1\2", one) for text, one in plain.items()}


def _pairs(some: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    """Each of some with the first of the others that is spelled the same."""
    first = {plain: text for text, plain in reversed([*others.items()])}
    return {text: first[plain] for text, plain in some.items() if plain in first}


def _without(spellings: Mapping[str, str], texts: Collection[str]) -> dict[str, str]:
    return {text: plain for text, plain in spellings.items() if text not in texts}


def _rows(side: Labels | Run, number: Numbers | None, users: Respelled, items: Respelled) -> RawRows:
    """The rows of one side under their new ids; `number` is the grade or score, shape (rows,)."""

    def renamed(ids: Ids, names: Respelled) -> tuple[Ids, Codes]:
        if ids.kind == "compound":
            return ids, np.arange(len(ids))
        codes, renamed_ids = encode([names.get(text, text) for text in _texts(ids)], "item")
        return renamed_ids, codes

    (user_ids, new_user), (item_ids, new_item) = renamed(side.users, users), renamed(side.items, items)
    user = np.repeat(new_user, side.lengths)
    item = new_item[side.item] if len(side.item) else side.item
    column = None if number is None else Column(number)
    return RawRows(side.source, user_ids, user, item_ids, item, column, library=side.library, form=side.form)
