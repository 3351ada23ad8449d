"""Sums are correctly rounded, however the values are ordered and cut; math.fsum is the judge."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.data.arrays import LARGEST, ExactSum, total
from rankconv.typing import Partial

anything = st.lists(st.floats(-1e290, 1e290), max_size=40)
fractions = st.lists(st.fractions(0, 1, max_denominator=50).map(float), max_size=200)


@given(st.one_of(anything, fractions), st.randoms(), st.integers(1, 40))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_a_sum_is_that_of_fsum(values: list[float], random: Any, size: int) -> None:
    shuffled = random.sample(values, len(values))
    summed = ExactSum()
    for first in range(0, len(shuffled), size):
        summed.add(np.array(shuffled[first : first + size]))
    assert summed.total == total(np.array(values)) == math.fsum(values)
    assert summed.number == len(values)


@pytest.mark.parametrize("count", [63, 64, 65, 500, 4096])
@pytest.mark.parametrize("widest", [0, 6, 60, 250, 400])
def test_many_values_add_up_as_in_fsum(count: int, widest: int) -> None:
    """Of either sign, and of sizes that lie far apart; some cancel each other."""
    random = np.random.default_rng(count + widest)
    values = (random.random(count) - 0.4) * 10.0 ** random.integers(-widest // 2, widest // 2 + 1, count)
    values[: count // 3] = -values[-(count // 3) :]
    assert total(values) == math.fsum(values)
    assert total(-values) == math.fsum(-values)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], 0), ([1e300, 1.0, -1e300], 1), ([1.0, 1e-300, -1.0], 1e-300), ([5e-324, 5e-324], 1e-323), ([0.0, 0.0], 0)],
)
def test_far_ends_of_the_doubles(values: list[float], expected: float) -> None:
    assert total(np.array(values)) == expected


@given(st.one_of(anything, fractions), st.randoms(), st.integers(1, 40))
@settings(derandomize=True, deadline=None, max_examples=100)
def test_a_compact_sum_is_exact_and_knows_no_order(values: list[float], random: Any, size: int) -> None:
    forms = set()
    for order in (values, random.sample(values, len(values))):
        summed = ExactSum()
        for first in range(0, len(order), size):
            summed.add(np.array(order[first : first + size]))
            summed.compact()
        assert sum(map(Fraction, summed.compact())) == sum(map(Fraction, values))
        assert summed.total == math.fsum(values)
        forms.add(summed.compact())
    assert len(forms) == 1


@pytest.mark.parametrize(
    ("values", "expected"),
    [([math.inf, 1.0], math.inf), ([math.inf, -math.inf], math.nan), ([math.nan, 1], math.nan)],
)
def test_what_is_not_finite_is_one_number_and_no_warning(values: list[float], expected: float) -> None:
    """As where the ideal of some user is 0 and another's is below."""
    for parts in ([[value] for value in values], [values], [[1.0] * 1000 + values]):
        summed = ExactSum()
        for part in parts:
            summed.add(np.array(part))
        assert summed.total == pytest.approx(expected, nan_ok=True)
        assert summed.compact() == pytest.approx((expected,), nan_ok=True)
    with np.errstate(invalid="ignore"):
        assert total(np.array(values)) == pytest.approx(expected, nan_ok=True)


huge = st.lists(st.sampled_from([1e308, -1e308, LARGEST, -LARGEST, 2.0**1023, 1.0, -1e-300, 5e-324]), max_size=12)


@given(huge, st.randoms(), st.integers(1, 12))
@settings(derandomize=True, deadline=None, max_examples=150)
def test_the_largest_numbers_add_up_in_any_order_or_are_refused(values: list[float], random: Any, size: int) -> None:
    """The judge is the sum of fractions: too much on the way is no fault, and too much in the end is an error."""
    exact, forms = sum(map(Fraction, values)), set()
    for order in (values, random.sample(values, len(values))):
        summed = ExactSum()
        for first in range(0, len(order), size):
            summed.add(np.array(order[first : first + size]))
            summed.compact()
        forms.add(summed.compact())
        assert sum(map(Fraction, summed.compact())) == exact
        try:
            expected: float | None = float(exact)
        except OverflowError:
            expected = None
        if expected is not None:
            assert summed.total == expected
        else:
            with pytest.raises(OverflowError):
                _ = summed.total
    assert len(forms) == 1


MEANS = [
    "mean",
    "sum",
    "smoothed(1)",
    "weighted-mean",
    "variance",
    "standard-deviation",
    "median(interpolated)",
]


@pytest.mark.parametrize("aggregate", MEANS)
def test_users_who_add_up_to_too_much_are_refused_by_name(aggregate: str) -> None:
    """At once, in batches, and in parts in any order; the user named is the one with the largest value."""
    labels = {f"u{user}": {"a": 1.2e308} for user in range(5)}
    labels["u2"]["a"] = 1.5e308
    run, spec = {user: ["a"] for user in labels}, f"dcg(aggregate={aggregate})@1"
    batches, parts = rc.Evaluator([spec]), []
    for user in labels:
        batches.update({user: labels[user]}, {user: run[user]})
        part = rc.Evaluator([spec], per_user=False, repeated_users="unchecked")
        part.update({user: labels[user]}, {user: run[user]})
        parts.append(Partial.from_bytes(part.partial().to_bytes()))
    merged = [Partial.merged(parts), Partial.merged(parts[::-1])]
    assert merged[0].to_bytes() == merged[1].to_bytes()
    for way in (lambda: rc.evaluate(labels, run, spec), batches.compute, merged[0].compute, merged[1].compute):
        with pytest.raises(rc.MetricError) as problem:
            way()
        assert f"user 'u2' has the largest value, 1.5e+308, and aggregate={aggregate} computes" in str(problem.value)


def test_a_mean_in_the_order_of_users_that_is_too_large_is_refused() -> None:
    labels = {user: {"a": 1.2e308} for user in "uv"}
    with pytest.raises(
        rc.MetricError, match=r"user 'u' has the largest value, 1.2e\+308, and aggregate=sequential-mean"
    ):
        rc.evaluate(labels, {user: ["a"] for user in labels}, "dcg(aggregate=sequential-mean)@1")


def test_sums_that_fit_are_numbers_though_too_much_on_the_way() -> None:
    labels = {
        f"u{user}": {"a": grade, "b": 1} for user, grade in enumerate((LARGEST, LARGEST, -LARGEST, -LARGEST, 3.0))
    }
    result = rc.evaluate(
        labels, {user: ["a"] for user in labels}, ["dcg(negative=grade)@1", "dcg(aggregate=sum, negative=grade)@1"]
    )
    assert [*map(float, result.values())] == [0.6, 3.0]


@pytest.mark.parametrize(
    "spec", ["cg@2", "dcg@2", "ndcg@2", "g_measure@2", "mean_position@2", "err(gain=exponential)@2"]
)
def test_a_user_whose_grades_are_too_large_is_named(spec: str) -> None:
    labels = {user: {"a": 1.0, "b": 1.0} for user in "uv"} | {"w": {"a": LARGEST, "b": LARGEST}}
    with pytest.raises(rc.MetricError, match=r"user 'w' has item 'a' with grade 1.79769.*e\+308"):
        rc.evaluate(labels, {user: ["a", "b"] for user in labels}, spec)


def test_infinite_values_are_no_overflow() -> None:
    """x/0 is infinite where the preset says so, and so is the mean."""
    result = rc.evaluate({"u": {"a": 1e120}, "v": {"a": 1}}, {"u": ["a"], "v": ["a"]}, "dcg@1")
    assert float(result["dcg@1"]) == 5e119
    summed = ExactSum()
    summed.add(np.array([LARGEST, LARGEST, math.inf]))
    assert summed.total == math.inf


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_the_cosine_of_features_does_not_hang_on_their_size(size: float) -> None:
    features = {item: [size * one for one in vector] for item, vector in {"a": (1, 0), "b": (1, 1)}.items()}
    found = rc.evaluate({"u": ["a"]}, {"u": ["a", "b"]}, "diversity@2", item_features=features)
    assert float(found["diversity@2"]) == pytest.approx(1 - 0.5**0.5, abs=1e-12)


def test_statistics_of_values_that_are_too_large_to_be_squared() -> None:
    labels = {f"u{user}": {"a": 1e200 * (user + 1), "b": 1} for user in range(9)}
    run, other = {user: ["a", "b"] for user in labels}, {user: ["b", "a"] for user in labels}
    with pytest.raises(rc.MetricError, match="there is no interval: values are too large to be squared"):
        rc.evaluate(labels, run, "dcg@1")["dcg@1"].interval()
    assert "NaN" not in str(rc.test(labels, {"a": run, "b": other}, "dcg@1"))
    assert rc.gate(labels, run, "dcg@1", baseline=other, not_worse_by=0.01).verdict == "undecided"
