"""The table of commands, which the functions in `rankconv.cli.commands` fill as they are imported."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from rankconv.basics.errors import ConventionError
from rankconv.basics.plugins import COMMANDS, load_plugin, place_of
from rankconv.basics.registries import Ordered

CommandFunction = Callable[..., None]


class Panel(StrEnum):
    """The panels of `rankconv --help`, in their order."""

    EVALUATE = "Evaluate"
    UNDERSTAND = "Understand"
    LOOK_UP = "Look up"
    EXPERIMENTS = "Experiments"
    VALIDATE = "Validate"
    APP = "App"


class CommandEntry(NamedTuple):
    """A command in `rankconv --help`."""

    panel: Panel
    help: str
    function: CommandFunction
    data_options: str
    """What its parameter `data` becomes, with blanks between them."""


SHARED = "column progress quiet plugin"
"""The data options of most commands."""
TABLE = Ordered[CommandEntry]("command")
"""The commands by name, each panel's in the order of its help."""


def command(
    panel: Panel, help: str, *, name: str = "", data: str = "", shared: str = SHARED, after: str = ""
) -> Callable[[CommandFunction], CommandFunction]:
    """Decorator: this function is a command; its name, with hyphens, is the command's, unless `name` is given.

    `help` is its line in `rankconv --help`, in its panel after the command of that name, or at the end. The parameter
    `data` of the function becomes the data options that `data` names, and the `shared` ones.
    """

    def register(function: CommandFunction) -> CommandFunction:
        entry = CommandEntry(panel, help, function, f"{data} {shared}")
        TABLE.put(name or function.__name__.replace("_", "-"), entry, after)
        return function

    return register


def load_plugins(plugins: Sequence[Path]) -> None:
    """Run plugin files, and refuse commands that take a name of ours."""
    for file in plugins:
        load_plugin(file)
    if plugins:
        check_names()


def check_names() -> None:
    """Raise a ConventionError where a plugin's command has a name of ours, and forget that command."""
    for name in COMMANDS.keys() & TABLE.keys():
        place = place_of(COMMANDS.pop(name).__module__)
        wrong = f"the command '{name}' is already one of rankconv"
        raise ConventionError(wrong, where=place, do="Give this command another name.")
