"""What `show` and `metrics` print."""

from collections.abc import Iterator

from rankconv.choice import QUESTIONS
from rankconv.definition import Definition
from rankconv.errors import MetricError
from rankconv.metrics import METRICS
from rankconv.presets.registry import neutral_answers
from rankconv.presets.resolved import Preset
from rankconv.report.by_value import beside
from rankconv.report.table import Table
from rankconv.report.wrapping import hanging, prose
from rankconv.separation import differing

COLUMN, PROSE = 45, 30
"""Columns of an answer, and of what it means where that stands beside it."""


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


def preset_page(owner: Preset, width: int | None = None) -> Iterator[str]:
    """A preset in words: what it is, its sources, and its answers where they differ from the neutral ones."""
    version = f" ({owner.file.version})" if owner.file.version else ""
    yield prose(f"{owner.name}: {owner.title}{version}", width)
    if owner.file.about:
        yield from (prose(line, width) for line in owner.file.about.strip().split("\n"))
    for source in owner.file.cite:
        where = ", ".join(filter(None, [source.where, source.doi and f"doi:{source.doi}", source.url]))
        yield prose(f"Source: {source.title}{f', {where}' if where else ''}", width, rest="  ")
    yield ""
    neutral = neutral_answers()
    asked_of_all = {q: a for q, a in owner.answers.items() if neutral.get(q) != a}
    if asked_of_all:
        yield "For all its metrics:"
        yield from _answer_lines(asked_of_all, width)
    if owner.nicknames:
        yield ""
        yield hanging(f"Several of its metrics together: {', '.join(owner.nicknames)}", width)
    for key in owner.metrics:
        yield ""
        yield from _metric_lines(any_definition(owner, key), owner, neutral, width)


def _metric_lines(definition: Definition, owner: Preset, neutral: dict[str, str], width: int | None) -> Iterator[str]:
    called = owner.entry(definition.key).names
    there = f"   (there: {', '.join(called)})" if called else ""
    yield hanging(f"{definition.key}: {definition.metric.formula}{there}", width)
    own = {**definition.metric.stated, **owner.entry(definition.key).answers}
    shown = {q: a for q, a in own.items() if q in definition.metric.stated or owner.answers.get(q) != a}
    idle = definition.idle()
    yield from _answer_lines(
        {q: a for q, a in shown.items() if not (q.startswith("cutoff") and neutral.get(q) == a)}, width, idle
    )


def _answer_lines(answers: dict[str, str], width: int | None, idle: dict[str, str] | None = None) -> Iterator[str]:
    """Answers with what they mean: beside them where there is room, else below."""
    for question, answer in answers.items():
        option = QUESTIONS[question](answer).option
        note = f"; cannot matter: {idle[question]}" if idle and question in idle else ""
        if width is None or width >= COLUMN + PROSE:
            yield beside(f"  {f'{question}={answer}':<{COLUMN - 5}}", f"{option.rule}{note}", width)
        else:
            yield hanging(f"  {question}={answer}", width)
            yield prose(f"{option.rule}{note}", width, " " * 6, " " * 6)


def definition_page(definition: Definition, fingerprint: str, width: int | None = None) -> Iterator[str]:
    """Every question of one definition, with its answer and what it means."""
    yield hanging(f"{definition.text}   fingerprint {fingerprint}", width)
    yield hanging(f"{definition.metric.about()}   {definition.metric.formula}", width)
    for title, part in zip(("Judging", "Metric", "Users and means"), definition.parts, strict=True):
        yield ""
        yield f"{title}:"
        plain = [question for question, answer in part.stated.items() if answer == "formula"]
        yield from _answer_lines({q: a for q, a in part.stated.items() if a != "formula"}, width, definition.idle())
        if plain:
            yield prose(f"What the formula gives, for: {', '.join(plain)}", width, "  ", "    ")


def difference_page(ours: Preset, other: Preset, metrics: list[str], width: int | None = None) -> Iterator[str]:
    """The answers in which two presets differ, and nothing else: those of all common metrics first."""
    yield f"{ours.name} against {other.name}"
    common = [key for key in (metrics or ours.metrics) if key in ours.metrics and key in other.metrics]
    found = {key: differing(any_definition(ours, key), any_definition(other, key)) for key in common}
    shared = {q: a for q, a in found[common[0]].items() if all(d.get(q) == a for d in found.values())} if common else {}
    if shared:
        yield ""
        yield prose(f"{', '.join(common)}:", width)
        yield from _difference_lines(shared, width)
    for key, answers in found.items():
        rest = {q: a for q, a in answers.items() if q not in shared}
        if rest:
            yield ""
            yield f"{key}:"
            yield from _difference_lines(rest, width)
    yield from _only_lines(ours, other, width)
    if common and not any(found.values()):
        yield "No answer that matters differs."


def _difference_lines(answers: dict[str, tuple[str, str]], width: int | None) -> Iterator[str]:
    for question, (ours, other) in answers.items():
        yield hanging(f"  {question:<24} {ours:<24} against {other}", width)


def _only_lines(ours: Preset, other: Preset, width: int | None) -> Iterator[str]:
    for one, two in ((ours, other), (other, ours)):
        only = [key for key in one.metrics if key not in two.metrics]
        if only:
            yield ""
            yield prose(f"Only {one.name} has: {', '.join(only)}", width, rest="  ")
