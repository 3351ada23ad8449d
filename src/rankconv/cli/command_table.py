"""The table of commands: a command's module is imported only when the command is called."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from rankconv.basics.errors import ConventionError
from rankconv.basics.plugins import COMMANDS, load_plugin, place_of


class CommandEntry(NamedTuple):
    """A command in `rankconv --help`."""

    group: str
    place: str
    """`module:function` in this package."""
    help: str


EVALUATE, UNDERSTAND, LOOK_UP = "Evaluate", "Understand", "Look up"
EXPERIMENTS, VALIDATE, APP = "Experiments", "Validate", "App"

TABLE = {
    "evaluate": CommandEntry(EVALUATE, "evaluate_commands:evaluate", "Evaluate runs under one preset"),
    "compare": CommandEntry(EVALUATE, "compare_commands:compare", "Compare the values of runs under several presets"),
    "test": CommandEntry(
        EVALUATE, "evaluate_commands:significance", "Test the differences between runs for significance"
    ),
    "gate": CommandEntry(EVALUATE, "evaluate_commands:gate", "Decide whether a run is good enough for a build to pass"),
    "report": CommandEntry(EVALUATE, "compare_commands:report", "Write a report on runs as one HTML page"),
    "check": CommandEntry(UNDERSTAND, "understand:check", "Check labels and a run for problems that change metrics"),
    "explain": CommandEntry(UNDERSTAND, "understand:explain", "Explain the value of one user, step by step"),
    "why": CommandEntry(UNDERSTAND, "understand:why", "Attribute the difference of two values to conventions"),
    "identify": CommandEntry(UNDERSTAND, "understand:identify", "Identify the definitions that give a printed number"),
    "sensitivity": CommandEntry(
        UNDERSTAND, "understand:sensitivity", "Measure how far a value depends on its definition"
    ),
    "similarity": CommandEntry(
        UNDERSTAND, "understand:similarity", "Compute the similarity of the rankings of two runs"
    ),
    "list": CommandEntry(LOOK_UP, "lookup:list_", "List presets, metrics, conventions or protocols"),
    "show": CommandEntry(LOOK_UP, "lookup:show", "Show a preset, metric, convention, protocol, fingerprint"),
    "cite": CommandEntry(LOOK_UP, "lookup:cite", "Cite definitions in words and formulas, with sources"),
    "split": CommandEntry(EXPERIMENTS, "addons:split", "Split ratings into training data and labels"),
    "learning-curve": CommandEntry(EXPERIMENTS, "addons:learning_curve", "Evaluate recommenders after 1, 2, … ratings"),
    "curve": CommandEntry(EXPERIMENTS, "compare_commands:curve", "Compute a metric by cutoff, or precision by recall"),
    "verify": CommandEntry(VALIDATE, "addons:verify", "Verify an installed library against its preset"),
    "conform": CommandEntry(VALIDATE, "addons:conform", "Identify the definitions that another program implements"),
    "reproduce": CommandEntry(VALIDATE, "understand:reproduce", "Reproduce the numbers of a printed source"),
    "serve": CommandEntry(APP, "addons:serve", "Serve the playground to a browser on this machine"),
}


def load(name: str) -> Callable[..., None]:
    """Import the function of a command."""
    module, _, function = TABLE[name].place.partition(":")
    found: Callable[..., None] = getattr(import_module(f"rankconv.cli.commands.{module}"), function)
    return found


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
