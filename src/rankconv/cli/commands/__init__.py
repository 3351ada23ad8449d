"""The table of commands: a command's module is imported only when the command is called."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from rankconv.errors import ConventionError
from rankconv.plugins import COMMANDS, load_plugin, place_of


class Entry(NamedTuple):
    """A command in `rankconv --help`."""

    group: str
    place: str
    """`module:function` in this package."""
    help: str


EVALUATE, UNDERSTAND, LOOK_UP = "Evaluate", "Understand", "Look up"
EXPERIMENTS, VALIDATE, APP = "Experiments", "Validate", "App"

TABLE = {
    "evaluate": Entry(EVALUATE, "evaluate:evaluate", "Evaluate runs under one preset"),
    "compare": Entry(EVALUATE, "compare:compare", "Compare the values of runs under several presets"),
    "test": Entry(EVALUATE, "evaluate:significance", "Test the differences between runs for significance"),
    "gate": Entry(EVALUATE, "evaluate:gate", "Decide whether a run is good enough for a build to pass"),
    "report": Entry(EVALUATE, "compare:report", "Write a report on runs as one HTML page"),
    "check": Entry(UNDERSTAND, "understand:check", "Check labels and a run for problems that change metrics"),
    "explain": Entry(UNDERSTAND, "understand:explain", "Explain the value of one user, step by step"),
    "why": Entry(UNDERSTAND, "understand:why", "Attribute the difference of two values to conventions"),
    "identify": Entry(UNDERSTAND, "understand:identify", "Identify the definitions that give a printed number"),
    "sensitivity": Entry(UNDERSTAND, "understand:sensitivity", "Measure how far a value depends on its definition"),
    "similarity": Entry(UNDERSTAND, "understand:similarity", "Compute the similarity of the rankings of two runs"),
    "list": Entry(LOOK_UP, "lookup:list_", "List presets, metrics, conventions or protocols"),
    "show": Entry(LOOK_UP, "lookup:show", "Show a preset, metric, convention, protocol, fingerprint"),
    "cite": Entry(LOOK_UP, "lookup:cite", "Cite definitions in words and formulas, with sources"),
    "split": Entry(EXPERIMENTS, "addons:split", "Split ratings into training data and labels"),
    "learning-curve": Entry(EXPERIMENTS, "addons:learning_curve", "Evaluate recommenders after 1, 2, … ratings"),
    "curve": Entry(EXPERIMENTS, "compare:curve", "Compute a metric by cutoff, or precision by recall"),
    "verify": Entry(VALIDATE, "addons:verify", "Verify an installed library against its preset"),
    "conform": Entry(VALIDATE, "addons:conform", "Identify the definitions that another program implements"),
    "reproduce": Entry(VALIDATE, "understand:reproduce", "Reproduce the numbers of a printed source"),
    "serve": Entry(APP, "addons:serve", "Serve the playground to a browser on this machine"),
}


def load(name: str) -> Callable[..., None]:
    """Import the function of a command."""
    module, _, function = TABLE[name].place.partition(":")
    found: Callable[..., None] = getattr(import_module(f"{__name__}.{module}"), function)
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
