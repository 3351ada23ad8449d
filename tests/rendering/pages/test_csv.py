"""CSV of results: no column twice, numbers in full, the ends of an interval in a column each."""

import csv
import io
import math
from typing import Any

import pytest

import rankconv as rc
from rankconv.rendering.pages.display import Tabular
from tests.rendering.pages.test_shown import LABELS, RESULTS, RUN, six_users


def rows_of(result: Any) -> list[dict[str, str]]:
    """The rows, as a program reads them."""
    return list(csv.DictReader(io.StringIO(result.to_csv())))


@pytest.mark.parametrize("name", RESULTS)
def test_no_column_is_there_twice(name: str) -> None:
    pytest.importorskip("scipy")
    result = RESULTS[name]()
    if isinstance(result, Tabular):
        heads = next(csv.reader(io.StringIO(result.to_csv())))
        assert len(heads) == len(set(heads))


def test_tests_are_in_full_with_two_columns_for_an_interval() -> None:
    labels, runs = six_users()
    runs["bad"]["u"] = ["a", "b"]
    found = rc.test(labels, runs, "mrr")
    [row], [one] = rows_of(found), found.tests
    assert [float(row[name]) for name in ("low", "high", "p")] == [
        one.interval.low,
        one.interval.high,
        one.permutation.p,
    ]
    assert (float(row["mean_of_run"]), float(row["mean_of_against"])) == one.means
    assert (row["run"], row["against"]) == one.runs


def test_values_of_presets_are_in_full() -> None:
    labels, run = {"u": ["a", "b", "c"]}, {"u": ["a", "x", "b"]}
    found = rc.compare(labels, run, "ndcg@3", ["mllib", "kaggle"])
    dcg, ideal = 1 + 1 / 2, 1 + 1 / math.log2(3) + 1 / 2
    mllib, kaggle = rows_of(found)
    assert math.isclose(float(mllib["mean"]), dcg / ideal, rel_tol=1e-15)
    assert (kaggle["mean"], kaggle["missing"]) == ("", "not offered")


def test_the_steps_between_two_definitions_add_up_in_full() -> None:
    found = rc.why(LABELS, RUN, "ndcg@3", a="blog", b="mllib")
    first, *steps, second = rows_of(found)
    assert (first["definition"], second["definition"]) == ("blog", "mllib")
    assert (float(first["mean"]), float(second["mean"])) == (found.first.mean, found.second.mean)
    assert [float(row["share"]) for row in steps] == [one.share for one in found.contributions]
    shares = math.fsum(float(row["share"]) for row in steps)
    assert math.isclose(float(first["mean"]) + shares, float(second["mean"]), rel_tol=1e-12)
    assert all(row["setting"].partition("=")[0] == row["changed_to"].partition("=")[0] for row in steps)


def test_similarities_are_in_full_of_all_and_of_each_user() -> None:
    a, b = {"u": ["a", "b", "c"], "v": ["a"], "w": ["a"]}, {"u": ["b", "a", "d"], "v": ["x"]}
    found = rc.similarity(a, b, ["rbo", "overlap@3"])
    for row in rows_of(found):
        assert float(row["mean"]) == found[row["measure"]]
        assert (row["users"], row["only_a"], row["only_b"]) == ("2", "1", "0")
    users = list(csv.DictReader(io.StringIO(found.user_csv())))
    assert [row["user"] for row in users] == ["u", "v"]
    assert [float(row["rbo"]) for row in users] == found.per_user["rbo"].tolist()
    assert [float(row["overlap@3"]) for row in users] == [2 / 3, 0.0]


def test_segments_and_ties_are_in_full() -> None:
    found = rc.sensitivity(LABELS, RUN, "ndcg@3", ["blog", "mllib"])
    assert {float(row["mean"]) for row in rows_of(found)} == {one.mean for one in found.cells.values()}
    segments = rc.segments(*six_users(), "mrr", n_resamples=100)
    for row, one in zip(rows_of(segments), segments.segments, strict=True):
        assert row["interval_low"] == ("" if math.isnan(one.interval.low) else str(one.interval.low))
        assert float(row["number"]) == one.number
