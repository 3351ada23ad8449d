"""The help of all commands and options: length, one meaning and one spelling everywhere, panels, old names."""

import inspect
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
import typer
from rich.cells import cell_len
from typer.testing import CliRunner

import rankconv as rc
from rankconv.basics.guessed_names import OF_COMMANDS
from rankconv.cli import options as o
from rankconv.cli.app import _unfolded, app
from rankconv.cli.command_table import TABLE
from tests.cli.support import refused, run

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


@pytest.mark.parametrize("name", TABLE)
def test_sentences_are_whole_and_break_where_the_line_is_full(name: str) -> None:
    printed = CliRunner(env={"COLUMNS": "80"}).invoke(app, [name, "--help"]).stdout
    about = [line.strip() for line in printed.partition("╭")[0].splitlines()[3:]]
    paragraphs = [one.split("\n") for one in "\n".join(about).split("\n\n") if one.strip()]
    words = " ".join(line for lines in paragraphs for line in lines)
    assert words.split() == (inspect.getdoc(TABLE[name].function) or "").split()
    for lines in paragraphs:
        for line, following in pairwise(line for line in lines if line):
            assert len(line) + 1 + len(following.split()[0]) > 78, (line, following)
    command = COMMANDS[name]
    texts = [
        command.help,
        *(param.help for param in command.params),
        *(param.metavar or "" for param in command.params),
    ]
    assert printed.count("…") == sum(text.count("…") for text in texts)


def test_the_help_of_a_plugin_keeps_its_lists() -> None:
    listed = """Do it.

    One sentence that
    goes on.

    - first
    - second
    """
    assert _unfolded(listed) == "Do it.\n\nOne sentence that goes on.\n\n- first\n- second"


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


def test_an_unknown_command_is_refused_with_the_nearest() -> None:
    message = refused("evalute x")
    assert "'evalute' is not a command" in message
    assert "Did you mean 'evaluate'?" in message


def test_what_is_called_otherwise_elsewhere_is_named() -> None:
    assert "Write: rankconv test --leaderboard." in refused("leaderboard")
    for written in OF_COMMANDS.values():
        for command in written.split(", or rankconv "):
            assert command.split()[0] in TABLE


DATA_OPTIONS = "--column --plugin --quiet --seen --catalogue --train --item-features"
OPTIONS = {
    "evaluate": f"-m -p -k -u -q --digits --full --format --progress {DATA_OPTIONS}",
    "compare": f"-m -p -k -u --digits --format --progress {DATA_OPTIONS}",
    "check": f"-m -p -k --format {DATA_OPTIONS}",
    "explain": f"-m -p -k -u --format {DATA_OPTIONS}",
    "identify": f"-m -k -u --format --full --limit {DATA_OPTIONS}",
    "why": f"-m -p -k -u --digits --format {DATA_OPTIONS}",
    "sensitivity": f"-m -p -k -u --digits --format {DATA_OPTIONS}",
    "verify": "-m -k --format --quiet --column --plugin",
    "cite": "-m -p -k --format --plugin",
    "show": "-m -k --plugin",
    "list": "--all --format --plugin",
}


def test_the_same_options_everywhere() -> None:
    for name, words in OPTIONS.items():
        assert {*words.split()} <= {opt for param in COMMANDS[name].params for opt in param.opts}, name


def test_an_option_that_takes_one_value_is_given_once() -> None:
    single = [(name, one) for name, one in options() if not one.multiple and not one.is_flag]
    assert len(single) > 130
    for name, option in single:
        option_name = spelled(option)
        with pytest.raises(rc.MetricError, match=f"{option_name} takes one value, and 2 were given"):
            COMMANDS[name].parse_args(typer.Context(COMMANDS[name]), [option_name, "1", option_name, "2"])
    assert "For several presets: rankconv compare" in refused("evaluate l r -m map -p mllib -p blog")
    assert "--progress takes one value" in refused("compare --progress --no-progress")
    assert run("show --schema --schema").exit_code == 0


def test_short_names_version_and_completion() -> None:
    for words in ("", "compare", "list"):
        assert run(f"{words} -h").stdout == run(f"{words} --help").stdout
    assert run("--version").stdout.startswith("rankconv ")
    completed = {"_RANKCONV_COMPLETE": "complete_bash", "COMP_WORDS": "rankconv cu", "COMP_CWORD": "1"}
    assert CliRunner().invoke(app, [], prog_name="rankconv", env=completed).stdout.split() == ["curve"]
