"""The modifier `+unretrieved`: its numbers, its forms, whom it refuses, and that every name of a preset takes it."""

import pickle
import re
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.addons.playground.playground_app import play
from rankconv.analysis.reproduce.checks import run_checks
from rankconv.presets.folders import heads, shipped, split
from rankconv.presets.preset_registry import expand

LABELS, RUN = {"u": {"a": 1, "z": 1}}, {"u": [("x", 2.0), ("a", 1.0)]}
MODIFIED = [name for name in rc.list_presets() if split(name)[1]]


def file(folder: Path, text: str, name: str = "mine") -> str:
    path = folder / f"{name}.yaml"
    path.write_text(f"name: {name}\ntitle: Mine\n{text}\n")
    return str(path)


# numbers


def test_unretrieved_items_are_appended_at_the_bottom() -> None:
    """The ranking x, a has one hit at rank 2; with z appended there is another one at rank 3."""
    assert rc.evaluate(LABELS, RUN, "map", "sklearn")["map"] == 1 / 2
    assert rc.evaluate(LABELS, RUN, "map", "sklearn+unretrieved")["map"] == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_with_the_default_form_the_lowest_score_is_1() -> None:
    """TorchMetrics takes no score of 0 or below for a hit: a, of score -1, is none until the scores are shifted."""
    run = {"u": [("x", 0.0), ("a", -1.0)]}
    assert rc.evaluate(LABELS, run, "map", "torchmetrics")["map"] == 0
    assert rc.evaluate(LABELS, run, "map", "torchmetrics+unretrieved")["map"] == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_it_is_the_preset_with_other_candidates() -> None:
    for name in MODIFIED:
        plain, modified = rc.preset(split(name)[0]), rc.preset(name)
        changed = plain.replace(candidates=modified.settings["candidates"])
        assert (changed.settings, changed.entries) == (modified.settings, modified.entries)
        assert changed.metrics == modified.metrics
        for key in plain.metrics:
            k = 10 if plain.takes_cutoff(key) else None
            assert changed.definition(key, (), k).setting_sets == modified.definition(key, (), k).setting_sets


# listing


def test_a_preset_that_states_the_form_is_listed_with_the_modifier() -> None:
    stating = [name for name in shipped() if name != "base" and rc.preset(name).file.unretrieved is not None]
    assert [split(name)[0] for name in MODIFIED] == [name for name in rc.list_presets() if name in stating]
    assert [name for name in expand("all") if split(name)[1]] == MODIFIED
    assert "sklearn+unretrieved" in expand("learning-to-rank")
    assert expand("rectools+unretrieved") == ["rectools+unretrieved"]


def test_the_list_says_what_the_preset_says() -> None:
    listed = {head["name"]: head for head in heads()}
    for name in MODIFIED:
        preset = rc.preset(name)
        assert preset.title == f"{rc.preset(split(name)[0]).title}, with unretrieved judged items appended"
        told = {key: listed[name].get(key) for key in ("title", "system", "group", "version")}
        file = preset.file
        assert told == {"title": preset.title, "system": preset.system, "group": file.group, "version": file.version}


# presets of one's own


def test_the_form_is_inherited(tmp_path: Path) -> None:
    mine = file(tmp_path, "extends: transformers4rec")
    assert rc.preset(f"{mine}+unretrieved").settings["candidates"] == "with-unretrieved + padded"
    assert rc.preset(f"{mine}+unretrieved").name == "mine+unretrieved"
    assert (
        rc.preset(f"{file(tmp_path, 'extends: mllib')}+unretrieved").settings["candidates"]
        == "with-unretrieved(lowest=1)"
    )


def test_a_file_states_its_own_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file(tmp_path, "extends: lightfm\nunretrieved: with-unretrieved\n")
    file(tmp_path, "extends: mine+unretrieved\n", name="child")
    monkeypatch.setenv("RANKCONV_PRESETS", str(tmp_path))
    assert rc.preset("mine").settings["candidates"] == "catalogue"
    assert (
        rc.preset("mine+unretrieved").settings["candidates"]
        == rc.preset("child").settings["candidates"]
        == "with-unretrieved"
    )
    assert [name for name in rc.list_presets() if name.startswith(("mine", "child"))] == [
        "child",
        "mine",
        "mine+unretrieved",
    ]
    assert rc.evaluate(LABELS, RUN, ["mine+unretrieved:auc"], catalogue=9)


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    mine = file(tmp_path, "extends: sklearn")
    before = rc.preset(f"{mine}+unretrieved")
    assert rc.preset(f"{mine}+unretrieved") is before
    file(tmp_path, "extends: sklearn\nunretrieved: with-unretrieved(lowest=2)")
    assert rc.preset(f"{mine}+unretrieved").settings["candidates"] == "with-unretrieved(lowest=2)"


def test_in_metrics_too_the_candidates_are_replaced(tmp_path: Path) -> None:
    mine = file(tmp_path, "extends: base\nunretrieved: with-unretrieved\nmetrics: {map: {candidates: padded}, ndcg: }")
    modified = rc.preset(f"{mine}+unretrieved")
    assert {modified.settings_of(key)["candidates"] for key in modified.metrics} == {"with-unretrieved"}


def test_marked_checks_are_run_with_the_modifier(tmp_path: Path) -> None:
    data = "rankings: {u: [x, a]}, labels: {u: [a, z]}, metric: map"
    checks = f"- {{{data}, value: '1/2'}}\n- {{with: unretrieved, {data}, value: '7/12'}}"
    mine = file(tmp_path, f"extends: sklearn\nchecks:\n{checks}")
    found = [(one.preset, one.expected, one.ok) for one in run_checks([mine])]
    assert found == [("mine", "1/2", True), ("mine+unretrieved", "7/12", True)]
    assert [one.expected for one in run_checks([f"{mine}+unretrieved"])] == ["7/12"]
    both = ["sklearn", "sklearn+unretrieved"]
    assert [one.preset for one in run_checks(both)] == [one.preset for one in run_checks(both[:1])]


# refusals


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sklearn+foo", "sklearn+foo: 'foo' is not a modifier of presets. Choose one of: unretrieved."),
        ("sklearn+unretreived", "Choose one of: unretrieved. Did you mean 'unretrieved'?"),
        ("./mine.yaml+foo", "'foo' is not a modifier of presets"),
        ("sklearn+unretrieved+unretrieved", "'unretrieved' is given 2 times. Write sklearn+unretrieved."),
        ("sklern+unretrieved", "'sklern' is not a preset. Did you mean 'sklearn'?"),
        ("lightfm+unretrieved", "lightfm+unretrieved: the preset has candidates=catalogue"),
        ("cornac+unretrieved", "cornac+unretrieved: map has candidates=catalogue"),
        ("sklearn(ties=given)+unretrieved", "Did you mean 'sklearn+unretrieved'?"),
    ],
)
def test_a_modifier_that_does_not_apply_is_refused(name: str, said: str) -> None:
    with pytest.raises(rc.ConventionError, match=re.escape(said)):
        rc.preset(name)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("extends: mllib\nunretrieved: with-mised", "mine.yaml, line 4: 'with-mised'"),
        ("extends: mllib\nunretrieved: false", "mine.yaml, line 4: "),
        ("extends: mllib\nchecks: [{with: foo, labels: {}, metric: map, value: '1'}]", "mine.yaml, line 4"),
        ("extends: mine+unretrieved", "presets extend each other in a ring"),
    ],
)
def test_a_file_that_states_it_wrongly_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(rc.ConventionError, match=re.escape(said)):
        rc.preset(file(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "extends: mllib\npreparation: {candidates: padded}",
        "extends: sklearn+unretrieved",
        "extends: transformers4rec\npreparation: {candidates: returned}",
    ],
)
def test_a_form_for_other_candidates_is_not_inherited(tmp_path: Path, text: str) -> None:
    with pytest.raises(rc.ConventionError, match="no file states 'unretrieved:' for that"):
        rc.preset(f"{file(tmp_path, text)}+unretrieved")


def test_a_preset_that_stands_alone_states_its_form(tmp_path: Path) -> None:
    mine = file(tmp_path, "metrics: {}")
    with pytest.raises(rc.ConventionError, match="no file states 'unretrieved:'"):
        rc.preset(f"{mine}+unretrieved")
    file(tmp_path, "unretrieved: with-unretrieved")
    assert rc.preset(f"{mine}+unretrieved").settings == {"candidates": "with-unretrieved"}


def test_no_preset_is_named_as_a_modified_one(tmp_path: Path) -> None:
    with pytest.raises(rc.ConventionError, match=r"the name 'mine\+other' has a '\+'"):
        rc.preset(file(tmp_path, "extends: base", name="mine+other"))


# wherever a preset is named


def test_a_spec_reads_back() -> None:
    definition = rc.metric("ndcg(ties=given)@5", preset="sklearn+unretrieved")
    assert definition.text == "sklearn+unretrieved:ndcg(ties=given)@5"
    assert rc.metric(definition.text) == definition == pickle.loads(pickle.dumps(definition))
    assert rc.preset("sklearn+unretrieved(ties=given)").define("ndcg@5")[0].setting_sets == definition.setting_sets


def test_a_saved_result_reads_back(tmp_path: Path) -> None:
    result = rc.evaluate(LABELS, RUN, "map", "sklearn+unretrieved")
    result.save(tmp_path / "saved.json")
    loaded = rc.Result.load(tmp_path / "saved.json")
    assert (loaded.preset, loaded["map"]) == ("sklearn+unretrieved", result["map"])


def test_it_is_a_name_in_comparisons_and_on_the_playground() -> None:
    table = rc.compare(LABELS, RUN, "map", ["sklearn", "sklearn+unretrieved"])
    assert table.presets == ["sklearn", "sklearn+unretrieved"]
    told = rc.why(LABELS, RUN, "map", a="sklearn", b="sklearn+unretrieved")
    changes = [change for one in told.contributions for change in one.player.changes]
    assert changes == ["candidates: returned → with-unretrieved"]
    request = {
        "items": [{"id": "x"}, {"id": "a", "grade": 1}],
        "unretrieved": [{"id": "z", "grade": 1}],
        "metric": "map",
        "k": 3,
    }
    [group] = play({**request, "presets": ["rectools+unretrieved"]})["numbers"]["groups"]
    assert group["presets"] == ["rectools+unretrieved"]
    assert "is not a modifier" in play({**request, "presets": ["sklearn+foo"]})["error"]


def test_its_file_states_the_candidates_and_nothing_else_of_preparation() -> None:
    for name in ("sklearn", "fuxictr"):
        modified = rc.preset(f"{name}+unretrieved")
        assert modified.file.preparation == {"candidates": modified.settings["candidates"]}
