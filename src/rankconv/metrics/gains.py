"""What a grade is worth, and how much a rank counts."""

from collections.abc import Callable
from typing import Annotated

import numpy as np

from rankconv.conventions.convention import Context, Convention
from rankconv.conventions.custom_setting import FunctionOf
from rankconv.conventions.parameters import Above, LogBase, Within
from rankconv.conventions.setting_table import is_idle
from rankconv.data.arrays import Mask, Numbers, exp, exp2, log, power
from rankconv.preparation.arithmetic import OF_LISTS
from rankconv.preparation.facts import OnData

GAIN = Convention(
    "gain",
    "Gain of a grade",
    reads=("grades", "relevant", "level", "own_highest"),
    noun="gain",
    tex=r"\mathrm{gain}(g_j)",
    tells="a label with a grade other than 0 and 1",
    function_of=FunctionOf("grades", "a grade of", "the gain of an item is {value} of its grade"),
)
"""A setting gives gains; `grades`, `relevant` and the gains have one shape, such as (labels,). `level` is that of the
setting of `relevant`, or 0; `own_highest` the highest grade that exists of the user whose grade it is, shape as
`grades`."""


@GAIN.setting("linear", rule="g", cite="jarvelin2002", says="an item gains its grade", tex="g_j")
def _(grades: Numbers) -> Numbers:
    """The grade itself."""
    return grades


@GAIN.setting(
    "exponential",
    rule="2^g - 1",
    cite="burges2005",
    says="an item of grade g gains 2^g - 1",
    tex=r"\left(2^{g_j} - 1\right)",
)
def _(grades: Numbers) -> Numbers:
    """Each grade is worth about twice the one below."""
    return exp2(grades) - 1


OF_RELEVANT_ALREADY = "it is 0 for what is not relevant already"


@GAIN.setting(
    "binary",
    rule="1 if relevant else 0",
    never_inside=OF_RELEVANT_ALREADY,
    says="a relevant item gains 1 and any other 0",
    tex="r_j",
)
def _(relevant: Mask) -> Numbers:
    """Grades only decide what is relevant."""
    return relevant.astype(np.float64)


@GAIN.setting(
    "linear-over",
    rule="min(g, highest) / highest",
    says="an item of grade g gains min(g, {highest})/{highest}",
    tex=r"\frac{\min(g_j, «highest»)}{«highest»}",
)
def _(grades: Numbers, highest: Annotated[float, Above(0)]) -> Numbers:
    """The share of the highest grade, as a probability."""
    return np.minimum(grades, highest) / highest


@GAIN.setting(
    "exponential-over",
    rule="(2^g - 1) / 2^highest",
    cite="chapelle2009",
    says="an item of grade g gains (2^g - 1)/2^{highest}",
    tex=r"\frac{2^{g_j} - 1}{2^{«highest»}}",
)
def _(grades: Numbers, highest: Annotated[float, Within(1e-6, 1000)]) -> Numbers:
    """The probability of ERR: a grade below the highest stops a reader half as often."""
    return (exp2(grades) - 1) / np.float64(2) ** highest


@GAIN.setting(
    "table",
    rule="a number for each grade; a grade not listed is its own gain",
    says="grades gain {levels:for grade}, and any other grade itself",
    tex="G(g_j)",
    signs={"G": "the gain of a grade"},
)
def _(grades: Numbers, **levels: float) -> Numbers:
    """Any map from grades to gains, such as `table(1=1, 2=5)`."""
    gains = grades.copy()
    for grade, gain in levels.items():
        gains[grades == float(grade)] = gain
    return gains


@GAIN.setting(
    "of-relevant",
    rule="that gain if relevant, else 0",
    never_inside=OF_RELEVANT_ALREADY,
    cite="ignite",
    says="{of}, but one that is not relevant gains 0",
    tex="r_j «of»",
)
def _(relevant: Mask, of: Annotated[Callable[[], Numbers], GAIN]) -> Numbers:
    """Any other gain, such as `of-relevant(exponential)`, for relevant items alone."""
    return np.where(relevant, of(), 0.0)


@GAIN.equivalent
def _(ours: OnData, other: OnData) -> bool:
    here, there = (one.settings.get("gain") for one in (ours, other))
    if any(one is not None and "own_highest" in one.reads for one in (here, there)):
        return False  # what is equal for one highest grade need not be for another
    both = (ours, other)  # the rest of either may change what a gain sees
    return all(np.array_equal(one.gains(one.grades, here), one.gains(one.grades, there)) for one in both)


# discounts

DISCOUNT = Convention(
    "discount",
    "Discount of a rank",
    reads=("ranks", *OF_LISTS),
    noun="discount",
    tex=r"\mathrm{discount}_j",
    shown_idle=True,
    tells="a hit below the first ranks",
    function_of=FunctionOf(
        "ranks",
        "rank",
        "the gain at rank j is multiplied by {value} of j",
        least=0,
        whole=True,
        tex="w_j^{-1}",
        signs={"w_j": "what the function gives for rank j"},
    ),
)
"""A setting gives the factor of each rank; the factors and `ranks` have shape (ranks,). It may read the `lengths` of
the prepared lists and their `relevant_counts` (relevant labels that exist), both of shape (users,): then `ranks` has
shape (ranks, 1), or (ranks, users) where tied rows share a rank, and the factors have shape (ranks, users). The ideal
list is discounted as the user's own list is: by its length, and not by that of the ideal."""


@DISCOUNT.idle("the base of a plain logarithm cancels in the ratio")
def _(context: Context) -> bool:
    """What is divided by 1 keeps its logarithm."""
    discount = context.settings["discount"]
    plain = discount.setting_type.name == "log" and "shift" not in discount.keywords
    return (
        plain
        and context.metric is not None
        and context.metric.keeps("divides_gains")
        and not any(one.traits.undivided and not is_idle(name, context) for name, one in context.settings.items())
    )


@DISCOUNT.setting(
    "log",
    rule="1 / log_base(rank + shift)",
    cite="burges2005",
    says="the gain at rank j is divided by {base:log}(j + {shift})",
    tex="«base:log»(j + «shift»)",
)
def _(ranks: Numbers, *, base: LogBase, shift: Annotated[float, Within(1e-6, 1e6)] = 1) -> Numbers:
    """From the first rank on; `shift` is 1, so that rank 1 is not divided by log 1 = 0."""
    return 1 / log(ranks + shift, base)


@DISCOUNT.setting(
    "log-from-rank",
    rule="1 up to rank base, then 1 / log_base(rank)",
    cite="jarvelin2002",
    says="the gain at a rank j above {base} is divided by {base:log}(j)",
    tex=r"\max(1, «base:log» j)",
)
def _(ranks: Numbers, *, base: LogBase) -> Numbers:
    """The first ranks are not discounted at all."""
    return 1 / np.maximum(log(ranks, base), 1.0)


@DISCOUNT.setting(
    "geometric",
    rule="persistence^(rank - 1)",
    cite="moffat2008",
    says="the gain at rank j is multiplied by {persistence}^(j - 1)",
    tex="«persistence»^{1 - j}",
)
def _(ranks: Numbers, persistence: Annotated[float, Within(0, 1)]) -> Numbers:
    """The chance that the reader of RBP comes to that rank."""
    return power(persistence, ranks - 1)


@DISCOUNT.setting("none", rule="1", says="gains are not discounted by rank", tex="1")
def _(ranks: Numbers) -> Numbers:
    """Every rank counts the same: DCG is the sum of the gains, and its ratio to the ideal a recall of gains."""
    return np.ones(ranks.shape)


DISCOUNT.also(ln="log(base=e)", log2="log(base=2)", log10="log(base=10)")


@DISCOUNT.setting("reciprocal", rule="1 / rank", says="the gain at rank j is divided by j", tex="j")
def _(ranks: Numbers) -> Numbers:
    """Falls much faster than a logarithm."""
    return 1 / ranks


@DISCOUNT.setting(
    "exponential-of-length",
    rule="e^(-rate · rank / length of the list)",
    falls=True,
    cite="truchon2007",
    says=(
        "the gain at rank j is divided by e^({rate} j/n), n being the length of the list, also for another list that "
        "it is compared with"
    ),
    tex=r"e^{«rate» j / n}",
)
def _(ranks: Numbers, lengths: Numbers, rate: Annotated[float, Within(1e-6, 1000)]) -> Numbers:
    """What counts is the place between the top and the end of the list: one twice as long is read twice as deep.

    A list without rows is discounted as one of one row.
    """
    return 1 / exp(rate * ranks / np.maximum(lengths, 1))
