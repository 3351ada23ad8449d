"""Whether a list has a hit, and how many it has."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Metric, Ratio
from rankconv.metrics.hits import HIT_WORTH
from rankconv.metrics.notation import HIT_CHANCE, HITS, HITS_WORTH
from rankconv.preparation.block import Block
from rankconv.preparation.ties import TieEffect
from rankconv.specs.convention import Convention

HIT_BY = Convention(
    "hit-rule",
    "Condition for a list to count as a hit",
    reads=("block", "scope"),
    phrase=True,
    tells="a label with a negative grade",
)
"""A setting gives a number per user, shape (users,); the list is a hit where it is above 0."""


@HIT_BY.setting(
    "hits", rule="at least one hit", says="at least one relevant item is {here}", tex=rf"\min\left(1, {HITS}\right)"
)
def _(block: Block, scope: int | None) -> Numbers:
    """One relevant item in the first k is enough."""
    return block.hits_so_far.at(scope)


class HitRate(Metric):
    """Compute whether the list holds a relevant item.

    1 where the first k hold a hit, else 0; the mean is the share of such users. Also called success or accuracy@k.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"], "v": ["b"]}, {"u": ["a"], "v": ["a"]}, "hit_rate@1")["hit_rate@1"]
    0.5
    """

    reads_below_cutoff: ClassVar[bool] = False
    name = "hit_rate"
    cite = "deshpande2004"
    rises = True
    closed_form = True
    spellings = ("hr", "hit", "hit_ratio", "success")
    formula = "1 if hits@k > 0 else 0"
    written = ("hit rate",)
    says = "1 if {hit-rule}, and 0 otherwise"
    tex = "«hit-rule»"
    splits = False
    hit_rule: Annotated[str, HIT_BY]

    @property
    def expected_tex(self) -> str:
        return rf"1 - \prod_{{j=1}}^{{«K»}} (1 - c_j), \quad c_j = {HIT_CHANCE}"

    def per_user(self, block: Block) -> Ratio:
        if block.tie_rule is TieEffect.EXPECTED:
            block.show(**{"no hit so far": block.no_hit_so_far[1:]})
            return Ratio(block.hit_within(self.scope), np.ones(block.size))
        found = self.settings["hit-rule"](block=block, scope=self.scope) > 0
        return Ratio(found.astype(np.float64), np.ones(block.size))


class HitCount(Metric):
    """Compute the number of relevant items in the list.

    A number of items, so the range is 0 to k; some papers report it as a "hit rate".

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "b", "c"]}, "hit_count@3")["hit_count@3"]
    2.0
    """

    reads_below_cutoff: ClassVar[bool] = False
    name = "hit_count"
    cite = "deshpande2004"
    rises = True
    spellings = ("hits",)
    formula = "hits@k"
    says = "{hit-weight} {here}"
    tex = HITS_WORTH
    linear = True
    splits = False
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    hit_weight: Annotated[str, HIT_WORTH]

    def per_user(self, block: Block) -> Ratio:
        return Ratio(self.settings["hit-weight"](block=block).at(self.scope), np.ones(block.size))
