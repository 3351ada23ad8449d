"""`rankconv rating-errors`: RMSE and MAE of predicted ratings."""

from pathlib import Path
from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.options import Columns, Digits, Form, Format, Plugins, Quiet
from rankconv.cli.printing import print_json, print_table
from rankconv.plugins import command_after


@command_after("learning-curve")
def rating_errors(
    labels: Annotated[Path, typer.Argument(help="Ratings that users gave: a file of any kind that is read.")],
    predictions: Annotated[Path, typer.Argument(help="Predicted ratings, as the scores of a run.")],
    missing: Annotated[str, typer.Option(help="Of a rating that nobody predicted: error or skip.")] = "error",
    form: Form = Format.table,
    digits: Digits = 4,
    quiet: Quiet = False,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """How far are predicted ratings from those given? RMSE and MAE, which are no ranking metrics."""
    from dataclasses import asdict
    from typing import Any, cast

    from rankconv.ask.rating_errors.rating_errors import NOTE, rating_errors

    files.load(plugin)
    known, run = files.labels(labels, column, quiet), files.rankings(predictions, column, quiet=quiet)
    found = rating_errors(known, run, cast("Any", missing))
    if form is Format.json:
        print_json({**asdict(found), "ranking_metrics": False, "note": NOTE})
    else:
        print_table(found.table(digits), form)
