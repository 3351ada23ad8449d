"""`rankconv show`, `presets`, `metrics` and `schema`: what there is, and what it says."""

from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.options import Form, Format, Metrics, Plugins
from rankconv.cli.printing import print_json, print_lines, print_table
from rankconv.report.terminal import terminal_width


def show(
    name: Annotated[str, typer.Argument(help="A preset: its name or its YAML file.")],
    against: Annotated[
        str | None, typer.Option(help="Show only the answers in which it differs from this preset.")
    ] = None,
    metric: Metrics = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """What does a preset say? With -m: every answer behind one metric. With --against: only the differences."""
    from rankconv.presets.registry import neutral_answers, preset
    from rankconv.report import preset_pages

    files.load(plugin)
    owner, width = preset(name), terminal_width()
    if against:
        keys = [definition.key for text in metric for definition in owner.define(text)]
        print_lines(preset_pages.difference_page(owner, preset(against), keys, width))
        return
    for text in metric:
        for definition in owner.define(text):
            print_lines(preset_pages.definition_page(definition, definition.fingerprint_over(neutral_answers()), width))
    if not metric:
        print_lines(preset_pages.preset_page(owner, width))


def presets(form: Form = Format.table) -> None:
    """Which presets are there?"""
    from rankconv.report.preset_list import presets_lines, presets_table

    if form is Format.table:
        print_lines(presets_lines(terminal_width()))
    else:
        print_table(presets_table(), form)


def metrics(form: Form = Format.table, plugin: Plugins = []) -> None:  # noqa: B006
    """Which metrics are there?"""
    from rankconv.report.preset_pages import metrics_table

    files.load(plugin)
    print_table(metrics_table(), form)


def schema(
    published: Annotated[bool, typer.Option("--published", help="Of files of published numbers.")] = False,
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """The JSON Schema of preset files, for editors; or that of files of published numbers."""
    from rankconv.presets.schema import preset_schema
    from rankconv.reproducing.schema import published_schema

    files.load(plugin)
    print_json(published_schema() if published else preset_schema())
