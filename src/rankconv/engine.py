"""From joined data and definitions to numbers: grouped by judging, block by block, then averaged."""

from collections.abc import Sequence

import numpy as np

from rankconv.collected import Collected
from rankconv.definition import Definition
from rankconv.measured import Measured
from rankconv.ranking.ids import Codes
from rankconv.ranking.joined import Joined
from rankconv.ranking.judging import Judging, judge
from rankconv.ranking.plain import PlainBlocks
from rankconv.ranking.plain_rows import JudgedLevels, PlainRows, plain_users
from rankconv.ranking.rows import Mask


def measure(joined: Joined, definitions: Sequence[Definition], chosen: Mask | None) -> list[Measured]:
    """Evaluate all definitions, in as few passes over the users as they allow; `chosen` restricts the population."""
    runs = [Collected(joined, definition, chosen) for definition in definitions]
    collect(joined, runs)
    return [run.finish() for run in runs]


def collect(joined: Joined, runs: Sequence[Collected]) -> None:
    """Show each of these all blocks of users, judged as it asks."""
    asked = [run for run in runs if not run.stopped]
    for cut in (True, False):
        _run_plain(joined, [run for run in asked if bool(run.rows_read) == cut])
    groups: dict[tuple[Judging, int | None], list[Collected]] = {}
    for run in asked:
        if run.left.any():
            judging = run.definition.judging
            groups.setdefault((judging, run.definition.k if judging.reads_cutoff else None), []).append(run)
    if groups:
        _run_blocks(joined, groups, _any_of([run.left for group in groups.values() for run in group]))


def _any_of(masks: Sequence[Mask]) -> Codes:
    return np.flatnonzero(np.logical_or.reduce(masks))


def _run_blocks(joined: Joined, groups: dict[tuple[Judging, int | None], list[Collected]], users: Codes) -> None:
    for rows in joined.blocks(users):
        for (judging, k), group in groups.items():
            block = judge(rows.copy(k), judging)
            for run in group:
                run.take(block, run.left)


def _run_plain(joined: Joined, asked: Sequence[Collected]) -> None:
    """Score users whose lists judging leaves as they are; all definitions read so many rows, or whole lists."""
    if not asked or joined.levels is None:
        return
    rows = max(run.rows_read or 0 for run in asked) or None
    users = {judging: plain_users(joined, judging, rows) for judging in {run.definition.judging for run in asked}}
    taking = [(run, run.left & users[run.definition.judging]) for run in asked]
    taking = [(run, who) for run, who in taking if who.any()]
    levels = {judging: JudgedLevels.of(joined, judging) for judging in {run.definition.judging for run, _ in taking}}
    for block_users in joined.groups(_any_of([who for _, who in taking]), rows) if taking else ():
        blocks = PlainBlocks(PlainRows(joined, block_users, rows), levels)
        taking = [(run, who) for run, who in taking if run.take_plain(blocks, who)]
    for run, who in taking:
        run.left = run.left & ~who
