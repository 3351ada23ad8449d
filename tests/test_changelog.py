"""The changelog of the first release: what it counts and lists is what there is."""

import importlib
import re
import tomllib
from pathlib import Path

import pytest

import rankconv.compat
from rankconv.cli.command_table import TABLE

ROOT = Path(__file__).parents[1]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
SYSTEMS = (ROOT / "docs/reference/systems.md").read_text("utf-8")
NUMBERS = ("six", "seven", "eight", "nine", "ten")
FOR_DEVELOPERS = {"docs", "examples", "lint", "test"}
"""Extras of a checkout."""


def part(heading: str) -> str:
    """The text under a heading in bold."""
    return CHANGELOG.partition(f"**{heading}**")[2].partition("\n**")[0]


def names(text: str) -> set[str]:
    return {*re.findall(r"`([^`]+)`", text)}


def test_the_number_of_systems() -> None:
    table = SYSTEMS.partition("| --- |")[2].partition("<!--")[0]
    count = len(re.findall(r"^\| [^-]", table, re.MULTILINE))
    assert f"Presets of {count} systems" in CHANGELOG
    assert f"[the {count} systems]" in (ROOT / "README.md").read_text("utf-8")


def test_each_command_and_no_other() -> None:
    pytest.importorskip("typer")
    importlib.import_module("rankconv.cli.app")  # fills it
    assert {name for name in names(part("Commands and functions")) if not name.startswith("-")} == {*TABLE}


def test_each_extra_and_no_other() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    listed = part("Package").partition("Extras:")[2].partition(".")[0]
    assert names(listed) == {*extras} - FOR_DEVELOPERS


def test_the_number_of_libraries_with_functions_of_ours() -> None:
    helpers = {"__init__", "guesses", "queries"}
    modules = {path.stem for path in Path(rankconv.compat.__file__).parent.glob("*.py")} - helpers
    assert f"the functions of {NUMBERS[len(modules) - 6]} libraries" in part("Integration")


def test_it_has_what_users_get_and_no_names_of_before() -> None:
    first = CHANGELOG.partition("## [1.0.0]")[2]
    assert re.findall(r"^### (\w+)", first, re.MULTILINE) == ["Added"]
    assert "→" not in first
