"""`--help --format json`: every command, with what its own help has."""

from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from rankconv.cli import options as o
from rankconv.cli.app import app
from rankconv.cli.command_table import TABLE, Panel
from rankconv.cli.help_as_data import CommandHelp, ProgramHelp

GROUP: Any = typer.main.get_command(app)
NO_DATA = {"report": "it writes a page", "serve": "it starts a server"}
"""Commands without JSON."""


def printed(*words: str) -> str:
    done = CliRunner().invoke(app, [*words])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def program() -> ProgramHelp:
    return ProgramHelp.model_validate_json(printed("--help", "--format", "json"))


def test_it_has_every_command_with_its_line_and_panel(program: ProgramHelp) -> None:
    assert {one.name: (one.panel, one.summary) for one in program.commands} == {
        name: (entry.panel, entry.help) for name, entry in TABLE.items()
    }
    assert [*dict.fromkeys(one.panel for one in program.commands)] == [*Panel]


@pytest.mark.parametrize("name", TABLE)
def test_it_has_every_parameter_of_a_command(name: str, program: ProgramHelp) -> None:
    [found] = [one for one in program.commands if one.name == name]
    command = GROUP.get_command(typer.Context(GROUP), name)
    of = lambda kind: {one.opts[-1] for one in command.params if one.param_type_name == kind}
    assert {one.names[0] for one in found.arguments} == of("argument")
    assert {spelling for one in found.options for spelling in one.names} >= of("option") - {"--help"}
    assert all(one.help for one in (*found.arguments, *found.options))
    assert CommandHelp.model_validate_json(printed(name, "--help", "--format=json")) == found


def test_types_defaults_and_choices_are_those_of_the_options(program: ProgramHelp) -> None:
    [gate] = [one for one in program.commands if one.name == "gate"]
    by_name = {one.names[-1]: one for one in gate.options}
    form, alpha, metric, confident = (by_name[one] for one in ("--format", "--alpha", "--metric", "--confident"))
    assert (form.type, form.default, form.choices) == ("choice", "text", [one.value for one in o.GateFormat])
    assert (alpha.type, alpha.default) == ("number", 0.05)
    assert (metric.type, metric.several, metric.default) == ("text", True, None)
    assert (confident.type, confident.default) == ("flag", False)
    assert [(one.names, one.type, one.required) for one in gate.arguments] == [
        (["labels"], "path", False),
        (["run"], "path", False),
    ]


def test_every_command_prints_json_but_two(program: ProgramHelp) -> None:
    with_json = {one.name for one in program.commands for each in one.options if "json" in each.choices}
    assert {one.name for one in program.commands} - with_json == {*NO_DATA}


def test_help_without_a_format_is_text() -> None:
    assert not printed("--help").startswith("{")
