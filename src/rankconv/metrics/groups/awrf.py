"""Attention-weighted rank fairness: the exposure of groups of items against a target."""

from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Setting
from rankconv.data.arrays import Mask, summed_in_turn
from rankconv.data.group_values import GroupValues
from rankconv.metrics.base import Ratio
from rankconv.metrics.dcg import NDCG
from rankconv.metrics.groups.exposure import EXPOSURE, EXPOSURE_OF, exposure_of_rows
from rankconv.metrics.groups.item_groups import OfGroups
from rankconv.metrics.groups.targets import GROUP_TARGET, NO_EXPOSURE, TARGET_DISTANCE
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import said_as, shown_as


@shown_as("exposure")
def exposure_by_rank(block: Block, exposure: Setting, exposure_of: Setting) -> Any:
    """The exposure of each row that has some, shape (K, users)."""
    return exposure_of_rows(exposure, block) * exposure_of(block=block)


class OfExposure(OfGroups):
    """What metrics share that are of the exposure of groups of items in one list."""

    why_no_expectation = "a distance of exposures is not linear in them"
    named_first: ClassVar[tuple[str, ...]] = ("item-group", "exposure", "exposure-of", "group-target")
    exposure: Annotated[str, EXPOSURE]
    exposure_of: Annotated[str, EXPOSURE_OF]
    group_target: Annotated[str, GROUP_TARGET]

    def exposure_of_groups(self, block: Block) -> Any:
        """The exposure of each group in each list, shape (groups, users)."""
        settings, groups = self.settings, self.groups(block.joined)
        worth = block.part(exposure_by_rank, settings["exposure"], settings["exposure-of"])
        read, items = np.asarray(block.read_to(self.scope), np.float64), block.items_by_rank
        each = [summed_in_turn(worth * block.numbers(share[items] * read)) for share in groups.shares.T]
        return block.numbers(np.array(each).reshape(len(groups.names), block.size))

    def target(self, block: Block) -> Any:
        """The target of each group, shape (groups, users)."""
        return block.numbers(self.settings["group-target"](block=block, groups=self.groups(block.joined)))


class AWRF(OfExposure):
    """Compute how close the exposure of groups of items is to a target.

    1 minus the distance of two distributions over the groups: the exposure that the items of each group have in the
    list, divided by that of all groups, and the target. Range 1 - log 2 to 1 for the Jensen-Shannon divergence. No
    relevance is read, so a list of irrelevant items may have 1. NaN where no group has exposure. `result.groups` has
    the mean share of exposure of each group, next to its target. Needs `item_features=`, or `train=` for head and tail
    of the popularity; and `group_target=` for a target that is given.
    Source: Sapiezynski et al., FATES at WWW 2019; TREC Fair Ranking Track 2021 and 2022.

    >>> import rankconv as rc
    >>> run, genre = {"u": ["a", "b", "c"]}, {"a": "jazz", "b": "rock", "c": "rock"}
    >>> found = rc.evaluate({"u": ["a"]}, run, "awrf(group-target=even)", item_features=genre)
    >>> round(found["awrf(group-target=even)"], 4)
    0.9995
    """

    name = "awrf"
    cite = "sapiezynski2019"
    formula = "1 - target-distance of the shares of exposure and the target"
    called = "attention-weighted rank fairness"
    paper_names: ClassVar[tuple[str, ...]] = ("AWRF",)
    says = (
        "1 minus {target-distance} the shares that the groups have of the exposure of the {exposure-of} {here}, "
        "{exposure} at rank j, and {group-target}"
    )
    tex = (
        r"1 - «target-distance»\left(\frac{x_g}{\sum_h x_h}, «group-target»\right), \quad "
        r"x_g = \sum_{j=1}^{«rows»} s_{gj} «exposure-of» «exposure»"
    )
    signs: ClassVar[dict[str, str]] = {
        "s_{gj}": "the share that group g has of the item at rank j, mostly 1 or 0",
    }
    range: ClassVar[tuple[float, float]] = (-np.inf, 1.0)
    splits: ClassVar[bool] = False
    target_distance: Annotated[str, TARGET_DISTANCE]
    no_exposure: Annotated[str, NO_EXPOSURE]

    def per_user(self, block: Block) -> Ratio:
        (shares, none), target = block.part(shares_of_exposure, self), self.target(block)
        distance = self.settings["target-distance"](shares=shares, target=target)
        undefined = none | np.isnan(np.asarray(target, np.float64)).any(axis=0)
        columns = {name: np.array(one, np.float64) for name, one in (("share", shares), ("target", target))}
        for values in columns.values():
            values[:, undefined] = np.nan
        found, ones = np.where(undefined, 0, 1 - distance), np.where(undefined, 0.0, 1.0)
        return Ratio(block.numbers(found), ones, groups=GroupValues(self.groups(block.joined).names, columns))


@said_as(by=lambda made, block, metric: metric.named_groups(block, made[0], ", share of exposure"))
def shares_of_exposure(block: Block, metric: AWRF) -> tuple[Any, Mask]:
    """The share of each group in the exposure of the list, shape (groups, users), and who has none, shape (users,)."""
    amounts = metric.exposure_of_groups(block)
    whole = summed_in_turn(amounts)
    none = np.asarray(whole, np.float64) == 0
    shares = np.where(none, 0, amounts / np.where(none, 1, whole))
    if none.any():
        instead = metric.settings["no-exposure"](groups=metric.groups(block.joined), size=block.size)
        shares = np.where(none & ~np.isnan(instead), block.numbers(np.nan_to_num(instead)), shares)
        none = none & np.isnan(instead).any(axis=0)
    return shares, none


class FairNDCG(AWRF, NDCG):
    """Compute AWRF times NDCG.

    How close the exposure of groups of items is to a target, times NDCG, as AWRF reads no relevance. Range 0 to 1.
    NaN where one of them is. `result.groups` has the mean share of exposure of each group, next to its target. Needs
    what `awrf` needs.
    Source: TREC Fair Ranking Track 2021 and 2022, whose score of task 1 it is.

    >>> import rankconv as rc
    >>> run, genre = {"u": ["a", "b"]}, {"a": "jazz", "b": "rock"}
    >>> spec = "fair_ndcg(group-target=even, exposure=log-from-rank(base=2))"
    >>> rc.evaluate({"u": ["a"]}, run, spec, item_features=genre)[spec]
    1.0
    """

    name = "fair_ndcg"
    cite = "fair_trec_2022"
    formula = "AWRF · DCG@k / ideal DCG"
    called = "AWRF times nDCG"
    paper_names: ClassVar[tuple[str, ...]] = ()
    says = f"the product of nDCG and AWRF: nDCG is {NDCG.says}; AWRF is {AWRF.says}"
    tex = r"\mathrm{AWRF} \cdot \mathrm{nDCG}"
    rises: ClassVar[bool] = False
    splits: ClassVar[bool] = False
    linear: ClassVar[bool] = False
    divides_gains: ClassVar[bool] = False
    named_first: ClassVar[tuple[str, ...]] = (*AWRF.named_first, *NDCG.named_first)
    range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)

    def per_user(self, block: Block) -> Ratio:
        fair, ndcg = AWRF.per_user(self, block), NDCG.per_user(self, block)
        there = ndcg.denominator != 0
        value = fair.numerator * np.where(there, ndcg.numerator / np.where(there, ndcg.denominator, 1), 0)
        return Ratio(value, fair.denominator * there, groups=fair.groups)
