"""Comparing presets: the numbers, what is not offered or refused, what separates, which run is first."""

import math
import re
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import rankconv as rc
from rankconv.cli.five_users import LABELS, METRICS, RUN
from rankconv.evaluation.results.comparison import short_notes, shortened
from rankconv.presets.folders import GROUPS, heads
from rankconv.presets.preset_file import PresetGroup
from rankconv.presets.preset_registry import expand
from rankconv.typing import Comparison

GRADED = {"u": {"a": 2, "b": 1, "c": 0}, "v": {"d": 1}}
LISTS = {"u": ["b", "c", "a"], "v": ["x", "d"]}


@pytest.fixture(scope="module")
def five() -> Comparison:
    return rc.compare(LABELS, RUN, [*METRICS, "map"])


# Tables of Bellei 2017 for blog; the others by hand: users 4 and 5 count 0, AP by min(k, relevant), all labels ideal.
FIVE = {
    ("precision@3", "blog"): 1 / 3,
    ("map@3", "blog"): 1 / 2,
    ("ndcg@3", "blog"): (1 + math.log(2) / math.log(3)) / 3,
    ("precision@3", "mllib"): (2 / 3 + 1 / 3) / 5,
    ("map@3", "mllib"): ((1 + 1) / 3 + (1 / 2) / 3) / 5,
    ("map@3", "kaggle"): ((1 + 1) / 3 + (1 / 2) / 3) / 5,
    ("map", "mllib@2.1.3"): (2 / 6 + (1 / 2 + 2 / 4) / 3) / 5,
    ("ndcg@1", "mllib"): 1 / 5,
}


@pytest.mark.parametrize("place", FIVE, ids=":".join)
def test_the_five_users(five: Comparison, place: tuple[str, str]) -> None:
    assert five[place] == pytest.approx(FIVE[place], rel=1e-12)


def test_what_a_preset_has_in_another_form_is_not_offered(five: Comparison) -> None:
    assert five.cell("map@3", "mllib@2.1.3") is None
    assert five.cell("map", "kaggle") is None
    assert five.cell("map", "mllib@2.1.3") is not None


def test_a_refusal_is_told_and_stops_nobody(five: Comparison) -> None:
    cell = five.cell("ndcg@3", "trec_eval")
    assert cell is not None
    assert math.isnan(cell.mean)
    assert cell.refusals[0].user == 3
    assert "on-no-ranking=refuse-all" in cell.refusals[0].why


def test_it_agrees_with_evaluate(five: Comparison) -> None:
    for preset in ("blog", "mllib", "rankconv"):
        assert five["ndcg@5", preset] == rc.evaluate(LABELS, RUN, "ndcg@5", preset)["ndcg@5"]


def test_what_separates_leaves_out_what_cannot_matter_here(five: Comparison) -> None:
    assert set(five.separating["mllib"]) == {"on-no-relevant=0", "ap-denominator=min(k, relevant)", "ideal=all-labels"}


def test_what_separates_is_enough_to_turn_one_number_into_the_other() -> None:
    """The settings named, and no others, make the first preset's number the second's."""
    table = rc.compare(GRADED, LISTS, "ndcg@2", ["rankconv", "mllib", "blog", "trec_eval-c"])
    for preset, settings in table.separating.items():
        told = dict(text.split("=", 1) for text in settings)
        spec = f"ndcg({', '.join(f'{q}={a}' for q, a in told.items())})@2" if told else "ndcg@2"
        assert rc.evaluate(GRADED, LISTS, spec)[spec] == pytest.approx(table["ndcg@2", preset], rel=1e-12), preset


def test_presets_that_agree_say_so() -> None:
    table = rc.compare({"u": ["a"]}, {"u": ["a"]}, "mrr@1", ["blog", "rankconv"])
    assert table.notes == ["rankconv against blog: the same numbers."]


def test_the_order_of_runs_and_where_it_changes() -> None:
    runs = rc.Runs(short={"u": ["a"], "v": ["d"]}, long={"u": ["x", "a", "b"], "v": ["d"]})
    table = rc.compare(GRADED, runs, "map@3", ["torchmetrics+unretrieved", "blog", "rankconv"][1:])
    assert table.orders("map@3") == {"blog": ("short", "long"), "rankconv": ("long", "short")}
    assert table.notes[-1] == (
        "map@3: the order of the runs changes: short > long under blog; long > short under rankconv."
    )


def test_equal_runs_share_a_place() -> None:
    runs = rc.Runs(a=LISTS, b=LISTS)
    assert rc.compare(GRADED, runs, "mrr@3", "rankconv").orders("mrr@3") == {"rankconv": ("a = b",)}


def test_groups_put_equal_presets_together() -> None:
    table = rc.compare(LABELS, RUN, "map@3", ["mllib", "blog", "kaggle"])
    assert table.groups("map@3", 3) == {(0.167,): ["mllib", "kaggle"], (0.5,): ["blog"]}


def test_a_metric_nobody_knows_is_an_error() -> None:
    with pytest.raises(rc.MetricError, match="Did you mean 'ndcg'"):
        rc.compare(LABELS, RUN, "ndgc@3")


def test_a_metric_that_no_asked_preset_offers_is_an_error() -> None:
    with pytest.raises(rc.MetricError, match="none of these presets offers f1@3: mllib, kaggle"):
        rc.compare(LABELS, RUN, "f1@3", ["mllib", "kaggle"])


def test_presets_without_the_metrics_are_left_out_of_a_long_table_and_counted() -> None:
    found = rc.compare(LABELS, RUN, ["ndcg@3", "rbp(rbp-persistence=0.5)@3"], "all")
    table, _ = shortened(found, width=80)
    kept = [row[0] for row in table.rows]
    offering = [one for one in found.presets if any(found.cell(metric, one) for metric in found.metrics)]
    assert kept == offering
    [note] = [note for note in table.notes if note.startswith("Left out: ")]
    assert note == f"Left out: {len(found.presets) - len(kept)} presets, which define none of the metrics."
    assert len(found.table().rows[0]) - 1 == len(found.presets) > len(kept)


def test_one_of_several_metrics_that_no_asked_preset_offers_is_a_row_and_a_note() -> None:
    table = rc.compare(LABELS, {"one": RUN, "other": RUN}, ["map@3", "f1@3", "rbp"], ["mllib", "kaggle"])
    assert table.metrics == ["map@3", "f1@3", "rbp"]
    assert all(np.isnan(table[metric, preset, "one"]) for metric in ("f1@3", "rbp") for preset in table.presets)
    assert table["map@3", "mllib", "one"] == rc.evaluate(LABELS, RUN, "map@3", preset="mllib")["map@3"]
    note = "none of these presets offers f1@3, rbp; rankconv offers every metric."
    assert note in table.notes
    assert note in short_notes(table, table.presets)
    with pytest.raises(rc.MetricError, match="none of these presets offers f1@3, rbp: mllib, kaggle"):
        rc.compare(LABELS, RUN, ["f1@3", "rbp"], ["mllib", "kaggle"])
    with pytest.raises(rc.MetricError, match="Did you mean 'rbp'"):
        rc.compare(LABELS, RUN, ["map@3", "rbpp"], ["mllib", "kaggle"])


def test_two_presets_of_one_name_are_an_error() -> None:
    blog = rc.preset("blog")
    with pytest.raises(rc.ConventionError, match="two different presets are called"):
        rc.compare(LABELS, RUN, "map@3", [blog.replace(grades="given"), blog.replace(on_no_relevant=0)])


def test_all_means_every_preset() -> None:
    assert rc.compare(LABELS, RUN, "ndcg@3", "all").presets == rc.list_presets()


def test_a_group_means_its_presets() -> None:
    found = rc.compare(LABELS, RUN, "precision@3", ["blog", "contests", "search", "ranx"]).presets
    members = [name for name in rc.list_presets() if rc.preset(name).file.group in ("contests", "search")]
    assert sorted(found) == sorted(["blog", *members])
    assert found[:2] == ["blog", "kaggle"]


def test_every_group_can_be_asked_for() -> None:
    assert set(get_args(PresetGroup)) == set(GROUPS)
    assert set(GROUPS) - {"own"} == {head["group"] for head in heads()}
    members = sorted(name for group in GROUPS if group != "own" for name in expand(group))
    assert members == sorted(rc.list_presets(collections=True))


def test_a_preset_wins_over_a_group_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rag.yaml").write_text("name: rag\ntitle: A test\nextends: mllib\n")
    monkeypatch.setenv("RANKCONV_PRESETS", str(tmp_path))
    assert rc.compare(LABELS, RUN, "map@3", ["rag", "own"]).presets == ["rag"]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("serch", "'serch' is not a preset or group of presets. Did you mean 'search'? "),
        ("serch", "Did you mean 'search'?"),
        ("mlib", "Did you mean 'mllib'?"),
        ("own", "no preset belongs to the group 'own'. Name yours by path"),
    ],
)
def test_a_word_that_stands_for_nothing(word: str, said: str) -> None:
    with pytest.raises(rc.ConventionError) as error:
        rc.compare(LABELS, RUN, "map@3", ["blog", word])
    assert said in str(error.value)


def test_plain_data_has_none_for_what_is_missing() -> None:
    table = rc.compare(LABELS, RUN, "map@3", ["blog", "mllib@2.1.3", "trec_eval"])
    numbers = table.to_dict()["metrics"]["map@3"]
    assert numbers == {"blog": pytest.approx(0.5), "mllib@2.1.3": None, "trec_eval": None}
    missing = dict(table.to_frame().select("preset", "missing").rows())
    assert missing["mllib@2.1.3"] == "not offered"
    assert "on-no-ranking=refuse-all" in missing["trec_eval"]


def test_asking_for_what_is_not_there_is_an_error(five: Comparison) -> None:
    with pytest.raises(rc.MetricError, match="is not a preset of this comparison"):
        five["map@3", "ranx"]


def test_an_ideal_list_that_one_side_alone_has_parts_the_two() -> None:
    """Precision has none, so the convention stands between it and NDCG whatever the data."""
    columns = {"p": rc.metric("mllib:precision@3"), "n": rc.metric("mllib:ndcg@3")}
    found = rc.compare({"u": {"a": 3, "c": 1}}, {"u": ["a", "b", "c"]}, columns)
    assert {"is=ndcg", "ideal=all-labels"} <= found.separating["n"].keys()


def test_a_page_to_send_gives_no_advice_in_python() -> None:
    """A long table is in short on a page as in a notebook, and only the latter can be asked for more."""
    run = {"ada": ["a", "x"], "bob": ["x", "b"]}
    table = rc.compare({"ada": ["a", "b"], "bob": ["b"]}, {"one": run, "two": run}, "map@2", "all")
    assert "to_frame()" in str(table)
    page = table.to_html()
    assert "is below" in page
    assert "to_frame()" not in page
    assert all(name in page for name, means in table.means("map@2").items() if means)


def test_a_terminal_names_a_few_settings_and_says_where_all_are(monkeypatch: pytest.MonkeyPatch) -> None:
    labels, run = {"u": {"a": 2, "b": 1}, "v": {"a": 1}, "w": {}}, {"u": {"a": 1.0, "x": 1.0}, "v": {"b": 1.0}, "w": {}}
    table = rc.compare(labels, run, "ndcg@3", ["mllib", "trec_eval", "ranx"])
    monkeypatch.setenv("COLUMNS", "100")
    brief = " ".join(str(table).split())
    whole = table.separating["trec_eval"]
    few = re.search(r"trec_eval against mllib: (.*?); and (\d+) more\.", brief)
    assert few
    assert few[1].split("; ") == [*whole][:6]
    assert int(few[2]) == len(whole) - 6 > 1
    assert brief.endswith("All settings that differ: --full, in Python table().")
    for text in (table.to_text(None), table.to_markdown(), table.to_html()):
        assert "; ".join(whole) in text
        assert "--full" not in text
    one_more = rc.compare(labels, run, "ndcg@3", ["mllib", "recbole"])
    assert len(one_more.separating["recbole"]) <= 7
    assert "--full" not in str(one_more)
