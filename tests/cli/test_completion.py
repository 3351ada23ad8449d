"""What a shell completes, asked for as the shells do it."""

import subprocess
import sys
from collections.abc import Callable

import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli.app import app

Completed = Callable[[str], list[str]]


def of_fish(line: str) -> list[str]:
    """The words that fish shows for a line, with what it shows next to them."""
    asked = {
        "_RANKCONV_COMPLETE": "complete_fish",
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = CliRunner().invoke(app, [], prog_name="rankconv", env=asked)
    assert not done.stderr
    return done.stdout.splitlines()


def words(line: str) -> list[str]:
    """The words alone."""
    return [one.partition("\t")[0] for one in of_fish(f"rankconv {line}")]


def test_bash_is_answered_in_its_protocol() -> None:
    asked = {"_RANKCONV_COMPLETE": "complete_bash", "COMP_WORDS": "rankconv compare l r -p mllib", "COMP_CWORD": "5"}
    done = CliRunner().invoke(app, [], prog_name="rankconv", env=asked)
    assert done.stdout.split() == [one for one in rc.list_presets() if one.startswith("mllib")]


def test_zsh_is_answered_in_its_protocol() -> None:
    asked = {"_RANKCONV_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "rankconv reproduce bel"}
    done = CliRunner().invoke(app, [], prog_name="rankconv", env=asked)
    assert '"bellei2017"' in done.stdout


@pytest.mark.parametrize("option", ["compare l r -p ", "explain --against ", "compare l r -p ranx,", "why "])
def test_presets_are_completed(option: str) -> None:
    found = {one.rpartition(",")[2] for one in words(option)}
    assert {*rc.list_presets(collections=True), "all", "recommender", "search"} <= found
    assert {*words(f"{option}torchmetrics@")} == {
        f"{option.rpartition(' ')[2]}{one}" for one in rc.list_presets(eras=True) if one.startswith("torchmetrics@")
    }


def test_a_line_of_help_is_one_line() -> None:
    lines = of_fish("rankconv compare l r -p ")
    assert len(lines) == len({*lines}) > 200
    assert all("\t" in line for line in lines)
    assert f"mllib\t{rc.preset('mllib').file.title}" in lines


def test_metrics_are_completed() -> None:
    default = {*rc.preset("rankconv").metrics, *rc.list_metrics()}
    assert {*words("evaluate l r -m ")} == {*words("compare l r -m ")} == default
    assert words("evaluate l r -m mllib:n") == ["mllib:ndcg"]
    assert words("evaluate l r -m map,nd") == ["map,ndcg", "map,ndcg_rel"]
    own = {*rc.preset("wikipedia").metrics}
    assert {*words("compare l r -p wikipedia -m ")} == own | {*rc.list_metrics()}


@pytest.mark.parametrize("owner", ["", "mllib:"])
def test_conventions_and_settings_are_completed(owner: str) -> None:
    head = f"{owner}ndcg(gain=linear,"
    conventions = rc.metric(f"{owner}ndcg@10").conventions
    found = words(f"evaluate l r -m {head}")
    assert found == [f"{head}{name}=" for name in conventions]
    [gain] = of_fish(f"rankconv evaluate l r -m {owner}ndcg(gai")
    assert gain.split("\t") == [f"{owner}ndcg(gain=", conventions["gain"].description]
    settings = words(f"evaluate l r -m {head}ties=")
    assert {f"{head}ties={text}" for text in ("given", "expected")} <= {*settings}
    assert not [one for one in settings if "…" in one or " " in one]


def test_a_completed_definition_can_be_evaluated() -> None:
    [start] = words("evaluate l r -m precision(precision-den")
    for setting in ("k", "length", "relevant"):
        assert f"{start}{setting}" in words(f"evaluate l r -m {start}{setting[0]}")
        assert rc.metric(f"{start}{setting})@5").settings["precision-denominator"] == setting


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("show tie", ["ties"]),
        ("show protocol:fa", ["protocol:fastml"]),
        ("cite protocol:fa", ["protocol:fastml"]),
        ("learning-curve ratings.csv --protocol fa", ["fastml"]),
        ("verify skl", ["sklearn"]),
        ("similarity a b -m ken", ["kendall"]),
        ("list pre", ["presets"]),
    ],
)
def test_other_names_are_completed(line: str, expected: list[str]) -> None:
    assert words(line) == expected


@pytest.mark.parametrize("word", ["nonsense(ga", "a:b:c(d=", "nonsense:nd", "ndcg(nonsense=", "ndcg(gain=linear)@"])
def test_what_is_not_known_completes_nothing(word: str) -> None:
    assert not any(words(f"evaluate l r -m {word}"))


def test_a_command_that_completes_nothing_imports_no_lists() -> None:
    code = "import sys, rankconv.cli.app; print(*(n for n in sys.modules if n.startswith('rankconv.')))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "rankconv.cli.completion" in found
    assert not {"rankconv.presets.preset_registry", "rankconv.metrics.families", "rankconv.addons.similarity"} & {
        *found
    }
