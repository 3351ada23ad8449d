"""The help of all commands and options: length, one meaning and one spelling everywhere, panels, old names."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from rich.cells import cell_len
from typer.testing import CliRunner

from rankconv.cli import app, main
from rankconv.cli import options as o
from rankconv.cli.commands import REPLACED, TABLE

GROUP: Any = typer.main.get_command(app)
COMMANDS = {name: GROUP.get_command(typer.Context(GROUP), name) for name in TABLE}
GROUPS = ["Evaluate", "Understand", "Look up", "Experiments", "Validate", "App"]
PANELS = {o.DATA, o.METRICS, o.OUTPUT, o.ADVANCED}
CONVENTION = re.compile(r"\?|^(What|Which|How|Of|Does|Is|On)\b")
OLD = {
    "told",
    "asked",
    "stands",
    "stand",
    "beside",
    "apart",
    "whom",
    "behind",
    "unless said",
    "known",
    "missed",
    "lists",
}
"""Words that help does not use."""
MOST = 21 + 3
"""Commands, with the three that are to come."""


def options() -> Iterator[tuple[str, Any]]:
    for name, command in COMMANDS.items():
        yield from ((name, param) for param in command.params if param.param_type_name == "option")


def spelled(option: Any) -> str:
    """The long name, or the only one."""
    return max(option.opts, key=len)


def meaning(option: Any) -> str:
    """The help without what depends on a command: its default, allowed forms, and whether it may be repeated."""
    return re.split(r"[:;]| \(", option.help)[0]


def test_every_line_of_the_list_is_whole_at_80_columns() -> None:
    printed = CliRunner(env={"COLUMNS": "80"}).invoke(app, ["--help"]).stdout
    assert max(map(cell_len, printed.splitlines())) <= 80
    assert "…" not in printed.replace("1, 2, …", "")
    for name, entry in TABLE.items():
        assert re.search(rf"│ {name} +{re.escape(entry.help)} +│", printed), name
    assert [group for group in re.findall(r"─ ([\w ]+?) ─", printed) if group in GROUPS] == GROUPS
    assert len(TABLE) <= MOST


@pytest.mark.parametrize("name", TABLE)
def test_a_help_line_begins_with_its_verb_and_is_no_convention(name: str) -> None:
    first = COMMANDS[name].help.partition("\n")[0]
    assert first.split()[0] == TABLE[name].help.split()[0]
    for text in (TABLE[name].help, COMMANDS[name].help):
        assert not CONVENTION.search(text), text
        assert not {word.strip(".,;:") for word in text.casefold().split()} & OLD, text
    assert not TABLE[name].help.endswith(".")
    printed = CliRunner(env={"COLUMNS": "80"}).invoke(app, [name, "--help"]).stdout
    assert max(map(cell_len, printed.splitlines())) <= 80


def test_the_help_of_options_is_short_and_in_panels() -> None:
    for name, option in options():
        assert len(option.help) <= 60, (name, spelled(option), len(option.help))
        assert option.help[0].isupper(), (name, option.help)
        assert not option.help.endswith("."), (name, option.help)
        assert not CONVENTION.search(option.help), (name, option.help)
        assert not {word.strip(".,;:") for word in option.help.casefold().split()} & OLD, (name, option.help)
        assert option.rich_help_panel in PANELS, (name, spelled(option))


def test_an_option_has_one_meaning_and_one_spelling() -> None:
    meanings: dict[str, set[str]] = {}
    spellings: dict[str, set[tuple[str, ...]]] = {}
    for _, option in options():
        meanings.setdefault(spelled(option), set()).add(meaning(option))
        for spelling in option.opts:
            spellings.setdefault(spelling, set()).add(tuple(option.opts))
    assert {name: found for name, found in meanings.items() if len(found) > 1} == {}
    assert {name: found for name, found in spellings.items() if len(found) > 1} == {}
    by_meaning: dict[str, set[str]] = {}
    for name, found in meanings.items():
        by_meaning.setdefault(min(found), set()).add(name)
    assert {text: names for text, names in by_meaning.items() if len(names) > 1} == {}


@pytest.mark.parametrize("name", TABLE)
def test_options_are_in_one_order(name: str) -> None:
    places = [o.ORDER.index(spelled(option)) for command, option in options() if command == name]
    assert places == sorted(places)


def test_every_option_is_used() -> None:
    assert {spelled(option) for _, option in options()} == set(o.ORDER)


@pytest.mark.parametrize(
    ("name", "said"),
    [*((old, f"Type: rankconv {new}") for old, new in REPLACED.items()), ("evalute", "Did you mean 'evaluate'?")],
)
def test_an_unknown_command_is_refused_with_the_one_to_type(
    name: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["rankconv", name, "x"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    message = capsys.readouterr().err
    assert f"'{name}' is not a command" in message
    assert said in message
    if name in REPLACED:
        assert REPLACED[name].split()[0] in TABLE
