"""Pages that describe what there is: conventions, metrics and presets."""

from collections.abc import Collection, Iterator, Mapping
from inspect import Parameter
from itertools import groupby
from typing import Any, Literal, get_args, get_origin

from rankconv.analysis.lookup_data import listed_conventions, listed_metrics, listed_presets, sorted_heads, users_of
from rankconv.basics.errors import ConventionError
from rankconv.conventions.convention import CONVENTIONS, NUMBER, Convention, SettingType
from rankconv.conventions.parameters import Above, Base, InOrder, Within
from rankconv.conventions.spec import number_text, read_call, read_number
from rankconv.evaluation.results.differences import differing
from rankconv.metrics import METRICS
from rankconv.presets.folders import VERSION, newest
from rankconv.presets.preset import Preset
from rankconv.presets.preset_page import any_definition, claim_text, source_text
from rankconv.presets.preset_registry import preset
from rankconv.presets.resolver import ranges
from rankconv.rendering.pages.cells import some
from rankconv.rendering.pages.display import terminal_width, text
from rankconv.rendering.pages.page import Aside, Heading, Page, Paragraph, Piece, TextLine
from rankconv.rendering.pages.table import Table
from rankconv.rendering.pages.wrapping import cell_len

FEW = 6
"""So many presets are named, unless all are requested."""


def conventions_table() -> Table:
    """List all conventions with their settings: preparation first, then aggregation, then metrics."""
    rows = [
        [one["convention"], one["section"], one["description"], ", ".join(one["settings"])]
        for one in listed_conventions()
    ]
    return Table(["convention", "section", "description", "settings"], rows, labels=4, prose=frozenset({1, 2, 3}))


def convention_page(convention: Convention, *, every: bool = False) -> Page:
    """One convention in words; `every` preset that uses a setting is named, or only those that most people know."""
    used = users_of(convention)
    metrics = [name for name, kind in METRICS.items() if convention.name in kind.conventions()]
    by = [Aside("Used by", ", ".join(metrics))] if 0 < len(metrics) < len(METRICS) else []
    sections: list[list[Piece]] = [[Heading(f"{convention.name}: {convention.description}"), *by]]
    for setting_type in convention.setting_types.values():
        lines = [*_setting_lines(convention, setting_type), *_users(used, setting_type, every)]
        head = Aside(setting_type.parameters.shown(setting_type.name), setting_type.rule)
        sections.append([head, *(Aside("  ", line) for line in lines)])
    if any(len(names) > FEW for names in used.values()) and not every:
        sections.append([TextLine(f"All presets of each setting: rankconv show {convention.name} --all")])
    return Page(sections)


def _setting_lines(convention: Convention, setting_type: SettingType) -> Iterator[str]:
    """What else is known of a setting."""
    about, takes = setting_type.about, _takes(setting_type)
    written = [word for word, setting in convention.words.items() if convention(setting).setting_type is setting_type]
    yield from [about] if about else []
    yield from [f"Takes: {takes}."] if takes else []
    yield from [f"Texts also write: {', '.join(written)}."] if written else []
    yield from [f"Source: {setting_type.cite}."] if setting_type.cite else []


def _takes(setting_type: SettingType) -> str:
    """The parameters of a setting with their types; of a number its range."""
    if setting_type.traits.range:
        return _range(*setting_type.traits.range)
    return "; ".join(
        _parameter(one, setting_type.parameters.types.get(one.name, str)) for one in setting_type.parameters.own
    )


def _range(least: float, most: float) -> str:
    ends = [f"at least {least:g}"] * (least > -float("inf")) + [f"at most {most:g}"] * (most < float("inf"))
    return " and ".join(ends or ["any number"])


def _parameter(one: Parameter, kind: Any) -> str:
    if one.kind is one.VAR_KEYWORD:
        return "grade=number, as many as there are"
    name = "each part" if one.kind is one.VAR_POSITIONAL else one.name
    default = "" if one.default is one.empty else f", default {_default(one.default)}"
    return f"{name}: {_kind(kind)}{default}"


def _default(value: Any) -> str:
    return number_text(float(value)) if isinstance(value, (int, float)) else str(value)


def _kind(kind: Any) -> str:
    mark = get_args(kind)[1] if len(get_args(kind)) > 1 and get_origin(kind) is not Literal else None
    if isinstance(mark, Base):
        return "the base of a logarithm, a number above 1 or e"
    if isinstance(mark, Above):
        return f"a number above {mark.limit:g}"
    if isinstance(mark, Within):
        return f"a number from {mark.least:g} to {mark.most:g}"
    if isinstance(mark, InOrder):
        return f"at least {mark.least} in their order, each one of {', '.join(mark.of)}"
    if isinstance(mark, Convention):
        return f"one of {', '.join(mark.names)}"
    if mark is not None:
        return _kind(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    return {int: "a whole number", float: "a number"}.get(kind, "text")


def _settings(used: dict[str, list[str]], setting_type: SettingType) -> dict[str, list[str]]:
    """What is given of this option, each with who gives it."""
    is_number = setting_type.name == NUMBER
    return {
        setting: names
        for setting, names in used.items()
        if read_call(setting)[0] == setting_type.name or (is_number and read_number(setting) is not None)
    }


def _users(used: dict[str, list[str]], setting_type: SettingType, every: bool) -> Iterator[str]:
    """Who gives each setting of this option."""
    for setting, names in _settings(used, setting_type).items():
        text = "Used by" if setting == setting_type.name else setting
        yield f"{text}: {some(names, len(names) if every else FEW)}"


def list_metrics() -> list[str]:
    """List the names of all metrics, also those of loaded plugins.

    Returns
    -------
    list of str
        The names that specs use.

    Examples
    --------
    >>> import rankconv as rc
    >>> rc.list_metrics()[:4]
    ['precision', 'recall', 'f', 'hit_rate']
    """
    return list(METRICS)


def list_conventions() -> list[str]:
    """List the names of all conventions, also those of loaded plugins.

    Returns
    -------
    list of str
        The names that definitions, presets and specs use.

    Examples
    --------
    >>> import rankconv as rc
    >>> {"ties", "gain", "relevant"} <= set(rc.list_conventions())
    True
    """
    return list(CONVENTIONS)


def convention(name: str) -> Convention:
    """Look up a convention: what it decides, and its settings.

    Parameters
    ----------
    name : str
        One of `rc.list_conventions()`.

    Returns
    -------
    Convention
        The convention; `str()` shows its settings and the presets that use them.

    Raises
    ------
    ConventionError
        If there is no convention of that name.

    Examples
    --------
    >>> import rankconv as rc
    >>> list(rc.convention("on-zero-division").setting_types)[:2]
    ['as-computed', 'skip']
    """
    if not isinstance(name, str):
        raise ConventionError(
            f"{name!r:.100} is not the name of a convention", allowed="A name is text, such as 'gain'"
        )
    Convention.shown = lambda convention: text(convention_page(convention), terminal_width())
    return CONVENTIONS[name]


COLUMNS = ("group", "system", "preset", "version", "what it is")


def presets_table() -> Table:
    """All presets by group and system; the word of a group is accepted like a preset."""
    rows = [[one["group"], one["system"], one["preset"], one["version"], one["title"]] for one in listed_presets()]
    return Table(list(COLUMNS), rows, labels=5)


def presets_page(names: Collection[str] | None = None) -> Page:
    """Return a line for each of these presets, all by default, by group and by the system that it describes."""
    parts = [one for one in sorted_heads() if names is None or one["name"] in names]
    column = max(cell_len(one["system"]) for one in parts)
    pieces: list[Piece] = [_line("system", "preset: what it is (version)", column)]
    for group, members in groupby(parts, key=lambda one: one["group"]):
        pieces += [Heading(group), *_lines(members, column)]
    return Page([pieces])


def _lines(members: Iterator[dict[str, Any]], column: int) -> Iterator[Piece]:
    """A system and its version are said once, in the line of its first preset."""
    system = version = ""
    for one in members:
        said = "" if one["system"] == system else one["system"]
        versions = "" if one.get("version", "") == version and not said else one.get("version", "")
        system, version = one["system"], one.get("version", "")
        yield _line(said, _text_of(one, versions), column)


def _line(system: str, words: str, column: int) -> Piece:
    return Aside(f"  {system}{' ' * (column - cell_len(system))}", words, "  ")


def _text_of(head: Mapping[str, Any], version: Any) -> str:
    """Its name, and its title without the system that is next to it."""
    title, system = str(head.get("title", "")), str(head["system"])
    what = next((title.removeprefix(system + mark) for mark in (", ", " ") if title.startswith(system + mark)), title)
    said = f"{head['name']}: {what}" if what != system else str(head["name"])
    return f"{said} ({version})" if version else said


def metrics_table() -> Table:
    """All strategies: name, spellings, what they compute, formula."""
    rows = [[one["metric"], ", ".join(one["also"]), one["description"], one["formula"]] for one in listed_metrics()]
    return Table(["metric", "also", "convention", "formula"], rows, labels=4, prose=frozenset({1, 2, 3}))


def history_page(name: str) -> Page:
    """The eras of a preset, the newest first: the versions of each, what differs from the newest, sources and proof."""
    current = preset(newest(name))
    covered = ranges(current.file)
    sections: list[list[Piece]] = [[Heading(f"{current.name}: {covered.pop(current.name)}")]]
    for era, range in zip(current.file.eras, covered.values(), strict=True):
        ours = preset(f"{current.name}{VERSION}{era.version}")
        texts = [era.about.strip(), *map(claim_text, era.says), *map(source_text, ours.sources)]
        texts.append(f"Checked: {era.proof}")
        _, *differences = _difference_sections(ours, current, [])
        sections += [[Heading(f"{ours.name}: {range}"), *map(Paragraph, filter(None, texts))], *differences]
    if not current.file.eras:
        sections[-1].append(TextLine("No earlier era."))
    return Page(sections)


def difference_page(ours: Preset, other: Preset, metrics: list[str]) -> Page:
    """The settings in which two presets differ, and nothing else: those of all common metrics first."""
    return Page(_difference_sections(ours, other, metrics))


def _difference_sections(ours: Preset, other: Preset, metrics: list[str]) -> list[list[Piece]]:
    common = [key for key in (metrics or ours.metrics) if key in ours.metrics and key in other.metrics]
    found = {key: differing(any_definition(ours, key), any_definition(other, key)) for key in common}
    shared = {q: a for q, a in found[common[0]].items() if all(d.get(q) == a for d in found.values())} if common else {}
    sections: list[list[Piece]] = [[Heading(f"{ours.name} against {other.name}")]]
    if shared:
        sections.append([Paragraph(f"{', '.join(common)}:"), *_differences(shared)])
    for key, settings in found.items():
        rest = {q: a for q, a in settings.items() if q not in shared}
        sections += [[Heading(f"{key}:"), *_differences(rest)]] if rest else []
    for one, two in ((ours, other), (other, ours)):
        only = [key for key in one.metrics if key not in two.metrics]
        sections += [[Paragraph(f"Only {one.name} has: {', '.join(only)}", rest="  ")]] if only else []
    if common and not any(found.values()):
        sections[-1].append(TextLine("No setting that matters differs."))
    return sections


def _differences(settings: Mapping[str, tuple[str, str]]) -> Iterator[TextLine]:
    for convention_name, (ours, other) in settings.items():
        yield TextLine(f"  {convention_name:<24} {ours:<24} against {other}")
