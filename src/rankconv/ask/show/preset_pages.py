"""What `show` and `metrics` print."""

from collections.abc import Iterator, Mapping

from rankconv.engine.differences import differing
from rankconv.errors import MetricError
from rankconv.metrics import METRICS
from rankconv.pages.page import Heading, Line, Page, Paragraph, Piece, Rule
from rankconv.pages.table import Table
from rankconv.presets.definition import Definition
from rankconv.presets.registry import neutral_answers
from rankconv.presets.resolved import Preset
from rankconv.questions.choice import QUESTIONS


def metrics_table() -> Table:
    """All strategies: name, spellings, what they answer, formula."""
    rows = [[metric.name, ", ".join(metric.spellings), metric.about(), metric.formula] for metric in METRICS.values()]
    return Table(["metric", "also", "question", "formula"], rows, labels=4, prose=frozenset({1, 2, 3}))


def any_definition(owner: Preset, key: str) -> Definition:
    """One metric of a preset, at a cutoff where it may have one."""
    try:
        return owner.definition(key, (), 10)
    except MetricError:
        return owner.definition(key, ())


def preset_page(owner: Preset) -> Page:
    """A preset in words: what it is, its sources, and its answers where they differ from the neutral ones."""
    neutral = neutral_answers()
    asked_of_all = {q: a for q, a in owner.answers.items() if neutral.get(q) != a}
    sections: list[list[Piece]] = [list(_about(owner))]
    if asked_of_all:
        sections.append([Heading("For all its metrics:"), *_rules(asked_of_all)])
    if owner.nicknames:
        sections.append([Line(f"Several of its metrics together: {', '.join(owner.nicknames)}")])
    return Page([*sections, *(list(_metric(any_definition(owner, key), owner, neutral)) for key in owner.metrics)])


def _about(owner: Preset) -> Iterator[Paragraph]:
    version = f" ({owner.file.version})" if owner.file.version else ""
    yield Paragraph(f"{owner.name}: {owner.title}{version}")
    if owner.file.about:
        yield from map(Paragraph, owner.file.about.strip().split("\n"))
    for source in owner.file.cite:
        where = ", ".join(filter(None, [source.where, source.doi and f"doi:{source.doi}", source.url]))
        yield Paragraph(f"Source: {source.title}{f', {where}' if where else ''}", rest="  ")


def _metric(definition: Definition, owner: Preset, neutral: Mapping[str, str]) -> Iterator[Piece]:
    called = owner.entry(definition.key).names
    there = f"   (there: {', '.join(called)})" if called else ""
    yield Line(f"{definition.key}: {definition.metric.formula}{there}")
    own = {**definition.metric.stated, **owner.entry(definition.key).answers}
    shown = {q: a for q, a in own.items() if q in definition.metric.stated or owner.answers.get(q) != a}
    told = {q: a for q, a in shown.items() if not (q.startswith("cutoff") and neutral.get(q) == a)}
    yield from _rules(told, definition.idle())


def _rules(answers: Mapping[str, str], idle: Mapping[str, str] = {}) -> Iterator[Rule]:
    """Answers with what they mean."""
    for question, answer in answers.items():
        note = f"; cannot matter: {idle[question]}" if question in idle else ""
        yield Rule(f"{question}={answer}", f"{QUESTIONS[question](answer).option.rule}{note}")


def definition_page(definition: Definition, fingerprint: str) -> Page:
    """Every question of one definition, with its answer and what it means."""
    name = Line(f"{definition.text}   fingerprint {fingerprint}")
    sections: list[list[Piece]] = [[name, Line(f"{definition.metric.about()}   {definition.metric.formula}")]]
    for title, part in zip(("Judging", "Metric", "Users and means"), definition.parts, strict=True):
        plain = [question for question, answer in part.answers.items() if answer.trait("by_formula")]
        told = {question: answer for question, answer in part.stated.items() if question not in plain}
        given = [Paragraph(f"What the formula gives, for: {', '.join(plain)}", "  ", "    ")] if plain else []
        sections.append([Heading(f"{title}:"), *_rules(told, definition.idle()), *given])
    return Page(sections)


def difference_page(ours: Preset, other: Preset, metrics: list[str]) -> Page:
    """The answers in which two presets differ, and nothing else: those of all common metrics first."""
    common = [key for key in (metrics or ours.metrics) if key in ours.metrics and key in other.metrics]
    found = {key: differing(any_definition(ours, key), any_definition(other, key)) for key in common}
    shared = {q: a for q, a in found[common[0]].items() if all(d.get(q) == a for d in found.values())} if common else {}
    sections: list[list[Piece]] = [[Heading(f"{ours.name} against {other.name}")]]
    if shared:
        sections.append([Paragraph(f"{', '.join(common)}:"), *_differences(shared)])
    for key, answers in found.items():
        rest = {q: a for q, a in answers.items() if q not in shared}
        sections += [[Heading(f"{key}:"), *_differences(rest)]] if rest else []
    for one, two in ((ours, other), (other, ours)):
        only = [key for key in one.metrics if key not in two.metrics]
        sections += [[Paragraph(f"Only {one.name} has: {', '.join(only)}", rest="  ")]] if only else []
    if common and not any(found.values()):
        sections[-1].append(Line("No answer that matters differs."))
    return Page(sections)


def _differences(answers: Mapping[str, tuple[str, str]]) -> Iterator[Line]:
    for question, (ours, other) in answers.items():
        yield Line(f"  {question:<24} {ours:<24} against {other}")
