"""Best and worst orders of ties are exact: against every order, for every metric of every preset that says so."""

from collections.abc import Sequence
from itertools import groupby, permutations, product
from random import Random

import numpy as np
import pytest

import rankconv as rc
from rankconv.engine import measure
from rankconv.reanswering import answered
from rankconv.sensitivity.monotone import RISING, not_known
from rankconv.separation import Facts
from tests.laws.test_laws import different, of_users_alone

Rows = list[tuple[str, float]]


def orders(rows: Rows) -> list[Rows]:
    """Every order in which rows of equal score may stand, from the highest score down."""
    by_score = sorted(rows, key=lambda row: -row[1])
    ties = [list(permutations(tie)) for _, tie in groupby(by_score, key=lambda row: row[1])]
    return [[row for tie in way for row in tie] for way in product(*ties)]


def drawn(seed: int) -> tuple[list[tuple[str, int]], Rows]:
    """Labels of grade 0 to 2, and a list of a few rows, most of them tied."""
    draw = Random(seed)
    items = [str(place) for place in range(1, 9)]
    labels = [(item, draw.randint(0, 2)) for item in draw.sample(items, draw.randint(2, 6))]
    rows = [(item, draw.choice([2.0, 1.0])) for item in draw.sample(items, draw.randint(4, 6))]
    return labels, rows


def checked(seed: int, asked: Sequence[rc.Definition]) -> set[str]:
    """Compare with all orders, each of them a user's list; the metrics for which ties made a difference."""
    labels, rows = drawn(seed)
    ways = orders(rows)
    users = {f"u{place}": way for place, way in enumerate(ways)}
    joined = rc.join(dict.fromkeys(users, labels), users, catalogue=20)
    facts = Facts(joined)
    known = [one for one in asked if not not_known(one, facts)]
    told = set()
    rules = ("given", "relevant-last", "relevant-first")
    each = [[answered(one, {"order": "score", "ties": rule}) for one in known] for rule in rules]
    found = [measure(joined, [one for one in rule if one], None) for rule in each]
    for given, worst, best in zip(*found, strict=True):
        values = given.values[~np.isnan(given.values)]
        for extreme, end in ((worst, values.min(initial=np.inf)), (best, values.max(initial=-np.inf))):
            expected = end if len(values) else np.nan
            assert extreme.values[0] == pytest.approx(expected, nan_ok=True), (extreme.definition.text, labels, rows)
        if len(values) and values.min() < values.max():
            told.add(given.definition.metric.name)
    return told


def test_best_and_worst_are_those_of_all_orders() -> None:
    asked = [of_users_alone(one) for one in different()]
    told = set().union(*(checked(seed, asked) for seed in range(6)))
    assert told == RISING
