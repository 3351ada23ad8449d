"""A preset's own checks, run by the package and on the command line."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.analysis.reproduce.checks import closing_line, run_checks
from rankconv.cli.app import app

MINE = """
name: mine
title: A test
extends: base
metrics: {ndcg: }
checks:
"""
DATA = "rankings: {u: [a, b, c]}, labels: {u: {a: 0, b: 2, c: 1}}"
NDCG = "(2/log2(3) + 1/2) / (2 + 1/log2(3))"


def mine(tmp_path: Path, *checks: str) -> str:
    file = tmp_path / "mine.yaml"
    file.write_text(MINE + "".join(f"- {{{DATA}, {check}}}\n" for check in checks))
    return str(file)


@pytest.mark.parametrize(
    ("check", "ok", "why"),
    [
        (f"metric: ndcg@3, value: '{NDCG}'", True, ""),
        (f"metric: ndcg@3, value: '{NDCG}', user: u", True, ""),
        ("metric: ndcg@3, value: '0.67', printed: true", True, ""),
        ("metric: ndcg@3, value: '0.66', printed: true", False, ""),
        ("metric: ndcg@3, value: '0.67'", False, ""),
        ("metric: ndcg@3, value: 'nan'", False, ""),
        ("metric: ndcg@3, value: 'two thirds'", False, "'two thirds' is no number or sum"),
        ("metric: ndcg@3, value: '1', user: v", False, "there is no user 'v' in the check"),
        ("metric: 'ndcg@1,2', value: '1'", False, "has several cutoffs"),
        ("metric: map@3, value: '1'", False, "mine does not offer map"),
        ("metric: ndcg(exclude=seen)@3, value: '1'", False, "seen"),
    ],
)
def test_a_check_agrees_or_says_why_not(tmp_path: Path, check: str, ok: bool, why: str) -> None:
    [found] = run_checks([mine(tmp_path, check)])
    assert found.ok is ok
    assert why in found.why if why else not found.why


def test_the_shipped_presets_agree_as_the_command_says() -> None:
    done = CliRunner().invoke(app, ["show", "--check"])
    assert done.exit_code == 0
    shown = map(rc.preset, rc.list_presets(eras=True))
    checks = sum(len(one.checks) + sum(claim.check is not None for claim in one.file.says) for one in shown)
    presets = len(rc.list_presets(eras=True))
    assert done.stdout == f"{presets} of {presets} presets are valid. {checks} checks: all agree.\n"


def test_a_preset_by_name_shows_each_check() -> None:
    done = CliRunner().invoke(app, ["show", "--check", "mllib", "--format", "csv"])
    assert done.exit_code == 0
    preset = rc.preset("mllib")
    claims = [one for one in preset.file.says if one.check]
    assert len(done.stdout.splitlines()) == 1 + len(preset.checks) + len(claims)
    assert done.stdout.startswith("preset,metric,user,expected,found,check\nmllib,")


def test_one_that_fails_ends_with_1(tmp_path: Path) -> None:
    file = mine(tmp_path, f"metric: ndcg@3, value: '{NDCG}'", "metric: ndcg@3, value: '0.7'", "metric: map, value: '1'")
    done = CliRunner().invoke(app, ["show", "--check", file])
    assert done.exit_code == 1
    assert "0.66967181649423" in done.stdout
    assert "mine, map: mine does not offer map" in done.stdout
    assert done.stdout.endswith("The preset is valid. 3 checks: 2 fail.\n")


def test_a_protocol_is_checked_too() -> None:
    done = CliRunner().invoke(app, ["show", "--check", "protocol:fastml"])
    assert (done.exit_code, done.stdout) == (0, "protocol:fastml: the protocol fastml is valid.\n")


# presets that cannot be read


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    head = "title: t\ngroup: own\nextends: base\n"
    (folder / "plugged.yaml").write_text(f"name: plugged\n{head}metrics: {{ndcg: {{gain: of_a_plugin}}}}\n")
    (folder / "metric.yaml").write_text(f"name: metric\n{head}metrics: {{xyzzy: }}\n")
    (folder / "torn.yaml").write_text("name: torn\ntitle: [t\nextends: base\n")
    (folder / "sound.yaml").write_text(f"name: sound\n{head}metrics: {{ndcg: }}\n")
    monkeypatch.setenv("RANKCONV_PRESETS", str(folder))
    return folder


@pytest.mark.usefixtures("broken")
def test_a_preset_that_cannot_be_read_breaks_only_itself() -> None:
    said = r"the preset '\w+' is left out: .*\.yaml, line \d: "
    with pytest.warns(UserWarning, match=said) as warned:
        found = rc.compare({"u": ["a"]}, {"u": ["a"]}, "ndcg@3", "own")
    assert found.presets == ["sound"]
    assert len(warned) == 3
    [plugged] = [str(one.message) for one in warned if "plugged" in str(one.message)]
    assert plugged.endswith(
        "'of_a_plugin' is not a gain. Correct it, or load the plugin that adds it with --plugin FILE."
    )
    with pytest.warns(UserWarning, match=said):
        assert rc.from_fingerprint("803ba240")[0].text == "mllib:ndcg@10"
    listed = CliRunner().invoke(app, ["list", "presets", "--format", "csv"]).stdout
    assert ',torn,,"cannot be read: ' in listed
    assert ",plugged,,t\n" in listed


@pytest.mark.usefixtures("broken")
def test_asked_for_alone_it_names_the_option() -> None:
    for name in ("plugged", "metric"):
        with pytest.raises(rc.ConventionError, match=r"is not a.*If a plugin adds it, load that: --plugin FILE"):
            rc.preset(name)


@pytest.mark.usefixtures("broken")
def test_a_preset_that_cannot_be_read_is_a_check_that_fails() -> None:
    names = ["plugged", "metric", "torn", "sound"]
    found = list(run_checks(names))
    assert [one.preset for one in found if not one.ok] == names[:3]
    assert closing_line(found, len(names)).startswith("1 of 4 presets are valid. ")
