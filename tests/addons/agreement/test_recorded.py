"""Agreement of two label sets against recorded results of six systems."""

import math

import pytest

import rankconv as rc
from tests.addons.agreement.recorded import SYSTEMS, Recorded, cases, recorded

TOLERANCE = 1e-9
RESULTS = {
    "kappa_sklearn": 91,
    "krippendorff": 39,
    "umbrela": 39,
    "llmjudge": 13,
    "leaderboards": 91,
    "ppi_python": 156,
}


def agree(one: Recorded) -> bool:
    """Whether rankconv gives what was recorded."""
    expected, value = one.expected, one.value
    if isinstance(expected, dict) and isinstance(value, dict):
        return expected.keys() == value.keys() and all(_equal(value[name], expected[name]) for name in expected)
    return isinstance(expected, float) and isinstance(value, float) and _equal(value, expected)


def _equal(value: float, expected: float) -> bool:
    return (math.isnan(value) and math.isnan(expected)) or abs(value - expected) <= TOLERANCE


def lacks_pairs(one: Recorded) -> bool:
    """Umbrela raises a KeyError where the second set lacks a pair; rankconv refuses too, and names the pair."""
    first, second = cases()[one.case].labels
    lacking = [(query, item) for query, grades in first.items() for item in grades if item not in second[query]]
    if one.system != "umbrela" or not lacking:
        return False
    with pytest.raises(rc.InputError, match=r"lacks 67 pairs of first, such as user 'q0', item 'd55' \(pairs=first\)"):
        _ = one.value
    return one.expected == f"KeyError: '{lacking[0][1]}'"


def has_one_grade(one: Recorded) -> bool:
    """The package krippendorff raises an error where all grades are one; alpha is NaN here, and a note says why."""
    if one.system != "krippendorff" or not isinstance(one.expected, str):
        return False
    grades = {grade for labels in cases()[one.case].labels for each in labels.values() for grade in each.values()}
    value = one.value
    notes = rc.agreement(*cases()[one.case].labels).notes
    return (
        len(grades) == 1 and isinstance(value, float) and math.isnan(value) and "kappa and alpha are 0/0" in str(notes)
    )


def varies_by_rounding(one: Recorded) -> bool:
    """A tuned weight is 0/0 where the model gives all queries one value, which ppi-python has in some runs only
    because pytrec_eval's values differ in the last bit: then it is 0, and the estimate that of the human values."""
    if one.system != "ppi_python" or "tuned" not in one.metric or not isinstance(one.expected, dict):
        return False
    case, run = cases()[one.case], one.metric.rpartition("_")[2]
    spec = "pytrec_eval:ndcg@10"
    model = rc.evaluate(case.labels[1], case.runs[run], spec)[spec].per_user
    classical = Recorded("ppi_python", one.case, f"ppi_classical_{run}", 0.0).value
    assert isinstance(classical, dict)
    return abs(model - model[0]).max() < 1e-12 and all(
        abs(classical[name] - value) < TOLERANCE for name, value in one.expected.items()
    )


RULES = (lacks_pairs, has_one_grade, varies_by_rounding)


@pytest.mark.parametrize("system", SYSTEMS)
def test_recorded_results_come_out_or_a_rule_says_why_not(system: str) -> None:
    every = list(recorded(system))
    assert len(every) == RESULTS[system]
    equal = [one for one in every if not isinstance(one.expected, str) and agree(one)]
    others = [one for one in every if one not in equal]
    assert [one for one in others if not any(rule(one) for rule in RULES)] == []
    by_rule = {"umbrela": 3, "krippendorff": 3, "ppi_python": 2}
    assert len(others) == by_rule.get(system, 0)


def test_nearly_all_are_equal() -> None:
    assert (sum(RESULTS.values()) - 8) / sum(RESULTS.values()) > 0.97


def test_umbrela_stops_where_llmjudge_drops() -> None:
    """One pair of files gives an error or a number."""
    labels = cases()["holes"].labels
    assert round(rc.agreement(*labels)["kappa"], 4) == 0.6789
    with pytest.raises(rc.InputError, match="pairs='intersection'"):
        rc.agreement(*labels, pairs="first")
    with pytest.raises(rc.InputError, match="pairs=refuse"):
        rc.agreement(*cases()["extra"].labels, pairs="refuse")


def test_grades_0_and_4_are_neighbours_for_scikit_learn() -> None:
    """With another scale of the second set the weights by place do not change; those by value do."""
    labels = cases()["other_scale"].labels
    by_place, by_value = "kappa(weights=linear, distance=place)", "kappa(weights=linear)"
    found = rc.agreement(*labels, measures=[by_place, by_value])
    assert found[by_place] == found[by_value]  # grades 0 to 4 all occur
    far = [
        {query: {item: 4 * (grade > 1) for item, grade in each.items()} for query, each in one.items()}
        for one in labels
    ]
    near = [{query: {item: grade // 4 for item, grade in each.items()} for query, each in one.items()} for one in far]
    assert rc.agreement(*far, measures=by_place)[by_place] == rc.agreement(*near, measures=by_value)[by_value]
