"""Settings of conventions of metrics: what a reciprocal rank sums, a divisor of AP, a user's weight, a mean."""

import numpy as np
from numpy.typing import NDArray

import rankconv as rc
from rankconv import plugin

Numbers = NDArray[np.float64]


@rc.convention("rr-hits").setting(
    "each-item",
    rule="AP of each relevant item alone, summed, / R",
    says="the average precision of each relevant item on its own, summed and divided by the number of relevant labels",
)
def each_item(block: plugin.Block) -> tuple[Numbers, Numbers]:
    """1/rank for an item that occurs once; (1/r1 + 2/r2)/2 for one that occurs twice. AutoRAG's MAP under repeats."""
    rows, items = block.prepared.rows, block.prepared.items
    worth = block.hit_rows * (rows.repeats(items) + 1) / rows.occurrences(items)
    return (block.by_rank(worth) / np.maximum(block.ranks, 1)).sum(axis=0), block.relevant_count


@rc.convention("ap-denominator").setting(
    "judged", rule="the judgments of the user", says="the number of judgments that the user has", tex="J"
)
def judged(block: plugin.Block) -> Numbers:
    """Relevant or not, returned or not; also inside `min(judged, k)`."""
    return block.judged_count


@rc.convention("auc-weight").setting(
    "labels", rule="the relevant labels", says="a user weighs as much as they have relevant labels"
)
def labels(block: plugin.Block) -> Numbers:
    """Returned or not."""
    return block.relevant_count


@rc.convention("aggregate").setting(
    "trimmed",
    rule="the mean without the lowest and the highest value",
    says="the reported number is a mean without the extremes",
)
def trimmed(values: Numbers) -> float:
    """Of two users or fewer the plain mean."""
    return float(np.mean(np.sort(values)[1:-1] if len(values) > 2 else values))
