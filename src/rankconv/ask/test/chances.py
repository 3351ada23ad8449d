"""How likely each difference is by chance, by itself and among all that are tested."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from rankconv.ask.test.paired import Column
from rankconv.ask.test.questions import Question
from rankconv.data.arrays import Numbers
from rankconv.statistics.families import OF_P, Shared, shared_signs
from rankconv.statistics.signs import EXACT, Chance, sign_test
from rankconv.statistics.tukey import randomised_tukey

Correction = Literal["max-t", "tukey", "holm", "bh", "none"]
Family = Literal["all", "metric"]
"""What is corrected together: all tests of a call, or those of each metric."""
TOGETHER = 10_000
"""So many draws are made where tests share them."""
SINGLY = 1 << 18
"""With more differences than this in all, tests share their draws."""


def chances_of(family: Sequence[Question], draws: int, seed: int) -> list[Chance]:
    """How likely each difference is, if its two runs are alike."""
    if sum(len(one.pair.units) for one in family) <= SINGLY or len(family) == 1:
        return [sign_test(one.pair.units, draws=draws, seed=seed) for one in family]
    few = [np.count_nonzero(one.pair.units) <= EXACT for one in family]
    alone = _shared(family, min(draws, TOGETHER), seed).alone.tolist()
    return [
        sign_test(one.pair.units) if exact else Chance(p, False, min(draws, TOGETHER))
        for one, exact, p in zip(family, few, alone, strict=True)
    ]


def corrected(
    family: Sequence[Question], chances: Sequence[Chance], correct: Correction, seed: int, by: Family
) -> Numbers:
    """The p-values corrected for all that is tested together, shape (tests,)."""
    found = np.ones(len(family))
    names = np.array([one.metric if by == "metric" else "" for one in family])
    for name in dict.fromkeys(names.tolist()):
        places = np.flatnonzero(names == name)
        some = [family[at] for at in places.tolist()], [chances[at] for at in places.tolist()]
        found[places] = corrected_for_all(*some, correct, seed)
    return found


def corrected_for_all(family: Sequence[Question], chances: Sequence[Chance], correct: Correction, seed: int) -> Numbers:
    """The p-values corrected for all of these tests, shape (tests,)."""
    alone = np.array([one.p for one in chances])
    if correct in OF_P:
        return OF_P[correct](alone)
    if len(family) == 1:
        return alone
    found = _tukey(family, seed) if correct == "tukey" else _shared(family, TOGETHER, seed).max_t
    return np.asarray(np.maximum(found, alone))


def _shared(family: Sequence[Question], draws: int, seed: int) -> Shared:
    """All tests from the same random signs, one for each unit of chance.

    The columns of runs stand once, where pairs look at all who count.
    """
    columns: dict[int, int] = {}
    values: list[Numbers] = []
    tests: list[tuple[int, int]] = []
    for one in family:
        ours, other = one.columns
        if all(np.array_equal(column.counted, one.pair.looked_at) for column in one.columns):
            tests.append((_place(ours, columns, values), _place(other, columns, values)))
        else:
            values += [one.pair.all_differences, np.zeros(len(one.pair.all_differences))]
            tests.append((len(values) - 2, len(values) - 1))
    clusters, each = family[0].pair.clusters, np.stack(values, axis=1)
    return shared_signs(each if clusters is None else clusters.sums(each), tests, draws=draws, seed=seed)


def _place(column: Column, columns: dict[int, int], values: list[Numbers]) -> int:
    if id(column) not in columns:
        columns[id(column)] = len(values)
        values.append(column.values)
    return columns[id(column)]


def _tukey(family: Sequence[Question], seed: int) -> Numbers:
    """Randomised Tukey for each metric and definition, times how many of these there are, shape (tests,).

    Users are looked at who count in all runs; what the users of a cluster have is shuffled together.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for place, one in enumerate(family):
        groups.setdefault((one.metric, tuple(one.presets)), []).append(place)
    found = np.ones(len(family))
    for places in groups.values():
        both = [zip(family[at].runs, family[at].columns, strict=True) for at in places]
        columns = {run: column for pair in both for run, column in pair}
        counted, runs = np.logical_and.reduce([one.counted for one in columns.values()]), list(columns)
        values = np.stack([one.values[counted] for one in columns.values()], axis=1)
        clusters = family[places[0]].pair.clusters
        if clusters is not None:
            values = clusters.among(np.flatnonzero(counted)).sums(values)
        p = randomised_tukey(values, draws=TOGETHER, seed=seed)
        found[places] = [p[tuple(runs.index(run) for run in family[at].runs)] for at in places]
    return np.minimum(1.0, found * len(groups))
