"""What `rc.check` takes, refuses and gives."""

import json
from typing import Any

import polars as pl
import pytest

import rankconv as rc
from tests.analysis.check.data import clean_labels, clean_run

LABELS = {"ada": {"a": 1, "b": 1}, "bob": {"c": 1}}
RUN = {"ada": {"a": 0.9, "x": 0.5, "b": 0.5}, "bob": {"c": 0.2}}


def test_joined_data_are_checked_too() -> None:
    joined = rc.join(LABELS, RUN)
    assert rc.check(joined, "ndcg@2", "trec_eval").to_dict() == rc.check(LABELS, RUN, "ndcg@2", "trec_eval").to_dict()


def test_metrics_and_presets_by_default_and_by_group() -> None:
    assert rc.check(LABELS, RUN).metrics == ["ndcg@10", "map@10", "precision@10", "mrr@10"]
    assert rc.check(LABELS, RUN, preset="kaggle", k=3).metrics == ["map@3"]
    assert rc.check(LABELS, RUN, preset="contests", metrics="map@3").presets == ["kaggle", "kaggle-as-described"]


@pytest.mark.parametrize(
    ("labels", "run", "given", "words"),
    [
        (LABELS, RUN, {"k": 0}, "is not a cutoff"),
        ({"u": ["a"]}, {"v": ["a"]}, {}, "no user in common"),
        (LABELS, RUN, {"train": {1: ["a"]}}, "user ids are integer in train="),
    ],
)
def test_what_cannot_be_checked_is_refused(labels: Any, run: Any, given: Any, words: str) -> None:
    with pytest.raises(rc.RankconvError, match=words):
        rc.check(labels, run, **given)


def test_metrics_of_whole_lists_make_ties_below_any_cutoff_matter() -> None:
    run = clean_run()
    run["u0"]["i8"] = run["u0"]["i9"]
    assert "ties" not in rc.check(clean_labels(), run, "map@3")
    assert "ties" in rc.check(clean_labels(), run, "map")
    assert "ties" not in rc.check(clean_labels(), run, "map", k=3)


@pytest.mark.parametrize("labelled", [(1, 2), ("u1 ", "u2 ")])
def test_ids_that_do_not_match_at_all_are_matched_and_it_is_said(labelled: tuple[Any, Any]) -> None:
    names = ("1", "2") if labelled == (1, 2) else ("u1", "u2")
    labels = {user: [item] for user, item in zip(labelled, "ab", strict=True)}
    run = {names[0]: {"a": 0.5}, names[1]: {"x": 0.5, "b": 0.5}}
    checked = rc.check(labels, run, "mrr", "rankconv")
    assert checked["respelled-ids"].count == (4 if labelled == (1, 2) else 2)
    assert checked["respelled-ids"].moves == []
    assert checked["ties"].count == 1
    assert "do not match at all" in checked.notes[0]


def test_a_finding_by_its_name() -> None:
    checked = rc.check(LABELS, RUN, "ndcg@2")
    assert [finding.name for finding in checked] == [checked[finding.name].name for finding in checked]
    with pytest.raises(rc.MetricError, match=r"'tie' was not found\. Found: .*ties"):
        checked["tie"]


def test_plain_data_are_json() -> None:
    said = json.loads(json.dumps(rc.check(LABELS, {"ada": RUN["ada"]}, ["ndcg@2", "map@2"]).to_dict(), allow_nan=False))
    assert said["clean"] is False
    assert said["looked_at"] == {"users with labels": 2, "labels": 3, "users with a list": 1, "rows": 3, "items": 4}
    [missing] = [finding for finding in said["findings"] if finding["name"] == "users-without-list"]
    assert missing["examples"] == [{"user": "bob", "item": None, "note": ""}]
    refused = [move for move in missing["moves"] if move["preset"] == "trec_eval"]
    assert all(move["mean"] is None and move["by"] is None and move["refused"] for move in refused)
    assert refused


def test_text_fits_the_width_and_leaves_out_much_that_markdown_has() -> None:
    run = {f"user with a long name {place}": items for place, items in enumerate(clean_run().values())}
    labels = {f"user with a long name {place}": items for place, items in enumerate(clean_labels().values())}
    run["user with a long name 0"]["i1"] = run["user with a long name 0"]["i2"]
    checked = rc.check(labels | {"u": {"a": 0, "b": -1.5}}, run, ["ndcg@20", "map@20"], "search")
    said = checked.to_text(100)
    assert max(map(len, said.splitlines())) <= 100
    assert ": --format json" in said
    assert ": --format json" not in checked.to_markdown()


def test_markdown_escapes_what_users_bring() -> None:
    said = rc.check({"a|b": {"<script>": 1}, "c": {"x": 1}}, {"a|b": {"<script>": 1.0}}).to_markdown()
    assert "### users-without-list" in said
    assert "<script>" not in said


def test_clean_is_said() -> None:
    checked = rc.check(clean_labels(), clean_run(), train=[("u0", "i99")])
    assert (checked.clean, len(checked), repr(checked)) == (True, 0, "CheckResult(clean)")
    assert "No problem was found that changes a metric." in checked.to_text()


def test_ids_of_several_columns_are_checked_too() -> None:
    rows = [("u", given, item, 0.9 - place / 10) for given in (1, 2) for place, item in enumerate("abc")]
    labels = pl.DataFrame([("u", 1, "a", 1.0), ("u", 2, "x", 1.0)], ["uid", "given", "item", "grade"], orient="row")
    run = pl.DataFrame(rows, ["uid", "given", "item", "score"], orient="row")
    named = {"user": ("uid", "given")}
    checked = rc.check(rc.Labels(labels, **named), rc.Run(run, **named), "ndcg@5", "rankconv")
    assert checked["short-lists"].examples[0].user == ("u", 1)
