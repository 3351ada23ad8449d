"""`rankconv presets`: which presets there are, and whether each gives the numbers of its own checks."""

from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.options import Form, Format, Plugins
from rankconv.cli.printing import print_lines, print_page, print_table
from rankconv.errors import MetricError
from rankconv.plugins import command_after


@command_after("show")
def presets(
    name: Annotated[
        list[str] | None,
        typer.Argument(help="With --check: presets, YAML files of your own, or groups; all shipped ones without."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Run the checks that the presets' files hold.")] = False,
    form: Form = Format.table,
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """Which presets are there? With --check: does each give the numbers of its own checks? Exit code 1 if not."""
    from rankconv.ask.show.preset_list import presets_page, presets_table

    files.load(plugin)
    if check:
        _check(name or [], form)
    elif name:
        raise MetricError("names go with --check", do=f"See what a preset says with: rankconv show {name[0]}")
    elif form is Format.table:
        print_page(presets_page())
    else:
        print_table(presets_table(), form)


def _check(names: list[str], form: Format) -> None:
    from rankconv.ask.reproduce.preset_checks import checks_table, closing_line, run_checks, without_effect
    from rankconv.presets.groups import expand
    from rankconv.presets.registry import preset, list_presets

    asked = [preset(one) for name in names for one in expand(name)]
    found = list(run_checks(asked or list_presets()))
    shown = found if names or form in (Format.json, Format.csv) else [one for one in found if not one.ok]
    if shown or form is not Format.table:
        print_table(checks_table(shown), form)
    if form is Format.table:
        print_lines([f"{one.name}: {said}." for one in asked for said in without_effect(one)])
        print_lines([closing_line(found, len(asked or list_presets()))])
    if not all(one.ok for one in found):
        raise typer.Exit(1)
