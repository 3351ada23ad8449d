"""A random number gets no headline; a preset's number with settings of the metric changed is mostly found."""

from random import Random

import numpy as np

from rankconv.analysis.identify.candidate_search import Search
from rankconv.analysis.identify.candidates import entries
from rankconv.analysis.identify.chance import RARE
from rankconv.analysis.identify.printed_value import sought
from rankconv.presets.definition import with_changes
from tests.laws import examples, invented

USERS = (6, 60, 20, 300, 10, 30, 100, 1000)
ASKED = invented.FEW_PRESETS if examples.REQUESTED == "quick" else ("ndcg", "mrr", "map", "recall", "precision", "dcg")
DATA = examples.of(quick=2, ci=4, long=25)


def _most(count: int) -> float:
    """How many of these numbers may be in a summary, with three errors of sampling."""
    return RARE * count + 3 * float(np.sqrt(RARE * count))


def test_a_number_in_the_range_of_the_presets_gets_no_headline() -> None:
    random, headlines, count = Random(1), 0, 0
    for place in range(DATA):
        joined = invented.data(USERS[place % len(USERS)], place, plain=place % 2 == 1)
        search = Search(joined, random.choice(ASKED) + "@5", None)
        values = search.result(sought("0.5")).chance.of_presets
        for _ in range(12):
            number = f"{random.uniform(values.min(), values.max()):.{random.choice((3, 4, 5, 6))}f}"
            headlines, count = headlines + bool(search.result(sought(number)).summary), count + 1
    assert headlines <= _most(count)


def test_a_number_of_no_definition_tried_gets_no_headline() -> None:
    random, headlines, count = Random(2), 0, 0
    for place in range(DATA):
        joined = invented.data(USERS[place % len(USERS)], place, plain=place % 2 == 1)
        drawn = invented.outside(joined, random, ASKED)
        for spec, values in invented.by_search(
            [next(drawn) for _ in range(examples.of(quick=2, ci=3, long=12))]
        ).items():
            search = Search(joined, spec, None)
            for value in values:
                number = f"{value:.{random.choice((3, 4, 5, 6))}f}"
                headlines, count = headlines + bool(search.result(sought(number)).summary), count + 1
    assert headlines <= _most(count)


def test_a_setting_changed_of_each_part_is_found() -> None:
    """Each setting that other presets give, of a preset that has the metric, one at a time; all families by night."""
    joined, random = invented.data(300, 3), Random(4)
    missed, count = list[str](), 0
    for _ in range(examples.of(quick=1, ci=3, long=12)):
        spec = random.choice(ASKED) + "@5"
        search, others = Search(joined, spec, None), invented.occurring(spec)
        for _ in range(examples.of(quick=6, ci=12, long=40)):
            base = random.choice([one for one in entries(spec) if not one.needs])
            name = random.choice([one for one in base.settings if len(others.get(one, ())) > 1])
            changed = with_changes(base, {name: random.choice(others[name])})
            value = invented.value_of(joined, changed) if changed is not None and not changed.needs else np.nan
            if np.isfinite(value):
                rows = search.result(sought(f"{value:.6f}")).rows
                count += 1
                missed += [] if any(np.isclose(row.value, value, rtol=1e-9) for row in rows) else [changed.text]
    assert len(missed) <= 0.02 * count, missed


def test_most_planted_numbers_are_in_the_first_row() -> None:
    """One or two settings of the metric changed, by night of any part; fewer than 80 % by three errors fail."""
    joined, random, night = invented.data(300, 3), Random(3), examples.REQUESTED == "long"
    drawn, count = invented.planted(joined, random, of_metric=not night), examples.of(quick=4, ci=6, long=200)
    found = 0
    for _ in range(count):
        one = next(drawn)
        search, number = Search(joined, one.spec, None), sought(f"{one.value:.6f}")
        rows = (search.result(number) if night else search.result_of(number, 1)).rows
        found += bool(rows) and bool(np.isclose(rows[0].value, one.value, rtol=1e-9))
    assert found >= 0.8 * count - 3 * np.sqrt(0.8 * 0.2 * count)
