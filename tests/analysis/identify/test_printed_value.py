"""What values are printed as a number, and how many matches an invented number has: as many as are seen."""

import numpy as np
import pytest

import rankconv as rc
from rankconv.analysis.identify.candidate_search import Search
from rankconv.analysis.identify.printed_value import LEAST, Chance, sought
from rankconv.data.arrays import Codes
from tests.laws import examples


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("0.25", [(0.245, 0.26)]),
        ("-0.25", [(-0.26, -0.245)]),
        ("0.00", [(-0.01, 0.01)]),
        ("25%", [(0.245, 0.26)]),
        ("25.0", [(0.2495, 0.251), (24.95, 25.1)]),
        ("0.2…", [(0.2, 0.3)]),
        ("1", [(1.0, 1.0)]),
    ],
)
def test_what_is_printed_so(text: str, accepted: list[tuple[float, float]]) -> None:
    number = sought(text)
    assert number.accepted == [pytest.approx(one) for one in accepted]
    for low, high in number.accepted:
        step = (high - low) * 1e-4
        assert all(number.how(value) for value in (low + step, (low + high) / 2, high - step))
        assert low == high or not any(number.how(value) for value in (low - step, high + step))


def test_chance_worked_by_hand() -> None:
    """Of 21 values from 0 to 1 two and a half lie in an interval of an eighth, and as many matched on average."""
    chance = Chance.of(sought("0.50"), (0.0, 1.0), np.linspace(0, 1, 21), np.arange(21))
    assert chance.matches == 1
    # ten widths of 0.015 on each side: from 0.345 to 0.66 there are 7 values, each matched with 0.015 / 0.315
    assert chance.expected() == pytest.approx(7 * 0.015 / 0.315)
    assert chance.expected(8) == pytest.approx(2 * 0.015 / 0.315)  # 0.35 and 0.4


def test_equal_values_count_once_at_the_least_distance() -> None:
    chance = Chance.of(sought("0.50"), (0.0, 1.0), np.array([0.5, 0.5 + 1e-15, 0.7]), np.array([3, 1, 0]))
    assert chance.value.tolist() == pytest.approx([0.5, 0.7])
    assert chance.distance.tolist() == [1, 0]


METRICS = ["mrr", "recall@5", "map@5", "f1@5", "precision@5", "ndcg@5"][: examples.of(quick=1, ci=3, long=6)]


@pytest.mark.parametrize("users", [12, 60][: examples.of(quick=1, ci=2)])
@pytest.mark.parametrize("metric", METRICS)
def test_as_many_match_as_are_expected(metric: str, users: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "_measured_equals", lambda *_: ([], 0))  # rows are not looked at
    monkeypatch.setattr(Search, "_nearest_presets", lambda *_: [])
    random = np.random.default_rng(users)
    items = [f"i{n}" for n in range(40)]
    labels = {f"u{n}": {i: int(random.integers(0, 4)) for i in random.choice(items, 8, False)} for n in range(users)}
    run = {user: [(item, float(random.random())) for item in random.choice(items, 12, False)] for user in labels}
    search = Search(rc.join(labels, run), metric, None)
    invented = np.random.default_rng(7).uniform(0.1, 0.95, examples.of(quick=100, ci=300, long=2000))
    chances = [search.result(sought(f"{number:.3f}")).chance for number in invented]
    for distance in (0, 1, np.inf):
        expected = np.array([one.expected(distance) for one in chances])
        seen = np.array([sum(_matching(one) <= distance) for one in chances])
        error = np.sqrt(max(seen.var(), expected.mean()) / len(chances))
        assert abs(expected.mean() - seen.mean()) < 4 * error
    sure = np.mean([len(_matching(one)) > 0 and one.expected(_matching(one).min()) < LEAST for one in chances])
    assert sure < LEAST + 3 * np.sqrt(LEAST / len(chances))


def _matching(chance: Chance) -> Codes:
    """How far from a preset the definitions of the values that match are."""
    there = [chance.number.how(value) is not None for value in chance.value.tolist()]
    return chance.distance[np.array(there, bool)]
