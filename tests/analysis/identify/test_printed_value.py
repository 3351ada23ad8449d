"""What values are printed as a number, and how many matches an invented number has: as many as are seen."""

import numpy as np
import pytest

import rankconv as rc
from rankconv.analysis.identify.candidate_search import Search
from rankconv.analysis.identify.chance import Chance
from rankconv.analysis.identify.printed_value import sought
from rankconv.data.arrays import Codes
from tests.laws import examples


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("0.25", (0.2451, 0.2599), (0.2449, 0.26)),
        ("-0.25", (-0.2451, -0.2599), (-0.2449, -0.26)),
        ("0.29", (0.2851, 0.2999), (0.3, 0.2849)),
        ("0.299", (0.2986, 0.2999), (0.3, 0.2984)),
        ("25%", (0.2451, 0.2599), (0.2449, 0.26)),
        ("25.0", (0.2496, 0.2509, 24.96, 25.09), (0.2494, 0.251, 25.1)),
        ("0.2…", (0.2, 0.299), (0.3, 0.199)),
        ("1", (1.0,), (0.999, 1.001)),
        ("1/3", (1 / 3,), (0.333,)),
    ],
)
def test_what_is_printed_so(text: str, inside: tuple[float, ...], outside: tuple[float, ...]) -> None:
    number = sought(text)
    for values, expected in ((inside, True), (outside, False)):
        printed = number.printed_as(np.array(values))
        assert [number.how(value) is not None for value in values] == [expected] * len(values)
        assert (printed == number.own).any(axis=1).tolist() == [expected] * len(values)


@pytest.mark.parametrize(("text", "value"), [("1.0", 1.0), ("0.5000", 0.5), ("0.3", 0.3), ("0.3", 0.1 + 0.2)])
def test_what_was_not_rounded_is_exact(text: str, value: float) -> None:
    number = sought(text)
    assert (number.how(value), number.how(value - 0.00004)) == ("exact", "rounded")


def test_a_comma_is_a_point_only_where_it_can_be_nothing_else() -> None:
    with pytest.raises(rc.MetricError, match=r"Write 0\.509"):
        sought("0,509")
    with pytest.raises(rc.MetricError, match=r"may be 12509 or 12\.509"):
        sought("12,509")
    assert sought("1,234.5").values[0] == 1234.5


def test_chance_worked_by_hand() -> None:
    """Of 21 values from 0 to 1 eleven are printed, in two ways at most, as a number from 0.00 to 1.50."""
    spread = Chance.of(sought("0.50"), [(np.linspace(0, 1, 21), np.arange(21))], np.array([0.25, 0.255, 0.9]))
    assert spread.matches == 1
    assert spread.number.own == 50
    # from 0.25 to 0.75 there are 11 multiples of 0.05, six of them at most 0.5; from 0.00 to 1.50 a smaller share
    assert spread.probability(np.inf) == pytest.approx(11 / 51)
    assert spread.probability(10) == pytest.approx(6 / 51)
    assert spread.expected(10) == pytest.approx(6 / 51)
    assert spread.expected_presets == pytest.approx(3 / 51)  # 0.25, 0.26
    assert spread.probability(-1) == 0


def test_truncated_and_per_cent_are_counted() -> None:
    halves = Chance.of(sought("0.50"), [(np.array([0.506]), np.zeros(1, int))], np.empty(0))
    assert halves.probability(0) == pytest.approx(2 / 51)
    hundred = Chance.of(sought("50.0"), [(np.array([0.5, 49.9]), np.zeros(2, int))], np.empty(0))
    assert hundred.probability(0) == pytest.approx(2 / 51)


def test_equal_values_count_once_at_the_least_distance() -> None:
    tried = [(np.array([0.5, 0.5 + 1e-15]), np.array([3, 1])), (np.array([0.7]), np.array([0]))]
    chance = Chance.of(sought("0.50"), tried, np.empty(0))
    assert chance.values.tolist() == pytest.approx([0.5, 0.7])
    assert chance.distance.tolist() == [1, 0]


def test_few_means_of_users_are_no_evidence() -> None:
    """A hit rate of 10 users has eleven values, however many decimals are printed."""
    hits = np.array([1.0] * 6 + [0.0] * 4)
    chance = Chance.of(sought("0.600000"), [(np.array([0.6, 0.5]), np.zeros(2, int))], np.empty(0))
    assert chance.probability(0) < 1e-4
    # P(6 or 5 of 10 at 0.6) = 0.2508 + 0.2007
    assert chance.with_users(hits, 0.6).probability(0) == pytest.approx(0.4515, abs=0.05)
    varied = np.random.default_rng(1).random(10)
    other = Chance.of(sought(f"{varied.mean():.6f}"), [(np.array([varied.mean()]), np.zeros(1, int))], np.empty(0))
    assert other.with_users(varied, varied.mean()).probability(0) < 0.01


METRICS = ["mrr", "recall@5", "map@5", "f1@5", "precision@5", "ndcg@5"][: examples.of(quick=1, ci=3, long=6)]


@pytest.mark.parametrize("users", [12, 60][: examples.of(quick=1, ci=2)])
@pytest.mark.parametrize("metric", METRICS)
def test_no_more_match_than_are_expected(metric: str, users: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "_measured_equals", lambda *_: ([], 0))  # rows are not looked at
    monkeypatch.setattr(Search, "_nearest_presets", lambda *_: [])
    random = np.random.default_rng(users)
    items = [f"i{n}" for n in range(40)]
    labels = {f"u{n}": {i: int(random.integers(0, 4)) for i in random.choice(items, 8, False)} for n in range(users)}
    run = {user: [(item, float(random.random())) for item in random.choice(items, 12, False)] for user in labels}
    search = Search(rc.join(labels, run), metric, None)
    invented = np.random.default_rng(7).uniform(0.1, 0.95, examples.of(quick=4, ci=300, long=2000))
    chances = [search.result(sought(f"{number:.3f}")).chance for number in invented]
    for distance in (0, 1, np.inf):
        expected = np.array([one.probability(distance) for one in chances])
        seen = np.array([(_matching(one) <= distance).any() for one in chances])
        error = np.sqrt(max(seen.var(), expected.mean()) / len(chances))
        assert seen.mean() < expected.mean() + 4 * error


def _matching(chance: Chance) -> Codes:
    """How far from a preset the definitions of the values that match are."""
    there = [chance.number.how(value) is not None for value in chance.values.tolist()]
    return chance.distance[np.array(there, bool)]
