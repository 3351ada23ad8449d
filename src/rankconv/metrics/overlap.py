"""Metrics that compare the list with an ideal list by what they have in common at each depth."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.data.arrays import Codes, Numbers, power, within
from rankconv.metrics.base import Metric, Ratio
from rankconv.preparation.block import Block
from rankconv.specs.convention import Convention

COMPAT_WEIGHT = Convention("compat-persistence", "Weight of the next depth in the overlap", reads=())


@COMPAT_WEIGHT.number(
    rule="p times the one above", least=0, most=1, says="each depth of the overlap weighs {value} times the one above"
)
def _(value: float) -> float:
    """p of rank-biased overlap; 0.95 looks at about the first 20."""
    return value


COMPAT_ORDER = Convention("compat-order", "Order of equal grades in the ideal list of compat", reads=("block",))
"""A setting gives the key by which known labels are ordered, smallest first, shape (labels,)."""


@COMPAT_ORDER.setting(
    "rank",
    rule="as in the list; those that it lacks last",
    cite="clarke2021",
    says="labels of equal grade stand in the ideal list as in the list itself",
)
def _(block: Block) -> Numbers:
    """So the ideal list is the nearest one."""
    return block.rank_of_known


@COMPAT_ORDER.setting(
    "score",
    rule="by falling score; those that the list lacks as if with 0",
    cite="ir_measures",
    says="labels of equal grade stand in the ideal list by falling score",
)
def _(block: Block) -> Numbers:
    """Equal scores in the order of the labels, whatever the list makes of them."""
    return -np.nan_to_num(block.score_of_known)


class Compatibility(Metric):
    """Compute the rank-biased overlap with the nearest ideal list.

    Rank-biased overlap of the list with the labels of a grade above 0 by falling grade, equal ones by the setting to
    `compat-order`; divided by the overlap of that ideal list with itself. Range 0 to 1.
    NaN where no grade is above 0. Source: Clarke, Vtyurina and Smucker, TOIS 39(3), 2021.

    >>> import rankconv as rc
    >>> round(rc.evaluate({"u": {"a": 2, "b": 1}}, {"u": ["b", "a"]}, "compat")["compat"], 4)
    0.4872
    """

    name = "compat"
    cite = "clarke2021"
    compares_scores = True
    formula = "RBO(list, ideal) / RBO(ideal, ideal)"
    called = "compatibility"
    says = "the rank-biased overlap of the list with the ideal list, divided by that of the ideal list with itself"
    tex = (
        r"\frac{\sum_{j} p^{j-1} \left|A_j \cap A^{*}_j\right| / j}"
        r"{\sum_{j} p^{j-1} \left|A^{*}_j\right| / j}, \quad p = «compat-persistence»"
    )
    signs: ClassVar[dict[str, str]] = {"A_j": "the first j items of the list", "A^{*}_j": "those of the ideal list"}
    splits = False
    cuts: ClassVar[bool] = False
    compat_persistence: Annotated[str, COMPAT_WEIGHT]
    compat_order: Annotated[str, COMPAT_ORDER]

    def per_user(self, block: Block) -> Ratio:
        persistence = self.parameter("compat-persistence", block, "p")
        user, rank = _ideal_list(block, self.settings["compat-order"](block=block))
        ideal_length = np.bincount(user, minlength=block.size).astype(np.float64)
        depth = np.maximum(block.lengths, ideal_length).astype(np.int64)
        seen_in_both = np.maximum(rank, within(user) + 1.0)
        common = _common(block, user, seen_in_both, int(depth.max(initial=0)))
        ranks = block.ranks_down_to(len(common))
        weights = power(persistence, ranks - 1) / ranks
        own = block.sum(weights * common).at_rows(depth)
        return Ratio(own, block.sum(weights * np.minimum(ranks, ideal_length)).at_rows(depth))


def _ideal_list(block: Block, key: Numbers) -> tuple[Codes, Numbers]:
    """The user and the rank in the run of each item of the ideal lists, shape (items of all ideal lists,).

    Equal grades are ordered by `key`, shape (labels,).
    """
    known = block.known
    wanted = np.flatnonzero(known.grade > 0)
    user, rank = known.user[wanted], block.rank_of_known[wanted]
    order = np.lexsort((key[wanted], -known.grade[wanted], user))
    return user[order], rank[order]


def _common(block: Block, user: Codes, seen_in_both: Numbers, depth: int) -> Numbers:
    """How many items both lists have down to each depth, shape (depth, users)."""
    there = seen_in_both < np.inf
    new = np.zeros((depth, block.size))
    np.add.at(new, (seen_in_both[there].astype(np.int64) - 1, user[there]), 1.0)
    return block.count(new).down_to
