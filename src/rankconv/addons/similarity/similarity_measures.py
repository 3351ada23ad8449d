"""Measures of how similar two rankings are: rank-biased overlap, Kendall's tau, overlap; each has conventions."""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention, Registry
from rankconv.conventions.parameters import Setting
from rankconv.conventions.setting_set import SettingSet
from rankconv.data.arrays import Codes, Numbers, begins

SIMILARITY: dict[str, Convention] = {}
"""The conventions of similarity by name."""
MEASURES: dict[str, type["Measure"]] = {}
"""Every measure by its name."""


@dataclass(frozen=True)
class Ranking:
    """The rows of one list: the item of each row as a code, and the first and last rank of its tie, from 1 on."""

    items: Codes
    first: Codes
    last: Codes

    def __len__(self) -> int:
        return len(self.items)

    @property
    def has_ties(self) -> bool:
        """Whether two rows have one score."""
        return bool((self.first != self.last).any())

    def contributions(self, depths: Codes, *, shared: bool) -> Numbers:
        """How much of each row is within each depth, shape (rows, depths).

        A tie that crosses a depth is there as a whole, or, `shared`, each of its rows with the same part.
        """
        whole = self.first[:, None] <= depths
        if not shared:
            return whole.astype(float)
        size = (self.last - self.first + 1)[:, None]
        return np.clip((depths - self.first[:, None] + 1) / size, 0, 1)


def ranking(items: Codes, score: Numbers | None) -> Ranking:
    """Return a list of items by falling score, both of shape (rows,); without scores no rows are tied."""
    places = np.arange(1, len(items) + 1)
    if score is None or not len(items):
        return Ranking(items, places, places)
    new = begins(score)
    group, starts = np.cumsum(new) - 1, np.flatnonzero(new)
    return Ranking(items, starts[group] + 1, np.append(starts[1:], len(items))[group])


@dataclass(frozen=True)
class ListPair:
    """The lists of one user in two runs."""

    a: Ranking
    b: Ranking

    @cached_property
    def common(self) -> tuple[Codes, Codes]:
        """The rows of `a` and of `b` that hold the items that both have, each of shape (items,)."""
        _, in_a, in_b = np.intersect1d(self.a.items, self.b.items, assume_unique=True, return_indices=True)
        return in_a, in_b

    def overlap(self, depths: Codes, *, shared: bool = False) -> Numbers:
        """How many items both lists have within each depth, shape (depths,); parts of tied items where `shared`."""
        in_a, in_b = self.common
        if (self.a.has_ties and shared) or (self.b.has_ties and shared):
            mine, theirs = (one.contributions(depths, shared=True) for one in (self.a, self.b))
            return np.asarray((mine[in_a] * theirs[in_b]).sum(axis=0))
        both = np.maximum(self.a.first[in_a], self.b.first[in_b])
        return np.searchsorted(np.sort(both), depths, side="right").astype(float)


class Measure(SettingSet):
    """A measure of two rankings under one set of settings; defining a subclass registers it."""

    name: ClassVar[str] = ""
    cite: ClassVar[str] = ""
    k: int | None = None

    @classmethod
    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        MEASURES[cls.name] = cls
        Registry.changed()

    @abstractmethod
    def value(self, pair: ListPair) -> float:
        """Return the value of two lists; NaN where it is not defined."""

    @classmethod
    def about(cls) -> str:
        """Return what it computes, from the first line of its docstring."""
        return (cls.__doc__ or "").split("\n")[0].rstrip(".").removeprefix("Compute ")


P = Convention("p", "Persistence: the weight of a depth over that of the depth above", registry=SIMILARITY)


@P.number(rule="p", least=0, most=1, cite="webber2010")
def _(value: float) -> float:
    return value


TIES = Convention(
    "ties",
    "Agreement at a depth that tied rows cross",
    reads=("pair", "depths", "shorter", "longer"),
    registry=SIMILARITY,
)
"""A setting gives the overlap of both lists at each depth and what it is divided by, both of shape (depths,)."""


@TIES.setting("w", rule="a tie has the first of its ranks; 2 X / (|A| + |B|)", cite="webber2010")
def _(pair: ListPair, depths: Codes, shorter: Ranking, longer: Ranking) -> tuple[Numbers, Numbers]:
    """Where tied items really are at one rank."""
    sizes = [np.searchsorted(one.first, depths, side="right") for one in (shorter, longer)]
    sizes[0] = np.where(depths > len(shorter), depths, sizes[0])
    return pair.overlap(depths), (sizes[0] + sizes[1]) / 2


@TIES.setting("a", rule="the mean over all orders of tied rows; X / d", cite="corsi2024")
def _(pair: ListPair, depths: Codes) -> tuple[Numbers, Numbers]:
    """Where the order of tied items is not known."""
    return pair.overlap(depths, shared=True), depths.astype(float)


@TIES.setting("b", rule="X / (|A| |B|), norms of the parts within the depth", cite="corsi2024")
def _(pair: ListPair, depths: Codes, shorter: Ranking, longer: Ranking) -> tuple[Numbers, Numbers]:
    """As a, corrected for the information that ties lose: two equal lists have 1."""
    norms = [np.sqrt((one.contributions(depths, shared=True) ** 2).sum(axis=0)) for one in (shorter, longer)]
    norms[0] = np.where(depths > len(shorter), np.sqrt(depths), norms[0])
    return pair.overlap(depths, shared=True), norms[0] * norms[1]


FORM = Convention("form", "Ranks below the lists", reads=("depths",), registry=SIMILARITY)


def _form(name: str, rule: str, cite: str) -> Callable[[Callable[["Depths"], float]], Callable[["Depths"], float]]:
    return FORM.setting(name, rule=rule, cite=cite)


@dataclass(frozen=True)
class Depths:
    """What rank-biased overlap reads: two lists, depth by depth, from 1 to the length of the longer list."""

    pair: ListPair
    agreement: Setting
    p: float

    @cached_property
    def lists(self) -> tuple[Ranking, Ranking]:
        """The shorter and the longer list."""
        a, b = self.pair.a, self.pair.b
        return (a, b) if len(a) <= len(b) else (b, a)

    @cached_property
    def depth(self) -> Codes:
        """Shape (depths,)."""
        return np.arange(1, len(self.lists[1]) + 1)

    @cached_property
    def overlap(self) -> tuple[Numbers, Numbers]:
        """The overlap at each depth and its divisor, shape (depths,)."""
        shorter, longer = self.lists
        given = {"pair": self.pair, "depths": self.depth, "shorter": shorter, "longer": longer}
        overlap, divisor = self.agreement(**given)
        return overlap, divisor

    @property
    def in_ties(self) -> bool:
        """Whether parts of tied rows are shared among depths."""
        return self.agreement.text != "w" and (self.pair.a.has_ties or self.pair.b.has_ties)

    @property
    def unseen(self) -> Numbers:
        """The part of each item that the longer list alone has at each depth, shape (items, depths)."""
        shorter, longer = self.lists
        alone = ~np.isin(longer.items, shorter.items)
        return longer.contributions(self.depth, shared=self.in_ties)[alone]

    def summed(self, overlap: Numbers, below: float) -> float:
        """The weighted sum of agreements: those at each depth, of overlaps of shape (depths,), and those below."""
        weights = self.p ** self.depth.astype(float)
        return (1 - self.p) / self.p * (float((overlap / self.overlap[1] * weights).sum()) + below)

    @property
    def at_end(self) -> float:
        """The overlap at the end of the longer list."""
        return float(self.overlap[0][-1])


@_form("min", "no more overlap below the lists", "webber2010")
def lowest(depths: Depths) -> float:
    """The lower bound over all continuations of the lists."""
    harmonic = math.log(1 / (1 - depths.p)) - float((depths.p**depths.depth / depths.depth).sum())
    return depths.summed(depths.overlap[0], depths.at_end * harmonic)


@_form("max", "as much overlap below the lists as there can be", "webber2010")
def highest(depths: Depths) -> float:
    """The upper bound over all continuations of the lists."""
    shorter, longer = map(len, depths.lists)
    overlap, unseen = depths.overlap[0].copy(), depths.unseen
    for depth in range(shorter, longer):
        overlap[depth] += unseen[: depth - shorter + 1, depth].sum()
    full = longer + shorter - depths.at_end
    below = np.arange(longer + 1, math.floor(full) + 1)
    rising = float(((2 * below - longer - shorter + depths.at_end) / below * depths.p ** below.astype(float)).sum())
    return depths.summed(overlap, rising + depths.p ** (full + 1) / (1 - depths.p))


@_form("res", "max - min", "webber2010")
def residual(depths: Depths) -> float:
    """The distance of both bounds."""
    return highest(depths) - lowest(depths)


@_form("ext", "the agreement at the end of each list goes on", "webber2010")
def extrapolated(depths: Depths) -> float:
    """The point estimate."""
    shorter, longer = map(len, depths.lists)
    overlap, divisor = depths.overlap
    agreement = overlap[shorter - 1] / divisor[shorter - 1]
    more, unseen = np.zeros(longer), depths.unseen
    for depth in range(shorter, longer):
        parts = unseen[:, depth]
        more[depth] = (depth - shorter + 1) * agreement * float(parts[parts > 0].mean())
    end = (depths.at_end + (longer - shorter) * agreement) / longer
    return depths.summed(overlap + more, end * depths.p ** (longer + 1) / (1 - depths.p))


@_form("truncated", "the sum of the ranks that there are", "webber2010")
def truncated(depths: Depths) -> float:
    """A list that agrees with itself has less than 1: the weight of the ranks below is lost."""
    return depths.summed(depths.overlap[0], 0.0)


@_form("truncated-normalized", "the weighted mean over the ranks that there are", "lenskit")
def normalized(depths: Depths) -> float:
    """With persistence 1 the average overlap."""
    weights = depths.p ** (depths.depth - 1.0)
    return float((depths.overlap[0] / depths.overlap[1] * weights).sum() / weights.sum())


class RBO(Measure):
    """Compute rank-biased overlap, the expected agreement of two lists at the depth where a reader stops.

    A reader goes on from each depth to the next with the probability `p`. 1 is equal, 0 disjoint. NaN where
    a list is empty.
    """

    name = "rbo"
    cite = "webber2010"
    p: Annotated[str, P]
    ties: Annotated[str, TIES]
    form: Annotated[str, FORM]

    def value(self, pair: ListPair) -> float:
        """See the class."""
        if not len(pair.a) or not len(pair.b):
            return math.nan
        settings = self.settings
        p = float(settings["p"]())
        if p in (0.0, 1.0) and self.given("form") != "truncated-normalized":
            return math.nan
        return float(settings["form"](depths=Depths(pair, settings["ties"], p)))


VARIANT = Convention("variant", "Ties in Kendall's tau", reads=("first", "second"), registry=SIMILARITY)
"""A setting gives the coefficient of the ranks of the common items in both lists, each of shape (items,)."""


def _concordance(first: Codes, second: Codes) -> tuple[float, float, float]:
    """Concordant less discordant pairs, and the pairs untied in each list, of ranks of shape (items,)."""
    rows = (np.sign(first[at] - first[:at]) for at in range(1, len(first)))
    others = (np.sign(second[at] - second[:at]) for at in range(1, len(second)))
    found, untied, also = 0.0, 0.0, 0.0
    for one, other in zip(rows, others, strict=True):
        found, untied, also = found + (one * other).sum(), untied + np.abs(one).sum(), also + np.abs(other).sum()
    return found, untied, also


@VARIANT.setting("a", rule="(concordant - discordant) / all pairs", cite="kendall1938")
def _(first: Codes, second: Codes) -> float:
    """A tied pair counts 0."""
    return _concordance(first, second)[0] / (len(first) * (len(first) - 1) / 2)


@VARIANT.setting("b", rule="divided by the root of the product of the pairs untied in each list", cite="kendall1945")
def _(first: Codes, second: Codes) -> float:
    """Two lists with the same ties have 1; NaN where all rows of a list are tied."""
    found, untied, also = _concordance(first, second)
    return found / math.sqrt(untied * also) if untied and also else math.nan


@VARIANT.setting("ap", rule="2 / (n - 1) * sum of C(i) / (i - 1), less 1; ties by the order of rows", cite="yilmaz2008")
def _(first: Codes, second: Codes) -> float:
    """Errors at the top weigh more: C(i) of the items above rank i of `a` are above it in `b` too."""
    order = np.argsort(first, kind="stable")
    ranks = second[order]
    right = [float((ranks[:at] < ranks[at]).sum()) / at for at in range(1, len(ranks))]
    return 2 * sum(right) / (len(ranks) - 1) - 1


@VARIANT.setting("ap-a", rule="ap, on average over all orders of the rows that are tied in `a`", cite="urbano2017")
def _(first: Codes, second: Codes) -> float:
    """A pair that is tied in `b` counts one half: `b` is the truth."""
    total = 0.0
    for rank, truth in zip(first, second, strict=True):
        right = np.where(second == truth, 0.5, second < truth)
        above, tied = np.count_nonzero(first < rank), np.count_nonzero(first == rank)
        of_tied = (right[first == rank].sum() - 0.5) / max(tied - 1, 1)  # each other one; it is not above itself
        more = np.arange(int(above == 0), tied)  # tied rows above it, each number as likely; rank 1 counts nothing
        total += ((right[first < rank].sum() + more * of_tied) / (above + more)).sum() / tied
    return 2 * total / (len(first) - 1) - 1


class KendallTau(Measure):
    """Compute Kendall's rank correlation of the items that both lists have.

    1 is the same order, -1 the reverse. NaN where both lists share fewer than two items.
    """

    name = "kendall"
    cite = "kendall1938"
    variant: Annotated[str, VARIANT]

    def value(self, pair: ListPair) -> float:
        """See the class."""
        in_a, in_b = pair.common
        if len(in_a) < 2:
            return math.nan
        return float(self.settings["variant"](first=pair.a.first[in_a], second=pair.b.first[in_b]))


DIVISOR = Convention("divisor", "Divisor of the overlap", reads=("a", "b", "both", "k"), registry=SIMILARITY)


@DIVISOR.setting("k", rule="the cutoff; the longer list where there is none")
def _(a: int, b: int, k: int | None) -> float:
    """Also where lists are shorter."""
    return float(max(a, b) if k is None else k)


@DIVISOR.setting("shorter", rule="the length of the shorter list")
def _(a: int, b: int) -> float:
    """The overlap coefficient (Szymkiewicz–Simpson)."""
    return float(min(a, b))


@DIVISOR.setting("union", rule="the items that either list has")
def _(a: int, b: int, both: int) -> float:
    """The Jaccard index."""
    return float(a + b - both)


class Overlap(Measure):
    """Compute the share of items that two lists have in common, whatever their order; NaN where both are empty."""

    name = "overlap"
    divisor: Annotated[str, DIVISOR]

    def value(self, pair: ListPair) -> float:
        """See the class."""
        both = len(pair.common[0])
        divisor = self.settings["divisor"](a=len(pair.a), b=len(pair.b), both=both, k=self.k)
        return both / divisor if divisor else math.nan
