"""How likely each difference is by chance, by itself and among all that are tested."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from rankconv.ask.test.paired import Column
from rankconv.ask.test.questions import Question
from rankconv.data.arrays import Codes, Numbers
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


class Tests:
    """What is tested together, and how likely its differences are under random signs that all of it shares."""

    def __init__(self, family: Sequence[Question], seed: int) -> None:
        self.family, self.seed = family, seed
        self._drawn: dict[int, Shared] = {}

    def shared(self, draws: int) -> Shared:
        """All tests from the same random signs, one for each unit of chance; drawn once for all who ask."""
        if draws not in self._drawn:
            values, tests = _columns(self.family)
            self._drawn[draws] = shared_signs(values, tests, draws=draws, seed=self.seed)
        return self._drawn[draws]

    def some(self, places: Codes) -> "Tests":
        """Those at these places, shape (tests,)."""
        return (
            self if len(places) == len(self.family) else Tests([self.family[at] for at in places.tolist()], self.seed)
        )


def chances_of(tests: Tests, draws: int) -> list[Chance]:
    """How likely each difference is, if its two runs are alike."""
    family, seed = tests.family, tests.seed
    if sum(one.pair.unit_count for one in family) <= SINGLY or len(family) == 1:
        return [sign_test(one.pair.units, draws=draws, seed=seed) for one in family]
    alone = tests.shared(min(draws, TOGETHER)).alone.tolist()
    return [_chance(one, p, min(draws, TOGETHER)) for one, p in zip(family, alone, strict=True)]


def _chance(one: Question, p: float, draws: int) -> Chance:
    """That of shared draws, or of all choices of signs where these are few."""
    units = one.pair.units
    return sign_test(units) if np.count_nonzero(units) <= EXACT else Chance(p, False, draws)


def corrected(tests: Tests, chances: Sequence[Chance], correct: Correction, by: Family) -> Numbers:
    """The p-values corrected for all that is tested together, shape (tests,)."""
    found = np.ones(len(tests.family))
    names = np.array([one.metric if by == "metric" else "" for one in tests.family])
    for name in dict.fromkeys(names.tolist()):
        places = np.flatnonzero(names == name)
        found[places] = _corrected_for_all(tests.some(places), [chances[at] for at in places.tolist()], correct)
    return found


def _corrected_for_all(tests: Tests, chances: Sequence[Chance], correct: Correction) -> Numbers:
    """The p-values corrected for all of these tests, shape (tests,)."""
    alone = np.array([one.p for one in chances])
    if correct in OF_P:
        return OF_P[correct](alone)
    if len(tests.family) == 1:
        return alone
    found = _tukey(tests.family, tests.seed) if correct == "tukey" else tests.shared(TOGETHER).max_t
    return np.asarray(np.maximum(found, alone))


def _columns(family: Sequence[Question]) -> tuple[Numbers, list[tuple[int, int]]]:
    """The values of units of chance, shape (units, columns), and which two columns each test puts against each other.

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
            differences = one.pair.all_differences
            values += [differences, np.zeros(len(differences))]
            tests.append((len(values) - 2, len(values) - 1))
    clusters, each = family[0].pair.clusters, np.stack(values, axis=1)
    return each if clusters is None else clusters.sums(each), tests


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
