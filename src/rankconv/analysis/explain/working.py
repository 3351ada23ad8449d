"""A metric worked out on one list: numerator and denominator as expressions, and what is printed beside the rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rankconv.analysis.explain.sheet import Sheet
from rankconv.metrics.base import Metric
from rankconv.numbers.arithmetic import ONE, quotient
from rankconv.numbers.expression import Expression

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
    """Decorator: this function works that metric out, once more and without `per_user`.

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
