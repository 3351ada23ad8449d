"""`rankconv split`: ratings divided by a protocol, into files."""

from pathlib import Path
from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.options import Columns, Plugins, Quiet
from rankconv.cli.options import Format as Form
from rankconv.cli.printing import print_json, print_page
from rankconv.errors import InputError
from rankconv.plugins import command_after

Protocol = Annotated[
    str,
    typer.Option("--protocol", help="A protocol: its name or YAML file, also with answers: 'fastml(tested=everyone)'."),
]
Seed = Annotated[int, typer.Option(min=0, help="Of all that is drawn.")]
SMALL = (Form.table, Form.json)


@command_after("protocols")
def split(
    ratings: Annotated[Path, typer.Argument(help="Ratings: user, item, rating and time, in a file of any kind.")],
    to: Annotated[Path, typer.Option(help="The folder that the parts are written to.")],
    protocol: Protocol = "base",
    seed: Seed = 0,
    ending: Annotated[str, typer.Option("--as", help="The form of the parts: csv, parquet or jsonl.")] = "csv",
    force: Annotated[bool, typer.Option("--force", help="Overwrite what stands in the folder.")] = False,
    form: Annotated[Form, typer.Option("--format", help="How to print: table or json.")] = Form.table,
    quiet: Quiet = False,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """What trains, what is given, what is to be found? Writes train, given, labels and more, and split.json."""
    from rankconv.ask.show.split_page import split_page
    from rankconv.protocols.presets import protocol as named
    from rankconv.protocols.written import write

    if form not in SMALL:
        raise InputError(f"--format {form.value} is not for splits", allowed="Write --format table or json")
    files.load(plugin)
    chosen = named(protocol)
    made = chosen.split(files.ratings(ratings, column, quiet), seed)
    told = write(made, to, ending, force=force)
    if form is Form.json:
        print_json(told)
    elif not quiet:
        print_page(split_page(made, told["files"], str(to)))
