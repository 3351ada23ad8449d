"""What a preset says, in words."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from rankconv.basics.errors import MetricError
from rankconv.presets.definition import Definition, Owner
from rankconv.presets.definition_page import rules
from rankconv.presets.folders import completed
from rankconv.presets.neutral import neutral_settings
from rankconv.presets.preset_file import Citation, Claim, MetricEntry, PresetFile
from rankconv.rendering.pages.page import Heading, Page, Paragraph, Piece, TextLine


class DescribedPreset(Owner, Protocol):
    """What a page tells of a preset; presets import this module, so that it does not import them."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def title(self) -> str:
        """What it is, in one line."""

    @property
    def file(self) -> PresetFile:
        """What its file states."""

    @property
    def settings(self) -> Mapping[str, str]:
        """What it says for all its metrics."""

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics that it offers."""

    @property
    def nicknames(self) -> Mapping[str, list[str]]:
        """What the system calls several of its metrics together."""

    def entry(self, key: str) -> MetricEntry:
        """What it says for one metric."""

    def define(self, spec: str) -> list[Definition]:
        """The definitions that a spec asks for."""


def any_definition(owner: Owner, key: str) -> Definition:
    """One metric of a preset, at a cutoff where it may have one."""
    try:
        return owner.definition(key, (), 10)
    except MetricError:
        return owner.definition(key, ())


def preset_page(owner: DescribedPreset) -> Page:
    """A preset in words: what it is, its sources, and its settings where they differ from the neutral ones."""
    neutral = neutral_settings()
    common = {q: a for q, a in owner.settings.items() if neutral.get(q) != a}
    sections: list[list[Piece]] = [list(_about(owner))]
    definitions = [any_definition(owner, key) for key in owner.metrics]
    if owner.reports:
        definitions = [one for spec in owner.reports for one in owner.define(spec)]
        sections.append([TextLine(f"Reports, as defined here: {', '.join(owner.reports)}")])
    if common:
        idle = [one.idle() for one in definitions]
        of_all = {q: because for one in idle[:1] for q, because in one.items() if all(q in other for other in idle)}
        sections.append([Heading("For all its metrics:"), rules(common, of_all)])
    if owner.nicknames:
        sections.append([TextLine(f"Several of its metrics together: {', '.join(owner.nicknames)}")])
    return Page([*sections, *(list(_metric(one, owner, neutral)) for one in definitions)])


def _about(owner: DescribedPreset) -> Iterator[Paragraph]:
    version = f" ({owner.file.version})" if owner.file.version else ""
    yield Paragraph(f"{owner.name}: {owner.title}{version}")
    if owner.file.about:
        yield from map(Paragraph, owner.file.about.strip().split("\n"))
    for claim in owner.file.says:
        yield Paragraph(claim_text(claim), "* ", "  ")
    for source in map(completed, owner.file.cite):
        yield Paragraph(source_text(source), rest="  ")
    if owner.file.eras:
        yield Paragraph(
            f"Earlier versions: {', '.join(f'{owner.name}@{era.version}' for era in owner.file.eras)}", "", "  "
        )


def claim_text(claim: Claim) -> str:
    """A sentence, with its source or the remark that nothing holds it; without either, a check of its file does.

    >>> claim_text(Claim(text="Ties keep their order.", source="sort.py, line 3"))
    'Ties keep their order. (Source: sort.py, line 3)'
    """
    remark = f"Source: {claim.source}" if claim.source else "" if claim.check else "not checked"
    return f"{claim.text.strip()}{f' ({remark})' if remark else ''}"


def source_text(source: Citation) -> str:
    """A source in one line: its title, and where the definition is."""
    where = ", ".join(filter(None, [source.where, source.doi and f"doi:{source.doi}", source.url]))
    return f"Source: {source.title}{f', {where}' if where else ''}"


def _metric(definition: Definition, owner: DescribedPreset, neutral: Mapping[str, str]) -> Iterator[Piece]:
    called = owner.entry(definition.key).names
    there = f"   (there: {', '.join(called)})" if called else ""
    yield TextLine(f"{definition.key}: {definition.metric.formula}{there}")
    own = {**definition.metric.stated, **owner.entry(definition.key).settings}
    shown = {q: a for q, a in own.items() if q in definition.metric.stated or owner.settings.get(q) != a}
    fields = {q: a for q, a in shown.items() if not (q.startswith("k-") and neutral.get(q) == a)}
    notes = definition.notes()
    expected = {"ties": definition.preparation.given("ties")} if "ties" in notes else {}
    yield rules(fields | expected, notes)
