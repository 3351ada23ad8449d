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
