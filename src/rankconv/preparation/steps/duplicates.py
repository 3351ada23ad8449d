"""What an item counts that occurs in a list more than once."""

from collections.abc import Mapping

import numpy as np

from rankconv.preparation.on_data import leaving_lists
from rankconv.preparation.registry import BLOCK, judged_by, step_after
from rankconv.preparation.rows import NOTHING, WorkingBlock
from rankconv.specs.convention import Convention, Setting

DUPLICATES = Convention(
    "duplicates",
    "Items that occur in a list more than once",
    reads=BLOCK,
    tells="an item that occurs twice in a list",
)
step_after("exclude", DUPLICATES, "before-order")
step_after("max-depth", DUPLICATES, "in-depth")
step_after("unjudged after-depth", DUPLICATES, "after-depth")


@DUPLICATES.setting(
    "each",
    rule="every occurrence counts",
    rises=True,
    plain="always",
    says="every occurrence of a repeated item counts",
)
def _(block: WorkingBlock) -> None:
    """A relevant item is a hit each time."""


@DUPLICATES.setting(
    "once",
    rule="the first counts, later ones are misses",
    rises="distinct lists",
    when="after-depth",
    plain="distinct first rows",
    says="a repeated item counts at its first rank, and its later rows are misses",
)
def _(block: WorkingBlock) -> None:
    """A repeated item keeps its place and is no hit again."""
    repeated = block.rows.repeats(block.items) > 0
    block.rows.relevant = block.rows.relevant & ~repeated
    block.rows.grade = np.where(repeated, np.nan, block.rows.grade)


@DUPLICATES.setting(
    "first-row",
    rule="the first stays, later ones are removed",
    rises="distinct lists",
    when="before-order",
    plain="distinct lists",
    says="of a repeated item the first row is kept",
)
def _(block: WorkingBlock) -> None:
    """The places close up before the list is ordered."""
    block.rows.take(block.rows.repeats(block.items) == 0)


@DUPLICATES.setting(
    "last-row",
    rule="the last stays, earlier ones are removed",
    rises="distinct lists",
    when="before-order",
    plain="distinct lists",
    says="of a repeated item the last row is kept",
)
def _(block: WorkingBlock) -> None:
    """As in a mapping from item to score, where the last entry wins."""
    rows = block.rows
    last = rows.repeats(block.items) == rows.occurrences(block.items) - 1
    rows.take(last | (rows.item == NOTHING))


@DUPLICATES.setting(
    "set",
    rule="the first stays, later ones are removed after the depth",
    rises="distinct lists",
    when="after-depth",
    reads_order=True,
    plain="distinct lists",
    says="of a repeated item the first row is kept, once the list has been cut",
)
def _(block: WorkingBlock) -> None:
    """The rows kept are a set, so the list gets shorter."""
    block.rows.take(block.rows.repeats(block.items) == 0)


@DUPLICATES.setting(
    "invalid",
    rule="refused",
    rises="distinct lists",
    when="in-depth",
    plain="distinct lists",
    says="a list that repeats an item is not allowed",
)
def _(block: WorkingBlock) -> None:
    """Looked for among the rows that the depth leaves."""
    repeated = block.rows.repeats(block.items) > 0
    block.refuse(
        repeated,
        block.rows.user,
        block.rows.item,
        "has item {item} in the list more than once (duplicates=invalid)",
    )


DUPLICATES.equivalent(leaving_lists(DUPLICATES.name))


def weigh_rows(block: WorkingBlock, settings: Mapping[str, Setting]) -> None:
    """Give each row its number of occurrences in the list as weight, where every pair of such rows counts."""
    if settings["duplicates"].setting_type.traits.get("weighs"):
        block.rows.weight = block.rows.occurrences(block.items).astype(float)


step_after("duplicates before-order", DUPLICATES, "weighed", weigh_rows)


judged_by(DUPLICATES)
