"""Rows below a score are no recommendations: Surprise's recipe, written anew, on drawn ratings and predictions."""

from collections import defaultdict
from random import Random

import pytest

import rankconv as rc

Rated = tuple[float, float]
"""A rating and its prediction."""


def recipe(rows: list[Rated], k: int, threshold: float) -> tuple[float, float]:
    """Precision and recall at k of one user."""
    ordered = sorted(rows, key=lambda row: -row[1])
    recommended = [rating for rating, predicted in ordered[:k] if predicted >= threshold]
    hits = sum(rating >= threshold for rating in recommended)
    relevant = sum(rating >= threshold for rating, _ in rows)
    return hits / len(recommended) if recommended else 0.0, hits / relevant if relevant else 0.0


@pytest.mark.parametrize("threshold", ["", "4"])
@pytest.mark.parametrize("seed", range(15))
def test_surprises_recipe(seed: int, threshold: str) -> None:
    draw, rated = Random(seed), defaultdict[str, dict[str, Rated]](dict)
    for user in range(draw.randint(1, 6)):
        for item in range(draw.randint(1, 12)):
            rated[f"u{user}"][f"i{item}"] = draw.choice([1, 2, 3, 3.5, 4, 5]), draw.choice([1.0, 3.4, 3.5, 3.6, 4, 5])
    labels = {user: {item: rating for item, (rating, _) in rows.items()} for user, rows in rated.items()}
    run = {user: [(item, predicted) for item, (_, predicted) in rows.items()] for user, rows in rated.items()}
    settings = f"(relevant=at-least({threshold}), max-depth=score-at-least({threshold}))" if threshold else ""
    for k in (1, 3, 10):
        specs = [f"precision{settings}@{k}", f"recall{settings}@{k}"]
        found = rc.evaluate(labels, run, specs, preset="surprise")
        for place, user in enumerate(found.users.tolist()):
            theirs = recipe(list(rated[user].values()), k, float(threshold or 3.5))
            assert [found.per_user[spec][place] for spec in specs] == pytest.approx(theirs)


def test_without_scores_nothing_can_be_below_one() -> None:
    with pytest.raises(rc.MetricError, match="needs scores"):
        rc.evaluate({"u": {"a": 5}}, {"u": ["a"]}, "precision@1", preset="surprise")
