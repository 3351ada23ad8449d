"""The exposure of ranks: how likely an item there is looked at."""

from typing import Annotated, Any

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.conventions.parameters import Above, LogBase, Within
from rankconv.conventions.traits import Lack
from rankconv.data.arrays import Codes, Numbers, log, power
from rankconv.preparation.blocks.block import Block

EXPOSURE = Convention(
    "exposure",
    "Exposure of a rank",
    reads=("ranks", "relevant_above"),
    phrase=True,
    tells="a list of more than two rows",
)
"""A setting gives the exposure of ranks, shape (ranks, 1), or (ranks, users) where it reads `relevant_above`, the
number of relevant rows above each, which has this shape."""


@EXPOSURE.setting("log", rule="1 / log_base(rank + 1)", says="1/{base:log}(j + 1)", tex=r"\frac{1}{«base:log»(j + 1)}")
def _(ranks: Numbers, *, base: LogBase) -> Numbers:
    """As the discount of DCG."""
    return np.asarray(1 / log(ranks + 1, base))


@EXPOSURE.setting(
    "log-from-rank",
    rule="1 up to rank base, then 1 / log_base(rank)",
    cite="fair_trec_2022",
    says="1/max(1, {base:log}(j))",
    tex=r"\frac{1}{\max(1, «base:log» j)}",
)
def _(ranks: Numbers, *, base: LogBase) -> Numbers:
    """The first ranks weigh the same."""
    return np.asarray(1 / np.maximum(log(ranks, base), 1.0))


@EXPOSURE.setting(
    "geometric",
    rule="scale · persistence^(rank - 1)",
    cite="moffat2008",
    says="{persistence}^(j - 1){scale:? times }",
    tex=r"«persistence»^{j - 1}«scale:? \cdot »",
)
def _(
    ranks: Numbers,
    persistence: Annotated[float, Within(0, 1)],
    *,
    scale: Annotated[float, Above(0)] = 1,
) -> Numbers:
    """The chance that the reader of RBP comes to that rank."""
    return np.asarray(scale * power(persistence, ranks - 1))


@EXPOSURE.setting(
    "gerr",
    rule="persistence^(rank - 1) · (1 - stop)^(relevant rows above)",
    cite="diaz2020",
    says="{persistence}^(j - 1) (1 - {stop})^n, n being the number of relevant items above",
    tex="«persistence»^{j - 1} (1 - «stop»)^{n_j}",
    signs={"n_j": "the number of relevant items above rank j"},
    counts_hits=True,
)
def _(
    ranks: Numbers,
    relevant_above: Numbers,
    persistence: Annotated[float, Within(0, 1)],
    stop: Annotated[float, Within(0, 1)],
) -> Numbers:
    """A reader who finds something may stop there."""
    return np.asarray(power(persistence, ranks - 1) * power(1 - stop, relevant_above))


def exposure_of_rows(exposure: Setting, block: Block) -> Any:
    """The exposure of each row, shape (K, users)."""
    ranks = block.numbers(block.ranks_by_rank)
    if "relevant_above" not in exposure.reads:
        return np.broadcast_to(block.numbers(exposure(ranks=ranks)), (block.depth, block.size))
    hits = np.asarray(block.hits_by_rank, np.float64)
    above = block.numbers(np.cumsum(hits, axis=0) - hits)
    return block.numbers(exposure(ranks=ranks, relevant_above=above))


def exposure_of_ideal(exposure: Setting, place: Codes, above: Codes) -> Numbers:
    """The exposure of places in a list, from 0, with so many relevant rows above; all have shape (places,)."""
    given = {"ranks": place + 1.0, "relevant_above": above.astype(np.float64)}
    return np.asarray(exposure(**{name: values for name, values in given.items() if name in exposure.reads}))


EXPOSURE_OF = Convention("exposure-of", "Rows that have exposure", reads=("block",), phrase=True, tells="a miss")
"""A setting gives what rows have of their exposure, shape (K, users)."""


@EXPOSURE_OF.setting(
    "refuse",
    rule="to be said",
    says="items that are to be said",
    lacking=lambda joined, settings: Lack(
        "the rows that have exposure are not said",
        "Write exposure-of=relevant-rows, as in the preset fair_trec_2022, or exposure-of=all-rows, as in "
        "fair_trec_2021.",
    ),
)
def _(block: Block) -> Numbers:
    """The tracks of two years gave two numbers one name."""
    return np.full((block.depth, block.size), np.nan)


@EXPOSURE_OF.setting("all-rows", rule="all", says="items", tex="")
def _(block: Block) -> Numbers:
    """Relevant or not."""
    return np.ones((block.depth, block.size))


@EXPOSURE_OF.setting("relevant-rows", rule="relevant rows", says="relevant items", tex="r_j")
def _(block: Block) -> Numbers:
    """What is not relevant takes a rank and has nothing of it."""
    return block.hits_by_rank
