"""Presets of test collections and contests: what they report is what the official tool prints, or worked by hand."""

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from rankconv.analysis.reproduce.checks import run_checks, without_effect
from rankconv.basics.errors import MissingGrades
from rankconv.presets.folders import collections
from rankconv.presets.preset_registry import expand

RECORDED = json.loads((Path(__file__).parent / "collections.json").read_text())
LABELS, RUN = RECORDED["labels"], RECORDED["run"]
NUMBERS: list[dict[str, str]] = RECORDED["numbers"]
NAMES = sorted(collections())
DL = "trec-dl-2019-passage"


def test_each_number_is_what_trec_eval_prints_under_the_flags() -> None:
    """trec_eval prints four decimals; a topic without a ranking counts with -c alone."""
    for one in NUMBERS:
        labels = LABELS if "-c" in one["flags"] else {topic: LABELS[topic] for topic in RUN}
        found = rc.evaluate(labels, RUN, one["metric"], one["preset"])[one["metric"]]
        assert f"{found:.4f}" == one["value"], one


def test_every_reported_metric_has_a_number_from_elsewhere() -> None:
    for name in NAMES:
        preset = rc.preset(name)
        known = {one["metric"] for one in NUMBERS if one["preset"] == name}
        known |= {preset.define(check.metric)[0].key for check in preset.file.checks}
        for spec in preset.reports:
            assert {spec, preset.define(spec)[0].key} & known, f"{name}: {spec}"


def test_every_collection_is_whole() -> None:
    """Its file names sources, all its metrics are defined, its checks agree, and no setting is without effect."""
    presets = [rc.preset(name) for name in NAMES]
    assert len(presets) >= 20
    for preset in presets:
        assert preset.file.group == "collections"
        assert preset.file.cite, preset.name
        assert all(citation.url or citation.doi or citation.authors for citation in preset.sources), preset.name
        assert list(without_effect(preset)) == [], preset.name
        for key in preset.metrics:
            assert preset.definition(key, (), 10 if preset.takes_cutoff(key) else None)
    assert [one for one in run_checks(presets) if not one.ok] == []


def test_collections_are_listed_where_they_are_named_alone() -> None:
    assert not set(NAMES) & set(rc.list_presets())
    assert sorted(set(rc.list_presets(collections=True)) - set(rc.list_presets())) == NAMES
    assert sorted(expand("collections")) == NAMES
    assert expand(DL) == [DL]
    assert not set(NAMES) & set(expand("all"))


def test_without_metrics_a_collection_gives_what_it_reports() -> None:
    """Scores are from 0 to 1, as support of nuggets is."""
    run = {user: {item: score / 10 for item, score in items.items()} for user, items in RUN.items()}
    for name in NAMES:
        labels = {user: grades for user, grades in LABELS.items() if user in RUN}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MissingGrades)
            assert list(rc.evaluate(labels, run, preset=name)) == rc.preset(name).reports
    with pytest.raises(rc.MetricError, match="no metric is given"):
        rc.evaluate(LABELS, RUN, preset="trec_eval")


def test_a_preset_of_ones_own_inherits_what_is_reported(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(f"name: mine\ntitle: Mine\nextends: {DL}\n")
    assert rc.preset(mine).reports == ["ndcg@10", "mrr", "map"]
    mine.write_text(f"name: mine\ntitle: Mine\nextends: {DL}\nreports: [map@5]\n")
    assert rc.preset(mine).reports == ["map@5"]
    mine.write_text(f"name: mine\ntitle: Mine\nextends: {DL}\nreports:\n  - ndcg@10\n  - ndgc@5\n")
    with pytest.raises(rc.RankconvError, match=r"mine\.yaml, line 6.*'ndgc'.*Did you mean 'ndcg'"):
        rc.preset(mine)


def test_a_definition_of_a_collection_reads_back() -> None:
    [definition] = rc.preset(DL).define("map")
    assert rc.metric(definition.text) == definition
    assert definition.text == f"{DL}:map"
    assert definition.settings["relevant"] == "at-least(2)"


@pytest.mark.parametrize(("grades", "said"), [({"a": 1, "b": 1}, "mrr, map"), ({"a": 2, "b": 1}, "")])
def test_labels_without_the_grade_of_relevance_are_told(grades: dict[str, int], said: str) -> None:
    labels: dict[str, Any] = {"u": grades}
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        rc.evaluate(labels, {"u": ["a", "b"]}, preset=DL)
        rc.compare(labels, {"u": ["a", "b"]}, ["mrr", "map"], [DL, "trec_eval"])
    text = f"no label is relevant for {said} (relevant=at-least(2)): the highest grade is 1"
    assert [text in str(one.message) for one in found] == [True, True] * bool(said)


@pytest.mark.parametrize(("grade", "warned"), [(1, 1), (2, 0)])
def test_labels_in_files_without_the_grade_are_told_too(tmp_path: Path, grade: int, warned: int) -> None:
    labels, run = tmp_path / "labels.csv", tmp_path / "run.csv"
    labels.write_text("user,item,grade\n" + "".join(f"u{at},a,{grade if at == 8 else 1}\n" for at in range(9)))
    run.write_text("user,item,score\n" + "".join(f"u{at},a,1\n" for at in range(9)))
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        rc.evaluate(labels, run, preset=DL, memory="3GB")
        rc.compare(labels, run, "map", [DL], memory="3GB")
    assert len([one for one in found if issubclass(one.category, MissingGrades)]) == 2 * warned


def test_labels_of_grade_0_alone_are_no_missing_grade() -> None:
    assert rc.evaluate({"u": {"a": 0}}, {"u": ["a"]}, "map", DL)["map"] == 0
