"""Preset files: found, read, extended and checked, with the line of every mistake."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

import rankconv as rc
from rankconv.addons.playground.playground_app import play
from rankconv.basics.errors import PluginRun
from rankconv.conventions.convention import CONVENTIONS
from rankconv.metrics import METRICS
from rankconv.presets.checked_file import problems
from rankconv.presets.folders import FILE as BIBLIOGRAPHY
from rankconv.presets.folders import MOST_USED, conventions, shipped
from rankconv.presets.neutral import neutral_settings
from rankconv.presets.preset_file import Citation, PresetFile
from rankconv.presets.preset_registry import list_presets, readable
from rankconv.presets.resolver import document_of
from rankconv.presets.yaml_file import divided_texts, read_document, read_text

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, text: str) -> Path:
        file = tmp_path / f"{name}.yaml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


def child(name: str, more: str = "", extends: str = "base") -> str:
    """A preset file of three lines and more."""
    return f"name: {name}\ntitle: A test\nextends: {extends}\n{more}"


def refused(file: Path) -> str:
    """The error of a preset file, without its folder."""
    with pytest.raises(rc.ConventionError) as error:
        rc.preset(str(file))
    return str(error.value).replace(f"{file.parent}/", "")


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
DEEP = [BOMB, "title: &t [*t]\n", f"title: {'[' * 500}{']' * 500}\n", f"title: {'{a: ' * 30}{'}' * 30}\n"]
"""Files that expand too far."""
TAGGED = [
    "about: !!python/object/apply:os.getcwd",
    "about: !!python/object/apply:pathlib.Path.touch [mark]",
    "about: !mine x",
    "metrics: !!python/object:os.Path {ndcg: }",
    "metrics: {ndcg: {called: !!python/tuple [a, b]}}",
]
"""Tags that ask for code, or for other than plain data."""


# what is found


def test_a_preset_is_found_by_name_and_read_once() -> None:
    assert rc.preset("blog") is rc.preset("blog")
    assert rc.preset(rc.preset("blog")) is rc.preset("blog")


def test_an_unknown_name_is_told_the_known_ones_and_the_nearest() -> None:
    with pytest.raises(rc.ConventionError) as error:
        rc.preset("trec-eval")
    assert str(error.value).startswith("'trec-eval' is not a preset. Did you mean 'trec_eval'? ")
    assert str(error.value).endswith("All of them: rc.list_presets().")
    assert error.value.on_command_line.endswith("All of them: rankconv list presets.")
    assert sum(name in str(error.value).replace(",", " ").split() for name in rc.list_presets()) <= 5


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("spark", "mllib"),
        ("torch", "torchmetrics"),
        ("scikit", "sklearn"),
        ("microsoft", "recommenders"),
        ("NIST", "trec_eval"),
        ("bellei", "blog"),
        ("TREC", "trec_eval"),
        ("sbert", "sentence_transformers"),
    ],
)
def test_a_word_is_looked_for_in_what_presets_say_of_themselves(word: str, meant: str) -> None:
    with pytest.raises(rc.ConventionError, match=rf"Did you mean '{meant}'\?"):
        rc.preset(word)


def test_presets_are_told_in_one_order() -> None:
    assert set(MOST_USED) <= set(rc.list_presets())
    assert len(set(MOST_USED)) == len(MOST_USED)


def test_base_is_no_preset_to_evaluate_with() -> None:
    assert "base" not in rc.list_presets()
    assert rc.preset("base").metrics == []
    with pytest.raises(rc.MetricError, match=r"base does not offer ndcg\. It offers no metric"):
        rc.preset("base").define("ndcg")


def test_base_settings_every_convention() -> None:
    assert set(neutral_settings()) == set(CONVENTIONS)
    assert neutral_settings() == neutral_settings() | rc.preset("base").settings


def test_a_preset_by_its_path(write: Write) -> None:
    file = write("mine", child("mine", "metrics: {ndcg: {gain: binary}}\n"))
    assert rc.preset(str(file)).title == "A test"
    assert rc.evaluate({"u": {"a": 3}}, {"u": ["x", "a"]}, "ndcg@1,2", preset=str(file)).specs == ["ndcg@1", "ndcg@2"]
    assert "mine" not in rc.list_presets()


def test_a_path_to_nothing_is_an_error(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.yaml").startswith("there is no preset file ")
    with pytest.raises(rc.ConventionError, match=r"there is no preset file mine\.yml"):
        rc.preset("mine.yml")


def test_presets_in_a_folder_named_by_the_environment(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write("mine", child("mine", "metrics: {ndcg: }\n"))
    deeper = file.parent / "more" / "other.yml"
    deeper.parent.mkdir()
    deeper.write_text(child("other", extends="mine"))
    monkeypatch.setenv("RANKCONV_PRESETS", str(file.parent))
    assert {"mine", "other", "blog"} <= set(rc.list_presets())
    assert rc.preset("other").metrics == ["ndcg"]
    monkeypatch.delenv("RANKCONV_PRESETS")
    with pytest.raises(rc.ConventionError, match="'mine' is not a preset"):
        rc.preset("mine")


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKCONV_PRESETS", str(tmp_path / "gone"))
    with pytest.raises(rc.ConventionError, match=r"RANKCONV_PRESETS names a folder that is not there: .*gone"):
        rc.list_presets()


def test_a_shipped_name_cannot_be_taken(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKCONV_PRESETS", str(write("mllib", child("mllib")).parent))
    with pytest.raises(rc.ConventionError, match="'mllib' is shipped already"):
        rc.list_presets()


def test_a_name_taken_twice_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        (folder / "mine.yaml").write_text(child("mine"))
    monkeypatch.setenv("RANKCONV_PRESETS", os.pathsep.join(map(str, [*folders, ""])))
    with pytest.raises(rc.ConventionError, match="two preset files are called 'mine'"):
        rc.preset("mine")
    monkeypatch.delenv("RANKCONV_PRESETS")
    assert "the preset 'mllib' is shipped already. Give yours another name." in refused(write("mllib", child("mllib")))


def test_a_path_of_a_shipped_preset_is_that_preset() -> None:
    assert rc.preset(str(shipped()["mllib"])) is rc.preset("mllib")


def test_a_path_into_the_users_own_folder(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write("mine", child("mine"))
    monkeypatch.setenv("RANKCONV_PRESETS", str(file.parent))
    assert rc.preset(str(file)).name == "mine"


def test_a_file_may_extend_another_one_beside_it(write: Write) -> None:
    write("parent", child("parent", "metrics: {ndcg: {gain: binary}}\n"))
    kid = rc.preset(str(write("kid", child("kid", extends="parent"))))
    assert kid.define("ndcg@3")[0].settings["gain"] == "binary"


def test_a_changed_file_is_read_again(write: Write) -> None:
    write("parent", child("parent", "preparation: {relevant: above(1)}\n"))
    file = write("kid", child("kid", extends="parent"))
    assert rc.preset(str(file)).settings["relevant"] == "above(1)"
    write("parent", child("parent", "preparation: {relevant: above(2)}\n"))
    assert rc.preset(str(file)).settings["relevant"] == "above(2)"
    write("kid", child("kid", "preparation: {relevant: above(3)}\n", extends="parent"))
    assert rc.preset(str(file)).settings["relevant"] == "above(3)"


# mistakes, each with its place


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "mine.yaml: the file is empty."),
        ("# only a comment\n", "mine.yaml: the file is empty."),
        ("- name: mine\n", "mine.yaml, line 1: a preset is a mapping of keys."),
        ("title: A test\n", "mine.yaml, line 1: 'name': field required."),
        ("name: mine\n", "mine.yaml, line 1: 'title': field required."),
        (child("yours"), "mine.yaml, line 1: the file is called 'mine' and names its preset 'yours'."),
        (child("mine", "title: Again\n"), "mine.yaml, line 4: the key 'title' is given twice."),
        (
            child("mine", "metrics:\n  ndcg: {}\n  map: {is: average_precision}\n  ndcg: {}\n"),
            "mine.yaml, line 7: the key 'ndcg' is given twice.",
        ),
        (
            child("mine", "preparation:\n  ties: given\n  order: score\n  ties: reversed\n"),
            "mine.yaml, line 7: the key 'ties' is given twice.",
        ),
        (child("mine", "group: music\n"), "mine.yaml, line 4: 'group': input should be "),
        (child("mine", "about: [a\n"), "mine.yaml, line 5: this is not YAML: "),
        (child("mine", "? [a]\n: b\n"), "mine.yaml, line 4: a key must be plain text or a number."),
        (child("mine", "---\nname: other\n"), "mine.yaml, line 4: this is not YAML: but found another document."),
        (child("mine", "metrics: {ndgc: {}}\n"), "mine.yaml, line 4: 'ndgc' is not a metric. "),
        (
            child("mine", "metrics:\n  best:\n    gain: linear\n    is: ndgc\n"),
            "mine.yaml, line 7: 'ndgc' is not a metric. ",
        ),
        (
            child("mine", "aggregation:\n  aggregate: mean\npreparation:\n  aggregate: mean\n"),
            "mine.yaml, line 7: 'aggregate' is not valid under 'preparation:'. Write it under 'aggregation:'.",
        ),
        (
            child("mine", "metrics:\n  ndcg:\n    gain: linear\n    rr-hits: hits\n"),
            "mine.yaml, line 7: 'rr-hits' is not a convention here. Choose one of: ",
        ),
        (
            "name: mine\ntitle: Without a parent\nmetrics:\n  ndcg: {gain: linear}\n",
            "mine.yaml, line 4: these conventions have no setting: ",
        ),
        (child("mine", "metrics:\n  ndcg:\n    k: 0\n"), "mine.yaml, line 6: "),
        (child("mine", "metrics:\n  ndcg:\n    k: -3\n"), "mine.yaml, line 6: "),
        (
            child("mine", extends="trec-eval"),
            "mine.yaml, line 3: 'trec-eval' is not a preset. Did you mean 'trec_eval'? ",
        ),
        *(
            (
                child("mine", f"aggregation:\n  on-zero-division: {word}\n"),
                f"mine.yaml, line 5, 'on-zero-division': '{yaml.safe_load(word)}' is not a setting. Choose one of: ",
            )
            for word in ("no", "on", "true")
        ),
        *(
            (child("mine", f"plugin: {path}\n"), "mine.yaml, line 4: 'plugin': ")
            for path in ("../own.py", "/own.py", "own")
        ),
        *((child("mine", f"{tagged}\n"), "mine.yaml, line 4: ") for tagged in TAGGED),
        *((text, "mine.yaml: the file is too deep or too long, or its aliases expand to too much.") for text in DEEP),
    ],
)
def test_a_mistake_is_told_with_its_line(
    write: Write, text: str, message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused(write("mine", text)).startswith(message)
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize(
    ("text", "line", "wrong", "near"),
    [
        ("preparaton:\n  ties: given\n", 4, "'preparaton' is not a key of a preset", "preparation"),
        ("preparation:\n  order: score\n  tie: given\n", 6, "'tie' is not a convention here", "ties"),
        ("aggregation:\n  on-zero-divison: 0\n", 5, "'on-zero-divison' is not a convention here", "on-zero-division"),
        ("metrics:\n  default:\n    gian: linear\n", 6, "'gian' is not a convention here", "gain"),
        ("metrics:\n  default:\n    gain: exponentail\n", 6, "'exponentail' is not a gain", "exponential"),
        ("metrics:\n  ndcg:\n    gain: exponentail\n", 6, "'exponentail' is not a gain", "exponential"),
        (
            "metrics:\n  ndcg: {gain: linear,\n    discont: reciprocal}\n",
            6,
            "'discont' is not a convention",
            "discount",
        ),
        ("metrics:\n  ndcg:\n    with-k:\n      gian: linear\n", 7, "'gian' is not a convention here", "gain"),
        ("metrics:\n  ndcg:\n    with-k:\n      gain: linaer\n", 7, "'linaer' is not a gain", "linear"),
        ("cite:\n  - key: k\n    title: t\n    autors: a\n", 7, "'autors' is not a key of a preset", "authors"),
    ],
)
def test_an_unknown_word_is_told_with_its_line_and_the_nearest(
    write: Write, text: str, line: int, wrong: str, near: str
) -> None:
    said = refused(write("mine", child("mine", text)))
    assert said.startswith(f"mine.yaml, line {line}: {wrong}")
    assert "Choose one of: " in said
    assert said.endswith(f"Did you mean '{near}'?")


def test_a_convention_that_no_metric_asks_is_ignored_above_the_entries(write: Write) -> None:
    preset = rc.preset(str(write("mine", child("mine", "metrics: {default: {rr-hits: hits}, ndcg: }\n"))))
    assert "rr-hits" not in preset.define("ndcg@3")[0].settings


def test_no_setting_and_no_convention_is_a_word_that_yaml_reads_as_something_else() -> None:
    words = [
        *CONVENTIONS,
        *(
            setting_type.name
            for convention in CONVENTIONS.values()
            for setting_type in convention.setting_types.values()
        ),
    ]
    assert [word for word in words if yaml.safe_load(word) != word] == []


def test_settings_that_exclude_each_other_are_found_on_reading(write: Write) -> None:
    entry = "metrics:\n  ndcg:\n  map:\n    is: average_precision\n    aggregate: mean-of-parts\n"
    said = refused_by_metric(write("mine", child("mine", entry)))
    assert said.startswith(
        "mine.yaml, line 6, mine:map@10: aggregate=mean-of-parts averages parts, and average_precision has"
    )


def refused_by_metric(file: Path) -> str:
    with pytest.raises(rc.MetricError) as error:
        rc.preset(str(file))
    return str(error.value).replace(f"{file.parent}/", "")


# extends


def test_a_mistake_in_the_parent_names_both_files(write: Write) -> None:
    write("parent", child("parent", "preparation: {ties: averagd}\n"))
    said = refused(write("kid", child("kid", extends="parent")))
    assert said.startswith("kid.yaml, line 3, parent.yaml, line 4: 'averagd' is not a known setting of 'ties'.")


def test_a_circle_is_printed_as_a_ring(write: Write) -> None:
    write("one", child("one", extends="two"))
    write("two", child("two", extends="three"))
    said = refused(write("three", child("three", extends="one")))
    assert said.endswith("presets extend each other in a ring: three → one → two → three.")
    assert refused(write("self", child("self", extends="self"))).endswith("in a ring: self → self.")


LEVELS = {
    "parent": ("default: {gain: binary}", "binary"),
    "child over parent": ("default: {gain: exponential}", "exponential"),
    "parent's entry over child": ("ndcg: {gain: 'table(1=2)'}", "table(1=2)"),
    "child's entry over parent's entry": ("ndcg: {gain: 'table(1=3)'}", "table(1=3)"),
}


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_nearer_setting_wins(write: Write, count: int) -> None:
    """Parent, child, parent's entry, child's entry: the last of those that setting decides."""
    (parent, _), (kid, _), (parents_entry, _), (kids_entry, _) = [
        level if place < count else ("", "") for place, level in enumerate(LEVELS.values())
    ]
    write("parent", child("parent", f"metrics: {{{parent}, {parents_entry or 'ndcg: '}}}\n"))
    entries = ", ".join(filter(None, [kid, kids_entry]))
    preset = rc.preset(str(write("kid", child("kid", f"metrics: {{{entries}}}\n", extends="parent"))))
    assert preset.define("ndcg@3")[0].settings["gain"] == list(LEVELS.values())[count - 1][1]


def test_a_setting_with_parameters_is_replaced_whole(write: Write) -> None:
    write("parent", child("parent", "metrics: {default: {discount: 'log(base=3, shift=2)'}, dcg: }\n"))
    preset = rc.preset(
        str(write("kid", child("kid", "metrics: {default: {discount: log(base=e)}}\n", extends="parent")))
    )
    assert preset.define("dcg")[0].settings["discount"] == "log(base=e)"


def test_metrics_and_settings_are_inherited_and_the_rest_is_not(write: Write) -> None:
    about = "version: '1'\nyear: 2001\nabout: Long ago.\ncite: [{key: k, title: t}]\n"
    write("parent", child("parent", f"{about}metrics: {{ndcg: {{called: [N]}}}}\n"))
    kid = rc.preset(str(write("kid", "name: kid\ntitle: The kid\nextends: parent\n")))
    assert kid.metrics == ["ndcg"]
    assert kid.define("N@3")[0].key == "ndcg"
    assert (kid.title, kid.file.version, kid.file.year, kid.file.about, kid.file.cite) == ("The kid", "", None, "", [])


# entries


def test_settings_that_hold_only_with_a_cutoff(write: Write) -> None:
    file = write("mine", child("mine", "metrics: {ndcg: {gain: binary, with-k: {gain: exponential}}}\n"))
    without, with_k = rc.preset(str(file)).define("ndcg") + rc.preset(str(file)).define("ndcg@3")
    assert (without.settings["gain"], with_k.settings["gain"]) == ("binary", "exponential")


def test_settings_with_a_cutoff_are_inherited_one_by_one(write: Write) -> None:
    write("parent", child("parent", "metrics: {ndcg: {with-k: {gain: exponential, ideal-cutoff: none}}}\n"))
    file = write("kid", child("kid", "metrics: {ndcg: {with-k: {gain: binary}}}\n", extends="parent"))
    settings = rc.preset(str(file)).define("ndcg@3")[0].settings
    assert (settings["gain"], settings["ideal-cutoff"]) == ("binary", "none")


def test_a_hidden_cutoff_holds_where_none_is_given(write: Write) -> None:
    preset = rc.preset(str(write("mine", child("mine", "metrics: {precision: {k: 2, k-accepted: required}}\n"))))
    assert [one.k for one in preset.define("precision") + preset.define("precision@5")] == [2, 5]
    assert preset.offers("precision")
    assert rc.evaluate({"u": ["a"]}, {"u": ["a", "b", "c"]}, "precision", preset=preset)["precision"] == 1 / 2
    [made] = preset.define("precision")
    assert preset.define(made.text) == [made]


def test_the_systems_own_names(write: Write) -> None:
    preset = rc.preset(
        str(write("mine", child("mine", 'metrics: {ndcg: {called: [N, "N_{k}", "N({k})", "n.{k}+"]}}\n')))
    )
    found = [preset.define(spec)[0] for spec in ("N", "N@3", "N_3", "N(3)", "n.3+")]
    assert [(one.key, one.k) for one in found] == [("ndcg", None)] + [("ndcg", 3)] * 4


@pytest.mark.parametrize("spec", ["N_0", "N_03", "N_x", "N_", "nx3+", "N__3"])
def test_what_is_not_the_systems_own_name(write: Write, spec: str) -> None:
    preset = rc.preset(str(write("mine", child("mine", 'metrics: {ndcg: {called: ["N_{k}", "n.{k}+"]}}\n'))))
    assert not preset.offers(spec)
    with pytest.raises(rc.MetricError, match=rf"mine: '{spec.replace('+', '.')}' is not a metric"):
        preset.define(spec)


def test_a_strategy_may_be_offered_under_two_keys(write: Write) -> None:
    entries = "metrics: {map: {is: average_precision}, map_short: {is: average_precision, ap-denominator: hits}}\n"
    preset = rc.preset(str(write("mine", child("mine", entries))))
    result = rc.evaluate({"u": ["a", "b"]}, {"u": ["a"]}, ["map", "map_short"], preset=preset)
    assert (result["map"], result["map_short"]) == (1 / 2, 1)


def test_a_preset_offers_what_it_lists_and_nothing_else(write: Write) -> None:
    entries = "metrics: {ndcg: {k-accepted: required}, map: {is: average_precision, k-accepted: never}, recall: }\n"
    preset = rc.preset(str(write("mine", child("mine", entries))))
    offered = [spec for spec in ("ndcg", "ndcg@3", "map", "map@3", "recall", "recall@3", "mrr") if preset.offers(spec)]
    assert offered == ["ndcg@3", "map", "recall", "recall@3"]
    with pytest.raises(rc.MetricError, match=r"^mine does not offer mrr\. It has: ndcg, map, recall\. Take another"):
        preset.define("mrr")
    with pytest.raises(rc.MetricError, match=r"^mine: 'ndgc' is not a metric\. Did you mean 'ndcg'\?"):
        preset.define("ndgc@3")
    with pytest.raises(rc.MetricError, match=r"^mine:ndcg: mine has ndcg only at a cutoff\. .*ndcg@10\.$"):
        preset.define("ndcg")
    with pytest.raises(rc.MetricError, match=r"^mine:map@3: mine has no map at a cutoff\. Ask for map\.$"):
        preset.define("map@3")


def test_other_spellings_of_a_metric(write: Write) -> None:
    preset = rc.preset(str(write("mine", child("mine", "metrics: {map: {is: average_precision}}\n"))))
    assert {preset.define(spec)[0].key for spec in ("map", "MAP", "ap", "average_precision")} == {"map"}


def test_every_metric_offers_those_without_an_entry_too(write: Write) -> None:
    entries = "every-metric: true\nmetrics: {map: {is: average_precision}}\n"
    preset = rc.preset(str(write("mine", child("mine", entries))))
    strategies = [preset.define(key)[0].metric.name for key in preset.metrics]
    assert sorted(strategies) == sorted(METRICS)
    assert preset.metrics[0] == "map"


def test_a_preset_that_extends_the_house_preset_offers_what_it_offers(write: Write) -> None:
    house, kid = rc.preset("rankconv"), rc.preset(str(write("kid", child("kid", extends="rankconv"))))
    assert kid.metrics == house.metrics
    less = rc.preset(str(write("less", child("less", "without: [ndcg, mcc]\n", extends="kid"))))
    assert [name for name in house.metrics if name not in less.metrics] == ["ndcg", "mcc"]
    assert rc.preset(str(write("few", child("few", "every-metric: false\n", extends="kid")))).metrics == [
        *house.entries
    ]


FIRST = """
import rankconv as rc
from rankconv import plugin
class FirstItem(plugin.Metric):
    name = "first_item"
    def per_user(self, block):
        return plugin.Ratio(block.hits_so_far.at(1), block.lengths.clip(max=1))
"""


def test_a_preset_and_a_metric_of_ones_own_combine(write: Write, tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(FIRST)
    rc.load_plugin(tmp_path / "first.py")
    labels, run = {"u": ["a"], "v": ["b"]}, {"u": ["a"], "v": ["x", "b"]}
    by_extending = str(write("kid", child("kid", extends="rankconv")))
    by_naming = str(write("mine", child("mine", "metrics: {first: {is: first_item}}\n", extends="mllib")))
    assert rc.evaluate(labels, run, "first_item", by_extending)["first_item"] == 0.5
    assert rc.evaluate(labels, run, "first", by_naming)["first"] == 0.5


# a plugin that the preset names


@pytest.fixture
def with_plugin(write: Write, tmp_path: Path) -> Path:
    marks = f"\nwith open({str(tmp_path / 'mark')!r}, 'a') as mark:\n    mark.write('run ')\n"
    (tmp_path / "own.py").write_text(FIRST + marks)
    return write("plugged", child("plugged", "plugin: own.py\nmetrics: {first_item: }\n"))


def test_the_plugin_of_a_preset_is_run_where_the_preset_is_named_by_path(with_plugin: Path) -> None:
    with pytest.warns(PluginRun, match=r"plugged\.yaml names the plugin own\.py, which is run"):
        assert rc.preset(str(with_plugin)).metrics == ["first_item"]
    assert rc.preset(str(with_plugin)).metrics == ["first_item"]
    assert (with_plugin.parent / "mark").read_text() == "run "


def test_nobody_else_runs_it(with_plugin: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    kid = write("kid", child("kid", extends="plugged"))
    said = refused(kid)
    assert (
        "'first_item' is not a metric. The preset names the plugin own.py, which was not run. Load it: --plugin" in said
    )
    labels, run = {"u": ["a"]}, {"u": ["a"]}
    for name in ("plugged", str(with_plugin)):
        with pytest.raises(rc.RankconvError):
            rc.report(labels, run, "map", name)
    monkeypatch.setenv("RANKCONV_PRESETS", str(with_plugin.parent))
    with pytest.raises(rc.ConventionError, match=r"The preset names the plugin own\.py, which was not run"):
        rc.preset("plugged")
    assert "error" in play({"items": [{"id": "a", "grade": 1}], "presets": [str(with_plugin)]})
    assert not (with_plugin.parent / "mark").exists()


def test_a_plugin_that_is_not_there_is_told_with_its_line(write: Write) -> None:
    with pytest.warns(PluginRun), pytest.raises(rc.InputError, match=r"mine\.yaml, line 4: there is no plugin file"):
        rc.preset(str(write("mine", child("mine", "plugin: gone.py\n"))))


# several mistakes


def test_all_mistakes_of_a_file_are_told_at_once(write: Write) -> None:
    text = (
        "preparation: {on-no-relevant: 0, ties: sideways}\naggregation: {gain: linear}\n"
        "metrics:\n  P10: {precision-denominator: k}\n  ndcg: {gain: exponentail}\n  map:\n    ap-denominator: R\n"
    )
    said = refused(write("mine", child("mine", text))).splitlines()
    assert [line.split(": ")[0] for line in said] == [f"mine.yaml, line {line}" for line in (4, 4, 5, 7, 8, 10)]
    assert said[0].endswith("'on-no-relevant' is not valid under 'preparation:'. Write it under 'aggregation:'.")
    assert said[2].endswith("'gain' is not valid under 'aggregation:'. Write it under 'metrics: default:'.")
    assert "If the system calls a metric so, say which one it is: 'P10: {is: precision}'." in said[3]
    assert said[5].endswith("Did you mean 'relevant'?")


def test_all_mistakes_of_the_shape_are_told_at_once(write: Write) -> None:
    said = refused(write("mine", "name: mine\ngroop: own\nyear: long ago\n")).splitlines()
    assert [line.split(": ")[1] for line in said] == [
        "'title'",
        "'year'",
        "'groop' is not a key of a preset. Choose one of",
    ]


def test_metrics_that_are_not_defined_are_told_at_once(write: Write) -> None:
    denominators = "metrics:\n  auc: {auc-tied-pairs: half, ties: 'rank(min)'}\n  bpref: {ties: 'rank(min)'}\n"
    assert len(refused(write("mine", child("mine", denominators))).splitlines()) == 2


@pytest.mark.parametrize("text", ["min(k, relevant)", "min(k, min(length, relevant))"])
def test_a_setting_that_a_comma_divides_is_to_be_quoted(write: Write, text: str) -> None:
    entry = "metrics: {map: {is: average_precision, ap-denominator: %s}}\n"
    said = refused(write("mine", child("mine", entry % text)))
    assert f"the comma divides '{text}', which is not quoted. Quote it: ap-denominator: \"{text}\"" in said
    assert rc.preset(str(write("mine", child("mine", entry % f"'{text}'")))).metrics == ["map"]


def test_what_a_comma_divides_hides_no_other_mistake(write: Write) -> None:
    text = (
        "metrics:\n  map: {ap-denominator: min(k, relevant)}\n  ndcg: {gain: exponentail}\n"
        "aggregation:\n  on-no-relevant: .inf\n"
    )
    said = refused(write("mine", child("mine", text))).splitlines()
    assert len(said) == 3
    assert sum("which is not quoted" in line for line in said) == sum("'exponential'?" in line for line in said) == 1
    assert sum("line 8, 'on-no-relevant': the number is not finite" in line for line in said) == 1


def test_a_metric_is_known_by_the_name_that_systems_spell(write: Write) -> None:
    text = (
        "metrics: {ndcg_at_k: {gain: exponential}, HitRate: {}, NDCGAtK: {}, MAP: {ap-denominator: hits}, nDCG: {}}\n"
    )
    mine = rc.preset(str(write("mine", child("mine", text))))
    strategies = [mine.define(key)[0].metric.name for key in mine.metrics]
    assert strategies == ["ndcg", "hit_rate", "ndcg", "average_precision", "ndcg"]
    said = refused(write("mine", child("mine", "metrics: {hit_rate_at_10: {}}\n")))
    assert "say which one it is: 'hit_rate_at_10: {is: hit_rate}'" in said


def test_a_file_in_this_folder_is_not_a_name(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write("acme", child("acme")).parent)
    for asked in (lambda: rc.preset("acme"), lambda: rc.compare({"u": ["a"]}, {"u": ["a"]}, "map", "acme")):
        with pytest.raises(
            rc.ConventionError, match=r"has a file acme\.yaml\. Name the file by its path: './acme\.yaml'"
        ):
            asked()


# files are data


def test_merge_keys_and_anchors_are_read(write: Write) -> None:
    text = "metrics:\n  ndcg: &graded {gain: exponential, discount: reciprocal}\n  dcg: {<<: *graded, gain: binary}\n"
    settings = rc.preset(str(write("mine", child("mine", text)))).define("dcg")[0].settings
    assert (settings["gain"], settings["discount"]) == ("binary", "reciprocal")


def test_nesting_beyond_the_stack_is_refused(tmp_path: Path) -> None:
    texts = [f"title: {'[' * 200_000}\n", "- " * 400_000, "? " * 400_000, "-  " * 300_000]
    for place, text in enumerate(texts):
        (tmp_path / f"mine{place}.yaml").write_text(text)
    code = f"import rankconv as rc\nfor place in range(4):\n    try: rc.preset(f'{tmp_path}/mine{{place}}.yaml')\n"
    code += "    except rc.ConventionError: print('refused')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "refused\n" * 4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (child("mine").encode("utf-16"), "mine.yaml, line 1: the line is not UTF-8. Save the file as UTF-8 text."),
        (child("mine", "about: caf\xe9\n").encode("latin-1"), "mine.yaml, line 4: the line is not UTF-8."),
        (child("mine", "about: a\0b\n").encode(), "mine.yaml: this is not YAML: unacceptable character"),
        (
            child("mine", f"about: {'x' * 10_000_000}\n").encode(),
            "mine.yaml: the file is too large (over 1,000,000 bytes).",
        ),
        (child("mine", f"about: [{'1,' * 300_000}]\n").encode(), "mine.yaml: the file is too deep or too long"),
        (b"a: &a\n  <<: *a\n", "mine.yaml: the file is too deep or too long"),
    ],
    ids=["UTF-16", "Latin-1", "NUL", "10 MB", "many entries", "a merge of itself"],
)
def test_files_that_are_no_moderate_yaml(tmp_path: Path, text: bytes, said: str) -> None:
    (tmp_path / "mine.yaml").write_bytes(text)
    assert refused(tmp_path / "mine.yaml").startswith(said)


def test_the_files_of_the_package_are_moderate() -> None:
    for name, file in shipped().items():
        text = read_text(file, name)
        assert read_document(text, name) == read_document(text, name, moderate=True)


def test_the_files_of_the_package_hold_what_a_preset_may() -> None:
    """They are not checked when they are read; pydantic would reject a wrong key, type or name here."""
    files = {name: read_document(read_text(file, name), name) for name, file in shipped().items()}
    for name, document in files.items():
        made = rc.preset(name)
        eras = [document_of(era, made, document, rc.preset(era.extends or name)) for era in made.file.eras]
        for one in (document, *eras):
            assert problems(PresetFile, one.data) == [], one.source
            assert [*divided_texts(one)] == []
    entries = read_document(read_text(conventions() / BIBLIOGRAPHY, BIBLIOGRAPHY), BIBLIOGRAPHY).data
    assert [problem for key, entry in entries.items() for problem in problems(Citation, {"key": key, **entry})] == []


def test_names_hold_no_separators(write: Write) -> None:
    for name in ("../other/evil", "/etc/evil", "..", "a/b", "a\\b", ".hidden", "evil.yaml/x"):
        for text in (child("mine", extends=f"'{name}'"), child(f"'{name}'")):
            assert "string should match pattern" in refused(write("mine", text))


def test_a_file_that_may_not_be_read(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    file = write("mine", child("mine"))
    monkeypatch.setattr(Path, "open", refuse)
    assert refused(file) == "mine.yaml: the file cannot be opened: Permission denied."


def test_no_other_key_names_code_that_is_run(write: Write, tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w')")
    for key in ("plugins", "import", "python"):
        assert f"'{key}' is not a key of a preset" in refused(write("mine", child("mine", f"{key}: evil.py\n")))
    metrics = "metrics: {ndcg: {is: evil.py}}\n"
    assert "'evil.py' is not a metric" in refused(write("mine", child("mine", metrics)))
    assert not (tmp_path / "mark").exists()


def test_a_preset_with_other_settings() -> None:
    labels, run = {"u": ["a", "b", "c"]}, {"u": ["a", "x", "b"]}
    asked = ["blog", "blog(ap-denominator=relevant)", "blog(gain=linear,ideal_cutoff=none)"]
    table = rc.compare(labels, run, "map@3", asked)
    assert table.presets == ["blog", "blog(ap-denominator=relevant)", "blog(gain=linear, ideal-cutoff=none)"]
    assert [round(table["map@3", name], 4) for name in table.presets] == [0.8333, 0.5556, 0.8333]
    assert table.cell("map@3", asked[1]).definition == rc.metric("blog:map(ap-denominator=relevant)@3")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("blog(gain=expo)", "'expo' is not a gain.*'exponential'"),
        ("blog(gian=linear)", "'gian' is not a convention.*'gain'"),
        ("blgo(gain=linear)", "'blgo' is not a preset.*'blog'"),
        ("blog(gain)", "'gain' in 'blog\\(gain\\)' is not of the form convention=setting"),
    ],
)
def test_other_settings_that_are_none(asked: str, said: str) -> None:
    with pytest.raises(rc.RankconvError, match=said):
        rc.preset(asked)


def test_every_metric_of_every_shipped_preset_is_defined() -> None:
    """Files of others are checked when they are read; those of the package are checked here."""
    for preset in readable(list_presets()):
        for key in preset.metrics if preset.name != "base" else []:
            assert preset.definition(key, (), 10 if preset.takes_cutoff(key) else None)
