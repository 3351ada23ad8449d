"""How deep a list is judged."""

import numpy as np

from rankconv.data.arrays import within
from rankconv.preparation.on_data import OnData
from rankconv.preparation.registry import BLOCK, judged_by, step_after
from rankconv.preparation.rows import WorkingBlock
from rankconv.specs.convention import Convention

DEPTH = Convention(
    "max-depth",
    "Rows of a list that are read at all",
    reads=BLOCK,
    tells="a list longer than k",
    combine=True,
)
step_after("unjudged before-depth", DEPTH)


@DEPTH.setting("none", rule="all", plain="always", no="other limit of depth")
def _(block: WorkingBlock) -> None:
    """The whole list."""


@DEPTH.setting(
    "cutoff",
    rule="the metric's k",
    reads_cutoff=True,
    reads_order=True,
    plain="always",
    says="rows below the cutoff are taken off before anything is computed",
)
def _(block: WorkingBlock) -> None:
    """Rows below the cutoff do not exist at all, for duplicates and divisors neither."""
    if block.k is not None:
        block.rows.take(within(block.rows.user) < block.k)


@DEPTH.setting(
    "relevant",
    rule="as many rows as the user has relevant labels",
    reads_order=True,
    cite="pytorch_metric_learning",
    says="as many rows of a list are read as the user has relevant labels",
)
def _(block: WorkingBlock) -> None:
    """The cutoff is R, as in R-precision and MAP@R."""
    known = block.known
    if known is not None:
        relevant = np.bincount(known.user, weights=known.relevant, minlength=block.size)
        block.rows.take(within(block.rows.user) < relevant[block.rows.user])


@DEPTH.number(rule="so many rows", least=1, reads_order=True, says="only the first {value} rows of a list are read")
def _(block: WorkingBlock, value: float) -> None:
    """The first rows after ordering, as trec_eval -M."""
    block.rows.take(within(block.rows.user) < value)


@DEPTH.equivalent
def _(ours: OnData, other: OnData) -> bool:
    both_cut = all(one.settings["max-depth"].setting_type.traits.get("reads_cutoff") for one in (ours, other))
    return both_cut and ours.no_ties and other.no_ties


judged_by(DEPTH)
