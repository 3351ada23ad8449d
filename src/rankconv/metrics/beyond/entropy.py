"""How evenly all lists show items, in bits."""

from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.data.elementary import log
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.of_all_lists import OfAllLists, Shown, added
from rankconv.specs.convention import Convention
from rankconv.specs.parameters import LogBase

ENTROPY_OF = Convention(
    "entropy-of",
    "Distribution of the entropy",
    reads=("shown",),
    phrase=True,
    tells="lists of different lengths",
)
"""A setting gives what each item weighs, shape (items,), summing to 1."""


@ENTROPY_OF.setting("rows", rule="all rows", counted_by=(), says="rows of all lists", tex="p_i")
def _(shown: Shown) -> Numbers:
    """Shannon's entropy."""
    return np.asarray(shown.counts / shown.rows)


ENTROPY_LOG = Convention("entropy-log", "Logarithm of the entropy", reads=("shares",), phrase=True, tells="two items")
"""A setting gives the logarithm of shares, both of shape (items,)."""


@ENTROPY_LOG.setting("log", rule="to this base", says="{base:log}", tex="«base:log»")
def _(shares: Numbers, *, base: LogBase) -> Numbers:
    """Bits for base 2."""
    return np.asarray(log(shares, base))


ENTROPY_LOG.also(log2="log(base=2)", ln="log(base=e)")

ENTROPY_DIVISOR = Convention(
    "entropy-denominator",
    "Divisor of the entropy",
    reads=("shown", "logarithm"),
    phrase=True,
    tells="two items or more",
)
"""A setting gives a number."""


@ENTROPY_DIVISOR.setting("one", rule="1", says="1", tex="1")
def _() -> float:
    """The plain entropy."""
    return 1.0


@ENTROPY_DIVISOR.setting(
    "most",
    rule="the entropy if all items shown were so equally often",
    counted_by=(),
    says="the entropy that as many items have if they are shown equally often",
    tex=r"«entropy-log» I_L",
    signs={"I_L": "the number of different items in the lists"},
)
def _(shown: Shown, logarithm: Any) -> float:
    """At most 1."""
    return float(logarithm(shares=np.array([float(shown.items)]))[0])


class ShannonEntropy(OfAllLists):
    """Compute the entropy of the items' frequencies in all lists.

    The entropy of the share of rows, in the first k of all lists, that show an item; log2 of their number where all
    are shown equally often, 0 where all rows show one. One number; no user has one. No end is the better one.
    Source: Shani and Gunawardana, Evaluating Recommendation Systems, 2011; the forms as presets cite them.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "b"], "v": ["c", "d"]}, "entropy@2")["entropy@2"]
    2.0
    """

    name = "entropy"
    cite = "shani2011"
    spellings = ("shannon_entropy",)
    formula = "-sum of p_i · log(p_i) / entropy-denominator"
    called = "Shannon entropy of exposure"
    says = (
        "the mean over the {entropy-of} of -{entropy-log}(p_i), divided by {entropy-denominator}, p_i being the "
        "share of "
        "the rows {here} of all users that show the item of the row"
    )
    tex = r"-\frac{1}{«entropy-denominator»} \sum_i «entropy-of» «entropy-log» p_i"
    signs: ClassVar[dict[str, str]] = {"p_i": "the share of the rows of all lists that show item i"}
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    counted_by: ClassVar[tuple[str, ...]] = ()
    entropy_of: Annotated[str, ENTROPY_OF]
    entropy_log: Annotated[str, ENTROPY_LOG]
    entropy_denominator: Annotated[str, ENTROPY_DIVISOR]

    def of_lists(self, shown: Shown) -> Ratio:
        settings, rows = self.settings, shown.rows
        shares = shown.numbers(shown.counts) / shown.numbers(np.array([float(rows)]))
        weights = shown.numbers(settings["entropy-of"](shown=shown))
        total: Any = added(np.asarray(-(weights * settings["entropy-log"](shares=shares))))
        divisor = settings["entropy-denominator"](shown=shown, logarithm=settings["entropy-log"])
        return Ratio(shown.numbers(np.array([total])), shown.numbers(np.array([float(divisor)])))
