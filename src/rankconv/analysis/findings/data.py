"""The data as checks read them: rows, items and the spelling of ids."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.analysis.findings.finding import EXAMPLES, Example, Found
from rankconv.analysis.findings.listed import Listed, owners
from rankconv.data.arrays import Codes, Mask, Numbers, within
from rankconv.data.ids import Ids, Kind, coded_texts, columns_of
from rankconv.data.joined import Joined, keys_of
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.inputs.reader import Column, RankSource, RawRows
from rankconv.inputs.rows import as_labels, as_rankings
from rankconv.preparation.facts import facts_of
from rankconv.presets.definition import Definition

if TYPE_CHECKING:
    import polars as pl


FEW_USERS = 1000
"""So many users are looked at one by one, if it must be quick."""

Place = tuple[str, str]
"""A number by its preset and its metric."""


@dataclass(frozen=True, eq=False)
class CheckedMetrics:
    """Which numbers are looked at, and how far down a list."""

    definitions: Mapping[Place, Definition]
    k: int | None = None
    """The cutoff that the caller names."""

    @cached_property
    def cutoff(self) -> int | None:
        """The rank at which lists are cut: the deepest of the metrics unless named; None where none is cut."""
        return self.k or max((one.k or 0 for one in self.definitions.values()), default=0) or None

    @cached_property
    def read(self) -> int | None:
        """The rank down to which any metric reads the list; None for whole lists."""
        scopes = [one.metric.scope for one in self.definitions.values()]
        return self.k or (None if None in scopes else max((scope or 0 for scope in scopes), default=0) or None)

    @cached_property
    def looks_for_repeats(self) -> bool:
        """Whether some definition asks whether items stand in a list twice, so that it is known."""
        settings = {one.preparation.settings["duplicates"] for one in self.definitions.values()}
        return any(setting.setting_type.traits.get("plain") == "distinct lists" for setting in settings)


@dataclass(frozen=True, eq=False)
class Data:
    """Labels and a run, all of them or all that there is of some users."""

    joined: Joined
    checked_metrics: CheckedMetrics
    values: Mapping[Place, Numbers] = field(default_factory=dict)
    """The value of each user, shape (users,), under the definitions for which users are looked at one by one."""
    quick: bool = False
    """Whether to look only where the engine has looked already, at the rows that the metrics read, and at few users."""
    train: Labels | None = None
    """What a recommender learned from, where it is given."""
    respelled: Joined | None = None
    """The data with one spelling for each id; None where no spelling differs."""

    @cached_property
    def rows(self) -> Listed:
        """Every ranked row; if it must be quick, those that are read."""
        return Listed.first(self.joined, self.checked_metrics.read if self.quick else None)

    @cached_property
    def unsorted(self) -> Listed:
        """The whole lists that do not stand strictly by falling score; if it must be quick, the first of them."""
        users = np.flatnonzero(~facts_of(self.joined).of("falling scores", None))
        return Listed.first(self.joined, None, users[:FEW_USERS] if self.quick else users)

    @cached_property
    def may_repeat(self) -> bool:
        """Whether items can stand in a list twice, as far as that is known without looking for them."""
        return not (self.checked_metrics.looks_for_repeats and facts_of(self.joined).of("distinct lists", None).all())

    @property
    def grades(self) -> Numbers:
        """The different grades, shape (levels,); where there are many, those of all labels, shape (labels,)."""
        levels = self.joined.levels
        return self.joined.labels.grade if levels is None else levels.grades

    @cached_property
    def top(self) -> Listed:
        """The rows down to the cutoff."""
        return Listed.first(self.joined, self.checked_metrics.cutoff)

    @cached_property
    def label_user(self) -> Codes:
        """The joined code of the user of each label, shape (labels,)."""
        return owners(self.joined)

    @cached_property
    def trained(self) -> Codes:
        """Sorted keys `user * items + item` of the training data that labels and run know, shape (pairs,)."""
        return keys_of(self.train, self.joined.users, self.joined.items)

    @cached_property
    def trained_labels(self) -> Mask:
        """Whether user and item of a label stand in the training data, shape (labels,)."""
        keys = self.label_user * len(self.joined.items) + self.joined.labels.item
        return np.isin(keys, self.trained)

    @property
    def several(self) -> Mask:
        """Users with a list of two rows or more, shape (users,)."""
        return self.joined.list_counts > 1

    @property
    def scored(self) -> bool:
        """Whether the run has scores."""
        return self.joined.rankings.scored

    @property
    def labelled(self) -> Mask:
        """Users with a label, shape (users,)."""
        return self.joined.label_counts > 0

    @property
    def listed(self) -> Mask:
        """Users with a ranked row, shape (users,)."""
        return self.joined.list_counts > 0


Turn = Callable[[Data], Joined]
"""Other data in the place of these."""


def turned(data: Data) -> Joined:
    """The data with each list from its last row to its first, and scores negated."""
    run = data.joined.rankings
    owner = np.repeat(np.arange(len(run.users)), run.lengths)
    back = run.starts[owner] + run.starts[owner + 1] - 1 - np.arange(len(owner))
    score, rank = (None if numbers is None else -numbers[back] for numbers in (run.score, run.rank))
    return replace(data.joined, rankings=run.replace(item=run.item[back], score=score, rank=rank))


def untrained(data: Data) -> Joined:
    """The data without the labels that stand in the training data."""
    labels, kept = data.joined.labels, ~data.trained_labels
    starts = np.append(0, np.cumsum(kept))[labels.starts]
    fewer = labels.replace(starts=starts, item=labels.item[kept], grade=labels.grade[kept], is_distinct=None)
    return replace(data.joined, labels=fewer)


def with_seen(data: Data) -> Joined:
    """The data with the training data as what users had seen."""
    return replace(data.joined, extra=replace(data.joined.extra, seen=data.trained))


def respelled(data: Data) -> Joined:
    """The data with one spelling for each id."""
    assert data.respelled is not None
    return data.respelled


@dataclass(frozen=True, eq=False)
class PerItem:
    """Counts of each item."""

    pieces: "tuple[pl.DataFrame, ...]" = ()

    @classmethod
    def of(cls, items: Ids, **counts: Codes) -> "PerItem":
        """Of these items, each with its counts, shape (items,)."""
        import polars as pl

        if not len(items):
            return cls()
        ids = {"item": items.values} if items.kind == "integer" else columns_of("item", items.values.tolist())
        return cls((pl.DataFrame(ids | counts),))

    def __add__(self, other: "PerItem") -> "PerItem":
        import polars as pl

        pieces = self.pieces + other.pieces
        if len(pieces) < 2:
            return PerItem(pieces)
        ids = [name for name in pieces[0].columns if name.startswith("item")]
        return PerItem((pl.concat(pieces).group_by(ids).sum(),))

    @cached_property
    def ids(self) -> list[Any]:
        """The items, as their ids are written, in the order of the counts."""
        if not self.pieces:
            return []
        table = self.pieces[0].select(r"^item.*$")
        return table.to_series().to_list() if table.width == 1 else table.rows()

    def counts(self, name: str) -> Codes:
        """A count of each item, shape (items,)."""
        return self.pieces[0][name].to_numpy() if self.pieces else np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self.pieces[0]) if self.pieces else 0

    @property
    def bytes(self) -> int:
        """Of memory."""
        return sum(int(piece.estimated_size()) for piece in self.pieces)


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
        parts = [Example(note=f"{self.role} ids are {self.by_type}")] if self.by_type else []
        pairs = [*self.in_run.items(), *((there, here) for here, there in self.in_labels.items())]
        shown = pairs[:EXAMPLES]
        return parts + [
            Example(note=f"{self.role} {run!r} in the run, {known!r} in the labels") for run, known in shown
        ]


@dataclass(frozen=True)
class Spelled:
    """The ids of one role on one side."""

    kind: Kind
    size: int
    texts: "Callable[[], pl.Series]" = field(repr=False)
    """All of them as text, once they are needed."""

    @classmethod
    def of(cls, ids: Ids) -> "Spelled":
        """These."""
        return cls(ids.kind, len(ids), lambda: _as_text(ids))


def _as_text(ids: Ids) -> "pl.Series":
    import polars as pl

    return pl.Series([str(value) for value in ids.values.tolist()], dtype=pl.String)


@dataclass(frozen=True)
class Spelling:
    """Which ids of labels and a run are the same but for their spelling."""

    users: MatchingIds = field(default_factory=lambda: MatchingIds("user"))
    items: MatchingIds = field(default_factory=lambda: MatchingIds("item"))

    @classmethod
    def of(cls, labels: Labels, run: Run) -> "Spelling":
        """How the ids of these labels and this run are spelled."""
        users, items = (tuple(map(Spelled.of, ids)) for ids in ((labels.users, run.users), (labels.items, run.items)))
        return cls(matching_ids("user", *users), matching_ids("item", *items))

    @property
    def found(self) -> Found | None:
        """How many ids differ by their spelling alone, of all ids."""
        sides = (self.users, self.items)
        examples = [example for side in sides for example in side.examples]
        count = sum(side.count for side in sides)
        return Found(count, sum(side.of for side in sides), examples[:EXAMPLES]) if count else None

    def mended(self, labels: Labels, run: Run) -> tuple[Labels, Run]:
        """These labels and this run with one spelling for each id; ids are text then."""
        known = _rows(labels, labels.grade, self.users.in_labels, self.items.in_labels)
        ranked = _rows(run, run.score, self.users.in_run, self.items.in_run)
        if not run.by_score:
            places = Column(within(ranked.owner).astype(np.float64))
            ranked = replace(ranked, rank=places, rank_source=RankSource.LIST)
        return as_labels(known), as_rankings(ranked)


def matching_ids(role: str, labels: Spelled, run: Spelled) -> MatchingIds:
    """The ids of a role that stand on one side only, and on the other in another spelling."""
    one_spelling = labels.kind == run.kind != "text" or "compound" in (labels.kind, run.kind)
    if "none" in (labels.kind, run.kind) or one_spelling:
        return MatchingIds(role, of=labels.size + run.size)
    known, ranked = _spellings(labels.texts()), _spellings(run.texts())
    missing, unknown = _without(known, ranked["text"]), _without(ranked, known["text"])
    in_run = _pairs(unknown, known, "plain")
    in_labels = _pairs(_without(missing, in_run.values()), _without(ranked, in_run), "plain")
    missing, unknown = _without(missing, {**in_labels, **_turned(in_run)}), _without(unknown, in_run)
    in_run |= _pairs(unknown, missing, "folded")
    by_type = f"{_NUMBERS_OR_TEXT[labels.kind]} in the labels and {_NUMBERS_OR_TEXT[run.kind]} in the run"
    return MatchingIds(role, in_run, in_labels, labels.size + run.size, by_type if labels.kind != run.kind else "")


_NUMBERS_OR_TEXT = {"integer": "numbers", "text": "text"}


def _spellings(texts: "pl.Series") -> "pl.DataFrame":
    """Each id as text, without blanks around it and zeros before or after its numbers, and in lower case."""
    import polars as pl

    text = pl.col("text")
    plain = text.str.normalize("NFKC").str.strip_chars().str.replace(r"^(\d+)\.0+$", "$1")
    plain = plain.str.replace_all(r"(^|[^\d.])0+(\d)", "$1$2")
    frame = pl.DataFrame({"text": texts}, schema={"text": pl.String})
    return frame.sort("text").with_columns(plain=plain).with_columns(folded=pl.col("plain").str.to_lowercase())


def _pairs(some: "pl.DataFrame", others: "pl.DataFrame", by: str) -> dict[str, str]:
    """Each of some with the first of the others that is spelled the same."""
    found = some.join(others.unique(by, keep="first"), on=by, maintain_order="left")
    return dict(found.select("text", "text_right").iter_rows())


def _without(spellings: "pl.DataFrame", texts: Iterable[str]) -> "pl.DataFrame":
    import polars as pl

    left_out = pl.DataFrame({"text": list(texts)}, schema={"text": pl.String})
    return spellings.join(left_out, on="text", how="anti", maintain_order="left")


def _turned(pairs: Respelled) -> dict[str, str]:
    return {there: here for here, there in pairs.items()}


def _rows(side: Labels | Run, number: Numbers | None, users: Respelled, items: Respelled) -> RawRows:
    """The rows of one side under their new ids; `number` is the grade or score, shape (rows,)."""
    import polars as pl

    def renamed(ids: Ids, names: Respelled) -> tuple[Ids, Codes]:
        if ids.kind == "compound":
            return ids, np.arange(len(ids))
        texts = [str(value) for value in ids.values.tolist()]
        return coded_texts(pl.Series([names.get(text, text) for text in texts], dtype=pl.String))

    (user_ids, new_user), (item_ids, new_item) = renamed(side.users, users), renamed(side.items, items)
    user = np.repeat(new_user, side.lengths)
    item = new_item[side.item] if len(side.item) else side.item
    column = None if number is None else Column(number)
    return RawRows(side.source, user_ids, user, item_ids, item, column, library=side.library, form=side.form)
