"""Microsoft Recommenders: values of 0, and data without hits."""

import numpy as np

from rankconv.aggregation.judged_cases import judged_policy
from rankconv.aggregation.special_case import Situation, policy
from rankconv.data.arrays import Codes, Mask, Numbers, is_zero
from rankconv.data.joined import Joined
from rankconv.data.train import Train
from rankconv.metrics.beyond.diversity import PAIR_DISTANCE
from rankconv.metrics.beyond.novelty import UNSEEN
from rankconv.preparation.rows import NOTHING, WorkingBlock
from rankconv.preparation.steps.duplicates import DUPLICATES


@policy("on-zero-value", "has a value of 0", after="on-above-one", neutral="as-computed", of_ratio=True, by_order=True)
def _(s: Situation) -> Mask:
    return is_zero(s.ratio.numerator)


@judged_policy(
    "on-no-hits-at-all",
    "no user has a hit",
    after="on-zero-highest-grades",
    neutral="as-computed",
    by_order=True,
    reads_deep=True,
)
def _(s: Situation) -> Mask:
    return np.asarray(s.block.hits_so_far.whole > 0)


@UNSEEN.setting(
    "worth-nothing",
    rule="it adds 0, and its row counts",
    adds_nothing=True,
    says="an item that is not in training adds 0",
)
def _() -> float:
    """It stays in what the sum is divided by."""
    return 0.0


@PAIR_DISTANCE.setting(
    "co-occurrence",
    rule="1 - cosine of the users who have them",
    needs=("train",),
    spans_users=False,
    cite="recommenders",
    says="the distance of two items is 1 minus the cosine of the users who have them in training",
)
def _(joined: Joined, ours: Codes, others: Codes) -> Numbers:
    """NaN where an item is not in training."""
    train = joined.once(Train)
    either = np.append(train.users, 0.0)
    norms = np.sqrt(either[ours]) * np.sqrt(either[others])
    there = norms > 0
    found = np.full(len(norms), np.nan)
    found[there] = 1 - train.together(ours[there], others[there]) / norms[there]
    return found


@DUPLICATES.setting(
    "pairs",
    rule="every pair of its rows counts",
    rises="distinct lists",
    cite="recommenders",
    when="after-depth",
    weighs=True,
    plain="distinct lists",
    says="every pair of the rows of a repeated item counts",
)
def _(block: WorkingBlock) -> None:
    """With c rows in the list and t within the depth, each row counts c, and the label occurs c·t times."""
    known, rows = block.known, block.rows
    assert known is not None
    assert rows.weight is not None
    pairs = np.zeros(len(block.labels.user) + 1)
    np.add.at(pairs, rows.label, rows.weight)
    pairs[NOTHING] = 0  # rows without a label share this place, and none of them is a label of the others
    block.known = known.repeat(np.maximum(1, pairs[known.label]).astype(np.int64))
