"""`rankconv cite`: a definition told to readers."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs
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
        typer.Argument(metavar="[METRIC]...", help="Metrics with their presets, such as mllib:ndcg@10."),
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
    metrics = at_cutoffs([*(named or ()), *metric], k)
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
