"""A page for each preset: what it is, what parts it from those nearest to it, settings, checks, what a paper says."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from places import Places
from writer import heading, html, pieces, shown, site_page

import rankconv as rc
from rankconv.analysis.reproduce.preset_checks import checks_table, closing_line, run_checks
from rankconv.evaluation.differences import differing
from rankconv.pages.page import Code, Fold, Heading, Line, Page, Piece
from rankconv.pages.table import Table
from rankconv.presets.definition import Definition
from rankconv.presets.preset_page import any_definition, preset_page
from rankconv.presets.resolved import Preset
from rankconv.specs.convention import CONVENTIONS

NEAREST = 3


@dataclass(frozen=True)
class Shelf:
    """All presets with what they define, so that each can be held against the others."""

    names: Sequence[str]

    @cached_property
    def definitions(self) -> Mapping[str, Mapping[str, Definition]]:
        """Preset → metric → its definition."""
        owners = map(rc.preset, self.names)
        return {one.name: {key: any_definition(one, key) for key in one.metrics} for one in owners}

    def nearest(self, name: str) -> list[str]:
        """Those with the most similar settings over the metrics that both have; who shares few metrics is far."""
        away = {other: self._distance(name, other) for other in self.names if other != name}
        return sorted(away, key=lambda other: (away[other], other))[:NEAREST]

    def _distance(self, name: str, other: str) -> float:
        ours, others = self.definitions[name], self.definitions[other]
        common = ours.keys() & others.keys()
        found = 0
        for key in common:
            theirs = others[key].settings
            found += sum(
                setting != theirs.get(convention_name) for convention_name, setting in ours[key].settings.items()
            )
        return found / len(common) + 3 * (1 - len(common) / len(ours)) if common else float("inf")

    def differences(self, name: str, other: str) -> Table:
        """The settings that part two presets, each with the metrics that it concerns."""
        found: dict[tuple[str, str, str], list[str]] = {}
        ours, others = self.definitions[name], self.definitions[other]
        common = [key for key in ours if key in others]
        for key in common:
            for convention_name, (here, there) in differing(ours[key], others[key]).items():
                found.setdefault((convention_name, here, there), []).append(key)
        rows = [[*which, _of(keys, common)] for which, keys in found.items()]
        return Table(["convention", name, other, "metrics"], rows, labels=4, prose=frozenset({1, 2, 3}))

    def all_settings(self, name: str) -> Table:
        """Every setting of a preset with its rule, shown once for all the metrics that share it."""
        found: dict[tuple[str, str], list[str]] = {}
        ours = self.definitions[name]
        for key, definition in ours.items():
            for convention_name, setting in definition.settings.items():
                found.setdefault((convention_name, setting), []).append(key)
        rows = [[q, a, CONVENTIONS[q](a).setting_type.rule, _of(keys, [*ours])] for (q, a), keys in found.items()]
        return Table(["convention", "setting", "rule", "metrics"], rows, labels=4, prose=frozenset({1, 2, 3}))


def _of(keys: Sequence[str], every: Sequence[str]) -> str:
    return "all" if len(keys) == len(every) > 1 else ", ".join(keys)


def preset_text(owner: Preset, shelf: Shelf, sources: Sequence[str], places: Places) -> str:
    """The page of one preset."""
    first, *sections = preset_page(owner).sections
    blocks = [html(first, places)]
    if owner.name in sources:
        blocks.append(f"The numbers that it prints: [{owner.name}](../sources/{owner.name}.md).")
    blocks += [heading("Nearest to it"), *_near(owner, shelf, places)]
    blocks += [
        heading("Where its settings are its own"),
        *(pieces(_headed(section), places, 2) for section in sections),
    ]
    settings = Fold(f"All {len(shelf.definitions[owner.name])} metrics, all settings", [shelf.all_settings(owner.name)])
    blocks += [heading("All settings"), html([settings], places)]
    checks = list(run_checks([owner]))
    listed = [Fold(closing_line(checks, 1), [checks_table(checks)])] if checks else []
    blocks += [heading("Checks"), html(listed or [Line(closing_line([], 1))], places)]
    blocks += [heading("For a paper"), _cited(owner, places), heading("See for yourself"), _commands(owner, places)]
    return site_page(owner.name, *blocks, about=owner.title)


def _headed(section: Sequence[Piece]) -> Sequence[Piece]:
    """The line of a metric, whose name is a heading, and its formula below."""
    line, *rest = section
    if not isinstance(line, Line):
        return section
    key, _, formula = line.words.partition(": ")
    return [Heading(key), Line(formula), *rest]


def _near(owner: Preset, shelf: Shelf, places: Places) -> Iterator[str]:
    for other in shelf.nearest(owner.name):
        table = shelf.differences(owner.name, other)
        start = {0: "Nothing that matters parts", 1: "One setting parts"}.get(
            len(table.rows), f"{len(table.rows)} settings differ"
        )
        yield f"{start} it from [{other}]({places.url('presets', other, 'md')}), {rc.preset(other).title}."
        yield html([table] if table.rows else [], places)


def _cited(owner: Preset, places: Places) -> str:
    """What a paper says of one metric of it, and its sources."""
    cited = rc.cite(shelf_key(owner), preset=owner)
    return shown(Page([*([one.stated] for one in cited), [Code(cited.to_bibtex(), "bibtex")]]), places)


def shelf_key(owner: Preset) -> str:
    """A spec of one metric that most readers know, else of the first."""
    key = next((one for one in ("ndcg", "map", "precision", "mrr", "recall") if one in owner.metrics), owner.metrics[0])
    return any_definition(owner, key).spec


def _commands(owner: Preset, places: Places) -> str:
    spec = shelf_key(owner)
    lines = [
        f"rankconv show {owner.name}",
        f"rankconv evaluate labels.csv run.csv -m '{spec}' -p {owner.name}",
        f"rankconv explain labels.csv run.csv -m '{owner.name}:{spec}' --user …",
    ]
    return html([Code("\n".join(lines), "sh")], places)
