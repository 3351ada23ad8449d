"""All commands together."""

import typer

from rankconv.cli.compare import compare
from rankconv.cli.evaluate import evaluate
from rankconv.cli.explain import explain
from rankconv.cli.presets import metrics, presets, schema, show
from rankconv.cli.reproduce import reproduce
from rankconv.cli.verify import verify

app = typer.Typer(
    help="Ranking metrics whose definitions are data.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (evaluate, compare, explain, verify, reproduce, show, presets, metrics, schema):
    app.command()(command)
