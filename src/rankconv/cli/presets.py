"""`rankconv show`, `presets`, `metrics` and `schema`: what there is, and what it says."""

from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs
from rankconv.cli.options import Cutoffs, Form, Format, Metrics, Plugins
from rankconv.cli.printing import print_json, print_lines, print_page, print_table
from rankconv.errors import MetricError, not_among


def show(
    name: Annotated[str, typer.Argument(help="A preset: its name or its YAML file; or a question, such as known.")],
    against: Annotated[
        str | None, typer.Option(help="Show only the answers in which it differs from this preset.")
    ] = None,
    metric: Metrics = [],  # noqa: B006
    k: Cutoffs = "",
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """What does a preset say? With -m: every answer behind one metric. With --against: only the differences."""
    from rankconv.ask.show import preset_pages
    from rankconv.presets import definition as _registering
    from rankconv.presets.defining import define
    from rankconv.presets.folders import is_path
    from rankconv.presets.heads import likely_presets
    from rankconv.presets.registry import ALL_PRESETS, neutral_answers, preset, preset_names
    from rankconv.questions.choice import QUESTIONS

    assert _registering
    files.load(plugin)
    if not is_path(name) and name not in preset_names():
        if name not in QUESTIONS:
            raise not_among("preset or question", name, likely_presets(name, QUESTIONS), ALL_PRESETS)
        choices(name)
        return
    owner, metric = preset(name), at_cutoffs(metric, k)
    if against:
        keys = [definition.key for definition in define(metric, owner).values()] if metric else []
        print_page(preset_pages.difference_page(owner, preset(against), keys))
        return
    for definition in define(metric, owner).values() if metric else ():
        print_page(preset_pages.definition_page(definition, definition.fingerprint_over(neutral_answers())))
    if not metric:
        print_page(preset_pages.preset_page(owner))


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
    from rankconv.ask.reproduce.preset_checks import checks_table, closing_line, run_checks
    from rankconv.presets.groups import expand
    from rankconv.presets.registry import preset, preset_names

    presets = [preset(one) for name in names for one in expand(name)] or preset_names()
    found = list(run_checks(presets))
    shown = found if names or form in (Format.json, Format.csv) else [one for one in found if not one.ok]
    if shown or form is not Format.table:
        print_table(checks_table(shown), form)
    if form is Format.table:
        print_lines([closing_line(found, len(presets))])
    if not all(one.ok for one in found):
        raise typer.Exit(1)


def metrics(form: Form = Format.table, plugin: Plugins = []) -> None:  # noqa: B006
    """Which metrics are there?"""
    from rankconv.ask.show.preset_pages import metrics_table

    files.load(plugin)
    print_table(metrics_table(), form)


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
        print_page(choice_page(rc.choices[question], every=every))
    else:
        print_table(choice_table(rc.choices[question]), form)


def schema(
    published: Annotated[bool, typer.Option("--published", help="Of files of published numbers.")] = False,
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """The JSON Schema of preset files, for editors; or that of files of published numbers."""
    from rankconv.ask.reproduce.schema import published_schema
    from rankconv.presets.schema import preset_schema

    files.load(plugin)
    print_json(published_schema() if published else preset_schema())
