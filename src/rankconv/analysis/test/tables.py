"""Tests of pairs of runs as tables."""

from collections.abc import Sequence

import numpy as np

from rankconv.analysis.test.tested import Tested
from rankconv.pages.cells import ABSENT, number
from rankconv.pages.page import Values
from rankconv.pages.table import Table

FEW = 3
"""So many names of presets are told."""


def tests_table(tests: Sequence[Tested], digits: int) -> Table:
    """Every test: a row for each metric, pair of runs and definition."""
    heads = ["metric", "preset", "fingerprint", "run", "against", "mean", "mean"]
    rows = []
    for one in tests:
        means = (number(value, digits) for value in one.means)
        chances = (p(one.chance.p), p(one.p))
        named = (one.metric, few(one.presets), one.fingerprint, *one.runs)
        rows.append([*named, *means, *_difference(one, digits), *chances])
    return Table([*heads, "difference", _interval_head(tests), "p", "corrected"], rows, labels=5)


def pairs_table(tests: Sequence[Tested], digits: int) -> Table:
    """The pairs of runs under one definition of one metric."""
    heads = ["run", "against", "difference", _interval_head(tests), "p", "better"]
    return Table(heads, [[*one.runs, *_difference(one, digits), p(one.p), verdict(one)] for one in tests], labels=2)


def effects_table(tests: Sequence[Tested], difference: float | None, digits: int, unit: str = "users") -> Table:
    """How large each difference is, other tests of it, and how many users, or other units, it takes to find it."""
    also = list(dict.fromkeys(name for one in tests for name in one.also))
    heads = ["run", "against", "effect", "wins", "ties", "losses", "p of t", *(f"p of {name}" for name in also)]
    heads += [f"{unit} for 80 %", *([] if difference is None else [f"for {difference:g}"])]
    rows = []
    for one in tests:
        size = number(one.effect.standardised, 2) if np.isfinite(one.effect.standardised) else ABSENT
        shares = [f"{count / one.units:.0%}" for count in (one.effect.wins, one.effect.ties, one.effect.losses)]
        chances = [p(value) for value in (one.t, *(one.also[name] for name in also))]
        needed = [one.users_needed(), *([] if difference is None else [one.users_needed(difference=difference)])]
        told = [ABSENT if users is None else f"{users:,}" for users in needed]
        rows.append([*one.runs, size, *shares, *chances, *told])
    return Table(heads, rows, labels=2)


def definitions_values(tests: Sequence[Tested], digits: int) -> Values:
    """One pair of runs under many definitions, from the largest difference to the smallest."""
    heads = ["difference", _interval_head(tests), "p", "better"]
    rows = [([*_difference(one, digits), p(one.p), verdict(one)], [few(one.presets)]) for one in tests]
    sizes = [max(len(cells[place]) for cells in (heads, *(row for row, _ in rows))) + 2 for place in range(len(heads))]
    return Values(rows, sizes, heads, ["presets"])


def _interval_head(tests: Sequence[Tested]) -> str:
    return f"{100 * (1 - (tests[0].level if tests else 0.05)):g} % interval"


def _difference(one: Tested, digits: int) -> list[str]:
    return [signed(one.effect.mean, digits), interval(one, digits)]


def signed(value: float, digits: int) -> str:
    """A difference with its sign."""
    return f"{value:+.{digits}f}" if value else number(0.0, digits)


def interval(one: Tested, digits: int) -> str:
    """The interval of the difference; a dash where all users differ alike."""
    if one.interval is None:
        return ABSENT
    return f"{one.interval.low:+.{digits}f} to {one.interval.high:+.{digits}f}"


def p(value: float) -> str:
    """A p-value with two digits that count.

    >>> p(0.0312), p(0.00002), p(1.0), p(0.25)
    ('0.031', '0.00002', '1', '0.25')
    """
    if np.isnan(value):
        return ABSENT
    if value >= 0.1:
        return f"{value:.2g}"
    return f"{float(f'{value:.2g}'):.10f}".rstrip("0").rstrip(".")


def verdict(one: Tested) -> str:
    """The better run; a dash where the two are not told apart."""
    return one.better or ABSENT


def few(presets: Sequence[str]) -> str:
    """The names of presets, the first ones of many."""
    return ", ".join(presets) if len(presets) <= FEW else f"{', '.join(presets[:FEW])} and {len(presets) - FEW} more"
