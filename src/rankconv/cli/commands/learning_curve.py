"""`rankconv learning-curve`: how good lists are after 1, 2, … ratings of a user."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs
from rankconv.cli.commands.split import Protocol, Seed
from rankconv.cli.options import Columns, Cutoffs, Digits, Form, Format, Metrics, Plugins, Progress, Quiet
from rankconv.cli.printing import print_json, print_page
from rankconv.errors import InputError
from rankconv.plugins import command_after


@command_after("split")
def learning_curve(
    ratings: Annotated[Path, typer.Argument(help="Ratings: user, item, rating and time, in a file of any kind.")],
    recommender: Annotated[
        list[str],
        typer.Option(
            "--recommender", "-r", help="popularity, item-item, implicit-als …, or my_models.py:als; may be repeated."
        ),
    ] = [],  # noqa: B006
    metric: Metrics = [],  # noqa: B006
    preset: Annotated[
        list[str], typer.Option("-p", "--preset", help="Whose definitions of the metrics; may be repeated.")
    ] = [],  # noqa: B006
    protocol: Protocol = "fastml",
    seed: Seed = 0,
    rows: Annotated[
        Path | None,
        typer.Option(
            help="A folder where lists are kept, and gone on from; without --recommender, lists to be judged."
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes side by side; the numbers are the same.")] = 1,
    keep_going: Annotated[bool, typer.Option("--keep-going", help="Count faults of recommenders, and go on.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the curves into this SVG or PNG file.")] = None,
    draws: Annotated[int, typer.Option(min=100, help="Draws of users, for bands and intervals.")] = 1000,
    form: Form = Format.table,
    digits: Digits = 4,
    k: Cutoffs = "",
    quiet: Quiet = False,
    progress: Progress = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """How good are recommendations after 1, 2, … ratings of a user? The protocol says who is asked what."""
    import rankconv as rc
    from rankconv import protocols
    from rankconv.protocols.presets import protocol as named

    if form not in (Format.table, Format.json, Format.csv):
        raise InputError(f"--format {form.value} is not for curves", allowed="Write --format table, json or csv")
    files.load(plugin)
    split = named(protocol).split(files.ratings(ratings, column, quiet), seed)
    asked = at_cutoffs(metric, k) or None
    more: dict[str, Any] = {"rows": rows, "jobs": jobs, "keep_going": keep_going, "draws": draws, "progress": progress}
    found = protocols.learning_curve(split, recommender or None, asked, preset or None, **more)
    if plot is not None:
        found.plot(plot)
    if form is Format.json:
        print_json(found.to_dict())
    elif form is Format.csv:
        print(found.to_frame().write_csv(), end="")
    else:
        print_page(found.page(digits))
