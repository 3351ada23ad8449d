"""From joined data and definitions to numbers: grouped by judging, block by block, then averaged."""

from collections.abc import Callable, Sequence
from functools import partial

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

Told = Callable[[Sequence[Collected]], None]
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

    `chosen` restricts the population; without `per_user` only means and counts are kept.
    """
    who = populations(joined, definitions, chosen)
    runs = [Collected(joined, one, who[one.averaging.given("users")], per_user) for one in definitions]
    score(joined, runs, told)
    return [run.finish() for run in runs]


def score(joined: Joined, runs: Sequence[Collected], told: Told | None = None) -> None:
    """Let each definition take the users whom it looks at."""
    asked = [run for run in runs if not run.stopped]
    tell = partial(told, asked) if told else _nobody_listens
    for cut in (True, False):
        _run_plain(joined, [run for run in asked if bool(run.rows_read) == cut], tell)
    groups: dict[tuple[Judging, int | None], list[Collected]] = {}
    for run in asked:
        if run.left.any():
            judging = run.definition.judging
            groups.setdefault((judging, run.definition.k if judging.reads_cutoff else None), []).append(run)
    if groups:
        _run_blocks(joined, groups, _any_of([run.left for group in groups.values() for run in group]), tell)


def _nobody_listens() -> None:
    """In place of telling."""


def populations(joined: Joined, definitions: Sequence[Definition], chosen: Mask | None) -> dict[str, Mask]:
    """Who is looked at, by the answer to `users`; definitions with the same answer share the mask."""
    answers = {one.averaging.given("users"): one.averaging.answers["users"] for one in definitions}
    found: dict[str, Mask] = {text: answer(joined=joined) for text, answer in answers.items()}
    return found if chosen is None else {text: users & chosen for text, users in found.items()}


def _any_of(masks: Sequence[Mask]) -> Codes:
    return np.flatnonzero(np.logical_or.reduce(masks))


def _run_blocks(
    joined: Joined,
    groups: dict[tuple[Judging, int | None], list[Collected]],
    users: Codes,
    tell: Callable[[], None],
) -> None:
    for rows in joined.blocks(users):
        for (judging, k), group in groups.items():
            block = judge(rows.copy(k), judging)
            for run in group:
                run.take(block, run.left)
        tell()


def _run_plain(joined: Joined, asked: Sequence[Collected], tell: Callable[[], None]) -> None:
    """Score users whose lists judging leaves as they are; all definitions read so many rows, or whole lists."""
    if not asked or joined.levels is None:
        return
    rows = max(run.rows_read or 0 for run in asked) or None
    taking = [(run, who) for run, who in zip(asked, _plain_of(joined, asked, rows), strict=True) if who.any()]
    levels = {judging: JudgedLevels.of(joined, judging) for judging in {run.definition.judging for run, _ in taking}}
    tables = joined.tables()
    for users in joined.groups(_any_of([who for _, who in taking]), rows) if taking else ():
        blocks = PlainBlocks(PlainRows(joined, users, rows, tables), levels)
        taken = [run.take_plain(blocks, who) for run, who in taking]
        for run, who in (pair for pair, done in zip(taking, taken, strict=True) if not done):
            run.left = _but(run.left, who & (np.arange(len(who)) < users[0]))
        taking = [pair for pair, done in zip(taking, taken, strict=True) if done]
        tell()
    rest = _Shared(_but)
    for run, who in taking:
        run.left = rest(run.left, who)


def _plain_of(joined: Joined, asked: Sequence[Collected], rows: int | None) -> list[Mask]:
    """Of whom each definition may be scored so."""
    judgings = {run.definition.judging for run in asked}
    plain = {judging: plain_users(joined, judging, rows) for judging in judgings}
    both = _Shared(np.logical_and)
    return [both(run.left, plain[run.definition.judging]) for run in asked]


def _but(users: Mask, others: Mask) -> Mask:
    return users & ~others


class _Shared:
    """A function of two masks that definitions share, called once for the same two."""

    def __init__(self, function: Callable[[Mask, Mask], Mask]) -> None:
        self._function = function
        self._known: dict[tuple[int, int], tuple[Mask, Mask, Mask]] = {}

    def __call__(self, one: Mask, other: Mask) -> Mask:
        key = id(one), id(other)
        if key not in self._known:
            self._known[key] = one, other, self._function(one, other)
        return self._known[key][2]
