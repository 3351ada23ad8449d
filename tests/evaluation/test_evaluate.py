"""Evaluating: what is given beside labels and lists, several runs, one join for many conventions, results."""

import math
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc

LABELS = {"u": {"a": 2, "b": 1}, "v": {"c": 1}, "w": {"d": 0}}
RUN = {"u": {"a": 3.0, "x": 2.0, "b": 1.0}, "v": {"y": 2.0, "c": 1.0}, "z": {"a": 1.0}}


@pytest.fixture
def result() -> rc.Result:
    return rc.evaluate(LABELS, RUN, ["ndcg@3", "map@1,2"])


def test_a_result_is_a_mapping_from_metrics_to_numbers(result: rc.Result) -> None:
    """Its arrays are aligned with the users of both sides, and a number is found by its definition too."""
    assert isinstance(result, Mapping)
    assert list(result) == result.specs == ["ndcg@3", "map@1", "map@2"]
    assert {**result} == dict(zip(result.keys(), result.values(), strict=True))
    assert (len(result), "ndcg@5" in result, result.get("ndcg@5")) == (3, False, None)
    assert result.users.tolist() == ["u", "v", "w", "z"]
    assert result.per_user["map@2"].tolist() == pytest.approx([1 / 2, 1 / 2, math.nan, math.nan], nan_ok=True)
    assert result.state["map@2"].tolist() == ["scored", "scored", "on-no-relevant: skip", "outside"]
    assert result.counts["map@2"] == {"outside": 1, "scored": 2, "on-no-relevant: skip": 1}
    assert (result["rankconv:map@2"], result.definition("map@2").text) == (result["map@2"], "rankconv:map@2")


def test_a_number_that_was_not_asked_is_an_error(result: rc.Result) -> None:
    with pytest.raises(rc.MetricError, match=r"'ndcg@5' was not evaluated.*Did you mean 'ndcg@3'"):
        result["ndcg@5"]
    with pytest.raises(KeyError):
        result.per_user["ndcg@5"]


def test_a_spec_may_name_its_preset() -> None:
    two = rc.evaluate(LABELS, RUN, ["blog:map@2", "map@2"], preset="mllib")
    assert two["blog:map@2"] != two["map@2"]
    assert two.preset == "mllib"


def test_several_runs_give_a_result_each() -> None:
    results = rc.evaluate(LABELS, rc.Runs(one=RUN, two={"u": ["b"], "v": ["c"]}), "mrr@1")
    assert {name: result["mrr@1"] for name, result in results.items()} == {"one": 0.5, "two": 1.0}
    assert results["two"].run == "two"


def test_users_can_be_chosen_also_those_without_a_row() -> None:
    assert rc.evaluate(LABELS, RUN, "mrr@3", users=["v"])["mrr@3"] == 0.5
    everyone = [*LABELS, "z", "nobody"]
    assert rc.evaluate(LABELS, RUN, "precision@1", "mllib", users=everyone)["precision@1"] == 1 / 5  # u has a hit


@pytest.mark.parametrize(
    ("labels", "run", "metrics", "more", "error", "said"),
    [
        (
            LABELS,
            RUN,
            "mrr(exclude=seen)@1",
            {},
            rc.MetricError,
            "exclude=seen needs seen, and none was given",
        ),
        (LABELS, {"u": ["a"]}, "torchmetrics:map", {}, rc.MetricError, "min-score=positive needs scores"),
        ({"u": ["a"]}, {"q": ["a"]}, "mrr@1", {}, rc.InputError, "Labels have 'u'.*rankings have 'q'"),
        ({"u": [1]}, {"u": ["1"]}, "mrr@1", {}, rc.InputError, "item ids are integer in the labels"),
        (LABELS, RUN, [], {}, rc.MetricError, "no metric is given"),
        *((LABELS, RUN, "mrr@1", {"catalogue": one}, rc.InputError, "catalogue") for one in (0, "many", 2.5)),
    ],
)
def test_what_is_missing_or_does_not_match(
    labels: Any, run: Any, metrics: Any, more: Any, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        rc.evaluate(labels, run, metrics, **more)


def test_seen_items_are_taken_out_where_a_preset_says_so() -> None:
    spec = "mrr(exclude=seen)@1"
    assert rc.evaluate(LABELS, RUN, spec, seen={"v": ["y"], "stranger": ["a"]})[spec] == 1.0


def test_a_refused_user_raises_or_is_collected() -> None:
    with pytest.raises(rc.MetricError, match="topic 'w' has no ranked row"):
        rc.evaluate(LABELS, RUN, "map", preset="trec_eval")
    kept = rc.evaluate(LABELS, RUN, ["map", "blog:map"], preset="trec_eval", on_error="collect")
    assert math.isnan(kept["map"])
    assert not math.isnan(kept["blog:map"])
    assert list(kept.errors) == ["map"]
    assert kept.to_dict()["metrics"]["map"] is None


def test_plain_data_frames_and_tables(result: rc.Result) -> None:
    assert result.to_dict()["users"] == 4
    assert result.to_frame().columns == ["user", "ndcg@3", "map@1", "map@2"]
    assert "| map@2" in result.to_markdown()
    assert "\\toprule" in result.to_latex()


def test_errors_survive_pickling() -> None:
    error = rc.MetricError("wrong", where="here", do="Mend it.")
    assert str(pickle.loads(pickle.dumps(error))) == "here: wrong. Mend it."


def test_a_table_of_users_as_the_text_prints_it() -> None:
    """Bellei 2017, table 1.4."""
    labels = {"#1": [1, 2, 3, 4, 5, 6], "#2": [2, 4, 6], "#3": [2, 4, 6], "#4": [], "#5": []}
    run = {"#1": [1, 6, 8], "#2": [1, 2, 3, 4, 5], "#3": [], "#4": [1, 2, 3, 4], "#5": []}
    table = rc.evaluate(labels, run, "precision@1,3,5", "blog").user_table(3)
    assert table.headers == ["user", "precision@1", "precision@3", "precision@5"]
    assert [" ".join(row) for row in table.rows] == [
        "#1 1.000 0.667 0.400",
        "#2 0.000 0.333 0.400",
        "#3 0.000 0.000 0.000",
        "#4 NaN NaN NaN",
        "#5 NaN NaN NaN",
        "mean 0.333 0.333 0.267",
    ]


def test_of_many_users_the_table_has_the_first_and_the_last() -> None:
    many = {user: ["a"] for user in range(100)}
    result = rc.evaluate(many, many, "mrr")
    assert [row[0] for row in result.user_table().rows][24:28] == ["24", "…", "90", "91"]
    assert result.user_table().notes[0] == "100 users in all."
    assert len(result.user_table(whole=True).rows) == 101


def test_users_whom_a_preset_does_not_count_have_a_dash() -> None:
    rows = rc.evaluate({"u": ["a"]}, {"u": ["a"], "v": ["a"]}, "mrr").user_table(1).rows
    assert rows == [["u", "1.0"], ["v", "–"], ["mean", "1.0"]]


ROWS = [("u", "b", 2.0), ("v", "c", 1.0)]
FORMS: list[Callable[[Path], Any]] = [
    lambda _: {"u": ["b"], "v": ["c"]},
    lambda _: {"u": {"b": 2.0}, "v": {"c": 1.0}},
    lambda _: rc.Run(ROWS),
    lambda _: pytest.importorskip("polars").DataFrame(ROWS, ["user", "item", "score"], orient="row"),
    lambda folder: folder / "run.csv",
    lambda folder: str(folder / "run.csv"),
]


@pytest.mark.parametrize("form", FORMS)
def test_a_dict_of_runs_is_read_as_rc_runs_reads_it(form: Callable[[Path], Any], tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("user,item,score\nu,b,2\nv,c,1\n")
    runs = {"one": form(tmp_path), "two": RUN, "empty": {}}
    several, again = rc.evaluate(LABELS, runs, "mrr@1"), rc.evaluate(LABELS, rc.Runs(runs), "mrr@1")
    assert {name: one["mrr@1"] for name, one in several.items()} == {name: one["mrr@1"] for name, one in again.items()}
    assert [*several] == ["one", "two", "empty"]
    with pytest.raises(rc.InputError, match=r"several|dict of runs"):
        rc.explain(LABELS, runs, "mrr@1", user="u")
