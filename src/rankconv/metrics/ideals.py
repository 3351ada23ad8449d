"""The list that NDCG is measured against: of what it is made, where it is cut, and its DCG."""

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Codes, Numbers
from rankconv.preparation.arithmetic import CumulativeSum, LazyRanks, RankValues
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import shown_as_ideal
from rankconv.preparation.facts import OnData

IDEAL = Convention(
    "ideal",
    "Ideal list",
    reads=("block", "gain", "k", "ranks"),
    tex="«gain:*»",
    tells="a relevant label that was not returned, or one with a negative grade",
)
"""A setting gives the gains of the ideal list by rank, shape (ranks, users); no more than `ranks` of them are read."""


@IDEAL.setting(
    "all-labels",
    rule="all labels that exist, by falling gain",
    rises=True,
    cite="jarvelin2002",
    says="the ideal list holds all labels used, by falling gain",
    tex="«gain:*»",
)
def _(block: Block, gain: Setting, ranks: int | None) -> RankValues:
    """What a system that returned every labelled item in the best order would have."""
    return block.once(sorted_gains, gain, ranks)


@IDEAL.setting(
    "catalogue",
    rule="all items of the catalogue, by falling gain; one without a label has gain 0",
    rises=True,
    cite="fastml",
    says=(
        "the ideal list holds all items by falling gain, where those without a label gain 0 and stand before any "
        "of negative gain"
    ),
    tex=r"\max(0, «gain:*»)",
)
def _(block: Block, gain: Setting, ranks: int | None) -> RankValues:
    """Items without a label stand before those of negative gain, and there are k of them at least."""
    best = block.once(sorted_gains, gain, ranks)
    return LazyRanks(lambda at: np.maximum(best[at], 0.0), len(best))


@IDEAL.setting(
    "all-labels-unsorted",
    rule="all labels that exist, in the order given",
    as_given=True,
    reads_data=("label-order",),
    rises=True,
    cite="mllib",
    says="the ideal list holds all labels used, in the order given",
    tex="«gain:*»",
)
def _(block: Block, gain: Setting, ranks: int | None) -> Numbers:
    """Not sorted, so a value above 1 is possible."""
    return block.given_gains(gain, ranks)


@IDEAL.setting(
    "retrieved-at-k",
    rule="the first k returned, by falling gain",
    cite="blog",
    reads_order=True,
    says="the ideal list holds the items {here} by falling gain",
    tex="«gain:*»",
)
def _(block: Block, gain: Setting, k: int | None) -> RankValues:
    """What the system returned, put into its best order; labels that it did not retrieve do not count."""
    return block.once(_returned_gains, gain, k)


@IDEAL.setting(
    "retrieved-at",
    rule="the first n returned, by falling gain",
    cite="transformers4rec",
    reads_below_cutoff=True,
    reads_order=True,
    says="the ideal list holds the first {rows} items returned by falling gain",
    tex="«gain:*»",
)
def _(block: Block, gain: Setting, rows: Annotated[int, Within(1, 2**31)]) -> RankValues:
    """As `retrieved-at-k`, where the list is kept to a rank of its own, such as the largest requested cutoff."""
    return block.once(_returned_gains, gain, rows)


@IDEAL.setting(
    "retrieved",
    rule="the whole list returned, by falling gain",
    cite="blog",
    reads_below_cutoff=True,
    reads_order=True,
    says="the ideal list holds all items returned by falling gain",
    tex="«gain:*»",
)
def _(block: Block, gain: Setting) -> RankValues:
    """As `retrieved-at-k` where lists end at k; a hit below k makes the best list better."""
    return block.once(_returned_gains, gain, None)


@IDEAL.setting(
    "expected-random",
    rule="the whole list in random order: each rank has the mean gain of its rows",
    reads_below_cutoff=True,
    rises=True,
    cite="sheridan2001",
    says="the ideal list is the same list in random order, where each rank has the mean gain of all rows",
    tex=r"\bar{g}",
    signs={r"\bar{g}": "the mean gain of the rows of the list"},
)
def _(block: Block, gain: Setting) -> RankValues:
    """So many times better than chance: 1 is chance, and what the best list has depends on the data."""
    mean = block.sum(block.gains_by_rank(gain)).whole / np.maximum(block.lengths, 1)
    return block.numbers(np.where(block.listed, mean, 0.0))


@IDEAL.setting(
    "all-ones",
    rule="k ones; without k, as many as the list has rows",
    rises=True,
    cite="mcfee2010",
    says="the ideal list holds {as_many} items of gain 1, whatever the labels",
    tex="1",
)
def _(block: Block, k: int | None) -> RankValues:
    """One list for all users, whatever the labels."""
    if k is not None:
        ones, size = block.numbers(np.ones((k, 1))), block.size  # the function must not hold the block, which holds it
        return LazyRanks(lambda at: np.broadcast_to(ones[at], (*ones[at].shape[:-1], size)), k)
    return block.present.T.astype(np.float64)


@IDEAL.equivalent
def _(ours: OnData, other: OnData) -> bool:
    kinds = {one.settings["ideal"].setting_type.name for one in (ours, other) if "ideal" in one.settings}
    return kinds == {"all-labels", "catalogue"} and ours.never_a_loss() and other.never_a_loss()


IDEAL.unclear["sorted"] = (
    "All labels, sorted, are ideal=all-labels; the first k returned, sorted, are ideal=retrieved-at-k; and the "
    "whole list, sorted, is ideal=retrieved"
)


def sorted_gains(block: Block, gain: Setting, ranks: int | None = None) -> RankValues:
    """The gains of each user's labels, falling, shape (ranks, users); 0 below the last label."""
    return block.ideal_gains(gain, ranks)


def _returned_gains(block: Block, gain: Setting, k: int | None) -> RankValues:
    return block.returned_gains(gain, k)


IDEAL_CUTOFF = Convention(
    "ideal-cutoff",
    "Cutoff of the ideal list",
    reads=("block", "k"),
    tex="I",
    tells="more relevant labels than k, or a list shorter than k",
)
"""A setting gives the number of ranks that count: None for all of them, one number, or one per user, shape (users,)."""


@IDEAL_CUTOFF.setting(
    "k", rule="at k", formula_tells=True, within_k=True, says="the ideal list is cut at rank {k}", tex="«k|I»"
)
def _(k: int | None) -> int | None:
    """Where the list is cut."""
    return k


@IDEAL_CUTOFF.setting("none", rule="nowhere", says="the ideal list is not cut", tex="I")
def _() -> None:
    """All labels count, so a list of k cannot reach 1 where there are more."""


@IDEAL_CUTOFF.setting(
    "length",
    rule="at k or at the length of the list, whichever is less",
    cite="cornac",
    within_k=True,
    says="the ideal list is cut at {shorter}",
    tex="«shorter»",
)
def _(block: Block, k: int | None) -> Codes:
    """A short list is held to no more than its own length."""
    return np.minimum(block.lengths, np.inf if k is None else k).astype(np.int64)


@IDEAL_CUTOFF.setting(
    "at",
    rule="at a fixed rank, independent of k",
    reads_below_cutoff=True,
    cite="tensorrec",
    says="the ideal list is cut at rank {rank}",
    tex="«rank»",
)
def _(rank: Annotated[int, Within(1, 2**31)]) -> int:
    """As where the ideal value is computed once, for all cutoffs."""
    return rank


@IDEAL_CUTOFF.idle("there is no cutoff", by="k")
def _(context: Context) -> bool:
    cut = context.settings["ideal-cutoff"]
    return context.k is None and "block" not in cut.reads and not cut.keywords


@shown_as_ideal
def ideal_so_far(
    block: Block, gain: Setting, discount: Setting, ideal: Setting, k: int | None, ranks: int | None
) -> CumulativeSum:
    """DCG of the ideal list down to each rank, shape (ranks, users)."""
    return block.sum(block.discounted(ideal(block=block, gain=gain, k=k, ranks=ranks), discount))


def ideal_dcg(block: Block, settings: Mapping[str, Setting], k: int | None) -> Numbers:
    """DCG of the ideal list under the settings of a metric, shape (users,)."""
    ideal, cutoff = settings["ideal"], settings["ideal-cutoff"]
    ranks = (block.deepest or k) if cutoff.traits.within_k and k is not None else None
    given = settings["gain"], settings["discount"], ideal, k if "k" in ideal.reads else None, ranks
    return block.once(ideal_so_far, *given).at_rows(cutoff(block=block, k=k))
