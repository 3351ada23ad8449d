"""Evaluating: what is given beside labels and lists, several runs, one join for many conventions, results."""

import math
import pickle
from collections.abc import Mapping

import numpy as np
import pytest

import rankconv as rc

LABELS = {"u": {"a": 2, "b": 1}, "v": {"c": 1}, "w": {"d": 0}}
RUN = {"u": {"a": 3.0, "x": 2.0, "b": 1.0}, "v": {"y": 2.0, "c": 1.0}, "z": {"a": 1.0}}


@pytest.fixture
def result() -> rc.Result:
    return rc.evaluate(LABELS, RUN, ["ndcg@3", "map@1,2"])


def test_users_are_those_of_both_sides(result: rc.Result) -> None:
    assert result.users.tolist() == ["u", "v", "w", "z"]


def test_values_states_and_counts_are_aligned_with_users(result: rc.Result) -> None:
    assert result.per_user["map@2"].tolist() == pytest.approx([1 / 2, 1 / 2, math.nan, math.nan], nan_ok=True)
    assert result.state["map@2"].tolist() == ["scored", "scored", "on-no-relevant: skip", "outside"]
    assert result.counts["map@2"] == {"outside": 1, "scored": 2, "on-no-relevant: skip": 1}


def test_several_cutoffs_are_several_numbers(result: rc.Result) -> None:
    assert result.specs == ["ndcg@3", "map@1", "map@2"]
    assert list(result) == result.specs
    assert len(result) == 3


def test_a_number_is_found_by_its_definition_too(result: rc.Result) -> None:
    assert result["rankconv:map@2"] == result["map@2"]
    assert result.definition("map@2").text == "rankconv:map@2"


def test_a_number_that_was_not_asked_is_an_error(result: rc.Result) -> None:
    with pytest.raises(rc.MetricError, match=r"'ndcg@5' was not evaluated.*Did you mean 'ndcg@3'"):
        result["ndcg@5"]
    with pytest.raises(KeyError):
        result.per_user["ndcg@5"]


def test_a_result_is_a_mapping_from_metrics_to_numbers(result: rc.Result) -> None:
    assert isinstance(result, Mapping)
    assert {**result} == dict(zip(result.keys(), result.values(), strict=True))
    assert "ndcg@5" not in result
    assert result.get("ndcg@5") is None


def test_a_spec_may_name_its_preset() -> None:
    two = rc.evaluate(LABELS, RUN, ["blog:map@2", "map@2"], preset="mllib")
    assert two["blog:map@2"] != two["map@2"]
    assert two.preset == "mllib"


def test_a_join_settings_many_conventions() -> None:
    judged = rc.join(LABELS, RUN)
    assert rc.evaluate(judged, "ndcg@3")["ndcg@3"] == rc.evaluate(LABELS, RUN, "ndcg@3")["ndcg@3"]
    assert rc.evaluate(judged, "ndcg@3", "blog").preset == "blog"
    assert rc.evaluate(judged, metrics="ndcg@3", preset="blog").preset == "blog"
    assert rc.compare(judged, "ndcg@3", ["blog", "mllib"]).presets == ["blog", "mllib"]


def test_several_runs_give_a_result_each() -> None:
    results = rc.evaluate(LABELS, rc.Runs(one=RUN, two={"u": ["b"], "v": ["c"]}), "mrr@1")
    assert {name: result["mrr@1"] for name, result in results.items()} == {"one": 0.5, "two": 1.0}
    assert results["two"].run == "two"


def test_users_can_be_chosen() -> None:
    assert rc.evaluate(LABELS, RUN, "mrr@3", users=["v"])["mrr@3"] == 0.5


def test_users_without_a_row_can_be_listed() -> None:
    everyone = [*LABELS, "z", "nobody"]
    mean = rc.evaluate(LABELS, RUN, "precision@1", preset="mllib", users=everyone)["precision@1"]
    assert mean == 1 / 5  # of u, v, w, z and nobody, u has a hit


def test_seen_items_are_taken_out_where_a_preset_says_so() -> None:
    spec = "mrr(exclude=seen)@1"
    assert rc.evaluate(LABELS, RUN, spec, seen={"v": ["y"], "stranger": ["a"]})[spec] == 1.0


def test_seen_items_must_be_given_where_a_preset_asks() -> None:
    with pytest.raises(rc.MetricError, match=r"exclude=seen needs seen, and none was given. Pass seen=…"):
        rc.evaluate(LABELS, RUN, "mrr(exclude=seen)@1")


def test_a_score_gate_needs_scores() -> None:
    with pytest.raises(rc.MetricError, match="min-score=positive needs scores"):
        rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "map", preset="torchmetrics")


@pytest.mark.parametrize("catalogue", [0, -1, "many", 2.5])
def test_a_catalogue_is_items_or_their_number(catalogue: object) -> None:
    with pytest.raises(rc.InputError, match="catalogue"):
        rc.evaluate(LABELS, RUN, "mrr@1", catalogue=catalogue)


def test_no_user_in_common_shows_both_sides() -> None:
    with pytest.raises(rc.InputError, match=r"Labels have 'u'.*rankings have 'q'"):
        rc.evaluate({"u": ["a"]}, {"q": ["a"]}, "mrr@1")


def test_ids_of_two_types_are_an_error() -> None:
    with pytest.raises(rc.InputError, match="item ids are integer in the labels"):
        rc.evaluate({"u": [1]}, {"u": ["1"]}, "mrr@1")


def test_no_metric_is_an_error() -> None:
    with pytest.raises(rc.MetricError, match="no metric is given"):
        rc.evaluate(LABELS, RUN, [])


def test_a_refused_user_raises_or_is_collected() -> None:
    with pytest.raises(rc.MetricError, match="user 'w' has no ranked row"):
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


def test_duplicate_work_is_not_done_twice_but_results_are_the_same() -> None:
    """Definitions that share a preparation are evaluated together and must not see each other."""
    specs = ["ndcg@3", "map@3", "ndcg(ties=expected, order=score)@3", "ndcg(duplicates=each)@2"]
    together = rc.evaluate(LABELS, RUN, specs)
    for spec in specs:
        alone = rc.evaluate(LABELS, RUN, spec)
        assert np.array_equal(together.per_user[spec], alone.per_user[spec], equal_nan=True)


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


def test_a_dict_of_runs_is_read_as_rc_runs_reads_it() -> None:
    runs = {"one": RUN, "two": {"u": ["b"], "v": ["c"]}}
    several, again = rc.evaluate(LABELS, runs, "mrr@1"), rc.evaluate(LABELS, rc.Runs(runs), "mrr@1")
    assert {name: one["mrr@1"] for name, one in several.items()} == {name: one["mrr@1"] for name, one in again.items()}
    with pytest.raises(rc.InputError, match=r"this is a dict of runs \('one', 'two'\), and one run is expected"):
        rc.explain(LABELS, runs, "mrr@1", user="u")
