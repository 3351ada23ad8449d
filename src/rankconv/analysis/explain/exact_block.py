"""The block of one user in exact numbers, which notes what a metric reads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankconv.analysis.explain.prepared_list import item_name
from rankconv.analysis.explain.span_rows import piece_names
from rankconv.conventions.convention import Setting
from rankconv.data.arrays import Codes, Mask, Numbers, cached_array
from rankconv.preparation.arithmetic import OF_LISTS, CumulativeSum, RankValues, of_lists
from rankconv.preparation.blocks.row_block import RowBlock
from rankconv.preparation.captions import CAPTIONS, Caption, CaptionPlace
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.ties import TieEffect
from rankconv.preparation.working_rows import WorkingBlock
from rankconv.rendering.numbers.exact import (
    ZERO,
    Exact,
    ExactRank,
    brief,
    exact,
    exact_setting,
    expression,
    number,
    plain,
    total,
)
from rankconv.rendering.numbers.writing import Expression, Fractional, Sum

T = TypeVar("T")
Objects = NDArray[Any]
"""An array of exact numbers."""


def running(values: Sequence[Expression]) -> list[Expression]:
    """The sums down to each row and with it: fractions as long as all are, decimals from then on."""
    sums: list[Expression] = []
    exact: Fraction | None = Fraction(0)
    decimal = 0.0
    for value in values:
        exact = None if exact is None or value.exact is None else exact + value.exact
        decimal += value.value
        sums.append(Fractional(decimal) if exact is None else number(exact))
    return sums


def _decimals(values: Any) -> Objects:
    """Numbers as objects that compute as NumPy's do, shape as `values`."""
    made = np.empty(np.shape(values), object)
    made.reshape(-1)[:] = list(np.asarray(values, np.float64).reshape(-1))
    return made


def _fraction(given: Any) -> Fraction:
    found = expression(given)
    return Fraction(found.value) if found.exact is None else found.exact


def _brief(values: Objects) -> Objects:
    return exact([brief(expression(one)) for one in values])


class WrittenSum(CumulativeSum):
    """Exact sums down the ranks, written out as sums, or counted."""

    def __init__(self, block: "ExactBlock", values: RankValues, counts: bool) -> None:
        self.exact_values = exact(np.asarray(values[:]))
        self._counts = counts
        self.rows_read: int | Codes | None = None
        """How many ranks were read last, as `at_rows` has it."""
        super().__init__(block, values)

    def at_rows(self, rows: int | Codes | None) -> Numbers:
        self.rows_read = rows
        return super().at_rows(rows)

    @cached_property
    def sums(self) -> Objects:
        """Shape (K + 1, users), as of any sum."""
        columns = [self._column(column) for column in self.exact_values.T]
        return np.array(columns, object).T.reshape(len(self.exact_values) + 1, -1)

    def _column(self, values: Objects) -> list[Exact]:
        sums: list[Expression] = [ZERO]
        for value in values:
            last = sums[-1]
            terms = [*(last.terms if isinstance(last, Sum) else [last]), value.of]
            sums.append(plain(total(terms)) if self._counts else total(terms))
        return [Exact(one) for one in sums]

    def _first(self, rows: int) -> Numbers:
        return np.asarray(self.sums[rows])


@dataclass
class Noted:
    """What a metric has read and made."""

    columns: dict[str, Objects] = field(default_factory=dict)
    """What was read and summed, by row."""
    facts: dict[str, Expression] = field(default_factory=dict)
    """Numbers next to the rows, each with its name."""
    terms: list[Expression] = field(default_factory=list)
    """What each row adds to the sum that was made last."""
    ideal: CumulativeSum | None = None
    """The sums of the list that it compares with."""
    ideal_items: list[str] = field(default_factory=list)
    """The items of the ideal list before it was cut, and what they are worth."""
    ideal_worth: Objects = field(default_factory=lambda: exact([]))


class ExactBlock(RowBlock):
    """A prepared block in exact numbers, which notes what the metric reads and sums, as a reader would tabulate it."""

    graded_labels, graded_rows = None, None
    """Each label and each row has a gain of its own, which is written out."""

    def __init__(self, prepared: WorkingBlock, hit: Mask, preparation: Preparation) -> None:
        super().__init__(prepared, hit, preparation)
        self.floats = RowBlock(prepared, hit, preparation)
        self.noted = Noted()
        self.catalogue = self.number(self.floats.catalogue)
        self._of_ranks: dict[tuple[Setting, float], Objects] = {}

    # what is noted

    def part(self, of: Callable[..., T], *arguments: Any) -> T:
        """Notes what the part gives as its caption says, if anybody is there: of groups there may be none."""
        value, caption = super().part(of, *arguments), CAPTIONS.get(of)
        if caption is not None and self.size:
            self._note(caption, value, arguments)
        return value

    def _note(self, caption: Caption, value: Any, arguments: tuple[Any, ...]) -> None:
        if caption.place is CaptionPlace.IDEAL:
            self.noted.ideal = value
            return
        for words, named in caption.entries(value, self, *arguments):
            if caption.place is CaptionPlace.COLUMN:
                self._note_column(words, named)
            else:
                self.noted.facts.setdefault(words, expression(np.ravel(named)[0]))

    def _note_column(self, name: str, values: Any) -> None:
        if self.size:
            by_rank = np.asarray(values[:])
            ranks = self.depth if len(by_rank) == 1 else len(by_rank)
            self.noted.columns.setdefault(name, self._of_rows(np.broadcast_to(by_rank, (ranks, self.size)))[:, 0])

    def sum(self, values: RankValues | None = None, /, **named: RankValues) -> CumulativeSum:
        made = WrittenSum(self, next(iter(named.values())) if values is None else values, counts=False)
        for name in named:
            self._note_column(name, made.exact_values)
            self.noted.terms = [one.of for one in made.exact_values[:, :1].ravel()]
            self.noted.columns.setdefault("sum", exact(running(self.noted.terms)))
        return made

    def count(self, values: RankValues | None = None, /, **named: RankValues) -> CumulativeSum:
        made = WrittenSum(self, next(iter(named.values())) if values is None else values, counts=True)
        for name in named:
            if self.tie_rule is TieEffect.EXPECTED:
                self._note_column(name.removesuffix("s"), made.exact_values)
            self._note_column(name, made.down_to)
            self.noted.terms = [one.of for one in made.exact_values[:, :1].ravel()]
        return made

    # of any ranks: those below the list, of which there may be many, are decimals

    def brief(self, values: Any) -> Objects:
        made = np.array(values, object)
        made[: self.depth] = _brief(made[: self.depth].ravel()).reshape(-1, 1)
        made[self.depth :] = _decimals(made[self.depth :])
        return made

    def running(self, how: np.ufunc, values: Any) -> Objects:
        made = self.brief(values)
        for rank in range(1, min(len(made), self.depth + 1)):
            made[rank] = _brief(how(made[rank - 1], made[rank]))
        below = np.asarray(made[self.depth :], np.float64)
        made[self.depth :] = _decimals(how.accumulate(below, axis=0))
        return made

    def total(self, values: Any = None, /, **named: Any) -> Objects:
        """The rows as a sum, and what is below them as one number, shape (users,)."""
        given = np.asarray(next(iter(named.values())) if values is None else values, object)
        rows, below = self._of_rows(given), given[self.depth :]
        total = self.sum(None if named else rows, **dict.fromkeys(named, rows)).whole
        further = [
            Exact(Fractional(one) if one else ZERO) for one in np.asarray(below, np.float64).sum(axis=0).tolist()
        ]
        return np.asarray(total + np.array(further))

    def _of_rows(self, values: Objects) -> Objects:
        """Those of the ranks that the list has, shape (K, users); 0 at ranks that are not read."""
        missing = exact(np.zeros((self.depth - min(len(values), self.depth), self.size), int))
        return np.concatenate([exact(values[: self.depth]), missing])

    # numbers

    def number(self, value: float) -> Any:
        return Exact(number(value))

    def numbers(self, values: Any) -> Objects:
        return exact(values)

    def ranks_down_to(self, count: int) -> Objects:
        return exact(np.arange(1, count + 1)[:, None])

    def of_ranks(self, setting: Setting, count: int, beyond: float = 0.0) -> Objects:
        known = self._of_ranks.get((setting, beyond))
        if known is None or len(known) < count:
            ranks = exact([rank + beyond if beyond else rank for rank in range(1, count + 1)])
            alone = not of_lists(setting)
            known = exact_setting(setting, ranks=ranks)[:, None] if alone else self._of_lists(setting, ranks[:, None])
            self._of_ranks[setting, beyond] = known
        return known[:count]

    def _of_lists(self, setting: Setting, ranks: Any) -> Objects:
        read = {name: of_list(self) for name, of_list in OF_LISTS.items() if name in setting.reads}
        return np.broadcast_to(exact_setting(setting, ranks=exact(ranks), **read), (len(ranks), self.size))

    def worth(self, gain: Setting, grades: Any, relevant: Mask, user: Codes | None = None) -> Objects:
        return exact_setting(gain, grades=exact(grades), relevant=relevant, **self._for_gains(gain, user))

    @cached_array
    def lengths(self) -> Objects:
        return exact(self.floats.lengths)

    @cached_array
    def judged_count(self) -> Objects:
        return exact(self.floats.judged_count)

    @cached_array
    def highest_grade(self) -> Objects:
        return exact(self.floats.highest_grade)

    @cached_array
    def ranks(self) -> Objects:
        return exact(self.floats.ranks, ExactRank)

    def labels_above(self, level: float) -> Objects:
        return exact(self.floats.labels_above(level))

    def length_at(self, k: int | None) -> Objects:
        return exact(self.floats.length_at(k))

    def by_rank(self, values: NDArray[Any]) -> Objects:
        by_rank = exact(np.zeros((self.depth, self.size), int))
        if self._rows.cell is None:
            by_rank[self._at] = exact(values)
            return by_rank
        for place, user, value in zip(*self._at, exact(values), strict=True):
            by_rank[place, user] = Exact(plain((by_rank[place, user] + value).of))
        return by_rank

    def _expected(self, values: Any) -> Objects:
        expected = exact(super()._expected(exact(values)))
        return exact([plain(one.of) for one in expected]) if self.tie_rule is TieEffect.EXPECTED else expected

    @property
    def _hits_of_rows(self) -> Objects:
        """How many hits each row is, shape (rows,), as fractions."""
        return np.array([*map(Fraction, super()._hits_of_rows.tolist()), None], object)[:-1]

    @staticmethod
    def chances(values: Any) -> Objects:
        """Numbers as fractions, shape as `values`."""
        given, made = np.asarray(values), np.empty(np.shape(values), object)
        made.reshape(-1)[:] = [_fraction(one) for one in given.reshape(-1).tolist()]
        return made

    def as_results(self, values: Any) -> Objects:
        return np.reshape(exact([plain(one.of) for one in np.ravel(values)]), np.shape(values))

    def weighed(self, of_rows: Numbers, of_labels: Numbers) -> Self:
        """Notes in the same place, and the weight of each hit."""
        weights = _brief(exact(of_rows))
        made = super().weighed(weights, _brief(exact(of_labels)))
        made.noted = self.noted
        self._note_column("weight", self.by_rank(np.where(self.hit_rows, weights, 0)))
        return made

    def with_hits(self, hits: Mask) -> Self:
        """Notes nothing of what is one of several orders."""
        made = super().with_hits(hits)
        made.noted = Noted()
        return made

    @cached_array
    def no_hit_so_far(self) -> Objects:
        hit = np.full((self.depth + 1, self.size), Fraction(0), object)
        hit[1:][self._at] = self._expected_rows.chances_of(self._hits_of_rows)
        return exact(np.cumprod(1 - hit, axis=0))

    def sum_of_known(self, values: NDArray[Any]) -> Objects:
        sums: list[list[Expression]] = [[] for _ in range(self.size)]
        for user, value in zip(self.known.user.tolist(), exact(values), strict=True):
            sums[user].append(value.of)
        return exact([plain(total(one)) for one in sums])

    def stacked(self, values: Any, user: Codes, ranks: int | None = None) -> Objects:
        places = super().stacked(np.arange(1.0, len(user) + 1), user, ranks).astype(np.int64)
        return np.append(exact([0]), exact(values))[places]

    def ideal_gains(self, gain: Setting, ranks: int | None) -> Objects:
        known = self.known
        gains = self.gains_of_known(gain)
        self._note_ideal(known.item, gains, np.lexsort((-gains.astype(np.float64), known.at_end, known.user)))
        return np.asarray(super().ideal_gains(gain, ranks))

    def given_gains(self, gain: Setting, ranks: int | None) -> Objects:
        gains = self.gains_of_known(gain)
        self._note_ideal(self.known.item, gains, np.arange(len(gains)))
        return np.asarray(super().given_gains(gain, ranks))

    def returned_gains(self, gain: Setting, k: int | None) -> Objects:
        gains = self.gains_by_rank(gain)[: int(self.read_to(k).sum()) if self.keeps_ties else k]
        order = np.argsort(-gains[:, 0].astype(np.float64), kind="stable")
        self._note_ideal(self._rows.item, gains[:, 0], order)
        return np.asarray(gains[order])

    def _note_ideal(self, items: Codes, gains: Objects, order: Codes) -> None:
        if self.prepared.given is not None:
            self.noted.ideal_items = piece_names(self.prepared, items[order])
        else:
            self.noted.ideal_items = [item_name(self.joined, code) for code in items[order].tolist()]
        self.noted.ideal_worth = gains[order]
