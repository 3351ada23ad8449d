"""An option that takes one value is given once, in every command."""

from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli import app

GROUP: Any = typer.main.get_command(app)
COMMANDS = {name: GROUP.get_command(typer.Context(GROUP), name) for name in GROUP.list_commands(typer.Context(GROUP))}
SINGLE = [
    pytest.param(name, max(option.opts, key=len), id=f"{name}{max(option.opts, key=len)}")
    for name, command in COMMANDS.items()
    for option in command.params
    if option.param_type_name == "option" and not option.multiple and not option.is_flag
]


@pytest.mark.parametrize(("command", "option"), SINGLE)
def test_a_second_value_is_refused(command: str, option: str) -> None:
    with pytest.raises(rc.MetricError, match=f"{option} takes one value, and 2 were given"):
        CliRunner().invoke(app, [command, option, "1", option, "2"], catch_exceptions=False)


def test_for_several_presets_there_is_a_command() -> None:
    with pytest.raises(rc.MetricError, match="For several presets: rankconv compare"):
        CliRunner().invoke(
            app, ["evaluate", "l", "r", "-m", "map", "-p", "mllib", "-p", "blog"], catch_exceptions=False
        )


def test_yes_and_no_together_are_refused_and_a_flag_may_be_repeated() -> None:
    with pytest.raises(rc.MetricError, match="--progress takes one value"):
        CliRunner().invoke(app, ["compare", "--progress", "--no-progress"], catch_exceptions=False)
    assert CliRunner().invoke(app, ["show", "--schema", "--schema"]).exit_code == 0
