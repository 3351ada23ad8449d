"""Areas under precision-recall curves that packages of R printed, on their data."""

import csv
import gzip
from pathlib import Path

import pytest

import rankconv as rc

HPC_CV = Path(__file__).parent / "data/hpc_cv_fold04.csv.gz"
"""Fold 4 of yardstick's hpc_cv: the class of each of 347 jobs, and the predicted probability of each class."""


@pytest.fixture(scope="module")
def jobs() -> tuple[dict[str, dict[int, int]], dict[str, dict[int, float]]]:
    """Labels and run, each class being a user."""
    with gzip.open(HPC_CV, "rt", newline="") as file:
        rows = list(csv.DictReader(file))
    classes = ("VF", "F", "M", "L")
    labels = {name: {job: int(row["obs"] == name) for job, row in enumerate(rows)} for name in classes}
    return labels, {name: {job: float(row[name]) for job, row in enumerate(rows)} for name in classes}


@pytest.mark.parametrize(
    ("definition", "printed"),
    [
        ("pr_auc(pr-interpolation=linear)", "0.680"),
        ("sklearn@0.18:map", "0.680"),
        ("pr_auc(pr-interpolation=linear-from-first)", "0.6585514"),
    ],
)
def test_yardstick_and_caret_in_yardstick_449(
    definition: str, printed: str, jobs: tuple[dict[str, dict[int, int]], dict[str, dict[int, float]]]
) -> None:
    """https://github.com/tidymodels/yardstick/issues/449: yardstick has 0.680, and caret (MLmetrics) 0.6585514."""
    digits = len(printed) - 2
    assert f"{rc.evaluate(*jobs, [definition])[definition]:.{digits}f}" == printed


def test_a_constant_score_in_yardstick_526() -> None:
    """https://github.com/tidymodels/yardstick/issues/526: 0.758 for constant scores of 258 positives among 500 rows.

    The line from precision 1 at no recall to 258/500; without its first point there is no area at all.
    """
    labels, run = {"u": {row: int(row < 258) for row in range(500)}}, {"u": dict.fromkeys(range(500), 0.0)}
    values = {
        setting: rc.evaluate(labels, run, [f"pr_auc(pr-interpolation={setting})"])[
            f"pr_auc(pr-interpolation={setting})"
        ]
        for setting in ("linear", "linear-from-first", "hyperbola")
    }
    assert f"{values['linear']:.3f}" == "0.758"
    assert values["linear-from-first"] == 0
    assert values["hyperbola"] == pytest.approx(258 / 500)


def test_tools_rank_classifiers_differently_and_some_are_optimistic() -> None:
    """Chen et al. 2024 say so in their abstract of ten tools: here of five on two small classifiers."""
    labels = {"u": {"a": 1, "b": 1, "c": 1}}
    first = {"u": [("z", 4.0), ("a", 3.0), ("b", 3.0), ("c", 2.0), ("y", 1.0), ("x", 1.0)]}
    second = {"u": [("x", 4.0), ("b", 4.0), ("c", 2.0), ("a", 2.0), ("z", 2.0), ("y", 2.0)]}
    specs = ["yardstick:pr_auc", "mlmetrics:pr_auc", "prroc:pr_auc", "sklearn:map", "rocr:aucpr"]
    ours, others = (dict(rc.evaluate(labels, run, specs)) for run in (first, second))
    # precision 0, 2/3 and 3/4 after 0, 2 and 3 hits; 1/2 after 1 and 3 hits
    assert ours["yardstick:pr_auc"] == pytest.approx((2 * (0 + 2 / 3) / 2 + (2 / 3 + 3 / 4) / 2) / 3)
    assert others["yardstick:pr_auc"] == pytest.approx(((1 + 1 / 2) / 2 + 2 * 1 / 2) / 3)
    assert others["prroc:pr_auc"] == pytest.approx(1 / 2)
    assert {spec: ours[spec] > others[spec] for spec in specs} == {spec: spec != "yardstick:pr_auc" for spec in specs}
    for values in (ours, others):
        assert values["rocr:aucpr"] >= max(values.values()) > values["prroc:pr_auc"]


def test_the_higher_precision_of_two_thresholds() -> None:
    """Precision 1/2, 2/3 and 3/5 after 1, 2 and 3 hits; there is none before the first threshold."""
    labels = {"u": {"a": 1, "b": 1, "c": 1}}
    run = {"u": [("a", 4.0), ("x", 4.0), ("b", 3.0), ("y", 2.0), ("c", 2.0)]}
    spec = "pr_auc(pr-interpolation=higher)"
    assert rc.evaluate(labels, run, spec)[spec] == pytest.approx((1 / 2 + 2 / 3 + 2 / 3) / 3)


def test_pairs_of_one_grade_are_in_the_order_of_the_list() -> None:
    """Each row with each row after it by falling grade; rows of one grade keep the order of the list."""
    grades = [row * row % 7 % 3 + 1 for row in range(200)]
    by_grade = sorted(range(200), key=lambda row: -grades[row])  # Python's sort is stable; later rows score less
    right = sum(one < other for place, one in enumerate(by_grade) for other in by_grade[place + 1 :])
    spec = "auc(auc-pairs=all)"
    found = rc.evaluate({"u": dict(enumerate(grades))}, {"u": {row: -row for row in range(200)}}, spec)
    assert found[spec] == pytest.approx(right / (200 * 199 / 2))
