"""The probability that the reader of C/W/L goes on to the next rank, by rank or by gain."""

from typing import Annotated

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.conventions.custom_setting import FunctionOf
from rankconv.conventions.parameters import Above, Within
from rankconv.conventions.traits import Traits
from rankconv.data.arrays import Numbers, power
from rankconv.metrics.gains import DISCOUNT
from rankconv.metrics.reader import ListReader, above

CWL_CONTINUATION = Convention(
    "cwl-continuation",
    "Probability that the reader of C/W/L goes on to the next rank",
    reads=("reader", "ranks"),
    phrase=True,
    tells="a list with several gains",
    function_of=FunctionOf(
        "ranks",
        "rank",
        "{value} of j",
        least=0,
        whole=True,
        traits=Traits(of_ranks=True),
        tex="c_j",
        signs={"c_j": "what the function gives for rank j"},
    ),
)
"""A setting gives the probability for each rank of a `ListReader`, shape (ranks, users), or (ranks, 1) where it depends
on the rank alone; `ranks` has shape (ranks, 1). The trait `of_ranks` says that it depends on no gain of the list."""

Positive = Annotated[float, Above(0)]


@CWL_CONTINUATION.number(rule="the same at each rank", least=0, most=1, of_ranks=True)
def _(ranks: Numbers, value: float) -> Numbers:
    """Rank-biased precision's; 1 is precision's, where a cutoff ends the list."""
    return ranks * 0 + value


@CWL_CONTINUATION.setting(
    "discount",
    rule="the discount of the next rank / that of this one",
    of_ranks=True,
    says="the discount of rank j + 1 by that of rank j (where {by})",
    tex=r"\frac{d_{j+1}}{d_j}",
    signs={"d_j": "the discount of rank j"},
)
def _(reader: ListReader, by: Annotated[str, DISCOUNT] = "log(base=2)") -> Numbers:
    """So that ranks weigh as their discounts: scaled DCG."""
    discounts = reader.of_ranks(DISCOUNT(by), len(reader.ranks) + 1)
    counts = discounts[:-1] > 0  # a rank that does not count has no reader who could go on
    return np.where(counts, discounts[1:] / np.where(counts, discounts[:-1], 1.0), 0.0)


@CWL_CONTINUATION.setting(
    "insq",
    rule="((j + 2·target - 1) / (j + 2·target))^2",
    of_ranks=True,
    cite="moffat2012",
    says="((j + 2 · {target} - 1)/(j + 2 · {target}))^2",
    tex=r"\left(\frac{j + 2 \cdot «target» - 1}{j + 2 \cdot «target»}\right)^2",
)
def _(ranks: Numbers, target: Positive) -> Numbers:
    """INSQ's: the more is wanted, the further the reader goes."""
    return np.asarray(((ranks + 2 * target - 1) / (ranks + 2 * target)) ** 2)


@CWL_CONTINUATION.setting(
    "half-life",
    rule="2^(-1 / span)",
    of_ranks=True,
    cite="smucker2012",
    says="2^(-1/{span})",
    tex=r"2^{-1 / «span»}",
)
def _(ranks: Numbers, span: Positive) -> Numbers:
    """Time-biased gain's, each item taking the same time: of all readers half are left after so many ranks."""
    return ranks * 0 + 2 ** (-1 / span)


@CWL_CONTINUATION.setting(
    "line",
    rule="max(0, 1 - j / length) / (1 - (j - 1) / length)",
    of_ranks=True,
    cite="sakai2013",
    says="max(0, 1 - j/{length})/(1 - (j - 1)/{length}), and 0 from rank {length} on",
    tex=r"\frac{\max(0, 1 - j / «length»)}{1 - (j - 1) / «length»}",
)
def _(ranks: Numbers, length: Positive) -> Numbers:
    """The U-measure's, each item being as long: fewer and fewer are left, in a straight line down to nobody."""
    here, further = 1 - (ranks - 1) / length, 1 - ranks / length
    return np.maximum(further, 0.0) / np.where(here > 0, here, 1.0)


@CWL_CONTINUATION.setting(
    "all",
    rule="the product of its parts, each once",
    of_parts=True,
    says="{of:the product of|the product of}",
    tex=r"«of:\prod»",
)
def _(reader: ListReader, *of: Annotated[str, CWL_CONTINUATION]) -> Numbers:
    """The reader goes on where each of several readers would, as in `all(unsatisfied, 0.9)`."""
    goes_on: Numbers = reader.ranks * 0 + 1
    for part in of:
        goes_on = np.asarray(goes_on * probability(CWL_CONTINUATION(part), reader))
    return goes_on


def probability(setting: Setting, reader: ListReader) -> Numbers:
    """With which probability the reader goes on at each rank, shape (ranks, users) or (ranks, 1)."""
    return np.asarray(setting(reader=reader, ranks=reader.ranks))


def of_ranks(setting: Setting) -> bool:
    """Whether a reader goes on by the rank alone, whatever they gain."""
    parts = [CWL_CONTINUATION(part) for part in setting.arguments] if setting.traits.of_parts else []
    return all(map(of_ranks, parts)) if parts else setting.traits.of_ranks


Share = Annotated[float, Within(0, 1e6)]


@CWL_CONTINUATION.setting(
    "inst",
    rule="((j + 2·target - G_j - 1) / (j + 2·target - G_j))^2, and 0 if gains above 1 make G_j pass j",
    cite="moffat2015",
    says="((j + 2 · {target} - G - 1)/(j + 2 · {target} - G))^2, where G is the gain so far",
    tex=r"\left(\frac{j + 2 \cdot «target» - G_j - 1}{j + 2 \cdot «target» - G_j}\right)^2",
)
def _(reader: ListReader, target: Positive) -> Numbers:
    """INST's: of the target, what was gained is wanted no more."""
    passed = reader.gain_so_far > reader.ranks
    wanted = np.where(passed, 1.0, reader.ranks + 2 * target - reader.gain_so_far)
    return np.asarray(((wanted - 1) / wanted) ** 2)


@CWL_CONTINUATION.setting(
    "no-gain-yet",
    rule="1 as long as no item has a gain, then 0",
    says="1 as long as no item has a gain, and 0 from then on",
    tex=r"[G_j = 0]",
)
def _(reader: ListReader) -> Numbers:
    """Reciprocal rank's."""
    return np.where(reader.gains > 0, 0.0, 1.0)


@CWL_CONTINUATION.setting(
    "gain-left",
    rule="the sum of gain / rank below / the same with this rank",
    says="the sum of gain by rank over the ranks below j, divided by the same sum with rank j",
    tex=r"\frac{S_{j+1}}{S_j}",
    signs={"S_j": "the sum of gain by rank over rank j and all below it"},
)
def _(reader: ListReader) -> Numbers:
    """Average precision's, if its divisor is what was retrieved: the reader stops at the last hit."""
    left = reader.left
    further = above(left, 0.0)
    return np.where(further > 0, further / np.where(left > 0, left, 1.0), 0.0)


@CWL_CONTINUATION.setting(
    "gain-to-come",
    rule="the gain below / the gain with this rank",
    cite="robertson2008",
    says="the gain of the ranks below j, divided by the same with rank j",
    tex=r"\frac{S_{j+1}}{S_j}",
    signs={"S_j": "the gain of rank j and of all below it"},
)
def _(reader: ListReader) -> Numbers:
    """Average precision's as a search for one item: the reader stops at an item with a chance as great as its gain."""
    left = reader.running(np.add, reader.gains[::-1])[::-1]
    further = above(left, 0.0)
    return np.where(further > 0, further / np.where(left > 0, left, 1.0), 0.0)


@CWL_CONTINUATION.setting(
    "precision",
    rule="precision down to the next rank / that down to this one, a gain of 1 being taken before the first",
    says="the gain down to rank j + 1 by j + 1, divided by the gain down to rank j by j (1 before the first gain)",
    tex=r"\frac{G_{j+1} / (j + 1)}{G_j / j}",
    signs={"G_j": "the gain down to rank j, 1 before the first"},
)
def _(reader: ListReader) -> Numbers:
    """So that ranks weigh as their precision: average precision, if the weights are divided by `relevant`."""
    gained = np.where(reader.gain_so_far > 0, reader.gain_so_far, reader.ranks < len(reader.ranks))
    here = gained / reader.ranks
    return np.asarray(above(here, 0.0) / np.where(here > 0, here, 1.0))


@CWL_CONTINUATION.setting(
    "gain-below",
    rule="1 as long as the gain so far is below target, then 0",
    cite="zhang2017",
    says="1 as long as the gain so far is below {target}, and 0 from then on",
    tex=r"[G_j < «target»]",
)
def _(reader: ListReader, target: Positive) -> Numbers:
    """The benefit that the bejeweled player wants."""
    return np.where(reader.gain_so_far < target, 1.0, 0.0)


@CWL_CONTINUATION.setting(
    "cost-below",
    rule="1 above rank limit, then 0",
    cite="zhang2017",
    says="1 above rank {limit}, and 0 from there on",
    tex=r"[j < «limit»]",
)
def _(reader: ListReader, limit: Positive) -> Numbers:
    """The cost that the bejeweled player spends, 1 for each item."""
    return np.where(reader.ranks < limit, 1.0, 0.0)


def _moved(reader: ListReader, moves: float, middle: float) -> Numbers:
    """How far the items above each rank have moved a player's target or limit, shape (ranks, users)."""
    return np.asarray(moves * (reader.gain_above - middle * (reader.ranks - 1)))


@CWL_CONTINUATION.setting(
    "gain-below-moving",
    rule="1 as long as the gain so far is below target + moves · (gain above - middle · ranks above), then 0",
    cite="zhang2017",
    says=(
        "1 as long as the gain so far is below {target} + {moves} · (the gain above j - {middle} · (j - 1)), and 0 "
        "from then on"
    ),
    tex=r"[G_j < «target» + «moves» (G_{j-1} - «middle» (j - 1))]",
)
def _(reader: ListReader, target: Positive, moves: Share, middle: Share) -> Numbers:
    """The dynamic player wants more after an item above the middle gain, and less after one below."""
    return np.where(reader.gain_so_far < target + _moved(reader, moves, middle), 1.0, 0.0)


@CWL_CONTINUATION.setting(
    "cost-below-moving",
    rule="1 as long as the rank is below limit + moves · (gain above - middle · ranks above), then 0",
    cite="zhang2017",
    says="1 as long as j is below {limit} + {moves} · (the gain above j - {middle} · (j - 1)), and 0 from then on",
    tex=r"[j < «limit» + «moves» (G_{j-1} - «middle» (j - 1))]",
)
def _(reader: ListReader, limit: Positive, moves: Share, middle: Share) -> Numbers:
    """The dynamic player goes further after an item above the middle gain, and less far after one below."""
    return np.where(reader.ranks < limit + _moved(reader, moves, middle), 1.0, 0.0)


def _logistic(b: float, r: float, short_of: Numbers) -> Numbers:
    """1 / (1 + b e^(r x)): near 1 far below 0, and near 0 far above; shape as `short_of`."""
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + b * power(np.e, short_of * r)))


@CWL_CONTINUATION.setting(
    "ift-goal",
    rule="1 - 1 / (1 + b e^(r (target - G_j)))",
    cite="azzopardi2018",
    says="1 - 1/(1 + {b} · e^({r} · ({target} - G))), where G is the gain so far",
    tex=r"1 - \left(1 + «b» \cdot e^{«r» (\,«target» - G_j)}\right)^{-1}",
)
def _(reader: ListReader, *, target: Share, b: Positive, r: Share) -> Numbers:
    """Information foraging's goal: who has what they came for stops, the more surely the greater r."""
    return np.asarray(1 - _logistic(b, r, target - reader.gain_so_far))


@CWL_CONTINUATION.setting(
    "ift-rate",
    rule="1 / (1 + b e^(r (rate - G_j / j)))",
    cite="azzopardi2018",
    says="1/(1 + {b} · e^({r} · ({rate} - G/j))), where G is the gain so far",
    tex=r"\left(1 + «b» \cdot e^{«r» (\,«rate» - G_j / j)}\right)^{-1}",
)
def _(reader: ListReader, *, rate: Share, b: Positive, r: Share) -> Numbers:
    """Information foraging's rate: who gains less per item than they expect stops, the more surely the greater r."""
    return _logistic(b, r, rate - reader.gain_so_far / reader.ranks)


@CWL_CONTINUATION.setting(
    "unsatisfied",
    rule="1 - gain, at least 0",
    cite="azzopardi2021",
    says="1 less the gain of the item, at least 0",
    tex=r"\max(0, 1 - «gain»)",
)
def _(reader: ListReader) -> Numbers:
    """The NERR measures', alone or as a part of `all`: a gain is the probability that the item satisfies."""
    return np.maximum(1 - reader.gains, 0.0)
