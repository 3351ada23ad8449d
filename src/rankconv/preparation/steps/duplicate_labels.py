"""What several labels of one user for one item mean."""

import numpy as np

from rankconv.data.arrays import Mask, surely_distinct
from rankconv.preparation.on_data import leaving_lists
from rankconv.preparation.registry import BLOCK, judged_by, step_after
from rankconv.preparation.rows import WorkingBlock
from rankconv.specs.convention import Convention

DUPLICATE_LABELS = Convention(
    "duplicate-labels",
    "Two labels of one user for the same item",
    reads=BLOCK,
    tells="an item labelled twice",
)
step_after("", DUPLICATE_LABELS)


def repeated_labels(block: WorkingBlock) -> Mask:
    """Labels whose item is labelled again further down, shape (labels,)."""
    labels = block.labels
    keys = labels.user * block.items + labels.item
    if surely_distinct(keys, block.size * block.items):
        return np.zeros(len(keys), bool)
    last = np.full(len(keys), True)
    order = np.argsort(keys, kind="stable")
    last[order[:-1]] = keys[order[1:]] != keys[order[:-1]]
    return ~last


@DUPLICATE_LABELS.setting(
    "one",
    rule="the last of them",
    by_place=True,
    plain="distinct labels",
    says="of several labels for one item the last counts",
)
def _(block: WorkingBlock) -> None:
    """The item has one label, with the grade given last."""
    block.labels.exists &= ~repeated_labels(block)


@DUPLICATE_LABELS.setting(
    "counted", rule="as many labels as rows", plain="distinct labels", says="several labels for one item all count"
)
def _(block: WorkingBlock) -> None:
    """Each row is a label of its own, so the number of relevant items grows."""


@DUPLICATE_LABELS.setting(
    "invalid", rule="refused", plain="distinct labels", says="a second label for an item is not allowed"
)
def _(block: WorkingBlock) -> None:
    """The user's labels are not allowed."""
    block.refuse(
        repeated_labels(block),
        block.labels.user,
        block.labels.item,
        "has item {item} labelled twice (duplicate-labels=invalid)",
    )


DUPLICATE_LABELS.equivalent(leaving_lists(DUPLICATE_LABELS.name))


judged_by(DUPLICATE_LABELS)
