"""Numerator and denominator of one user's value as expressions, and what is printed next to the rows."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.analysis.explain.judged_list import item_name
from rankconv.data.arrays import Codes, Mask, Numbers, cached_array
from rankconv.metrics.base import Metric, Parts
from rankconv.metrics.divisors import sign_of_divisor, words_of_divisor
from rankconv.numbers.exact import (
    ONE,
    ZERO,
    Exact,
    Rank,
    brief,
    exact,
    exact_setting,
    expression,
    number,
    plain,
    quotient,
    total,
)
from rankconv.numbers.writing import Expression, Number, Sum
from rankconv.preparation.arithmetic import OF_LISTS, ByRank, CumulativeSum, IdealList, of_lists
from rankconv.preparation.block import Block
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.row_block import RowBlock
from rankconv.preparation.rows import WorkingBlock
from rankconv.preparation.ties import TieEffect
from rankconv.specs.convention import Setting

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
        sums.append(Number(decimal) if exact is None else number(exact))
    return sums


def _decimals(values: Any) -> Objects:
    """Numbers as objects that compute as NumPy's do, shape as `values`."""
    made = np.empty(np.shape(values), object)
    made.reshape(-1)[:] = list(np.asarray(values, np.float64).reshape(-1))
    return made


def _brief(values: Objects) -> Objects:
    return exact([brief(expression(one)) for one in values])


class ExactSum(CumulativeSum):
    """Exact sums down the ranks, written out as sums, or counted."""

    def __init__(self, block: "ExactBlock", values: ByRank, counts: bool) -> None:
        self.exact_values = exact(np.asarray(values[:]))
        self._counts = counts
        super().__init__(block, self.exact_values)

    @cached_property
    def _sums(self) -> Objects:
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
        return np.asarray(self._sums[rows])


class ExactBlock(RowBlock):
    """A judged block in exact numbers, which notes what the metric reads and sums, as a reader would tabulate it."""

    def __init__(self, judged: WorkingBlock, hit: Mask, preparation: Preparation) -> None:
        super().__init__(judged, hit, preparation)
        self.floats = RowBlock(judged, hit, preparation)
        self.columns: dict[str, Objects] = {}
        """What was read and summed, by row."""
        self.facts: list[tuple[str, Expression]] = []
        """Numbers next to the rows, each with its name."""
        self.terms: list[Expression] = []
        """What each row adds to the sum that was made last."""
        self.ideal: IdealList | None = None
        self.ideal_items: list[str] = []
        """The items of the ideal list before it was cut, and what they are worth."""
        self.ideal_worth: Objects = exact([])
        self.catalogue = self.number(self.floats.catalogue)
        self._of_ranks: dict[tuple[Setting, float], Objects] = {}

    # what is noted

    def show(self, **columns: Any) -> None:
        """Notes columns of the table of rows, if anybody is there: of groups judged alone there may be none."""
        for name, given in columns.items() if self.size else ():
            values = given() if callable(given) else given
            by_rank = np.asarray(values[:])
            ranks = self.depth if len(by_rank) == 1 else len(by_rank)
            self.columns.setdefault(name, self._of_rows(np.broadcast_to(by_rank, (ranks, self.size)))[:, 0])

    def says(self, words: Callable[[], str], value: Any) -> None:
        """Notes a number that enters the formula, if anybody is there."""
        if self.size:
            self.facts.append((words(), expression(np.ravel(value() if callable(value) else value)[0])))

    def show_groups(self, names: Callable[[], list[str]], values: Any) -> None:
        self.facts += [(f"group {name}", expression(one)) for name, one in zip(names(), np.ravel(values), strict=True)]

    def show_ideal(self, made: Callable[[], IdealList]) -> None:
        self.ideal = made()

    def sum(self, values: ByRank | None = None, /, **named: ByRank) -> CumulativeSum:
        made = ExactSum(self, next(iter(named.values())) if values is None else values, counts=False)
        for name in named:
            self.show(**{name: made.exact_values})
            self.terms = [one.of for one in made.exact_values[:, :1].ravel()]
            self.columns.setdefault("sum", exact(running(self.terms)))
        return made

    def count(self, values: ByRank | None = None, /, **named: ByRank) -> CumulativeSum:
        made = ExactSum(self, next(iter(named.values())) if values is None else values, counts=True)
        for name in named:
            if self.tie_rule is TieEffect.EXPECTED:
                self.show(**{name.removesuffix("s"): made.exact_values})
            self.show(**{name: made.down_to})
            self.terms = [one.of for one in made.exact_values[:, :1].ravel()]
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
        further = [Exact(Number(one) if one else ZERO) for one in np.asarray(below, np.float64).sum(axis=0).tolist()]
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
        return exact(self.floats.ranks, Rank)

    def labels_above(self, level: float) -> Objects:
        return exact(self.floats.labels_above(level))

    def length_at(self, k: int | None) -> Objects:
        return exact(self.floats.length_at(k))

    def by_rank(self, values: NDArray[Any]) -> Objects:
        by_rank = exact(np.zeros((self.depth, self.size), int))
        by_rank[self._at] = exact(values)
        return by_rank

    def _expected(self, values: Any) -> Objects:
        expected = exact(super()._expected(exact(values)))
        return exact([plain(one.of) for one in expected]) if self.tie_rule is TieEffect.EXPECTED else expected

    @property
    def _hits_of_rows(self) -> Objects:
        """How many hits each row is, shape (rows,), as fractions."""
        return np.array([*map(Fraction, super()._hits_of_rows.tolist()), None], object)[:-1]

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
        self.ideal_items = [item_name(self.joined, code) for code in items[order].tolist()]
        self.ideal_worth = gains[order]


Cell = Expression | str
Column = Sequence[Cell]


@dataclass(frozen=True)
class Ideal:
    """The list that a metric compares with, rank by rank."""

    items: Sequence[str]
    columns: Mapping[str, Column]


@dataclass(frozen=True)
class Derivation:
    """How the number of one user comes about."""

    numerator: Expression
    denominator: Expression = ONE
    names: tuple[str, str] = ("above the line", "below the line")
    """What numerator and denominator are: "DCG@3", "ideal DCG"."""
    columns: Mapping[str, Column] = field(default_factory=dict)
    """By row, from the first rank on; a column may end above the end of the list."""
    ideal: Ideal | None = None
    says: Sequence[tuple[str, Expression | None]] = ()
    """Facts that enter the formula, in words, each with its number."""

    @property
    def ratio(self) -> Expression:
        """The number itself."""
        return self.numerator if self.denominator.exact == 1 else quotient(self.numerator, self.denominator)


Worker = Callable[[Any, ExactBlock], Derivation]
DERIVATIONS: dict[type[Metric], Worker] = {}
"""The derivations that plugins write by hand."""


def derivation_of(metric: type[Metric]) -> Callable[[Worker], Worker]:
    """Register the derivation of a metric for `rc.explain`: decorator of a function.

    Without one, `rc.explain` computes the metric itself over exact numbers. The function takes the metric and the block
    of one user in exact numbers.

    Parameters
    ----------
    metric : type of Metric
        The metric.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> from rankconv.numbers.exact import expression
    >>> class FirstClick(plugin.Metric):
    ...     \"\"\"Is the first item relevant?\"\"\"
    ...     name = "first_click"
    ...     def per_user(self, block: plugin.Block) -> plugin.Ratio:
    ...         return plugin.Ratio(block.hits_so_far.at(1), block.lengths.clip(max=1))
    >>> @plugin.derivation_of(FirstClick)
    ... def _(metric, block):
    ...     hits, rows = block.hits_so_far.at(1)[0], min(block.lengths[0], 1)
    ...     return plugin.Derivation(expression(hits), expression(rows), ("hit at rank 1", "rows"))
    >>> rc.explain({"u": ["a"]}, {"u": ["a", "x"]}, "first_click", user="u").agrees
    True
    """

    def register(worker: Worker) -> Worker:
        DERIVATIONS[metric] = worker
        return worker

    return register


def derive(metric: Metric, block: Block) -> tuple[Derivation, bool]:
    """The derivation of one user's value; False where the metric cannot compute with exact numbers."""
    exact_block = ExactBlock(block.judged, block.hit_rows, block.preparation)
    worker = DERIVATIONS.get(type(metric))
    if worker is not None:
        return worker(metric, exact_block), True
    try:
        return derived(metric, exact_block), True
    except Exception as problem:  # what a plugin does with its numbers is its own
        why = f"{metric.name} is not worked out, as it cannot compute with exact numbers ({problem})"
    found = metric.measure(block)
    ratio = found.ratio if isinstance(found, Parts) else found
    numerator, denominator = (number(float(np.ravel(one)[0])) for one in (ratio.numerator, ratio.denominator))
    said = f"{why}; numerator and denominator are the engine's"
    return Derivation(numerator, denominator, ("numerator", "denominator"), says=[(said, None)]), False


def derived(metric: Metric, block: ExactBlock) -> Derivation:
    """Numerator and denominator as the metric makes them, and next to them what it read and summed."""
    with np.errstate(all="ignore"):
        found = metric.measure(block)
        ratio = found.ratio if isinstance(found, Parts) else found
        parts = list(zip(found.names, found.values, strict=False)) if isinstance(found, Parts) else []
    names = _names(metric, block)
    if names[1] == "R":
        block.says(lambda: "R, the relevant labels", ratio.denominator)
    rows = block.rows_within(metric.scope)
    read = rows if isinstance(rows, int) else int(rows[0])
    blank = "gain" not in block.columns
    return Derivation(
        _of_user(ratio.numerator),
        _of_user(ratio.denominator),
        names,
        {name: _column(block, values[:read], blank and name != "sum") for name, values in block.columns.items()},
        None if block.ideal is None else _ideal(block),
        [*block.facts, *((name, _of_user(value)) for name, value in parts)],
    )


def _of_user(values: Any) -> Expression:
    """The number of the one user."""
    return expression(np.ravel(values)[0])


def _names(metric: Metric, block: ExactBlock) -> tuple[str, str]:
    """What numerator and denominator are, as the formula has it: "DCG@3", "ideal DCG"."""
    top, _, bottom = formula_of(metric).rpartition(" / ")
    if not top:
        return "numerator", "denominator"
    convention_name = metric.formula.rpartition(" / ")[2]
    if convention_name in metric.stated:
        bottom = words_of_divisor(metric.settings[convention_name], block, metric.k, metric.scope)
    return top.rstrip(","), bottom


def _column(block: ExactBlock, values: Objects, blank: bool) -> list[Cell]:
    """The cells of a column, shape (rows,); a 0 is left empty where a row has nothing that could be counted."""
    hits, terms = block.floats.hits_by_rank[:, 0], block.terms
    counted = len(terms) >= len(values) and all(one.of is term for one, term in zip(values, terms, strict=False))
    return [
        "" if blank and counted and one == 0 and not hits[at] and any(hits) else one.of for at, one in enumerate(values)
    ]


def _ideal(block: ExactBlock) -> Ideal:
    given = block.ideal
    assert given is not None
    gains = exact(np.asarray(given.gains[:]))[:, 0]
    rows = len(gains) if given.rows is None else min(len(gains), int(np.ravel(given.rows)[0]))
    gains, discounts = gains[:rows], block.of_ranks(given.discount, rows)[:, 0]
    worth = [one.of for one in gains * discounts]
    columns: dict[str, Column] = {
        "gain": [one.of for one in gains],
        "discount": [one.of for one in discounts],
        "product": worth,
        "sum": running(worth),
    }
    return Ideal(list(_ideal_items(block, gains)), columns)


def _ideal_items(block: ExactBlock, gains: Objects) -> Iterator[str]:
    """The item at each rank of the ideal list; `gains` has shape (ranks,).

    "unlabelled" represents an item without a label, "any" where the ideal is not made of items.
    """
    items, before = block.ideal_items, block.ideal_worth
    for at, gain in enumerate(gains):
        of_label = at < len(items) and before[at] == gain
        yield items[at] if of_label else "unlabelled" if items else "any"


WITHOUT_CUTOFF = {"ranks 1 to k": "all ranks", " j <= k": "", " within k": "", "@k": ""}
"""What a formula says where there is no k."""


def formula_of(metric: Metric) -> str:
    """The formula under these settings, at this cutoff: "hits@3 / min(3, length)"."""
    text = metric.formula
    for words, instead in WITHOUT_CUTOFF.items() if metric.scope is None else ():
        text = text.replace(words, instead)
    if metric.scope is not None:
        text = re.sub(r"\bk\b", str(metric.scope), text)
    for convention_name in sorted(metric.stated, key=len, reverse=True):
        if convention_name.endswith(("denominator", "precision-at")):
            text = text.replace(convention_name, sign_of_divisor(metric.settings[convention_name], metric.k))
    return text
