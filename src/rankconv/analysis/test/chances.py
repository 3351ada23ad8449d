"""How likely each difference is by chance, by itself and among all that are tested."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from rankconv.analysis.test.hypotheses import Hypothesis
from rankconv.data.arrays import Numbers
from rankconv.statistics.families import OF_P, max_t, randomised_tukey
from rankconv.statistics.signs import Chance, sign_test

Correction = Literal["max-t", "tukey", "holm", "bh", "none"]
Family = Literal["all", "metric"]
"""What is corrected together: all tests of a call, or those of each metric."""
Test = tuple[Hypothesis, Chance]


def chance_of(one: Hypothesis, draws: int, seed: int) -> Chance:
    """How likely a difference is, if its two runs are alike; the same whatever else is tested."""
    return sign_test(one.pair.units, draws=draws, seed=seed)


def corrected(tests: Sequence[Test], correct: Correction, by: Family, draws: int, seed: int) -> Numbers:
    """The p-values corrected for all that is tested together, shape (tests,)."""
    found = np.ones(len(tests))
    names = np.array([one.metric if by == "metric" else "" for one, _ in tests])
    for name in dict.fromkeys(names.tolist()):
        places = np.flatnonzero(names == name)
        found[places] = _corrected_for_all([tests[at] for at in places.tolist()], correct, draws, seed)
    return found


def _corrected_for_all(tests: Sequence[Test], correct: Correction, draws: int, seed: int) -> Numbers:
    """The p-values corrected for all of these tests, shape (tests,)."""
    alone = np.array([chance.p for _, chance in tests])
    if correct in OF_P:
        return OF_P[correct](alone)
    if len(tests) == 1:
        return alone
    found = (_tukey if correct == "tukey" else _max_t)(tests, draws, seed)
    return np.asarray(np.maximum(found, alone))


def _max_t(tests: Sequence[Test], draws: int, seed: int) -> Numbers:
    """Corrected by the largest difference in each draw of signs, one for each unit of chance, shape (tests,).

    The columns of runs stand once, where pairs look at all who count. They stand by name: the order in which runs and
    presets were given does not matter.
    """
    columns: dict[tuple[str, ...], Numbers] = {}
    names: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for one, _ in tests:
        about = one.metric, *sorted(one.presets)
        if all(np.array_equal(column.counted, one.pair.looked_at) for column in one.columns):
            both = tuple((*about, run) for run in one.runs)
            columns |= {name: column.values for name, column in zip(both, one.columns, strict=True)}
        else:
            both = (*about, *sorted(one.runs)), ()
            differences = one.pair.all_differences
            columns |= {both[0]: differences if one.runs[0] < one.runs[1] else -differences}
            columns |= {both[1]: np.zeros(len(differences))}
        names.append((both[0], both[1]))
    places = {name: place for place, name in enumerate(sorted(columns))}
    values, clusters = np.stack([columns[name] for name in places], axis=1), tests[0][0].pair.clusters
    units = values if clusters is None else clusters.sums(values)
    pairs = [(places[ours], places[other]) for ours, other in names]
    return max_t(units, pairs, [chance.mid for _, chance in tests], draws=draws, seed=seed)


def _tukey(tests: Sequence[Test], draws: int, seed: int) -> Numbers:
    """Randomised Tukey for each metric and definition, times how many of these there are, shape (tests,).

    Users are looked at who count in all runs; what the users of a cluster have is shuffled together.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for place, (one, _) in enumerate(tests):
        groups.setdefault((one.metric, tuple(one.presets)), []).append(place)
    found = np.ones(len(tests))
    for places in groups.values():
        family = [tests[at][0] for at in places]
        columns = {run: column for one in family for run, column in zip(one.runs, one.columns, strict=True)}
        counted, runs = np.logical_and.reduce([one.counted for one in columns.values()]), list(columns)
        values = np.stack([one.values[counted] for one in columns.values()], axis=1)
        clusters = family[0].pair.clusters
        if clusters is not None:
            values = clusters.among(np.flatnonzero(counted)).sums(values)
        mid = all(tests[at][1].mid for at in places)
        p = randomised_tukey(values, draws=draws, seed=seed, mid=mid)
        found[places] = [p[tuple(runs.index(run) for run in one.runs)] for one in family]
    return np.minimum(1.0, found * len(groups))
