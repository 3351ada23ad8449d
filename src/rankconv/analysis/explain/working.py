"""A metric worked out on one list: numerator and denominator as expressions, and what is printed next to the rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from rankconv.analysis.explain.rows import JudgedList, Row
from rankconv.metrics.base import Metric
from rankconv.numbers.arithmetic import ONE, number, over, quotient, times, total
from rankconv.numbers.exact import exact, exact_gains, exact_of_ranks
from rankconv.numbers.expression import Expression, Number
from rankconv.preparation.ties import TieEffect
from rankconv.specs.convention import Setting


class Sheet:
    """What the workings of all metrics read. Lists have one entry per row of the judged list."""

    def __init__(self, judged: JudgedList, metric: Metric) -> None:
        self.judged, self.metric = judged, metric
        self.rows, self.labels = judged.rows, judged.labels
        self.k, self.scope = metric.k, metric.scope

    def setting(self, convention_name: str) -> Setting:
        """The metric's setting of a convention."""
        return self.metric.settings[convention_name]

    def within(self, k: int | None) -> int:
        """How many rows stand at rank k or above."""
        return self.judged.within(k)

    @cached_property
    def read(self) -> int:
        """How many rows the metric reads."""
        return self.within(self.scope)

    @property
    def length(self) -> int:
        """Rows of the judged list."""
        return len(self.rows)

    @cached_property
    def relevant(self) -> int:
        """R: relevant labels that exist."""
        return sum(label.relevant for label in self.labels)

    @cached_property
    def not_relevant(self) -> int:
        """Labels that exist and are not relevant."""
        return len(self.labels) - self.relevant

    @property
    def catalogue(self) -> int:
        """Items that there are."""
        assert self.judged.catalogue is not None
        return self.judged.catalogue

    # by row

    @property
    def ranks(self) -> list[int | Fraction]:
        """The rank of each row."""
        return [row.rank for row in self.rows]

    @cached_property
    def hits(self) -> list[Fraction]:
        """1 where the row is a hit; its expected value where ties count by these."""
        return [one.exact or Fraction(0) for one in self._expected([number(row.hit) for row in self.rows])]

    @cached_property
    def misses(self) -> list[int]:
        """1 where the row is no hit."""
        return [int(not row.hit) for row in self.rows]

    @cached_property
    def grades(self) -> list[Fraction]:
        """The grade of each row; 0 where it has none."""
        return [row.grade or Fraction(0) for row in self.rows]

    @cached_property
    def gains(self) -> list[Expression]:
        """What each row is worth; its expected value where ties count by these."""
        return self._expected([self._own_gain(row) for row in self.rows])

    def _own_gain(self, row: Row) -> Expression:
        if not row.judged or row.grade is None:
            return number(0)
        return times(self.gain_of(row.grade, row.relevant), row.weight)

    def gain_of(self, grade: Fraction, relevant: bool) -> Expression:
        """What a grade is worth."""
        own_highest = exact([max((label.grade for label in self.judged.labels), default=Fraction(0))])
        more = {"level": float(self.judged.level), "own_highest": own_highest}
        gains = exact_gains(self.setting("gain"), [grade], np.array([relevant]), **more)
        worth: Expression = gains[0].of
        return worth

    def discount(self, rank: int) -> Expression:
        """How much a rank counts."""
        of_lists = {"lengths": exact([self.length]), "relevant_counts": exact([self.relevant])}
        counts: Expression = exact_of_ranks(self.setting("discount"), exact([rank]), **of_lists)[0].of
        return counts

    def _expected(self, values: list[Expression]) -> list[Expression]:
        if self.judged.tie_rule is not TieEffect.EXPECTED:
            return values
        return [over(total(values[at] for at in row.tie), len(row.tie)) for row in self.rows]

    # sums

    @cached_property
    def found(self) -> Fraction:
        """Hits among the rows that the metric reads."""
        return sum(self.hits[: self.read], Fraction(0))

    def count(self, holds: Callable[[Row], bool]) -> list[int]:
        """1 for each row of which this holds."""
        return [int(holds(row)) for row in self.rows]


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


Cell = Expression | str
Column = Sequence[Cell]


@dataclass(frozen=True)
class Ideal:
    """The list that a metric compares with, rank by rank."""

    items: Sequence[str]
    columns: Mapping[str, Column]
    worth: Sequence[Expression] = ()
    """What each rank adds, as a plot draws it."""


@dataclass(frozen=True)
class Part:
    """One of several ratios that a metric combines, such as the precision of F."""

    name: str
    numerator: Expression
    denominator: Expression
    value: Expression


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
    parts: Sequence[Part] = ()
    worth: Sequence[Expression] = ()
    """What each rank adds to the numerator, as a plot draws it."""

    @property
    def ratio(self) -> Expression:
        """The number itself."""
        return self.numerator if self.denominator.exact == 1 else quotient(self.numerator, self.denominator)


Worker = Callable[[Sheet], Derivation]
WORKINGS: dict[type[Metric], Worker] = {}
"""How each metric is worked out."""


def derivation_of(metric: type[Metric]) -> Callable[[Worker], Worker]:
    """Register the derivation of a metric for `rc.explain`: decorator of a function.

    The function takes a sheet of exact numbers of one user and computes the metric again, without its `per_user`.

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
    >>> from rankconv.numbers.arithmetic import number
    >>> class FirstClick(plugin.Metric):
    ...     \"\"\"Is the first item relevant?\"\"\"
    ...     name = "first_click"
    ...     def per_user(self, block: plugin.Block) -> plugin.Ratio:
    ...         return plugin.Ratio(block.hits_so_far.at(1), block.lengths.clip(max=1))
    >>> @plugin.derivation_of(FirstClick)
    ... def _(sheet):
    ...     hits, rows = number(sum(sheet.hits[:1])), number(min(sheet.length, 1))
    ...     return plugin.Derivation(hits, rows, ("hit at rank 1", "rows"))
    >>> rc.explain({"u": ["a"]}, {"u": ["a", "x"]}, "first_click", user="u").agrees
    True
    """

    def register(worker: Worker) -> Worker:
        WORKINGS[metric] = worker
        return worker

    return register


def worker_of(metric: Metric) -> Worker | None:
    """The function that works out this metric; None where a plugin's metric has none."""
    return WORKINGS.get(type(metric))
