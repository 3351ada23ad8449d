"""Intervals from few human and many model labels: worked by hand, laws, refusals, and a small simulation."""

import numpy as np
import pytest
from scipy import stats

import rankconv as rc
from rankconv.evaluation.statistics.intervals import Interval, of_mean
from rankconv.evaluation.statistics.prediction_powered import (
    FEWEST,
    FEWEST_SKEWED,
    PoweredInterval,
    TwoLabelledValues,
    powered_definition,
    powered_interval,
)
from rankconv.typing import Number
from tests.benchmarks import second_labels

UNIT = (0.0, 1.0)


def values(human: int = 20, others: int = 200, seed: int = 0, noise: float = 0.1) -> TwoLabelledValues:
    """Values of a model that are those of people with noise, and 0.1 too high."""
    generator = np.random.default_rng(seed)
    every = generator.beta(2, 2, human + others)
    model = every + 0.1 + generator.normal(0, noise, len(every))
    return TwoLabelledValues(every[:human], model[:human], model[human:])


def interval(given: TwoLabelledValues, how: str = "ppi", within: tuple[float, float] = UNIT) -> PoweredInterval:
    return powered_interval(given, powered_definition(how), of_mean(given.human, within=within), within=within)


def test_plain_by_hand() -> None:
    given = TwoLabelledValues(np.array([0.1, 0.7, 0.4]), np.array([0.2, 0.6, 0.7]), np.array([0.5, 0.3, 0.9, 0.7]))
    found = interval(given, "ppi(weight=plain, limits=as-computed)")
    differences = [-0.1, 0.1, -0.3]
    assert found.estimate == pytest.approx(0.6 - 0.1)
    error = np.sqrt(np.var(differences, ddof=1) / 3 + np.var([0.5, 0.3, 0.9, 0.7], ddof=1) / 4)
    reach = stats.t(2).ppf(0.975) * error
    assert (found.low, found.high) == pytest.approx((0.5 - reach, 0.5 + reach))
    assert (found.weight, found.human, found.others, found.how) == (1, 3, 4, "ppi")


def test_the_weight_is_tuned_as_its_paper_says() -> None:
    given = values(noise=0.3)
    covariance = np.cov(given.human, given.model, ddof=0)[0, 1]
    variance = np.var(np.concatenate([given.model, given.others]), ddof=1)
    assert interval(given).weight == pytest.approx(covariance / ((1 + 20 / 200) * variance))


def test_the_jackknife_leaves_out_each_user_in_turn() -> None:
    given, definition = values(human=15), powered_definition()
    left_out = [
        float(
            interval(
                TwoLabelledValues(np.delete(given.human, at), np.delete(given.model, at), given.others),
                "ppi(limits=as-computed)",
            ).estimate
        )
        for at in range(15)
    ]
    found = interval(given)
    of_human = 14 / 15 * np.sum((np.array(left_out) - np.mean(left_out)) ** 2)
    error = np.sqrt(of_human + found.weight**2 * np.var(given.others, ddof=1) / 200)
    assert (found.high - found.low) / 2 == pytest.approx(stats.t(14).ppf(0.975) * error)
    assert definition.text.startswith("ppi(weight=tuned, spread=jackknife, quantile=t")


@pytest.mark.parametrize("how", ["ppi", "ppi(weight=plain)", "ppi(weight=plain, spread=population, quantile=normal)"])
def test_laws(how: str) -> None:
    """The bias of a model does not matter, values on another scale have the interval of that scale."""
    given = values()
    found = interval(given, how, (-np.inf, np.inf))
    biased = TwoLabelledValues(given.human, given.model + 0.3, given.others + 0.3)
    assert vars(interval(biased, how, (-np.inf, np.inf))) == pytest.approx(vars(found))
    scaled = TwoLabelledValues(*(5 * one + 1e6 for one in (given.human, given.model, given.others)))
    other = interval(scaled, how, (-np.inf, np.inf))
    assert ((other.low - 1e6) / 5, (other.high - 1e6) / 5) == pytest.approx((found.low, found.high), abs=1e-7)


def test_a_good_model_makes_the_interval_shorter_and_a_bad_one_is_said() -> None:
    good, bad = interval(values(noise=0.02)), interval(values(noise=2.0, seed=3))
    alone = of_mean(values(noise=0.02).human, within=UNIT)
    assert good.high - good.low < 0.6 * (alone.high - alone.low)
    assert good.note == ""
    assert "the second labels add nothing" in bad.note


def test_a_constant_model_leaves_the_human_values_alone() -> None:
    given = values()
    constant = TwoLabelledValues(given.human, np.full(20, 0.3), np.full(200, 0.3 + 1e-16))
    found, alone = interval(constant), of_mean(given.human, within=UNIT)
    assert (found.low, found.high, found.how) == (alone.low, alone.high, alone.how)
    assert (found.estimate, found.weight) == (given.human.mean(), 0)
    assert "one value: this is the interval of the human values alone" in found.note
    assert "0/0" in interval(constant, "ppi(constant=as-computed)").why


def test_without_other_users_it_is_that_of_the_human_values() -> None:
    given = values(others=0)
    found = interval(given)
    assert (found.low, found.high) == (of_mean(given.human, within=UNIT).low, of_mean(given.human, within=UNIT).high)
    assert "no other users" in found.note


def test_few_human_values_are_refused_with_the_reason() -> None:
    assert interval(values(FEWEST)).why == ""
    found = interval(values(FEWEST - 1))
    assert np.isnan(found.low)
    assert np.isfinite(found.estimate)
    assert f"{FEWEST - 1} human values: of so few" in found.why
    assert f"{FEWEST} at least are needed" in found.why
    ranks = 1 / np.random.default_rng(0).integers(1, 6, FEWEST_SKEWED)
    skewed = TwoLabelledValues(ranks, ranks, np.tile(ranks, 3))
    assert interval(skewed).why == ""
    fewer = TwoLabelledValues(ranks[1:], ranks[1:], np.tile(ranks, 3))
    assert "reciprocal ranks or hits" in interval(fewer).why
    equal = TwoLabelledValues(np.full(20, 0.5), values().model, values().others)
    assert interval(equal).why == "all users have one value under the human labels"


def test_no_end_is_beyond_the_metric() -> None:
    given = TwoLabelledValues(np.linspace(0.8, 0.99, 15), np.linspace(0.5, 0.9, 15), np.linspace(0.6, 1.0, 30))
    assert interval(given, "ppi(weight=plain)").high == 1
    assert interval(given, "ppi(limits=as-computed, weight=plain)").high > 1


@pytest.mark.parametrize("human", [1, 2])
def test_single_values_have_none(human: int) -> None:
    one = TwoLabelledValues(np.linspace(0.3, 0.8, human), np.linspace(0.2, 0.6, human), np.array([0.3]))
    assert interval(one, "ppi(limits=as-computed)").why


# numbers


def number(labels: dict[str, dict[str, int]], run: dict[str, list[str]], metric: str = "ndcg@10") -> Number:
    return rc.evaluate(labels, run, metric)[metric]


def graded(users: int, seed: int = 1) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    """Labels of a model, and a run."""
    generator = np.random.default_rng(seed)
    labels = {
        f"u{user:03}": {f"i{at}": int(grade) for at, grade in enumerate(generator.integers(0, 4, 12))}
        for user in range(users)
    }
    return labels, {user: [f"i{at}" for at in generator.permutation(12)] for user in labels}


def test_a_number_and_a_second_one() -> None:
    model, run = graded(60)
    generator = np.random.default_rng(2)
    human = {
        user: {item: int(max(0, grade - (generator.random() < 0.3))) for item, grade in items.items()}
        for user, items in [*model.items()][:20]
    }
    first, second = number(human, run), number(model, run)
    found = first.interval(second=second)
    assert isinstance(found, PoweredInterval)
    assert isinstance(found, Interval)
    assert (found.human, found.others) == (20, 40)
    human_values = np.array([first.per_user[at] for at, user in enumerate(first.users) if user in human])
    model_values = dict(zip(second.users.tolist(), second.per_user.tolist(), strict=True))
    two = TwoLabelledValues(
        human_values,
        np.array([model_values[user] for user in human]),
        np.array([value for user, value in model_values.items() if user not in human]),
    )
    assert vars(found) == pytest.approx(vars(interval(two)), nan_ok=True)
    assert found.to_dict()["estimate"] == found.estimate


# the simulation of the page


def test_the_simulation_of_the_page_comes_out_again() -> None:
    """A small part of it: nominal coverage where intervals are given, and those of ppi-python below."""
    rows = list(second_labels.rows(25, 7, human=(15, 60), queries=1_000))
    assert len(rows) == 60
    given = [one.given for one in rows if one.refused < 0.5]
    assert np.mean(given) == pytest.approx(0.95, abs=0.02)
    assert all(one.refused == 1 for one in rows if one.metric == "MRR" and one.human == 15)
    few = [one for one in rows if one.human == 15 and one.model != "constant"]
    assert np.mean([one.covered["ppi-python"] for one in few]) < np.mean([one.covered["tuned"] for one in few]) - 0.02
