"""The parts in which the definitions of a metric differ: gains, discounts, ideal lists, divisors, cutoffs."""

from functools import lru_cache
from typing import Annotated

import numpy as np

from rankconv.answers import LogBase
from rankconv.choice import Answer, Choice
from rankconv.ranking.block import Block, Running
from rankconv.ranking.ids import Codes
from rankconv.ranking.rows import Mask, Numbers

# cutoffs

CUTOFF = Choice("cutoff", "May the metric be asked at a cutoff k?")


@CUTOFF.option("optional", rule="with k or over the whole list")
def _() -> None:
    """Both exist."""


@CUTOFF.option("required", rule="only with k")
def _() -> None:
    """The system has no form without a cutoff."""


@CUTOFF.option("never", rule="only over the whole list")
def _() -> None:
    """The system has no form with a cutoff."""


CUTOFF_SCOPE = Choice("cutoff-scope", "What does the cutoff cut?")


@CUTOFF_SCOPE.option("list-and-divisors", rule="the list, and k in divisors")
def _() -> None:
    """Rows below rank k are not read."""


@CUTOFF_SCOPE.option("divisors-only", rule="only k in divisors and ideal lists", cite="recommenders")
def _() -> None:
    """The whole list is read, so a value above 1 is possible."""


# gains

GAIN = Choice("gain", "What is a grade worth?", reads=("grades", "relevant", "level"), noun="gain")


@GAIN.option("grade", rule="g", cite="jarvelin2002")
def _(grades: Numbers) -> Numbers:
    """The grade itself."""
    return grades


@GAIN.option("exponential", rule="2^g - 1", cite="burges2005")
def _(grades: Numbers) -> Numbers:
    """Each grade is worth about twice the one below."""
    return np.exp2(grades) - 1


@GAIN.option("binary", rule="1 if relevant else 0")
def _(relevant: Mask) -> Numbers:
    """Grades only decide what is relevant."""
    return relevant.astype(np.float64)


@GAIN.option("table", rule="a number for each grade; a grade not listed is worth itself")
def _(grades: Numbers, **levels: float) -> Numbers:
    """Any map from grades to gains, such as `table(1=1, 2=5)`."""
    gains = grades.copy()
    for grade, gain in levels.items():
        gains[grades == float(grade)] = gain
    return gains


# discounts

DISCOUNT = Choice("discount", "How much does a rank count?", reads=("ranks",), noun="discount")


def _log(ranks: Numbers, base: float) -> Numbers:
    if base == 2:
        return np.log2(ranks)
    return np.log(ranks) if base == np.e else np.asarray(np.log(ranks) / np.log(base))


@DISCOUNT.option("log", rule="1 / log_base(rank + shift)", cite="burges2005")
def _(ranks: Numbers, *, base: LogBase, shift: float = 1) -> Numbers:
    """From the first rank on; `shift` is 1, so that rank 1 is not divided by log 1 = 0."""
    return 1 / _log(ranks + shift, base)


@DISCOUNT.option("log-from-base", rule="1 up to rank base, then 1 / log_base(rank)", cite="jarvelin2002")
def _(ranks: Numbers, *, base: LogBase) -> Numbers:
    """The first ranks are not discounted at all."""
    return 1 / np.maximum(_log(ranks, base), 1.0)


@DISCOUNT.option("reciprocal", rule="1 / rank")
def _(ranks: Numbers) -> Numbers:
    """Falls much faster than a logarithm."""
    return 1 / ranks


_TABLE_STEP = 1024  # a whole number of SIMD lanes, so that no entry depends on the length of the table


@lru_cache(maxsize=64)
def _discount_table(discount: str, steps: int) -> Numbers:
    return np.asarray(DISCOUNT(discount)(ranks=np.arange(1.0, steps * _TABLE_STEP + 1)))


def discounts(discount: Answer, count: int) -> Numbers:
    """The weights of ranks 1 to count."""
    return _discount_table(discount.text, -(-count // _TABLE_STEP))[:count]


def discounted(block: Block, gains: Numbers, discount: Answer) -> Running:
    """Running sums of gain times discount, at the ranks of the judged list."""
    if block.tie_rule == "shared":
        ranks = np.maximum(block.ranks, 1).astype(np.int64)
        return Running(block, gains * discounts(discount, int(ranks.max(initial=1)))[ranks - 1])
    return Running(block, gains * discounts(discount, len(gains))[:, None])


# ideal lists

IDEAL = Choice("ideal", "Which list is the best one?", reads=("block", "gain", "k"), noun="ideal list")
"""An answer gives the gains of the ideal list, shape (ranks, users)."""


@IDEAL.option("labels", rule="all labels that exist, by falling gain", cite="jarvelin2002")
def _(block: Block, gain: Answer) -> Numbers:
    """What a system that returned every labelled item in the best order would have."""
    return block.once(_sorted_gains, gain)


@IDEAL.option("labels-as-given", rule="all labels that exist, in the order given", cite="mllib")
def _(block: Block, gain: Answer) -> Numbers:
    """Not sorted, so a value above 1 is possible."""
    return block.once(_gains_as_given, gain)


@IDEAL.option("returned-in-k", rule="the first k returned, by falling gain", cite="blog", clashes={"ties": "averaged"})
def _(block: Block, gain: Answer, k: int | None) -> Numbers:
    """What the system returned, put into its best order; labels that it missed do not count."""
    first: Numbers = np.sort(block.gains_by_rank(gain)[:k], axis=0)
    return first[::-1]


@IDEAL.option("ones", rule="k ones; as many as the list is long where there is no k", cite="mcfee2010")
def _(block: Block, k: int | None) -> Numbers:
    """The same for every user, whatever the labels."""
    if k is not None:
        return np.ones((k, block.size))
    return block.present.T.astype(np.float64)


def _sorted_gains(block: Block, gain: Answer) -> Numbers:
    known = block.known
    gains = block.gains_of_known(gain)
    order = np.lexsort((-gains, known.at_end, known.user))
    return block.stacked(gains[order], known.user[order])


def _gains_as_given(block: Block, gain: Answer) -> Numbers:
    return block.stacked(block.gains_of_known(gain), block.known.user)


IDEAL_CUT = Choice("ideal-cut", "Where is the ideal list cut?", reads=("block", "k"), noun="cut of the ideal list")
"""An answer gives the number of ranks that count, one for all or one per user; None for all of them."""


@IDEAL_CUT.option("k", rule="at k")
def _(k: int | None) -> int | None:
    """Where the list is cut."""
    return k


@IDEAL_CUT.option("none", rule="nowhere")
def _() -> None:
    """All labels count, so a list of k cannot reach 1 where there are more."""


@IDEAL_CUT.option("length", rule="at k or at the length of the list, whichever is less", cite="cornac")
def _(block: Block, k: int | None) -> Codes:
    """A short list is held to no more than its own length."""
    return np.minimum(block.lengths, np.inf if k is None else k).astype(np.int64)


LOWER_BOUND = Choice(
    "lower-bound", "Which DCG counts as 0?", reads=("block", "gain", "discount", "k"), noun="lower bound"
)


@LOWER_BOUND.option("zero", rule="0")
def _(block: Block) -> Numbers:
    """DCG / ideal DCG."""
    return np.zeros(block.size)


@LOWER_BOUND.option("worst", rule="the worst DCG: the lowest gains first", cite="fastml")
def _(block: Block, gain: Answer, discount: Answer, k: int | None) -> Numbers:
    """(DCG - worst) / (ideal - worst). An item without a label has gain 0, and there are k of them at least."""
    gains = block.gains_of_known(gain)
    if not block.known_are_rows:
        gains = np.minimum(gains, 0)
    order = np.lexsort((gains, block.known.user))
    worst = block.stacked(gains[order], block.known.user[order])[:k]
    return Running(block, worst * discounts(discount, len(worst))[:, None]).at_rows(len(worst))


# divisors

DIVISOR = Choice(
    "divisor", "By what is a sum divided?", reads=("block", "k", "scope", "inside"), noun="divisor", asked=False
)
"""The table of divisors that several questions share. Inside `min(…)` a missing k is infinite."""


@DIVISOR.option("k", rule="k; the length of the list where there is no k")
def _(block: Block, k: int | None, inside: bool) -> Numbers:
    """Also where the list is shorter."""
    if k is None:
        return np.full(block.size, np.inf) if inside else block.lengths
    return np.full(block.size, float(k))


@DIVISOR.option("length", rule="the length of the judged list")
def _(block: Block) -> Numbers:
    """All its rows, whatever the cutoff."""
    return block.lengths


@DIVISOR.option("relevant", rule="R, the relevant labels that exist")
def _(block: Block) -> Numbers:
    """Returned or not."""
    return block.relevant_count


@DIVISOR.option("hits", rule="the hits that the metric reads, plus epsilon")
def _(block: Block, scope: int | None, *, epsilon: float = 0) -> Numbers:
    """Those within the cutoff."""
    return block.once(hits_so_far).at(scope) + epsilon


@DIVISOR.option("labels-above", rule="labels with a grade above x")
def _(block: Block, level: float) -> Numbers:
    """Counted by grade, whatever is relevant."""
    return block.labels_above(level)


@DIVISOR.option("one", rule="1")
def _(block: Block) -> Numbers:
    """Not divided at all."""
    return np.ones(block.size)


@DIVISOR.option("min", rule="the least of its parts")
def _(block: Block, k: int | None, scope: int | None, *of: Annotated[str, DIVISOR]) -> Numbers:
    """Such as `min(k, relevant)`."""
    parts = [DIVISOR(part)(block=block, k=k, scope=scope, inside=True) for part in of]
    return np.asarray(np.min(parts, axis=0))


def divisor(answer: Answer, block: Block, k: int | None, scope: int | None) -> Numbers:
    """What to divide by, shape (users,)."""
    return np.asarray(answer(block=block, k=k, scope=scope, inside=False), np.float64)


def hits_so_far(block: Block) -> Running:
    """Number of hits down to each rank."""
    return Running(block, block.hits_by_rank)
