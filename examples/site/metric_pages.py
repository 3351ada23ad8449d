"""A page for each metric: description, formula and range, one list worked out, settings, who has it."""

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from places import Places
from preset_pages import Shelf
from writer import elements, heading, html, shown, site_page

import rankconv as rc
from rankconv.citing.citations import Cited
from rankconv.errors import RankconvError
from rankconv.metrics.base import Metric
from rankconv.pages.page import Paragraph, Piece
from rankconv.pages.table import Table
from rankconv.pages.web.elements import Child, element, mathematics
from rankconv.presets.definition import neutral_settings
from rankconv.presets.preset_page import any_definition
from rankconv.presets.registry import HOUSE
from rankconv.specs.convention import CONVENTIONS

LABELS, RUN = {"ada": {"a": 3, "b": 1, "c": 2}}, {"ada": {"a": 3.0, "x": 2.0, "b": 1.0}}
SIDE_DATA: dict[str, Any] = {"catalogue": 6, "train": {"ada": ["x"], "bob": ["a", "x"]}, "seen": {"ada": ["y"]}}


def metric_page(metric: type[Metric], shelf: Shelf, places: Places) -> str:
    """The page of one metric."""
    definition = any_definition(rc.preset(HOUSE), metric.name)
    cited = Cited(definition)
    low, high = (f"{end:g}".replace("inf", "∞") for end in metric.range)
    facts: list[Piece] = [Paragraph(metric.about()), *map(Paragraph, _more(metric))]
    other = f"Also called: {', '.join(metric.spellings)}." if metric.spellings else ""
    ends = "Lower is better." if metric.lower_is_better else "Higher is better." if metric.directed else ""
    facts += [Paragraph(one) for one in (other, f"Its range: {low} to {high}. {ends}".strip()) if one]
    blocks = [html(facts, places), heading("Formula"), html([Paragraph(metric.formula)], places)]
    blocks += [f"Under the preset [{HOUSE}](../presets/{HOUSE}.md):", elements(list(_formulas(cited)), places)]
    blocks += [heading("One list, worked out"), _worked(metric, places)]
    blocks += [heading("What can be answered"), html([_conventions(metric)], places)]
    blocks += [heading("Who has it"), html([_offered(metric, shelf)], places)]
    return site_page(metric.name, *blocks, about=metric.about())


def _more(metric: type[Metric]) -> list[str]:
    """What its docstring says after the convention."""
    doc = inspect.getdoc(metric) or ""
    parts = re.split(r"\n\s*\n", doc)[1:]
    return [" ".join(part.split()) for part in parts if not part.lstrip().startswith(">>>")]


def _formulas(cited: Cited) -> Iterator[Child]:
    yield mathematics(cited.formula)
    yield mathematics(cited.mean_formula)
    for sign, meaning in cited.symbols.items():
        yield element("p", mathematics(sign, alone=False), f": {meaning}")


def _worked(metric: type[Metric], places: Places) -> str:
    """The explanation of one user, where these data have all that the metric reads."""
    for k in (3, None):
        try:
            definition = rc.preset(HOUSE).definition(metric.name, (), k)
            return shown(rc.explain(LABELS, RUN, definition, user="ada", **SIDE_DATA)._page(), places, 3)
        except RankconvError as error:
            problem = str(error)
    return html([Paragraph(f"Not from labels and a list alone: {problem}")], places)


def _conventions(metric: type[Metric]) -> Table:
    own = [name for name in metric.conventions() if name not in Metric.conventions()] or [*metric.conventions()]
    rows = [[name, CONVENTIONS[name].description, ", ".join(CONVENTIONS[name].names)] for name in own]
    return Table(["convention", "description", "settings"], rows, labels=3, prose=frozenset({1, 2}))


def _offered(metric: type[Metric], shelf: Shelf) -> Table:
    """Who offers it, those of one definition in one row, most of them first."""
    found: dict[str, list[str]] = {}
    settings: dict[str, Mapping[str, str]] = {}
    neutral = neutral_settings()
    own = set(metric.conventions())
    for name, definitions in shelf.definitions.items():
        for definition in definitions.values():
            if definition.metric.name == metric.name and not definition.functions:
                key = definition.fingerprint
                found.setdefault(key, []).append(name)
                settings[key] = {q: a for q, a in definition.settings.items() if q in own or neutral.get(q) != a}
    rows = [[", ".join(dict.fromkeys(names)), _setting_text(settings[key]), key] for key, names in _most(found)]
    return Table(["presets", "settings", "fingerprint"], rows, labels=3, prose=frozenset({0, 1}))


def _most(found: Mapping[str, Sequence[str]]) -> list[tuple[str, Sequence[str]]]:
    return sorted(found.items(), key=lambda pair: -len(pair[1]))


def _setting_text(settings: Mapping[str, str]) -> str:
    return "; ".join(
        f"{convention_name}={setting}"
        for convention_name, setting in settings.items()
        if not convention_name.startswith("k-")
    )
