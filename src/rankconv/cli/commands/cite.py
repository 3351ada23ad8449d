"""`rankconv cite`: a definition told to readers."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs
from rankconv.cli.commands.show import PROTOCOL
from rankconv.cli.options import Cutoffs, Metrics, Plugins
from rankconv.cli.printing import print_json, print_lines
from rankconv.errors import MetricError
from rankconv.pages.terminal import terminal_width
from rankconv.plugins import command_after


class Form(StrEnum):
    """How a definition is told."""

    text = "text"
    markdown = "markdown"
    latex = "latex"
    bibtex = "bibtex"
    json = "json"


@command_after("sensitivity")
def cite(
    named: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[METRIC]...",
            help="Metrics with their presets, such as mllib:ndcg@10; protocols, as protocol:fastml.",
        ),
    ] = None,
    metric: Metrics = [],  # noqa: B006
    k: Cutoffs = "",
    preset: Annotated[
        str, typer.Option("-p", "--preset", help="The preset of metrics that name none; a name or a YAML file.")
    ] = "rankconv",
    result: Annotated[
        Path | None, typer.Option(help="A saved result: tell its numbers, and the users behind them.")
    ] = None,
    short: Annotated[bool, typer.Option("--short", help="One line, to print next to the number.")] = False,
    form: Annotated[Form, typer.Option("--format", help="How to print.")] = Form.text,
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """How does a paper state a definition? In words, as a formula, with sources and fingerprint."""
    import rankconv as rc

    files.load(plugin)
    protocols = [one.removeprefix(PROTOCOL) for one in named or () if one.startswith(PROTOCOL)]
    metrics = at_cutoffs([*(one for one in named or () if not one.startswith(PROTOCOL)), *metric], k)
    if protocols:
        if form is Form.json and (metrics or result is not None):
            raise MetricError("--format json tells of protocols or of metrics", do="Ask for one after the other.")
        _protocols(protocols, form, short=short)
        if not metrics and result is None:
            return
    if not metrics and result is None:
        raise MetricError("no metric was asked for", do="Name one, such as mllib:ndcg@10, or a saved --result.")
    told = rc.Result.load(result).methods(*metrics) if result else rc.cite(metrics, preset)
    if short:
        print_lines([told.short])
    elif form is Form.json:
        print_json(told.to_dict())
    elif form is Form.text:
        print_lines([told.text(terminal_width())])
    else:
        print_lines([getattr(told, form.value)()])


def _protocols(names: list[str], form: Form, *, short: bool) -> None:
    """What a paper says of how ratings were divided."""
    from rankconv.protocols.presets import protocol

    told = [protocol(name).methods() for name in names]
    if short:
        print_lines([one.short for one in told])
    elif form is Form.json:
        print_json([one.to_dict() for one in told])
    elif form is Form.text:
        print_lines(["\n\n".join(one.text(terminal_width()) for one in told)])
    else:
        print_lines(["\n\n".join(getattr(one, form.value)() for one in told)])
