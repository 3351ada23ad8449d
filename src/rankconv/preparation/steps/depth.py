"""How deep a list is judged."""

from rankconv.data.arrays import within
from rankconv.preparation.on_data import OnData
from rankconv.preparation.registry import BLOCK, judged_by, step_after
from rankconv.preparation.rows import WorkingBlock
from rankconv.preparation.ties import Ties
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
    "cutoff-and-ties",
    rule="the metric's k, and all rows tied with the k-th",
    reads_cutoff=True,
    keeps_ties=True,
    plain="falling scores",
    says="rows below the cutoff are taken off before anything is computed, except those tied with the last one kept",
)
def _(block: WorkingBlock) -> None:
    """A tie at the border makes the list longer than k, and what is asked at k reads it whole.

    Tied are rows of equal score that stand together, as they do where lists are ordered by score.
    """
    if block.k is not None:
        block.rows.take(Ties(block.rows.user, block.rows.score, block.rows.rank).first < block.k)


@DEPTH.setting(
    "score-at-least",
    rule="rows with at least this score",
    needs="scores",
    cite="surprise",
    says="only rows with a score of at least {least} are read",
)
def _(block: WorkingBlock, least: float) -> None:
    """A row below it is no recommendation, as where scores are predicted ratings; a row without a score is none."""
    block.rows.take(block.rows.score >= least)


@DEPTH.number(rule="so many rows", least=1, reads_order=True, says="only the first {value} rows of a list are read")
def _(block: WorkingBlock, value: float) -> None:
    """The first rows after ordering, as trec_eval -M."""
    block.rows.take(within(block.rows.user) < value)


@DEPTH.alike
def _(ours: OnData, other: OnData) -> bool:
    both_cut = all(one.settings["max-depth"].setting_type.traits.get("reads_cutoff") for one in (ours, other))
    return both_cut and ours.no_ties and other.no_ties


judged_by(DEPTH)
