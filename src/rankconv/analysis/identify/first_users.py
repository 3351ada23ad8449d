"""For how many first users definitions give printed numbers, from one pass over the values of the users."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np

from rankconv.analysis.identify.printed_value import PrintedValue, within
from rankconv.analysis.identify.slips import Slip
from rankconv.data.arrays import Codes, Numbers

FEWEST_FIRST = 3
"""The first users alone are looked for where this gives so many numbers at least."""
ClassPlace = tuple[str, int]
"""A column of the table, and the place of a class of definitions in it."""


@dataclass(eq=False)
class FirstUsersFits:
    """Classes of definitions with slips, and the first users for which they give numbers of a table."""

    _fits: dict[tuple[tuple[Slip, ...], int], dict[ClassPlace, int]] = field(default_factory=dict)
    """By slips and number of users: how many numbers each class gives."""

    def add(self, slips: tuple[Slip, ...], place: ClassPlace, counts: Iterable[int]) -> None:
        """A number of the table is given for each of these counts of first users."""
        for n in counts:
            given = self._fits.setdefault((slips, n), {})
            given[place] = given.get(place, 0) + 1

    def likely(
        self, presets: Mapping[ClassPlace, Sequence[str]], known: Set[int]
    ) -> Iterator[tuple[tuple[Slip, ...], int, list[ClassPlace]]]:
        """Slips with the first users for which one preset gives the most numbers, and `known` numbers of users.

        With each the classes that give some.
        """
        most: dict[tuple[Slip, ...], tuple[int, int]] = {}
        for (slips, n), given in self._fits.items():
            of_preset = Counter[str]()
            for place, count in given.items():
                of_preset.update(dict.fromkeys(presets[place], count))
            numbers = max(of_preset.values())
            if numbers >= FEWEST_FIRST:
                most[slips] = max(most.get(slips, (0, 0)), (numbers, n))
        for (slips, n), given in self._fits.items():
            if n in known or most.get(slips, (0, 0))[1] == n:
                yield slips, n, list(given)


def fitting_counts(values: Numbers, number: PrintedValue) -> list[int]:
    """For how many first users the mean of their values, shape (users,), is printed so, or is next to it."""
    means, counts = _running_means(values)
    return [int(n) for n in counts[within(means, number.intervals)]]


def _running_means(values: Numbers) -> tuple[Numbers, Codes]:
    """The mean of the first users, for every number of them from the first who counts, and that number."""
    counts = np.cumsum(np.isfinite(values))
    sums = np.cumsum(np.where(np.isfinite(values), values, 0.0))
    there = counts > 0
    return sums[there] / counts[there], np.flatnonzero(there) + 1
