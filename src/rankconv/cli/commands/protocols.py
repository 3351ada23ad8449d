"""`rankconv protocols`: which protocols there are, and what they are asked."""

from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.options import Form, Format, Plugins
from rankconv.cli.printing import print_table
from rankconv.plugins import command_after


@command_after("presets")
def protocols(
    questions: Annotated[bool, typer.Option("--questions", help="The questions that each of them answers.")] = False,
    form: Form = Format.table,
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """Which protocols divide ratings, and what do they decide? One in words: rankconv show protocol:NAME."""
    from rankconv.ask.show.protocol_pages import protocol_questions, protocols_table

    files.load(plugin)
    print_table(protocol_questions() if questions else protocols_table(), form)
