"""`rankconv list`, `show` and `cite`: the names there are, all that is known of one, and the text for a paper."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Any

import typer

from rankconv.basics.errors import InputError, MetricError, RankconvError, not_among
from rankconv.cli import completion
from rankconv.cli import options as o
from rankconv.cli.command_table import Panel, command
from rankconv.cli.data_options import DataOptions, at_cutoffs
from rankconv.cli.printing import WRITERS, clock, print_json, print_lines, print_page, print_table, say
from rankconv.rendering.pages.display import PAGES, terminal_width
from rankconv.rendering.pages.page import Aside, Heading, Page, TextLine

PROTOCOL = "protocol:"
"""The prefix of a protocol where a preset has the same name."""
COMMON = 25
"""Conventions in the short list: those in which most systems depart from the neutral setting."""
NAMES = "Type a name, such as mllib, ndcg or gain; names are listed by: rankconv list presets, metrics or conventions."
"""What to do where no name is given."""
FEW = 12
"""Presets that are named without --all."""


class NameKind(StrEnum):
    """Kinds of names."""

    presets = "presets"
    metrics = "metrics"
    conventions = "conventions"
    protocols = "protocols"


@command(Panel.LOOK_UP, "List presets, metrics, conventions or protocols", name="list", shared="plugin")
def list_(
    kind: Annotated[NameKind, typer.Argument(metavar="KIND", help="Kind: presets, metrics, conventions or protocols")],
    word: Annotated[list[str] | None, typer.Argument(metavar="WORD", help="Words that a row must hold")] = None,
    form: o.FormOption = o.Format.text,
    every: o.AllOption = False,
) -> None:
    """List presets, metrics, conventions or protocols; with words, those whose row holds all of them."""
    from rankconv.analysis import lookup_data as data
    from rankconv.analysis import show as pages

    words = [one.casefold() for one in word or ()]
    if kind is NameKind.presets:
        _print_presets(_with_words(pages.presets_table(), words), form)
    elif kind is NameKind.metrics:
        _print_list(_with_words(pages.metrics_table(), words), data.listed_metrics, form)
    elif kind is NameKind.conventions:
        table = pages.conventions_table()
        chosen = _with_words(table if every or words else _common(table), words)
        _print_list(chosen, data.listed_conventions, form)
    else:
        _print_protocols(words, form, every)


def _with_words(table: Any, words: Sequence[str]) -> Any:
    """Return the rows that hold all words; an InputError where none does."""
    rows = [row for row in table.rows if all(word in " ".join(row).casefold() for word in words)]
    if words and not rows:
        raise InputError(f"no row holds {' and '.join(words)}", do="Leave out the words to list all.")
    return replace(table, rows=rows)


def _print_list(table: Any, listed: Callable[[], Sequence[Mapping[str, Any]]], form: str, column: int = 0) -> None:
    """Print a table, or as JSON those of what is `listed` whose name, the first value, is in this column of it."""
    if form == "json":
        names = {row[column] for row in table.rows}
        print_json([one for one in listed() if [*one.values()][column] in names])
    else:
        print_table(table, form)


def _print_presets(table: Any, form: str) -> None:
    """Print presets by group and system."""
    from rankconv.analysis.lookup_data import listed_presets
    from rankconv.analysis.show import COLUMNS, presets_page

    column = COLUMNS.index("preset")
    if form == "text":
        print_page(presets_page({row[column] for row in table.rows}))
    else:
        _print_list(table, listed_presets, form, column)


def _print_protocols(words: Sequence[str], form: str, every: bool) -> None:
    """Print protocols, and where `every` name is wanted their conventions."""
    from rankconv.addons.protocols.pages import (
        listed_protocol_conventions,
        listed_protocols,
        protocol_conventions,
        protocols_table,
    )

    table = _with_words(protocols_table(), words)
    if form == "json" and every:
        names = {row[0] for row in table.rows}
        protocols = [one for one in listed_protocols() if one["protocol"] in names]
        print_json({"protocols": protocols, "conventions": listed_protocol_conventions()})
        return
    _print_list(table, listed_protocols, form)
    if every:
        print()
        print_table(protocol_conventions(), form)


def _common(table: Any) -> Any:
    """Return the rows of the conventions in which most systems depart from the neutral setting."""
    from rankconv.presets.folders import heads
    from rankconv.presets.neutral import neutral_settings
    from rankconv.presets.preset_page import any_definition
    from rankconv.presets.preset_registry import list_presets, preset, readable

    neutral, systems = neutral_settings(), {head["name"]: head["system"] for head in heads()}
    differing: set[tuple[str, str]] = set()
    for owner in map(preset, readable(list_presets())):
        settings = [any_definition(owner, key).settings for key in owner.metrics]
        names = {name for each in settings for name, value in each.items() if neutral.get(name) != value}
        differing |= {(name, systems.get(owner.name, owner.name)) for name in names}
    common = {name for name, _ in Counter(name for name, _ in differing).most_common(COMMON)}
    rows = [row for row in table.rows if row[0] in common]
    rest = len(table.rows) - len(rows)
    return replace(table, rows=rows, notes=[*table.notes, f"{rest} more, which few systems use: --all."])


@command(Panel.LOOK_UP, "Show a preset, metric, convention, protocol, fingerprint", shared="progress plugin")
def show(
    data: DataOptions,
    name: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="Preset, group, metric, convention, setting, protocol, fingerprint",
            autocompletion=completion.names,
        ),
    ] = None,
    metric: o.MetricsOption = [],
    k: o.CutoffsOption = "",
    preset: o.PresetsOption = [],
    against: o.AgainstOption = None,
    form: o.FormOption = o.Format.text,
    every: o.AllOption = False,
    history: o.HistoryOption = False,
    result: o.ResultsOption = [],
    check: o.CheckOption = False,
    schema: o.SchemaOption = False,
) -> None:
    """Show a preset, group, metric, convention, setting, protocol or fingerprint.

    -m shows a preset's settings for a metric, --against the settings in which two presets or protocols differ, or what
    two signatures state (exit code 1 where that differs), --history the earlier versions of a preset. --check runs the
    checks of presets and files, with exit code 1 where a value differs. --schema prints the JSON Schema of preset or
    published files, or of what a command prints as JSON.
    """
    from rankconv.presets import definition as _registering

    assert _registering
    if schema:
        _print_schemas(name or ["preset"])
    elif check:
        _check(name or [], form, data.progress)
    elif form == "json" and len(name or ()) > 1:
        raise InputError("--format json is for one name", do="Show one after the other.")
    elif not name:
        raise InputError("no name was given", do=NAMES)
    elif history:
        from rankconv.analysis.lookup_data import preset_history
        from rankconv.analysis.show import history_page

        for one in name:
            print_json(preset_history(one)) if form == "json" else _print_shown(history_page(one), form)
    else:
        for one in name:
            _show(one, at_cutoffs(metric, k), against, form, every, preset, result)


def _show_differences(signature: str, other: str, form: str) -> None:
    """Print what two signatures state side by side, with exit code 1 where one number cannot have both."""
    from rankconv.evaluation.results.signature_comparison import compare_signatures

    found = compare_signatures(signature, other)
    print_json(found.to_dict()) if form == "json" else print_table(found.table(), form)
    if not found.ok:
        raise typer.Exit(1)


def _show(
    name: str, metrics: list[str], against: str | None, form: str, every: bool, presets: list[str], results: list[Any]
) -> None:
    """Print what a name represents: a preset first, then a group, convention, protocol, metric, setting."""
    from rankconv.addons.protocols.presets import list_protocols, protocol_conventions
    from rankconv.analysis.show import presets_table
    from rankconv.conventions.convention import CONVENTIONS
    from rankconv.conventions.spec import is_signature
    from rankconv.presets.folders import GROUPS, is_path, likely_presets
    from rankconv.presets.preset_registry import ALL_PRESETS, CHANGED, names_preset

    if is_signature(name) and against:
        _show_differences(name, against, form)
        return
    CONVENTIONS.make(name.partition("=")[0])
    is_preset = names_preset(name) or CHANGED.fullmatch(name) is not None
    if name.startswith(PROTOCOL) or (is_path(name) and _is_protocol(name)):
        _show_protocol(name.removeprefix(PROTOCOL), against, form)
    elif is_path(name) or is_preset:
        _show_preset(name, metrics, against, form)
    elif name in GROUPS:
        table = presets_table()
        _print_presets(replace(table, rows=[row for row in table.rows if row[0] == name]), form)
    elif name in CONVENTIONS or name in protocol_conventions:
        _show_conventions([(CONVENTIONS if name in CONVENTIONS else protocol_conventions)[name]], form, every)
    elif name.partition("(")[0] in list_protocols():
        _show_protocol(name, against, form)
    elif not (
        _show_metric(name, form, every)
        or _show_setting(name, form, every)
        or _show_fingerprint(name, presets, results, form)
    ):
        known = [*CONVENTIONS, *protocol_conventions, *GROUPS, *list_protocols()]
        raise not_among("name", name, likely_presets(name, known), ALL_PRESETS)


def _print_shown(page: Page, form: str) -> None:
    if form == "text":
        print_page(page)
    elif form in PAGES:
        print(PAGES[form](page))
    else:
        raise InputError(f"--format {form} is not for pages", allowed="Write --format text, json, markdown or latex")


def _show_preset(name: str, metrics: list[str], against: str | None, form: str) -> None:
    """Print a preset, its settings for metrics, or the settings in which it differs from another."""
    from rankconv.analysis.lookup_data import preset_difference, shown_preset
    from rankconv.analysis.show import difference_page
    from rankconv.presets.arguments import define
    from rankconv.presets.preset_registry import preset

    owner = preset(name)
    definitions = define(metrics, owner) if metrics else {}
    if against:
        compared = owner, preset(against), [definition.key for definition in definitions.values()]
        if form == "json":
            print_json(preset_difference(*compared))
        else:
            _print_shown(difference_page(*compared), form)
    elif metrics:
        _print_definitions(definitions.values(), form)
    elif form == "json":
        print_json(shown_preset(owner))
    else:
        _print_shown(owner._page(), form)


def _print_definitions(definitions: Iterable[Any], form: str) -> None:
    from rankconv.analysis.lookup_data import shown_definition
    from rankconv.presets.definition_page import definition_page

    if form == "json":
        print_json(list(map(shown_definition, definitions)))
        return
    for definition in definitions:
        _print_shown(definition_page(definition, definition.fingerprint), form)


def _is_protocol(file: str) -> bool:
    """Return whether a file holds a protocol; one that holds neither a protocol nor a preset counts as a preset."""
    from rankconv.addons.protocols.presets import protocol
    from rankconv.presets.preset_registry import preset

    with suppress(RankconvError):
        preset(file)
        return False
    with suppress(RankconvError):
        protocol(file)
        return True
    return False


def _show_protocol(name: str, against: str | None, form: str) -> None:
    """Print a protocol, or the settings in which it differs from another one."""
    from rankconv.addons.protocols import pages
    from rankconv.addons.protocols.presets import protocol

    shown, other = protocol(name), None if against is None else protocol(against.removeprefix(PROTOCOL))
    if form == "json":
        print_json(pages.shown_protocol(shown) if other is None else pages.protocol_difference_data(shown, other))
    else:
        _print_shown(pages.protocol_page(shown) if other is None else pages.protocol_difference(shown, other), form)


def _show_conventions(conventions: Sequence[Any], form: str, every: bool) -> None:
    """Print conventions with their settings."""
    from rankconv.analysis.lookup_data import shown_convention
    from rankconv.analysis.show import convention_page

    if form == "json":
        print_json(list(map(shown_convention, conventions)))
        return
    for one in conventions:
        _print_shown(convention_page(one, every=every), form)


def _show_metric(name: str, form: str, every: bool) -> bool:
    """Print a metric; with a cutoff, changed settings or a preset, its definition. False for other names."""
    from rankconv.conventions.spec import each_spec, preset_and_rest
    from rankconv.metrics import METRICS
    from rankconv.metrics.base import strategy_of
    from rankconv.presets.arguments import define
    from rankconv.presets.preset_registry import HOUSE, preset

    key = strategy_of(name)
    if key is not None:
        _print_metric(METRICS[key], form, every)
    elif re.search(r"[:@(]", name):
        owner = preset(preset_and_rest(each_spec(name)[0])[0] or HOUSE)
        _print_definitions(define([name], owner).values(), form)
    else:
        return False
    return True


def _print_metric(metric: Any, form: str, every: bool) -> None:
    """Print a metric with its formula, its conventions, and the presets that offer it."""
    from rankconv.analysis.lookup_data import shown_metric

    found = shown_metric(metric)
    if form == "json":
        print_json(found)
        return
    names = found["presets"]
    shown = names if every or len(names) <= FEW else [*names[:FEW], f"and {len(names) - FEW} more (--all)"]
    about = {
        "Other names": ", ".join(found["also"]),
        "Formula": found["formula"],
        "Conventions": ", ".join(found["conventions"]),
        "Presets": ", ".join(shown),
    }
    pieces = [Aside(f"{head}:", text) for head, text in about.items() if text]
    see = TextLine(f"All settings under one preset: rankconv show PRESET -m {metric.name}")
    _print_shown(Page([[Heading(metric.name), *pieces], [see]]), form)


def _show_setting(name: str, form: str, every: bool) -> bool:
    """Print the conventions that have a setting of this name, or one convention of `gain=exponential`."""
    from rankconv.conventions.convention import CONVENTIONS

    convention, sign, setting = name.partition("=")
    having = [one for one in CONVENTIONS.values() if name in one.setting_types]
    if sign and convention in CONVENTIONS:
        CONVENTIONS[convention](setting)
        having = [CONVENTIONS[convention]]
    if having:
        _show_conventions(having, form, every)
    return bool(having)


def _show_fingerprint(text: str, presets: list[str], results: list[Any], form: str) -> bool:
    """Print the definitions of a fingerprint, with exit code 1 where there is none; False for other names."""
    import rankconv as rc

    if not re.fullmatch("[0-9a-f]{4,16}(…|[.]{3})?", text.strip().lower()):
        return False
    found = rc.from_fingerprint(text, presets, results)
    if form == "json":
        print_json([one.to_dict() for one in found])
    elif found:
        also = (f"   (also {', '.join(one.also)})" if one.also else "" for one in found)
        lines = [Aside(one.fingerprint, f"{one.text}{more}") for one, more in zip(found, also, strict=True)]
        _print_shown(Page([lines]), form)
    if not found:
        say(f"No definition with the fingerprint {text} was found.")
        raise typer.Exit(1)
    return True


def _print_schemas(names: list[str]) -> None:
    from rankconv.analysis.reproduce.sources import published_schema
    from rankconv.cli.json_outputs import OUTPUTS, output_schema
    from rankconv.presets.schema import preset_schema

    of_files = {"preset": preset_schema, "published": published_schema}
    for name in names:
        if name not in of_files.keys() | OUTPUTS.keys():
            allowed = f"There are schemas of {' and '.join(of_files)} files, and of commands: {', '.join(OUTPUTS)}"
            raise InputError(f"'{name}' is not a kind of file or a command", where="--schema", allowed=allowed)
        print_json(of_files[name]() if name in of_files else output_schema(name))


def _check(names: list[str], form: str, progress: bool | None) -> None:
    """Run the checks of these presets, or of all, and say which protocols are valid. Exit code 1 where one fails."""
    from rankconv.addons.protocols.presets import protocol
    from rankconv.analysis.reproduce.checks import checks_table, closing_line, run_checks, without_effect
    from rankconv.presets.folders import is_path
    from rankconv.presets.preset_registry import expand, list_presets, preset

    with clock("Checking", progress):
        protocols = [one for one in names if one.startswith(PROTOCOL) or (is_path(one) and _is_protocol(one))]
        presets = [preset(each) for one in names if one not in protocols for each in expand(one)]
        found = list(run_checks(presets or ([] if protocols else list_presets(eras=True))))
    for one in protocols:
        line = f"{one}: the protocol {protocol(one.removeprefix(PROTOCOL)).text} is valid."
        say(line) if form == "json" else print_lines([line])
    if protocols and not presets and form != "json":
        return
    shown = found if names or form in ("json", "csv") else [one for one in found if not one.ok]
    if form == "json":
        print_json([one.to_dict() for one in shown])
    elif shown or form != "text":
        print_table(checks_table(shown), form)
    if form == "text":
        print_lines([f"{one.name}: {note}." for one in presets for note in without_effect(one)])
        print_lines([closing_line(found, len(presets or list_presets(eras=True)))])
    if not all(one.ok for one in found):
        raise typer.Exit(1)


@command(Panel.LOOK_UP, "Cite definitions in words and formulas, with sources", shared="plugin")
def cite(
    name: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help="Metrics: mllib:ndcg@10; protocols: protocol:fastml", autocompletion=completion.cited
        ),
    ] = None,
    metric: o.MetricsOption = [],
    k: o.CutoffsOption = "",
    preset: o.PresetOption = "rankconv",
    form: o.CiteFormOption = o.CiteFormat.text,
    result: o.SavedResultOption = None,
) -> None:
    """Cite definitions in words and formulas, with sources and fingerprint; of a saved result, with its numbers."""
    import rankconv as rc

    protocols = [one.removeprefix(PROTOCOL) for one in name or () if one.startswith(PROTOCOL)]
    metrics = at_cutoffs([*(one for one in name or () if not one.startswith(PROTOCOL)), *metric], k)
    of_metrics = bool(metrics) or result is not None
    if not (of_metrics or protocols):
        raise MetricError("no metric was given", do="Name one, such as mllib:ndcg@10, or a saved --result.")
    if protocols and of_metrics and form == "json":
        raise MetricError("--format json is for protocols or for metrics", do="Cite one after the other.")
    if protocols:
        from rankconv.addons.protocols.presets import protocol

        each = [protocol(one).methods() for one in protocols]
        if form == "json":
            print_json([one.to_dict() for one in each])
        else:
            print_lines(["\n\n".join(_cited(one, form) for one in each)])
    if of_metrics:
        methods = rc.Result.load(result).methods(*metrics) if result else rc.cite(metrics, preset)
        print_json(methods.to_dict()) if form == "json" else print_lines([_cited(methods, form)])


def _cited(methods: Any, form: str) -> str:
    """Return the text for a paper."""
    return str(methods.to_text(terminal_width())) if form == "text" else WRITERS[form](methods)
