"""From joined data and definitions to numbers: planned, judged block by block, added up, averaged."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.data.matching import Tables
from rankconv.engine.aggregate import Aggregate, places
from rankconv.engine.measured import Measured
from rankconv.engine.plan import PlainPass, Plan, Reader, Stop, Wanted, any_of
from rankconv.preparation.block import Block
from rankconv.preparation.plain_blocks import PlainBlocks
from rankconv.preparation.plain_rows import PlainRows
from rankconv.preparation.row_block import judge
from rankconv.preparation.rows import WorkingBlock, working_blocks
from rankconv.presets.definition import Definition

WORTH_TAKING_OUT = 0.5
"""The share of users wanted below which the others are taken out of the rows."""
Told = Callable[[Sequence[Reader]], None]
"""Is told after each block of users what there is to do, and how far it is done."""


def measure(
    joined: Joined,
    definitions: Sequence[Definition],
    chosen: Mask | None,
    *,
    per_user: bool = True,
    told: Told | None = None,
) -> list[Measured]:
    """Evaluate all definitions, in as few passes over the users as they allow.

    `chosen` restricts the population, shape (users,); without `per_user` only means and counts are kept.
    """
    masks = populations(joined, definitions, chosen)
    looked_at = [masks[one.aggregation.given("users")] for one in definitions]
    stops = [Stop.of(joined, one) for one in definitions]
    found = [Aggregate(one, len(joined.users), per_user) for one in definitions]
    each = list(zip(found, looked_at, stops, strict=True))
    run(joined, [one.reader(users) for one, users, stop in each if stop is None], told)
    return [one.finish(joined.users, users, stop) for one, users, stop in each]


def populations(joined: Joined, definitions: Sequence[Definition], chosen: Mask | None) -> dict[str, Mask]:
    """The population of each setting to `users`, shape (users,); definitions with one setting share the mask."""
    settings = {one.aggregation.given("users"): one.aggregation.settings["users"] for one in definitions}
    found: dict[str, Mask] = {text: setting(joined=joined) for text, setting in settings.items()}
    return found if chosen is None else {text: users & chosen for text, users in found.items()}


def run(joined: Joined, readers: Sequence[Reader], told: Told | None = None) -> None:
    """Give each reader the judged lists of the users whom it wants, block by block."""
    tell = partial(told, readers) if told else _nobody_listens
    plan = Plan.of(joined, readers)
    for one in plan.plain:
        _run_plain(joined, one, tell)
    if plan.by_row:
        _run_by_row(joined, plan, tell)


def _nobody_listens() -> None:
    """Stands where nobody asked to be told of progress."""


def _run_plain(joined: Joined, asked: PlainPass, tell: Callable[[], None]) -> None:
    tables = Tables()
    for users in joined.groups(any_of(who for _, who in asked.wanted), asked.deepest):
        blocks = PlainBlocks(PlainRows(joined, users, asked.rows, tables, asked.order), asked.levels, asked.alone)
        for reader, who in asked.wanted:
            _give(reader, blocks.judged(reader.preparation, reader.k), who)
        tell()


def _run_by_row(joined: Joined, plan: Plan, tell: Callable[[], None]) -> None:
    for rows in working_blocks(joined, any_of(who for wanted in plan.by_row.values() for _, who in wanted)):
        for (preparation, k), wanted in plan.by_row.items():
            block = judge(_of_those(rows, wanted).copy(k), preparation)
            for reader, who in wanted:
                _give(reader, block, who)
        tell()


def _of_those(rows: WorkingBlock, wanted: Wanted) -> WorkingBlock:
    """The rows of those alone who are wanted, where they are few enough for it to be worth the while."""
    users = np.logical_or.reduce([who[places(rows.users)] for _, who in wanted])
    return rows.of(users) if np.count_nonzero(users) < WORTH_TAKING_OUT * len(users) else rows


def _give(reader: Reader, block: Block, who: Mask) -> None:
    inside = who[places(block.users)]
    reader.done += int(inside.sum())
    reader.take(block, inside)
