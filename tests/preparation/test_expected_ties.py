"""`ties=expected` against the mean over all orders of the tied rows, also of repeated items."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest

import rankconv as rc
from rankconv.engine import measure, plan
from rankconv.metrics import METRICS as CLASSES
from rankconv.preparation.pipeline import Expectation
from rankconv.presets.definition import with_changes
from tests.laws import examples
from tests.metrics.worked import neutral

NEUTRAL = neutral()
ZERO_DIVISION_IS_0 = NEUTRAL.replace(on_zero_division="0")
"""Whether a value is 0/0 may depend on the order; where it does not count 0, there is no closed form."""

LABELS = {"a": 2, "b": 1}
METRICS = ("map", "map@2", "mrr", "hit_rate@2", "precision@2", "ndcg@3", "dcg(gain=exponential)@3", "rbp")
"""Each has a closed form."""


def of_orders(metric: str, items: list[str]) -> float:
    """The mean over all orders of rows that share one score."""
    orders = {str(place): list(order) for place, order in enumerate(permutations(items))}
    return rc.metric(metric).replace(ties="given")(dict.fromkeys(orders, LABELS), orders)


@pytest.mark.parametrize("items", ["abx", "abxy", "abxyz", "aab", "aabbx"])
@pytest.mark.parametrize("duplicates", ["once", "each"])
@pytest.mark.parametrize("metric", METRICS)
def test_the_value_of_a_tie_is_the_mean_over_its_orders(metric: str, duplicates: str, items: str) -> None:
    definition = rc.metric(metric).replace(ties="expected", duplicates=duplicates)
    rows = [(item, 1.0) for item in items]
    assert definition({"u": LABELS}, {"u": rows}) == pytest.approx(of_orders(definition.spec, [*items]), rel=1e-12)


@cache
def in_closed_form(duplicates: str) -> list[rc.Definition]:
    """Each metric that has an expected value in closed form, with each setting of its own."""
    found = []
    for name, metric in CLASSES.items():
        own = [one for one in metric.convention_fields.values() if one is not None]
        settings = [f"{one.name}={setting}" for one in own for setting in one.setting_types]
        for inside in ("", *(f", {setting}" for setting in settings)):
            for k in ("", "@1", "@3"):
                try:
                    [one] = ZERO_DIVISION_IS_0.define(
                        f"{name}(duplicates={duplicates}, order=score, ties=expected{inside}){k}"
                    )
                except rc.RankconvError:  # the setting needs a number, or the metric has no such form
                    continue
                if one.expectation is Expectation.CLOSED_FORM and metric.reads_labels and not metric.of_all_lists:
                    found.append(one)
    return found


@pytest.mark.parametrize("duplicates", ["each", "once"])
@pytest.mark.parametrize(
    ("above", "tied", "below"),
    [
        ("b", "aax", "y"), ("", "abcz", "d"), ("a", "bxy", "c"), ("x", "aby", "z"), ("x", "abab", ""), ("", "", ""),
    ][: examples.of(quick=2, ci=6)],
)  # fmt: skip
def test_closed_forms_are_the_mean_over_all_orders(above: str, tied: str, below: str, duplicates: str) -> None:
    labels = {"a": 2, "b": 1, "c": 1, "d": 1, "e": 3, "x": 0, "z": 0}
    orders = {
        str(place): [(item, float(score)) for score, items in ((3, above), (2, order), (1, below)) for item in items]
        for place, order in enumerate(permutations(tied))
    }
    asked = in_closed_form(duplicates)
    given = [one for one in (with_changes(one, {"ties": "given", "order": "given"}) for one in asked) if one]
    assert len(given) == len(asked) > 1000
    of_each = measure(rc.join(dict.fromkeys(orders, labels), orders, catalogue=20), given, None)
    found = measure(rc.join({"u": labels}, {"u": orders["0"]}, catalogue=20), asked, None)
    for one, each in zip(found, of_each, strict=True):
        if not np.isnan(each.values).any():
            assert one.values[0] == pytest.approx(each.values.mean(), rel=1e-12), one.definition.text


@pytest.mark.parametrize("metric", ["err", "pfound", "rbp_residual", "map", "mrr", "bpref", "hit_rate@2"])
def test_the_working_of_a_tie_is_exact(metric: str) -> None:
    name, at, k = metric.partition("@")
    gain = ", gain=exponential-over(2)" if metric in ("err", "pfound") else ""
    spec = f"{name}(order=score, ties=expected{gain}){at}{k}"
    labels, run = {"u": {"a": 1, "b": 2, "x": 0}}, {"u": [("x", 1.0), ("a", 1.0), ("b", 1.0), ("y", 0.5)]}
    found = rc.explain(labels, run, spec, user="u", preset=NEUTRAL)
    assert found.agrees
    assert found.value == pytest.approx(rc.evaluate(labels, run, spec, preset=NEUTRAL)[spec], rel=1e-14)


def test_a_formula_has_the_chance_of_the_first_hit_where_that_is_known() -> None:
    first, hits = (f"mrr(order=score, ties=expected, rr-hits={one})" for one in ("first-hit", "hits"))
    formulas = {spec: rc.cite(spec, preset=NEUTRAL).cited[0].formula for spec in (first, hits)}
    assert r"\prod_{i=1}^{j-1} (1 - c_i)" in formulas[first]
    assert r"\prod" not in formulas[hits]


def test_a_policy_that_depends_on_the_order_takes_the_closed_form_away() -> None:
    """Of three tied rows two are relevant: with the relevant ones last the first is no hit, and the policy decides."""
    plain, tied = rc.metric("precision(ties=expected)@1"), {"u": {"a": 1.0, "b": 1.0, "x": 1.0}}
    assert plain({"u": LABELS}, tied) == pytest.approx(2 / 3)
    assert plain.replace(on_no_hits=0.5)({"u": LABELS}, tied) == 0.5


def test_a_mean_over_the_hits_of_a_list_has_no_closed_form() -> None:
    """Of three tied rows two are relevant, which are last: (1/2 + 1/3) / 2."""
    definition = rc.metric("mrr(ties=expected, rr-hits=hits)")
    assert definition({"u": LABELS}, {"u": {"a": 1.0, "b": 1.0, "x": 1.0}}) == pytest.approx(5 / 12, rel=1e-12)


@pytest.mark.parametrize("few_rows", [0, 100])
def test_a_user_without_tied_rows_keeps_the_numerator_beside_one_who_has_them(
    few_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of MCC at 3 with one hit of two: TP · TN - FP · FN = 1 · 6 - 2 · 1, whoever else there is."""
    spec = "mcc(on-few-relevant=numerator)@3"
    monkeypatch.setattr(plan, "FEW_ROWS", few_rows)
    labels = {"u": ["a", "b"], "v": ["a", "b"]}
    runs = [
        {"u": {"a": 3.0, "x": 2.0, "y": 1.0}, "v": {"x": 2.0, "a": 1.0, "y": last, "z": last}} for last in (0.5, 1.0)
    ]
    found = [rc.evaluate(labels, run, spec, catalogue=10) for run in runs]
    assert [one.per_user[spec][0] for one in found] == [4, 4]
