"""The commands of rankconv, of which only the asked one is read, and those of plugins beside them.

A plugin may be named before the command, `rankconv --plugin FILE tally …`, or behind it, where other commands take it
too, `rankconv tally … --plugin FILE`. What installed packages offer is looked at where a command is not known, and for
the list of all commands.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from rankconv.cli import commands, files
from rankconv.cli.once import GivenOnce
from rankconv.cli.options import Plugins
from rankconv.cli.printing import say
from rankconv.errors import RankconvError
from rankconv.plugins import COMMANDS, load_installed


class Commands(TyperGroup):
    """All commands, in the order of their registry."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """The names of all commands; a package that cannot be loaded is said, and the others are listed."""
        commands.load_all()
        try:
            load_installed()
        except RankconvError as error:
            say(f"rankconv: {error}")
        self._build()
        return [name for name in COMMANDS if name in self.commands]

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # type: ignore[override]
        """The command that is asked for; plugins are looked at for one that rankconv does not have."""
        self._find(args)
        return super().resolve_command(ctx, args)

    def _find(self, args: list[str]) -> None:
        asked = args[0] if args else ""
        if asked in commands.names():
            commands.load(asked)
            self.commands[asked] = _built(asked, COMMANDS[asked])
            return
        files.load([*_plugins_in(args[1:])] if asked not in COMMANDS else [])
        if asked not in COMMANDS:
            commands.load_all()
            load_installed()
        self._build()

    def _build(self) -> None:
        for name in COMMANDS.keys() - self.commands.keys():
            self.commands[name] = _built(name, COMMANDS[name])


def _plugins_in(words: Sequence[str]) -> Iterator[Path]:
    """The files that `--plugin` names behind a command."""
    for place, word in enumerate(words):
        option, sign, value = word.partition("=")
        if option == "--plugin" and (sign or place + 1 < len(words)):
            yield Path(value if sign else words[place + 1])


def _built(name: str, function: Callable[..., None]) -> Any:
    """The command that a function is; that of a plugin takes `--plugin`, as those of rankconv do that need it."""
    ours = function.__module__.startswith(f"{commands.__name__}.")
    made = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    made.command(name, cls=GivenOnce)(function if ours else _taking_plugins(function))
    return typer.main.get_command(made)


def _taking_plugins(function: Callable[..., None]) -> Callable[..., None]:
    asked = inspect.signature(function, eval_str=True)
    if "plugin" in asked.parameters:
        return function

    @wraps(function)
    def run(plugin: list[Path], **given: Any) -> None:
        function(**given)

    option = inspect.Parameter("plugin", inspect.Parameter.KEYWORD_ONLY, default=[], annotation=Plugins)
    vars(run)["__signature__"] = asked.replace(parameters=[*asked.parameters.values(), option])
    return run
