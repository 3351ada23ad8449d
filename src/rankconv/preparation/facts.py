"""Facts of data that decide which preparations change nothing, and what a definition makes of the data at hand."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from weakref import proxy

import numpy as np
from numpy.typing import NDArray

from rankconv.conventions.convention import Setting
from rankconv.conventions.traits import AT_ONCE, Fact
from rankconv.data.arrays import Codes, Mask, Numbers, among, take_ownership
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.data.ordering import owners_of_repeats, owners_of_ties
from rankconv.preparation.searches import CALLS, as_evaluated
from rankconv.preparation.step_registry import plain_where
from rankconv.preparation.working_rows import LabelRows, ListRows, WorkingBlock


@dataclass(frozen=True)
class Compared:
    """Which scores a preparation compares: how many digits of them, and what it has done to them before."""

    narrow: bool = False
    """Whether they are compared in single precision."""
    extended: bool = False
    """Whether rows were put below the last one, each 1 lower."""
    lowest: float | None = None
    """The score to which the lowest was shifted, and all others with it; None where they were not."""
    ranked: bool = False
    """Whether ranks distinguish rows of equal score."""
    ties_made: bool = False
    """Whether a step may make ties of its own: rows without a score, or scores that are squeezed together."""

    @classmethod
    def of(cls, settings: Mapping[str, Setting]) -> "Compared":
        """The scores that a preparation with these settings compares."""
        parts = [part for setting in settings.values() for part in setting.each]
        below = [part for part in parts if part.traits.extends_below]
        return cls(
            narrow=any(part.traits.narrows_scores for part in parts),
            extended=bool(below),
            lowest=below[0].keywords.get("lowest") if below else None,
            ranked=any(part.traits.reads_ranks for part in parts),
            ties_made=any(part.traits.makes_ties for part in parts),
        )


AS_GIVEN = Compared()
"""The scores as they were given."""
_OF_SCORES: tuple[Fact, ...] = ("falling scores", "scores not shifted to 0")
_OF_WHOLE_ITEMS: tuple[Fact, ...] = ("distinct lists", "distinct first rows", "distinct labels")
"""Of spans nothing is known: two that are different may have characters in common."""
_OF_FIRST_ROWS: tuple[Fact, ...] = ("falling scores", "distinct first rows", "long lists")


class Facts:
    """Masks over the users, by the name under which settings ask for them; each is made once, when it is needed."""

    def __init__(self, joined: Joined) -> None:
        self._joined: Joined = proxy(joined)  # which keeps these facts: in a circle neither would be freed at once
        self._known: dict[Hashable, Mask] = {}

    def of(self, fact: Fact, rows: int | None = None, compared: Compared | None = None) -> Mask:
        """Whether it holds for each user, shape (users,); only the first `rows` of each list are read, None for all.

        `compared` are the scores that are compared: by default, those given.
        """
        compared = replace(compared or AS_GIVEN, ties_made=False) if fact in _OF_SCORES else AS_GIVEN
        rows = rows if fact in _OF_FIRST_ROWS and not compared.extended else None
        key = fact, rows, compared
        if key not in self._known:
            self._known[key] = take_ownership(self._found(fact, rows, compared))
        return self._known[key]

    def _found(self, fact: Fact, rows: int | None, compared: Compared) -> Mask:
        labels = self._joined.labels
        if self._joined.has_spans and fact in _OF_WHOLE_ITEMS:
            return ~self._always()
        match fact:
            case "long lists":
                return np.asarray(self._joined.list_counts >= (np.inf if rows is None else rows))
            case "no empty lists":
                return np.asarray(self._joined.list_counts > 0)
            case "distinct lists" | "distinct first rows":
                rankings = self._joined.rankings
                repeating = np.zeros(0, np.int64) if rankings.is_distinct else rankings.owners_of_repeats(rows)
                return self._but(repeating, self._joined.list_rows_of)
            case "distinct labels":
                repeating = np.zeros(0, np.int64) if labels.distinct else owners_of_repeats(labels.starts, labels.item)
                return self._but(repeating, self._joined.label_rows_of)
            case "no negative grades":
                return self._no_label(labels.grade < 0)
            case "no item named as user":
                named = self._joined.item_named_as_user
                return self._no_item(lambda user, item: item == named[user]) if (named >= 0).any() else self._always()
            case "no seen item":
                seen, items = self._joined.extra.seen, len(self._joined.items)
                if seen is None:
                    return ~self._always()  # what needs them is refused
                return self._no_item(lambda user, item: among(user * items + item, seen))
            case "falling scores":
                return self._falling(compared, rows)
            case "scores not shifted to 0":
                if compared.lowest is None:
                    return self._always()
                return np.asarray(self._margin(compared) < compared.lowest / 2)
        return self._always() if fact == "always" else ~self._always()

    def no_ties(self, compared: Compared) -> bool:
        """Whether no two rows of any list are tied, in single precision neither, so that order and ties are known."""
        return not compared.ties_made and bool(self.of("falling scores", None, replace(compared, narrow=True)).all())

    @cached_property
    def grades(self) -> Numbers:
        """The different grades, rising, shape (grades,)."""
        return take_ownership(np.unique(self._joined.labels.grade))

    @cached_property
    def highest(self) -> Numbers:
        """The different highest grades of users, rising, shape (grades,); 0 for a user without labels."""
        labels = self._joined.labels
        highest = np.zeros(len(self._joined.users))
        np.maximum.at(highest, np.repeat(np.arange(len(labels.users)), labels.lengths), labels.grade)
        return take_ownership(np.unique(highest))

    def no_label_of(self, kinds: Codes) -> Mask:
        """Who has no label of these kinds, shape (users,)."""
        levels = self._joined.levels
        assert levels is not None
        return self._no_label(np.isin(levels.kind, kinds))

    def _always(self) -> Mask:
        return np.ones(len(self._joined.users), bool)

    def _no_label(self, rows: Mask) -> Mask:
        """Who has no label among these, shape (users,); `rows` is a mask of shape (labels,)."""
        return self._but(_owners(self._joined.labels.starts, rows), self._joined.label_rows_of)

    def _no_item(self, wrong: Callable[[Codes, Codes], Mask]) -> Mask:
        """Who has no wrong item in the list, or in the labels, which may follow below it, shape (users,).

        `wrong` is given the user and the item of each row, both of shape (rows,).
        """
        joined, holds = self._joined, self._always()
        for side, rows_of, item in (
            (joined.labels, joined.label_rows_of, joined.labels.item),
            (joined.rankings, joined.list_rows_of, joined.list_item),
        ):
            holds &= self._but(_owners(side.starts, wrong(_user_of_rows(side, rows_of), item)), rows_of)
        return holds

    def _falling(self, compared: Compared, rows: int | None) -> Mask:
        """Whose list is strictly ordered by falling score, the first `rows` rows above all others, shape (users,).

        A list without scores does, unless its places are shifted away or rows share a rank.
        """
        first = None if rows is None else self._joined.rankings.first_scores(rows)
        if first is not None and rows is not None:
            starts, few = first
            with np.errstate(over="ignore"):
                tied = owners_of_ties(starts, few.astype(np.float32) if compared.narrow else few, rows)
            return self._but(tied, self._joined.list_rows_of)
        score = self._joined.rankings.falling
        holds, many = self._always(), score is not None and len(score) > 1
        if score is not None and many:
            with np.errstate(over="ignore"):
                exact = score.astype(np.float32) if compared.narrow else score
            holds = self._no_adjacent(~_falls(exact, self._joined.rankings.rank if compared.ranked else None))
        if compared.extended:
            margin = self._margin(compared)
            holds &= margin < 1
            if score is not None and many and compared.lowest is not None:
                of_rows = margin[_user_of_rows(self._joined.rankings, self._joined.list_rows_of)]
                with np.errstate(invalid="ignore", over="ignore"):
                    holds &= self._no_adjacent(~(score[:-1] - score[1:] > of_rows[:-1]))
        return holds

    def _margin(self, compared: Compared) -> Numbers:
        """By how much the scores of each user must differ to differ still once shifted and rounded, shape (users,).

        Sums are rounded to numbers that are at most 2^-52 of the largest from each other, in single precision 2^-23.
        """
        joined, score = self._joined, self._joined.rankings.falling
        largest = joined.list_counts + joined.label_counts + 1.0
        if score is not None and len(score):
            starts = np.minimum(joined.rankings.starts[:-1], len(score) - 1)
            of_list = np.append(np.maximum.reduceat(np.abs(score), starts), 0.0)  # 0 for those without a list
            with np.errstate(over="ignore"):
                largest = largest + 3 * of_list[joined.list_rows_of]
        largest = largest + 2 * abs(compared.lowest or 0.0)
        return np.where(largest < 1e30, largest, np.inf) * (2.0**-22 if compared.narrow else 2.0**-51)

    def _no_adjacent(self, pairs: Mask) -> Mask:
        """Who has no such pair of rows, one above the other, shape (users,); `pairs` has shape (rows - 1,)."""
        pairs = np.append(pairs, False)
        starts = self._joined.rankings.starts
        pairs[starts - 1] = False  # of two lists; before the first list, -1 is the pair appended above
        return self._but(_owners(starts, pairs), self._joined.list_rows_of)

    def _but(self, owners: Codes, rows_of: Codes) -> Mask:
        """All users but those who own the rows of `owners`, shape (users,); `rows_of` maps users to owners."""
        if not len(owners):
            return self._always()
        without = np.zeros(int(rows_of.max(initial=0)) + 2, bool)
        without[owners] = True
        return ~(without[rows_of] & (rows_of >= 0))


def _falls(score: NDArray[np.floating[Any]], rank: Numbers | None) -> Mask:
    """Whether each row is below the one before it, by score or else by rank, shape (rows - 1,) for (rows,)."""
    falls: Mask = score[:-1] > score[1:]
    return falls if rank is None else falls | ((score[:-1] == score[1:]) & (rank[:-1] < rank[1:]))


def _owners(starts: Codes, rows: Mask) -> Codes:
    """The owners of such rows, rising, shape (owners,); `rows` is a mask of shape (rows,)."""
    return np.flatnonzero(np.diff(np.searchsorted(np.flatnonzero(rows), starts)))


def _user_of_rows(side: Labels | Run, rows_of: Codes) -> Codes:
    """The user of each row of labels or lists, shape (rows,); 0 for rows of nobody who is joined."""
    user = np.zeros(len(side.users), np.int64)
    user[rows_of[rows_of >= 0]] = np.flatnonzero(rows_of >= 0)
    return np.repeat(user, side.lengths)


def facts_of(joined: Joined) -> Facts:
    """The facts about these data, computed once for all who ask."""
    return joined.once(Facts)


def outside_0_to_1(run: Run) -> str:
    """Which scores are not from 0 to 1, in words; empty where all are."""
    scores = run.scores_in_any_order
    if scores is None:
        return "the rankings have none" if run.row_count else ""
    low, high = float(scores.min(initial=0)), float(scores.max(initial=0))
    return f"these are from {low:g} to {high:g}" if low < 0 or high > 1 else ""


OF_READING = ("grades", "negative")
"""The conventions whose settings say what a grade is read as."""


@dataclass(frozen=True, eq=False)
class OnData:
    """The settings of a definition or of one part of it, and what labels and lists hold.

    Conventions see it to say whether their settings can matter.
    """

    settings: Mapping[str, Setting]
    joined: Joined
    decides: Callable[[str], bool] = lambda policy: True
    """Whether some user, or the data as a whole, counts as the setting of this policy says."""
    anybody: bool = False
    """Whether any user is known to count."""
    _read: dict[bytes, Numbers] = field(default_factory=dict, repr=False)
    """What grades were read as, by these grades."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "joined", as_evaluated(self.joined, self.settings))

    @property
    def facts(self) -> Facts:
        """What is known of these data, found out once for all who ask."""
        return facts_of(self.joined)

    @cached_property
    def no_ties(self) -> bool:
        """Whether no two rows of a list are tied in the scores compared, also if these are in single precision."""
        return self.facts.no_ties(Compared.of(self.settings))

    def goes_by_grade(self, convention_name: str) -> bool:
        """Whether this step of preparation looks at nothing but the grades of single labels."""
        return all(self.facts.of(fact).all() for fact in plain_where(self.settings[convention_name]))

    def leaves_lists(self, convention_name: str) -> bool:
        """Whether this step of preparation leaves all lists as they are."""
        traits = self.settings[convention_name].traits
        return self.goes_by_grade(convention_name) and not (traits.reads_cutoff or traits.extends_below)

    @cached_property
    def grades(self) -> Numbers:
        """The different grades as this definition reads them, rising, shape (grades,); NaN last, once."""
        read = self.read_as(self.facts.grades)
        none = np.isnan(read)
        return np.append(np.unique(read[~none]), read[none][:1])

    def read_as(self, grades: Numbers) -> Numbers:
        """What these grades are read as; shape as `grades`."""
        key = grades.tobytes()
        if key not in self._read:
            nothing = np.zeros(0, np.int64)
            labels = LabelRows(np.zeros(len(grades), np.int64), np.zeros(len(grades), np.int64), grades.copy())
            block = WorkingBlock(self.joined, nothing, labels, ListRows.none(), False)
            for convention_name in OF_READING:
                setting = self.settings[convention_name]
                if setting.traits.moment == AT_ONCE:
                    setting(block=block)
            self._read[key] = labels.grade
        return self._read[key]

    def readings(self, other: "OnData") -> "list[OnData]":
        """The ways in which the two read grades: one of them where both read the same."""
        equal = all(self.settings[name].text == other.settings[name].text for name in OF_READING)
        return [self] if equal else [self, other]

    def relevant(self, grades: Numbers) -> Mask:
        """Which labels are relevant if a user has these grades and no others; shape as `grades`."""
        highest = np.full(len(grades), grades.max(initial=-np.inf))
        return np.asarray(self.settings["relevant"](grades=grades, highest=highest))

    def gains(self, grades: Numbers, gain: Setting | None = None) -> Numbers:
        """The gains of these grades, shape as `grades`, under the definition's setting or another one.

        They are those of one user who has all of them; the grades themselves where there is no setting.
        """
        setting = gain or self.settings.get("gain")
        if setting is None:
            return grades
        level = float(self.settings["relevant"].keywords.get("level", 0.0))
        own_highest = np.full(len(grades), grades.max(initial=0.0))
        relevant = self.relevant(grades)
        with np.errstate(over="ignore", invalid="ignore"):
            gains = setting(grades=grades, relevant=relevant, level=level, own_highest=own_highest)
        return np.asarray(gains, float)

    def never_a_loss(self) -> bool:
        """Whether no label has a gain below zero."""
        return bool((self.grades >= 0).all() and (self.gains(self.grades) >= 0).all())


@CALLS.equivalent
def _(ours: OnData, other: OnData) -> bool:
    """Each user has one list."""
    return ours.joined.rankings.calls is None and other.joined.rankings.calls is None


EquivalenceRule = Callable[[OnData, OnData], bool]
"""What `Convention.equivalent` takes."""


def leaving_lists(convention_name: str) -> EquivalenceRule:
    """Two definitions agree where both settings of this convention leave all lists as they are."""
    return lambda ours, other: ours.leaves_lists(convention_name) and other.leaves_lists(convention_name)


def undecided(policy: str) -> EquivalenceRule:
    """Two definitions agree where neither has anybody who counts as the setting of this policy says."""
    return lambda ours, other: not (ours.decides(policy) or other.decides(policy))
