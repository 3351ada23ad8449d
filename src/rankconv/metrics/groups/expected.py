"""Expected exposure: what items, or groups of them, have of it against what they should have."""

from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Numbers, first_places, summed_in_turn
from rankconv.data.group_values import GroupValues
from rankconv.metrics.base import Metric, Ratio
from rankconv.metrics.groups.awrf import OfExposure
from rankconv.metrics.groups.exposure import EXPOSURE, exposure_of_ideal, exposure_of_rows
from rankconv.metrics.groups.item_groups import ItemGroups
from rankconv.metrics.groups.targets import GROUP_TARGET
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.label_block import sum_per_user
from rankconv.preparation.captions import said_as, shown_as

EXPOSURE_MEASURE = Convention(
    "exposure-measure",
    "What is measured of the exposure",
    reads=("has", "wants"),
    phrase=True,
    tells="groups that have not what they should",
)
"""A setting gives a number of each user, shape (users,), from the exposure that groups have and should have, both of
shape (groups, users)."""


@EXPOSURE_MEASURE.setting(
    "loss",
    rule="the squared distance to the target",
    cite="diaz2020",
    says="the squared difference of the exposure of a group and of the exposure that it should have",
    tex="(x_g - w_g)^2",
)
def _(has: Numbers, wants: Numbers) -> Numbers:
    """Disparity less twice the relevance, and what the target alone is."""
    return np.asarray(summed_in_turn((has - wants) ** 2))


@EXPOSURE_MEASURE.setting(
    "disparity", rule="the squared exposure", cite="diaz2020", says="the squared exposure of a group", tex="x_g^2"
)
def _(has: Numbers) -> Numbers:
    """High where few have most of it."""
    return np.asarray(summed_in_turn(has**2))


@EXPOSURE_MEASURE.setting(
    "relevance",
    rule="the exposure times that of the target",
    cite="diaz2020",
    says="the exposure of a group times the exposure that it should have",
    tex="x_g w_g",
)
def _(has: Numbers, wants: Numbers) -> Numbers:
    """High where those have it who should."""
    return np.asarray(summed_in_turn(has * wants))


EXPOSURE_TARGET = Convention(
    "exposure-target",
    "Exposure that a group should have",
    reads=("block", "groups", "exposure", "target"),
    phrase=True,
    tells="groups of different sizes",
)
"""A setting gives the exposure that each group should have, shape (groups, users)."""


@EXPOSURE_TARGET.setting(
    "of-groups",
    rule="the target times the exposure of ranks 1 to depth",
    cite="fair_trec_2022",
    says="its share in the target, which is {group-target}, times the exposure of the first {depth} ranks",
    tex=r"t_g \sum_{j=1}^{«depth»} «exposure»",
)
def _(block: Block, exposure: Setting, target: Any, depth: Annotated[int, Within(1, 1e6)]) -> Numbers:
    """Also where the list is shorter."""
    place = np.arange(depth)
    return np.asarray(target() * block.number(float(exposure_of_ideal(exposure, place, place).sum())))


@EXPOSURE_TARGET.setting(
    "of-grades",
    rule="what its items have in an ideal list, items of equal grade sharing the exposure of their ranks",
    cite="diaz2020",
    says=(
        "the sum over its labelled items of their exposure in a list by falling grade, in which items of equal grade "
        "share the exposure of their ranks"
    ),
    tex=r"\sum_{i \in G} x^{*}_i",
    signs={"x^{*}_i": "the exposure of item i in a list by falling grade, equal grades sharing that of their ranks"},
)
def _(block: Block, groups: ItemGroups, exposure: Setting) -> Numbers:
    """An ideal reader sees equally relevant items equally often."""
    known, of_label = block.known, label_targets(block, exposure)
    items = (share[known.item] * of_label for share in groups.shares.T)
    each = [sum_per_user(known.user, worth, block.size) for worth in items]
    return np.array(each, np.float64).reshape(len(groups.names), block.size)


def label_targets(block: Block, exposure: Setting) -> Numbers:
    """The exposure that the item of each label has in an ideal list, shape (labels,)."""
    known = block.known
    order = np.lexsort((-known.grade, known.user))
    user, grade = known.user[order], known.grade[order]
    starts = np.searchsorted(user, np.arange(block.size))
    place = np.arange(len(user)) - starts[user]
    above = np.minimum(place, block.relevant_count.astype(np.int64)[user])
    worth = exposure_of_ideal(exposure, place, above)
    begins = np.append(True, (user[1:] != user[:-1]) | (grade[1:] != grade[:-1])) if len(user) else np.empty(0, bool)
    tie = np.cumsum(begins) - 1
    shared = (np.bincount(tie, weights=worth) / np.bincount(tie))[tie] if len(user) else worth
    found = np.empty(len(user))
    found[order] = shared
    return found


@GROUP_TARGET.idle("the exposure that groups should have is made of grades", "exposure-target")
def _(context: Context) -> bool:
    """Whether no target of groups is read."""
    wanted = context.settings.get("exposure-target")
    return wanted is not None and "target" not in wanted.reads


class ExpectedExposure(OfExposure):
    """Compute the loss, disparity or relevance of the exposure of groups of items.

    The exposure that the items of each group have in the list against the exposure that they should have: the squared
    distance (loss), the squared exposure (disparity), or their product (relevance). The loss is least, 0, where all
    have what they should. `result.groups` has the mean exposure of each group, next to what it should have. Needs
    `item_features=`, or `train=` for head and tail of the popularity; and `group_target=` for a target that is given.
    Source: Diaz et al., CIKM 2020; the forms as presets cite them.

    >>> import rankconv as rc
    >>> run, genre = {"u": ["a", "b"]}, {"a": "jazz", "b": "rock"}
    >>> spec = "expected_exposure(group-target=even, exposure-target=of-groups(2), exposure-of=all-rows)"
    >>> found = rc.evaluate({"u": ["a"]}, run, spec, item_features=genre)
    >>> round(found[spec], 4), {name: round(value, 4) for name, value in found.groups[spec].items()}
    (0.0681, {'jazz': 1.0, 'rock': 0.6309})
    """

    name = "expected_exposure"
    cite = "diaz2020"
    formula = "sum over groups of exposure-measure"
    called = "expected exposure"
    says = (
        "the sum over the groups of {exposure-measure}, the exposure of a group being that of the {exposure-of} "
        "{here} that are in it, {exposure} at rank j, and the exposure that it should have being {exposure-target}"
    )
    tex = (
        r"\sum_g «exposure-measure», \quad x_g = \sum_{j=1}^{«rows»} s_{gj} «exposure-of» «exposure», \quad "
        r"w_g = «exposure-target»"
    )
    signs: ClassVar[dict[str, str]] = {
        "s_{gj}": "the share that group g has of the item at rank j, mostly 1 or 0",
    }
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    splits: ClassVar[bool] = False
    named_first: ClassVar[tuple[str, ...]] = ("exposure-measure", *OfExposure.named_first, "exposure-target")
    exposure_measure: Annotated[str, EXPOSURE_MEASURE]
    exposure_target: Annotated[str, EXPOSURE_TARGET]

    def per_user(self, block: Block) -> Ratio:
        settings, groups = self.settings, self.groups(block.joined)
        has = block.part(exposure_of_each, self)
        given = {"block": block, "groups": groups, "exposure": settings["exposure"]}
        wants = block.numbers(settings["exposure-target"](target=lambda: self.target(block), **given))
        found = block.numbers(settings["exposure-measure"](has=has, wants=wants))
        columns = {name: np.array(one, np.float64) for name, one in (("exposure", has), ("target", wants))}
        return Ratio(found, np.ones(block.size), groups=GroupValues(groups.names, columns))


@said_as(by=lambda has, block, metric: metric.named_groups(block, has, ", exposure"))
def exposure_of_each(block: Block, metric: ExpectedExposure) -> Any:
    """The exposure of each group in the list, shape (groups, users)."""
    return metric.exposure_of_groups(block)


@shown_as("exposure", "ideal exposure")
def exposures_by_rank(block: Block, metric: "ItemExposure", of_label: Numbers) -> tuple[Any, Any]:
    """The exposure of each row, and that of its item in an ideal list, both of shape (K, users).

    `of_label` is the latter of each label, shape (labels,).
    """
    read = block.numbers(np.asarray(block.read_to(metric.scope), np.float64))
    wants = block.by_rank(_of_rows(block, of_label))
    return exposure_of_rows(metric.settings["exposure"], block) * read, wants * read


def _of_rows(block: Block, of_label: Numbers) -> Numbers:
    """What the item of each row has of values of labels, shape (rows,); 0 where no label that exists is of the item.

    `of_label` has shape (labels,). A label that a row represents is no row of the labels, and is found by its item.
    """
    rows, known, items = block.prepared.rows, block.known, len(block.joined.items) + 1
    labelled, lone = known.label >= 0, rows.label < 0
    by_label = np.zeros(len(block.prepared.labels.user) + 1)
    by_label[known.label[labelled]] = of_label[labelled]
    found = by_label[rows.label]
    wanted, known_so = (rows.user * items + rows.item + 1)[lone], (known.user * items + known.item + 1)[~labelled]
    found[lone] = np.append(of_label[~labelled], 0.0)[first_places(wanted, known_so)]
    return found


class ItemExposure(Metric):
    """Compute the loss, disparity or relevance of the exposure of items.

    The exposure of each item of the list against that which it has in an ideal list, in which items of equal grade
    share the exposure of their ranks: the squared distance (loss), the squared exposure (disparity), or their product
    (relevance), over the items of list and labels. One list has the least loss where grades differ; of equal grades
    only several lists together could.
    Source: Diaz et al., CIKM 2020.

    >>> import rankconv as rc
    >>> spec = "item_exposure(exposure=geometric(0.5))"
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "b"]}, spec)[spec]
    0.125
    """

    name = "item_exposure"
    cite = "diaz2020"
    reads_data = ("grades",)
    why_no_expectation = "a distance of exposures is not linear in them"
    formula = "sum over items of exposure-measure"
    called = "expected exposure of items"
    says = (
        "the sum over the items of list and labels of {exposure-measure}, where each item is a group, and has the "
        "exposure of its rank j {here}, {exposure}; it should have the exposure of an ideal list, in which items of "
        "equal grade share that of their ranks"
    )
    tex = r"\sum_{g \in L \cup R} «exposure-measure»"
    signs: ClassVar[dict[str, str]] = {
        "x_g": "the exposure of the rank of item g in the list, 0 if it is not there",
        "w_g": "its exposure in an ideal list, in which items of equal grade share that of their ranks",
        "L": "the items of the list",
    }
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    directed: ClassVar[bool] = False
    splits: ClassVar[bool] = False
    named_first: ClassVar[tuple[str, ...]] = ("exposure-measure", "exposure")
    exposure: Annotated[str, EXPOSURE]
    exposure_measure: Annotated[str, EXPOSURE_MEASURE]

    def per_user(self, block: Block) -> Ratio:
        settings, known = self.settings, block.known
        of_label = label_targets(block, settings["exposure"])
        has, wants = block.part(exposures_by_rank, self, of_label)
        last = np.broadcast_to(block.rows_within(self.scope), (block.size,))[known.user]
        below = np.asarray(block.rank_of_known, np.float64) > last
        unlisted = block.stacked(np.where(below, of_label, 0), known.user)
        wants = np.concatenate([wants, block.numbers(np.sort(unlisted[:], axis=0))])  # in whatever order labels stand
        has = np.concatenate([has, block.numbers(np.zeros((len(wants) - len(has), block.size)))])
        found = block.numbers(settings["exposure-measure"](has=has, wants=wants))
        return Ratio(found, np.ones(block.size))
