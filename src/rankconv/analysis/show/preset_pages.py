"""What `show` and `metrics` print."""

from collections.abc import Iterator, Mapping

from rankconv.engine.differences import differing
from rankconv.metrics import METRICS
from rankconv.pages.page import Heading, Line, Page, Paragraph, Piece
from rankconv.pages.table import Table
from rankconv.presets.definition import Definition
from rankconv.presets.preset_page import any_definition, rules
from rankconv.presets.resolved import Preset


def metrics_table() -> Table:
    """All strategies: name, spellings, what they set, formula."""
    rows = [[metric.name, ", ".join(metric.spellings), metric.about(), metric.formula] for metric in METRICS.values()]
    return Table(["metric", "also", "convention", "formula"], rows, labels=4, prose=frozenset({1, 2, 3}))


def definition_page(definition: Definition, fingerprint: str) -> Page:
    """Every convention of one definition, with its setting and what it means."""
    name = Line(f"{definition.text}   fingerprint {fingerprint}")
    sections: list[list[Piece]] = [[name, Line(f"{definition.metric.about()}   {definition.metric.formula}")]]
    for title, part in zip(("Preparation", "Metric", "Users and means"), definition.parts, strict=True):
        plain = [convention_name for convention_name, setting in part.settings.items() if setting.trait("by_formula")]
        fields = {
            convention_name: setting for convention_name, setting in part.stated.items() if convention_name not in plain
        }
        given = [Paragraph(f"What the formula gives, for: {', '.join(plain)}", "  ", "    ")] if plain else []
        sections.append([Heading(f"{title}:"), *rules(fields, definition.notes()), *given])
    return Page(sections)


def difference_page(ours: Preset, other: Preset, metrics: list[str]) -> Page:
    """The settings in which two presets differ, and nothing else: those of all common metrics first."""
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
        sections[-1].append(Line("No setting that matters differs."))
    return Page(sections)


def _differences(settings: Mapping[str, tuple[str, str]]) -> Iterator[Line]:
    for convention_name, (ours, other) in settings.items():
        yield Line(f"  {convention_name:<24} {ours:<24} against {other}")
