"""The same gate as a test: pytest test_quality.py."""

from pathlib import Path

import rankconv as rc

HERE = Path(__file__).parent


def test_the_branch_is_not_worse() -> None:
    """The table is printed where it fails."""
    rc.gate(
        HERE / "labels.csv", HERE / "branch.csv", "ndcg@5", "trec_eval", baseline=HERE / "main.csv", not_worse_by=0.01
    ).require()
