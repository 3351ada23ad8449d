"""Ids of labels and run that are the same but for their spelling."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from rankconv.data.arrays import Codes, Numbers, within
from rankconv.data.ids import Ids, encode, other_spelling
from rankconv.data.inputs.input_rows import RankSource, RawRows, as_labels, as_rankings
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.evaluation.findings.finding import EXAMPLES, Example, Tally

RESPELLED = "As they are spelled, the ids of labels and run do not match at all; all else is said of matched ids."
KINDS = {"integer": "numbers", "text": "text"}


@dataclass(frozen=True)
class OtherSpellings:
    """Ids of users, or of items, that labels and run spell in two ways."""

    role: str
    names: Mapping[str, str] = field(default_factory=dict)
    """The spelling of the labels, by that of the run."""
    of: int = 0
    """How many ids both sides have together."""
    by_type: str = ""
    """Where one side has numbers and the other text, what each of them has."""

    @classmethod
    def between(cls, role: str, labels: Ids, run: Ids) -> "OtherSpellings":
        """Compare all ids; integers on both sides have one spelling, and so have ids of several columns."""
        size, kinds = len(labels) + len(run), {labels.kind, run.kind}
        if not {"text"} <= kinds <= {"text", "integer"}:
            return cls(role, of=size)
        _, pairs = other_spelling(_texts(labels), _texts(run))
        by_type = f"{KINDS[labels.kind]} in the labels and {KINDS[run.kind]} in the run" if len(kinds) > 1 else ""
        return cls(role, {ranked: labelled for labelled, ranked in pairs}, size, by_type)

    @property
    def count(self) -> int:
        """How many ids do not match as they are spelled."""
        return self.of if self.by_type else len(self.names)

    @property
    def examples(self) -> list[Example]:
        """The first of them, in both spellings."""
        notes = [f"ids are {self.by_type}"] if self.by_type else []
        notes += [f"{run!r} in the run, {known!r} in the labels" for run, known in list(self.names.items())[:EXAMPLES]]
        return [Example(note=f"{self.role} {note}") for note in notes]


@dataclass(frozen=True)
class Spelling:
    """Which ids of labels and a run are the same but for their spelling."""

    users: OtherSpellings = field(default_factory=lambda: OtherSpellings("user"))
    items: OtherSpellings = field(default_factory=lambda: OtherSpellings("item"))

    @classmethod
    def of(cls, labels: Labels, run: Run) -> "Spelling":
        """How the ids of these labels and this run are spelled."""
        return cls(
            OtherSpellings.between("user", labels.users, run.users),
            OtherSpellings.between("item", labels.items, run.items),
        )

    @property
    def tally(self) -> Tally:
        """How many ids differ by their spelling alone, of all ids."""
        first = [*self.users.examples, *self.items.examples][:EXAMPLES]
        return Tally(self.users.count + self.items.count, self.users.of + self.items.of, tuple(first))

    def respelled(self, labels: Labels, run: Run) -> tuple[Labels, Run]:
        """These labels and this run with one spelling for each id; ids are text then."""
        ranked = _rows(run, run.score, self.users.names, self.items.names)
        if not run.by_score:
            places = within(ranked.owner).astype(np.float64)
            ranked = replace(ranked, rank=places, rank_source=RankSource.LIST)
        return as_labels(_rows(labels, labels.grade, {}, {})), as_rankings(ranked)


def _texts(ids: Ids) -> list[str]:
    return [str(value) for value in ids.values.tolist()]


def _rows(side: Labels | Run, number: Numbers | None, users: Mapping[str, str], items: Mapping[str, str]) -> RawRows:
    """The rows of one side under their new ids; `number` is the grade or score, shape (rows,)."""

    def renamed(ids: Ids, names: Mapping[str, str]) -> tuple[Ids, Codes]:
        if ids.kind == "compound":
            return ids, np.arange(len(ids))
        codes, renamed_ids = encode([names.get(text, text) for text in _texts(ids)], "item")
        return renamed_ids, codes

    (user_ids, new_user), (item_ids, new_item) = renamed(side.users, users), renamed(side.items, items)
    user = np.repeat(new_user, side.lengths)
    item = new_item[side.item] if len(side.item) else side.item
    rows = RawRows(side.source, user_ids, user, item_ids, item, number, library=side.library, form=side.form)
    return rows if side.words is None else replace(rows, words=side.words)
