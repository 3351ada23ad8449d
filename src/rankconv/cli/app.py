"""All commands together."""

import typer

from rankconv.cli.check import check
from rankconv.cli.cite import cite, from_fingerprint
from rankconv.cli.compare import compare
from rankconv.cli.evaluate import evaluate
from rankconv.cli.explain import explain
from rankconv.cli.identify import identify
from rankconv.cli.once import GivenOnce
from rankconv.cli.presets import metrics, presets, schema, show
from rankconv.cli.reproduce import reproduce
from rankconv.cli.sensitivity import sensitivity
from rankconv.cli.verify import verify
from rankconv.cli.why import why

app = typer.Typer(
    help="Ranking metrics whose definitions are data.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (
    evaluate,
    compare,
    check,
    explain,
    identify,
    why,
    sensitivity,
    cite,
    from_fingerprint,
    verify,
    reproduce,
    show,
    presets,
    metrics,
    schema,
):
    app.command(cls=GivenOnce)(command)
