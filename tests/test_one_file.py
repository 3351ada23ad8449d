"""A metric, a setting, a preset, a step of preparation, a special case, a format and a command are one file each.

The files are those of `examples/plugins`. Each adds something that has its number, worked out by hand here, and that
explain, cite, identify, check, show and the schema know.
"""

import json
import math
import multiprocessing
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from typer.testing import CliRunner

import rankconv as rc
from rankconv import plugin
from rankconv.basics.plugins import COMMANDS
from rankconv.cli import main
from rankconv.cli.app import app
from rankconv.cli.command_table import load_plugins
from rankconv.presets.schema import preset_schema
from tests.readme import EXAMPLES

FOLDER = EXAMPLES / "plugins"
LABELS = {"ann": {"a": 3, "b": 1}, "bob": {"c": 2}}
RUN = {"ann": ["ad-1", "a", "x", "b"], "bob": ["c", "ad-2", "y"]}
TIED = {"ann": {"ad-1": 3.0, "a": 2.0, "x": 2.0, "b": 1.0}, "bob": {"c": 3.0, "ad-2": 2.0, "y": 1.0}}
"""The same lists with scores, of which two are tied."""
DISCOUNT = '''
import rankconv as rc
from rankconv import plugin

@rc.convention("discount").setting(
    "root", rule="1 / sqrt(rank)", says="the gain at rank j is divided by the root of j", tex=r"\\sqrt{j}"
)
def _(ranks):
    """Falls faster than a logarithm."""
    return ranks**-0.5
'''
PRESET = """
name: corner_shop
title: What the corner shop reports
extends: mllib
aggregation:
  on-no-relevant: skip
metrics:
  precision: {precision-denominator: "min(k, length)"}
"""


@dataclass(frozen=True)
class Case:
    """What a file adds, and what is known of it."""

    file: str
    spec: str
    """A definition with it, without its preset."""
    number: float
    """Worked out by hand."""
    steps: Sequence[str]
    """What explain prints of ann."""
    words: str
    """What a paper says."""
    formula: str
    conventions: Sequence[str] = ()
    """What `rankconv show` prints of its convention: its name first."""
    schema: Sequence[str] = ()
    """Where the schema has it: a path of keys, then words of its description."""
    other_order: float | None = None
    """The number if x stands above a, which `TIED` leaves open; None where that moves nothing, as where ties count by
    their expected value."""
    asked: str = ""
    """What identify is asked for; the spec, unless it is tried without being told."""


CASES = {
    "metric": Case(
        "hits_at_top.py",
        "first_click(click-chance=0.9)@2",
        (0.9 + 0.9) / 2,
        ["1    ad-1", "2    a", "first_click(click-chance=0.9)@2 = 9/10 = 0.9"],
        "the probability of a click of a user is 1 less the probability that every relevant item in the first 2 ranks "
        "is passed over, where a relevant item is clicked with probability 0.9",
        r"m = 1 - \prod_{j=1}^{2} (1 - 0.9 r_j)",
        ["click-chance", "this probability", "Used by"],
        ["properties", "metrics", "properties", "first_click"],
        other_order=0.9 / 2,
    ),
    "gain": Case(
        "square_gain.py",
        "dcg(gain=square)@2",
        (3**2 / math.log2(3) + 2**2) / 2,
        ["2     a", "9   0.6309  5.6784", "gain=square"],
        "an item of grade g gains g^2",
        r"m = \mathrm{E}\left[\sum_{j=1}^{2} \frac{g_j^2}{\log_{2}(j + 1)}\right]",
        ["gain", "square", "g^2"],
        ["$defs", "gain", "oneOf", "square", "g^2. Between the grade itself and 2^g - 1."],
        asked="dcg@2",
    ),
    "discount": Case(
        "",
        "dcg(discount=root)@2",
        (3 / math.sqrt(2) + 2) / 2,
        ["2     a", "0.7071", "discount=root"],
        "the gain at rank j is divided by the root of j",
        r"m = \mathrm{E}\left[\sum_{j=1}^{2} \frac{g_j}{\sqrt{j}}\right]",
        ["discount", "root", "1 / sqrt(rank)"],
        ["$defs", "discount", "oneOf", "root", "1 / sqrt(rank). Falls faster than a logarithm."],
        asked="dcg@2",
    ),
    "step of preparation": Case(
        "adverts.py",
        "precision(adverts=removed)@3",
        (2 / 3 + 1 / 3) / 2,
        ["adverts=removed   1 item dropped: ad-1", "1     a", "2     x", "3     b", "2/3"],
        "adverts are taken out of the list",
        r"m = \mathrm{E}\left[\frac{\sum_{j=1}^{3} r_j}{3}\right]",
        ["adverts", "removed", "taken out of the list"],
        ["properties", "preparation", "properties", "adverts"],
    ),
    "special case": Case(
        "single_label.py",
        "recall(single-label=0.25)@2",
        (1 / 2 + 0.25) / 2,
        ["1     ad-1", "1/2 = 0.5", "No policy of the preset applies: the formula gives the value."],
        "a user who has a single label counts as 0.25",
        r"m = \frac{\sum_{j=1}^{2} r_j}{R}",
        ["single-label", "Value of a user who has a single label", "counts as this number"],
        ["properties", "aggregation", "properties", "single-label"],
        other_order=0.25 / 2,
    ),
    "situation of all data": Case(
        "short_lists.py",
        "recall(short-lists-only=0.25)@2",
        0.25,
        ["1     ad-1", "short-lists-only=0.25: no list has more than four rows, for every user."],
        "if no list has more than four rows, every user and the mean count as 0.25",
        r"m = \mathrm{E}\left[\frac{\sum_{j=1}^{2} r_j}{R}\right]",
        ["short-lists-only", "Data in which no list has more than four rows", "this number, for every user"],
        ["properties", "aggregation", "properties", "short-lists-only"],
    ),
}


@pytest.fixture
def load(tmp_path: Path) -> Callable[[Case], Path]:
    def loaded(case: Case) -> Path:
        file = FOLDER / case.file
        if not case.file:
            file = tmp_path / "root_discount.py"
            file.write_text(DISCOUNT)
        rc.load_plugin(file)
        return file

    return loaded


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


def printed(*words: object) -> str:
    """What a command prints, blanks and line breaks as one blank each."""
    done = CliRunner(env={"COLUMNS": "200"}).invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def one_blank(text: str) -> str:
    return " ".join(text.split())


# each file, asked in every way


def test_it_has_its_number_and_is_explained_and_cited(case: Case, load: Callable[[Case], Path]) -> None:
    load(case)
    number = rc.evaluate(LABELS, RUN, case.spec)[case.spec]
    assert number == pytest.approx(case.number, rel=1e-15)
    found = rc.explain(LABELS, RUN, case.spec, user="ann")
    text = one_blank(found.to_text())
    assert [step for step in case.steps if one_blank(step) not in text] == [], text
    assert found.value == pytest.approx(number.per_user[0], rel=1e-15)
    assert "cannot compute with exact numbers" not in text
    (cited,) = rc.cite(case.spec).cited
    assert case.words.casefold() in cited.paragraph.casefold()
    assert cited.formula == case.formula


def test_it_is_identified(case: Case, load: Callable[[Case], Path]) -> None:
    load(case)
    found = rc.identify(LABELS, RUN, case.asked or case.spec, f"{case.number:.8f}")
    given = case.spec.partition("(")[2].partition(")")[0]
    texts = [row.spec for row in found.rows]
    assert any(given in text for text in texts), texts


def test_it_is_checked(case: Case, load: Callable[[Case], Path]) -> None:
    load(case)
    found = rc.check(LABELS, TIED, case.spec, "rankconv", k=2)
    assert (found.metrics, found["ties"].count) == ([case.spec], 1)
    moves = [(move.metric, move.low) for move in found["ties"].moves]
    assert moves == ([] if case.other_order is None else [(case.spec, pytest.approx(case.other_order, rel=1e-15))])


def test_all_are_shown_and_in_the_schema(load: Callable[[Case], Path]) -> None:
    plugins = [word for case in CASES.values() for word in ("--plugin", load(case))]
    listed = printed("list", "conventions", "--all", "--format", "csv", *plugins)
    schema = json.loads(CliRunner().invoke(app, ["show", "--schema", *map(str, plugins)]).output)
    specs = ",".join(case.spec for case in CASES.values())
    definitions = printed("show", "rankconv", "-m", specs, *plugins)
    for case in CASES.values():
        convention_name, *words = case.conventions
        text = printed("show", convention_name, *plugins)
        assert [one for one in (convention_name, *words) if one not in text] == [], text
        assert convention_name in listed
        given = case.spec.partition("(")[2].partition(")")[0]
        assert f" {given} " in definitions  # with its rule behind it
        *path, last = case.schema
        found: Any = schema
        if "oneOf" in path:
            assert {"const": path[3], "description": last} in found["$defs"][path[1]]["oneOf"]
        else:
            for key in case.schema:
                found = found[key]
            assert found


# a preset


@pytest.fixture
def corner_shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "corner_shop.yaml"
    file.write_text(PRESET)
    monkeypatch.setenv("RANKCONV_PRESETS", str(tmp_path))
    return file


def test_a_preset_is_one_file(corner_shop: Path) -> None:
    # ann has a in three ranks, bob c in three; a list of three rows is divided by 3, as one of four is
    number = (1 / 3 + 1 / 3) / 2
    assert rc.evaluate(LABELS, RUN, "precision@3", corner_shop)["precision@3"] == pytest.approx(number, rel=1e-15)
    # at 4 bob's list has 3 rows: 1/3, and Spark would say 1/4
    number = (2 / 4 + 1 / 3) / 2
    assert rc.evaluate(LABELS, RUN, "precision@4", "corner_shop")["precision@4"] == pytest.approx(number, rel=1e-15)
    explained = rc.explain(LABELS, RUN, "precision@4", user="bob", preset="corner_shop").to_text()
    assert "1/3" in explained
    assert "min(k, length)" in explained
    (cited,) = rc.cite("precision@4", "corner_shop").cited
    assert "What the corner shop reports" in rc.cite("precision@4", "corner_shop").to_text()
    assert "the lesser of 4 and the length of the list" in cited.paragraph
    found = rc.identify(LABELS, RUN, "precision@4", f"{number:.8f}")
    assert any("corner_shop" in one for row in found.rows for one in row.presets), found.to_text()
    assert rc.check(LABELS, RUN, "precision@4", "corner_shop").presets == ["corner_shop"]
    assert "corner_shop" in printed("list", "presets")
    assert "What the corner shop reports" in printed("show", corner_shop)
    assert "corner_shop" in printed("show", "precision-denominator", "--all")
    jsonschema.Draft202012Validator(preset_schema()).validate(yaml.safe_load(PRESET))


def test_a_preset_asks_what_a_plugin_adds(
    corner_shop: Path, load: Callable[[Case], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = f"{PRESET}preparation: {{adverts: removed}}\n".replace("skip\n", "skip\n  single-label: 0.25\n")
    corner_shop.write_text(said)
    with pytest.raises(
        rc.ConventionError,
        match=r"corner_shop\.yaml, line \d+: 'adverts' is not a convention here\..*If a plugin adds it",
    ):
        rc.preset("corner_shop")
    file, other = (load(CASES[name]) for name in ("step of preparation", "special case"))
    # without the adverts ann has a, x, b, and bob, who has a single label, counts as 0.25
    number = (2 / 3 + 0.25) / 2
    result = rc.evaluate(LABELS, RUN, "precision@3", "corner_shop")
    assert result["precision@3"] == pytest.approx(number, rel=1e-15)
    assert result["precision@3"].counts == {"scored": 1, "single-label: 0.25": 1}
    [fingerprint] = [one.fingerprint for one in rc.cite("precision@3", "corner_shop").cited]
    assert [one.text for one in rc.from_fingerprint(fingerprint)] == ["corner_shop:precision@3"]
    jsonschema.Draft202012Validator(preset_schema()).validate(yaml.safe_load(said))
    assert "adverts=removed taken out" in printed(
        "show", "corner_shop", "-m", "precision@3", "--plugin", file, "--plugin", other
    )


# an input format


@pytest.fixture
def baskets(tmp_path: Path) -> tuple[Path, Path]:
    labels, run = tmp_path / "labels.basket", tmp_path / "run.basket"
    labels.write_text("ann: bread, milk\nbob: tea\n")
    run.write_text("ann: milk, soap, bread\nbob: rice, tea\n")
    return labels, run


def test_a_format_is_one_file(baskets: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(rc.InputError):
        rc.Labels(baskets[0])
    rc.load_plugin(FOLDER / "baskets.py")
    labels, run = rc.Labels(baskets[0]), rc.Run(str(baskets[1]))
    assert labels.rows_of("ann") == {"bread": 1.0, "milk": 1.0}
    assert list(run.rows_of("bob")[0]) == ["rice", "tea"]
    assert repr(labels) == "Labels(2 users, 3 rows, from labels.basket)"
    assert rc.evaluate(*baskets, "mrr")["mrr"] == (1 + 1 / 2) / 2
    # milk at rank 1, bread at rank 3; tea at rank 2
    assert rc.explain(*baskets, "map@3", user="ann").value == pytest.approx((1 / 1 + 2 / 3) / 2, rel=1e-15)
    assert rc.identify(*baskets, "mrr", "0.75").rows[0].value == 0.75
    assert rc.check(*baskets, "mrr", "rankconv").metrics == ["mrr"]
    kinds = "baskets, 'user: item, item' (.basket); "
    for given in (5.0, tmp_path / "some.thing"):
        if isinstance(given, Path):
            given.write_text("hello\n")
        with pytest.raises(rc.InputError) as error:
            rc.Labels(given)
        assert kinds in str(error.value)


def test_a_line_that_a_format_cannot_read_is_told_with_its_file(tmp_path: Path) -> None:
    rc.load_plugin(FOLDER / "baskets.py")
    file = tmp_path / "bad.basket"
    file.write_text("ann: bread\nmilk\n")
    with pytest.raises(rc.InputError, match=r"bad\.basket, line 2: there is no colon\.$"):
        rc.Labels(file)
    file.write_bytes(b"ann: \xff\n")
    with pytest.raises(rc.InputError, match=r"bad\.basket"):
        rc.Labels(file)


def test_two_formats_cannot_share_an_ending_or_a_name() -> None:
    with pytest.raises(rc.ConventionError, match=r"files ending in \.csv are read already, as: CSV and TSV"):
        plugin.input_format("mine", endings=(".csv",))(lambda path, what: [])
    with pytest.raises(rc.ConventionError, match=r"nothing says which data are 'mine'"):
        plugin.input_format("mine")(lambda path, what: [])
    rc.load_plugin(FOLDER / "baskets.py")
    with pytest.raises(rc.ConventionError, match=r"is already read by .*baskets\.py"):
        plugin.input_format("baskets, 'user: item, item' (.basket)", endings=(".b",))(lambda path, what: [])


# a command


@pytest.mark.parametrize("before", [True, False])
def test_a_command_is_one_file(before: bool, tmp_path: Path) -> None:
    run = tmp_path / "run.json"
    run.write_text(json.dumps(RUN))
    plugin, asked = ["--plugin", FOLDER / "shelf.py"], ["shelf", run, "-k", "2"]
    # ad-1, a of ann, c and ad-2 of bob
    assert printed(*([*plugin, *asked] if before else [*asked, *plugin])) == "4 items in the first 2 ranks of 2 users"
    assert "How many different items stand" in printed(*plugin, "--help")
    told = printed(*([*plugin, "shelf", "-h"] if before else ["shelf", "-h", *plugin]))
    assert "Down to this rank." in told
    assert "--plugin" in told


def test_without_its_plugin_a_command_is_not_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "shelf" not in printed("--help")
    for words in (["shelf", "x"], ["shelf", "x", "--plugin", "gone.py"]):
        monkeypatch.setattr("sys.argv", ["rankconv", *words])
        with pytest.raises(SystemExit) as stop:
            main()
        assert stop.value.code == 2
    said = capsys.readouterr().err
    assert "'shelf' is not a command" in said
    assert "there is no plugin file gone.py" in said


def test_a_command_cannot_take_the_name_of_another(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from rankconv import plugin\n@plugin.command\ndef learning_curve() -> None: ...\n")
    with pytest.raises(rc.ConventionError, match=r"mine\.py: the command 'learning-curve' is already one of rankconv"):
        load_plugins([file])
    assert "learning-curve" not in COMMANDS


# a law: who asks for nothing of a plugin sees nothing of it


def all_numbers() -> dict[tuple[str, str], tuple[str, list[str], str]]:
    """Of every metric of some presets its mean, values and fingerprint."""
    found = {}
    labels = {**LABELS, "cem": {"e": 0}, "dan": {"a": 1}}
    run = {user: {item: 1 / (1 + rank // 2) for rank, item in enumerate(items)} for user, items in RUN.items()}
    joined = rc.join(labels, {**run, "eli": {"a": 1.0}}, seen={"ann": ["x"]}, catalogue=9)
    for owner in map(rc.preset, rc.list_presets(eras=True)[::8]):
        specs = [f"{key}@2" if owner.offers(f"{key}@2") else key for key in owner.metrics]
        result = rc.evaluate(joined, specs, owner, on_error="collect")
        for spec in result:
            values = [float(value).hex() for value in result[spec].per_user.tolist()]
            fingerprint = result.definition(spec).fingerprint
            found[owner.name, spec] = float(result[spec]).hex(), values, fingerprint
    return found


def test_who_asks_for_nothing_of_a_plugin_sees_nothing_of_it(load: Callable[[Case], Path]) -> None:
    before = all_numbers()
    old = rc.metric("trec_eval:ndcg@3")
    for one in CASES.values():
        load(one)
    after = all_numbers()
    assert len(before) > 80
    assert {key: after[key] for key in before} == before
    new = rc.metric("trec_eval:ndcg@3")
    assert (old, hash(old), old.diff(new)) == (new, hash(new), {})
    assert old.settings == new.settings
    assert old.settings["adverts"] == "kept"
    assert (
        old.replace(adverts="removed")(LABELS, RUN) == new.replace(adverts="removed")(LABELS, RUN) != old(LABELS, RUN)
    )


def number_of(definition: bytes) -> float:
    """In another process."""
    return float(pickle.loads(definition)(LABELS, RUN))


def test_in_another_process_it_is_the_same(load: Callable[[Case], Path]) -> None:
    load(CASES["step of preparation"])
    load(CASES["special case"])
    definition = rc.metric("precision(adverts=removed, single-label=0.25)@3")
    sent = pickle.dumps(definition)
    assert pickle.loads(sent) == definition
    assert b"adverts" not in pickle.dumps(rc.metric("precision@3").preparation)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as workers:
        assert workers.submit(number_of, sent).result(120) == pytest.approx((2 / 3 + 0.25) / 2, rel=1e-15)


# what cannot be registered


def test_a_step_needs_a_neutral_setting_and_a_place() -> None:
    convention = plugin.Convention("wished", "What is wished for?", reads=("block",))
    with pytest.raises(rc.ConventionError, match="the convention 'wished' has no neutral setting"):
        plugin.preparation_step(convention, after="exclude")
    convention = plugin.Convention("wished", "What is wished for?", reads=("block",), neutral="nothing")
    with pytest.raises(rc.ConventionError, match="'nothing' is not a known setting of 'wished'"):
        plugin.preparation_step(convention, after="exclude")
    convention.setting("nothing", rule="nothing")(lambda block: None)
    with pytest.raises(rc.ConventionError, match=r"'excludee' is not a step of preparation.* Did you mean 'exclude'"):
        plugin.preparation_step(convention, after="excludee")
    with pytest.raises(rc.ConventionError, match=r"'no-label' is not a policy for users\..* 'on-no-labels'"):
        plugin.special_case("mine", "is mine", after="no-label")
    with pytest.raises(rc.ConventionError, match=r"'no-row-at-all' is not a policy for the data.* 'on-no-rows-at-all'"):
        plugin.data_case("mine", "it is mine", after="no-row-at-all")
    with pytest.raises(rc.ConventionError, match="the convention 'on-no-ranking' is already the convention"):
        plugin.data_case("on-no-ranking", "it is mine")(lambda situation: situation.block.lengths)
    assert "wished" not in rc.metric("mrr").settings


def test_a_step_stands_where_it_says(tmp_path: Path) -> None:
    """Before the order is made an advert is first; behind it, the first of the list as it is prepared is dropped."""
    text = """
import numpy as np
import rankconv as rc
from rankconv import plugin
from rankconv.data.arrays import within
for place in ("exclude", "order"):
    name = f"first-behind-{place}"
    convention = plugin.Convention(name, "What of the first?", reads=("block",), neutral="kept")
    convention.setting("kept", rule="kept")(lambda block: None)
    convention.setting("dropped", rule="dropped")(lambda block: block.rows.take(within(block.rows.user) > 0))
    plugin.preparation_step(convention, after=place)
"""
    (tmp_path / "firsts.py").write_text(text)
    rc.load_plugin(tmp_path / "firsts.py")
    run = [("u", "low", 1.0), ("u", "high", 3.0), ("u", "middle", 2.0)]
    joined = rc.join({"u": ["low", "high", "middle"]}, rc.Run({"u": [one[1:] for one in run]}))
    for place, first in (("exclude", "high"), ("order", "middle")):
        found = rc.explain(joined, f"mrr(first-behind-{place}=dropped, order=score)", user="u", preset="rankconv")
        assert next(row.item for row in found.prepared.rows) == first
