"""A random number gets no headline; a preset's number with one or two settings changed is mostly found."""

from random import Random

import numpy as np
import pytest

from rankconv.analysis.identify.candidate_search import Search
from rankconv.analysis.identify.chance import RARE
from rankconv.analysis.identify.printed_value import sought
from tests.laws import examples, invented

USERS = (6, 60, 20, 300, 10, 30, 100, 1000)
FOUND = {True: 0.8, False: 0.9}
"""The share of planted numbers that are found at least: with settings of the metric changed alone, or of any part."""
DATA = examples.of(quick=1, ci=4, long=25)
NEEDS_MORE = pytest.mark.skipif(
    examples.REQUESTED == "quick", reason="with its share, of two numbers none must be found"
)


def _most(count: int) -> float:
    """How many of these numbers may be in a summary, with three errors of sampling."""
    return RARE * count + 3 * float(np.sqrt(RARE * count))


def test_a_number_in_the_range_of_the_presets_gets_no_headline() -> None:
    random, headlines, count = Random(1), 0, 0
    for place in range(DATA):
        joined = invented.data(USERS[place % len(USERS)], place, plain=place % 2 == 1)
        search = Search(joined, random.choice(("mrr@5", "map@5", "recall@3", "precision@3")), None)
        values = search.result(sought("0.5")).chance.of_presets
        for _ in range(examples.of(quick=2, ci=3, long=12)):
            number = f"{random.uniform(values.min(), values.max()):.{random.choice((3, 4, 5, 6))}f}"
            headlines, count = headlines + bool(search.result(sought(number)).summary), count + 1
    assert headlines <= _most(count)


def test_a_number_of_no_definition_tried_gets_no_headline() -> None:
    random, headlines, count = Random(2), 0, 0
    for place in range(DATA):
        joined = invented.data(USERS[place % len(USERS)], place, plain=place % 2 == 1)
        drawn = invented.outside(joined, random)
        for spec, values in invented.by_search(
            [next(drawn) for _ in range(examples.of(quick=2, ci=3, long=12))]
        ).items():
            search = Search(joined, spec, None)
            for value in values:
                number = f"{value:.{random.choice((3, 4, 5, 6))}f}"
                headlines, count = headlines + bool(search.result(sought(number)).summary), count + 1
    assert headlines <= _most(count)


@pytest.mark.parametrize("of_metric", [pytest.param(True, marks=NEEDS_MORE), False])
def test_most_planted_numbers_are_in_the_first_row(of_metric: bool) -> None:
    """One or two settings changed, of the metric alone or of any part; fewer than FOUND by three errors fail."""
    joined, random, share = invented.data(300, 3), Random(3), FOUND[of_metric]
    drawn, count = invented.planted(joined, random, of_metric=of_metric), examples.of(quick=2, ci=4, long=200)
    found, search = 0, None
    for one in sorted((next(drawn) for _ in range(count)), key=lambda one: one.spec):
        search = search if search and search.metric == one.spec else Search(joined, one.spec, None)
        rows = search.result(sought(f"{one.value:.{invented.DECIMALS}f}")).rows
        found += bool(rows) and bool(np.isclose(rows[0].value, one.value, rtol=1e-9))
    assert found >= share * count - 3 * np.sqrt(share * (1 - share) * count)
