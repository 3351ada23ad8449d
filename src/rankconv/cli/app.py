"""The command line as a whole; which commands there are is found by `Commands`, those of plugins too."""

from pathlib import Path
from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.group import Commands

app = typer.Typer(
    cls=Commands,
    help="Ranking metrics whose definitions are data.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"rankconv {version('rankconv')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
    plugin: Annotated[
        list[Path],
        typer.Option(
            "--plugin", callback=files.load, is_eager=True, metavar="FILE", help="Run a Python file that adds commands."
        ),
    ] = [],  # noqa: B006
) -> None:
    """Ranking metrics whose definitions are data."""
