"""Whose first rows fall strictly, told from these rows alone, is what whole lists in order tell."""

import numpy as np
import polars as pl
import pytest

import rankconv as rc
from rankconv.data.joined import put_together
from rankconv.data.labels_and_rankings import Run
from rankconv.preparation.facts import Compared, Facts


def _table(seed: int, levels: int, rows: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, rows, 40)
    user = np.repeat(np.arange(40), lengths)
    score = rng.integers(-levels, levels, len(user)) / 7 + (user % 5 == 0) * 1e-9 * rng.random(len(user))
    table = pl.DataFrame({"user": user, "item": np.arange(len(user)), "score": score})
    return table.sample(fraction=1, shuffle=True, seed=seed) if seed % 2 else table


def _read(run: Run) -> Run:
    """The same rankings, which rows stand in order."""
    told = {"score": run.score, "source": run.source, "by_score": run.by_score}
    return Run(run.users, run.items, run.starts, run.item, **told)


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("rows", [1, 3, 10])
@pytest.mark.parametrize(("levels", "length"), [(3, 12), (200, 12), (10**6, 12), (200, 150)])
@pytest.mark.parametrize("seed", [0, 1])
def test_first_rows(seed: int, levels: int, length: int, rows: int, narrow: bool) -> None:
    given = rc.Run(_table(seed, levels, length))
    labels = rc.Labels({user: [0] for user in range(40)})
    data = [put_together(labels, run) for run in (given, _read(given))]
    found, ordered = (Facts(one).of("falling scores", rows, Compared(narrow=narrow)) for one in data)
    expected = []
    for user in range(40):
        scores = given.rows_of(user)[1]
        assert scores is not None
        first = np.array(scores[: rows + 1], np.float32 if narrow else np.float64)
        expected.append(bool((first[:-1] > first[1:]).all()))
    assert found.tolist() == ordered.tolist() == expected
    assert levels != 3 or rows == 1 or not all(expected)


def test_lists_in_another_order_are_looked_at_whole() -> None:
    """Of rows that scores did not order a lower one may be the best."""
    run = {"u": [("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.95)]}
    assert rc.evaluate({"u": ["d"]}, run, "precision@1")["precision@1"] == 1.0
    data = put_together(rc.Labels({"u": ["d"]}), rc.Run(run))
    assert not Facts(data).of("falling scores", 1).any()


@pytest.mark.parametrize(
    ("rule", "values"),
    [
        ("order=score, ties=expected", [5 / 12, 3 / 4]),
        ("order=score, ties=item-descending", [1 / 2, 1 / 2]),
        ("order=score-then-rank, ties=expected", [1 / 3, 1]),
    ],
)
def test_ranks_order_equal_scores_only_where_they_are_read(rule: str, values: list[float]) -> None:
    """Items b and c of u, and a and b of v, tie by score; c of u and a of v are relevant."""
    run = {"user": [*"uuuvvv"], "item": [*"abcabc"], "score": [2.0, 1.0, 1.0, 3.0, 3.0, 1.0], "rank": [1, 2, 3] * 2}
    spec = f"mrr({rule})"
    found = rc.evaluate({"u": ["c"], "v": ["a"]}, pl.DataFrame(run), spec)
    assert found.per_user[spec] == pytest.approx(values)
