"""`rankconv choices`: on what systems differ."""

from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.options import Form, Format, Plugins
from rankconv.cli.printing import print_page, print_table
from rankconv.plugins import command_after


@command_after("metrics")
def choices(
    question: Annotated[str | None, typer.Argument(help="One question, such as gain or known; all without.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Name every preset that uses an answer.")] = False,
    form: Form = Format.table,
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """On what do systems differ? All questions; or the answers to one, with rule, parameters, source, who uses it."""
    import rankconv as rc
    from rankconv.ask.show.choice_pages import choice_page, choice_table, choices_table

    files.load(plugin)
    if question is None:
        print_table(choices_table(), form)
    elif form is Format.table:
        print_page(choice_page(rc.convention(question), every=every))
    else:
        print_table(choice_table(rc.convention(question)), form)
