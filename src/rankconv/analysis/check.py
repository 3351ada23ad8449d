"""Find problems in the data that change metrics."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Unpack

from typing_extensions import TypedDict

from rankconv.basics.errors import InputError, MetricError, RespelledIds, muted
from rankconv.conventions.spec import checked_cutoff, each_spec
from rankconv.data import inputs
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.evaluation.compare import compare, requested, requested_presets
from rankconv.evaluation.findings.finding import Finding, FindingData, Move, step
from rankconv.evaluation.findings.label_lints import DifferentSpelling
from rankconv.evaluation.findings.lint import LINTS, LintFacts
from rankconv.evaluation.findings.lint_data import CheckedData, CheckedMetrics
from rankconv.evaluation.findings.moves import findings, measured_anew, moves, ways
from rankconv.evaluation.findings.spelling import RESPELLED, Spelling
from rankconv.evaluation.joining import SideDataLike, join, read_by, takes_joined
from rankconv.evaluation.results.comparison import Comparison, are_columns
from rankconv.presets.arguments import Metrics
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.rendering.pages.cells import plural
from rankconv.rendering.pages.display import RowResult
from rankconv.rendering.pages.page import Heading, Page, Paragraph, Piece, TextLine, Values
from rankconv.rendering.pages.table import Table
from rankconv.rendering.pages.wrapping import cell_len

INDENT = "  "
MOST_LINES = 12
"""So many ways to be moved are shown in a terminal, the furthest ones; Markdown and JSON have all of them."""


class CheckData(TypedDict):
    """The problems of labels and a run that change metrics."""

    clean: bool
    """Whether nothing was found."""
    looked_at: dict[str, int]
    """How many users, labels, rows and items there are."""
    cutoff: int | None
    """The rank down to which ties, short lists and unjudged items are looked for; null for whole lists."""
    metrics: list[str]
    presets: list[str]
    notes: list[str]
    findings: list[FindingData]


@dataclass(frozen=True)
class CheckResult(RowResult):
    """Find data problems that change metrics.

    `checked["ties"]` is a finding by its name; iterating gives all of them: first where the data are wrong, then where
    they can be read in more than one way, each time from what moves a number most to what moves it least.
    """

    rows_in: ClassVar[str] = "findings"

    findings: Sequence[Finding]
    looked_at: Mapping[str, int]
    """How many users, labels, rows and items there are."""
    cutoff: int | None
    """The rank down to which ties, short lists and unjudged items are looked for; None for whole lists."""
    metrics: Sequence[str]
    presets: Sequence[str]
    notes: Sequence[str] = ()
    """What else must be known to read it."""
    library: str = field(default="", compare=False, repr=False)
    """The library whose table the data came in, for `to_frame`."""

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __contains__(self, name: object) -> bool:
        return any(finding.name == name for finding in self.findings)

    def __getitem__(self, name: str) -> Finding:
        for finding in self.findings:
            if finding.name == name:
                return finding
        found = ", ".join(finding.name for finding in self.findings)
        raise MetricError(f"'{name}' was not found", allowed=f"Found: {found}" if found else "Nothing was found")

    def to_dict(self) -> CheckData:
        """Everything as plain data."""
        return {
            "clean": self.clean,
            "looked_at": dict(self.looked_at),
            "cutoff": self.cutoff,
            "metrics": list(self.metrics),
            "presets": list(self.presets),
            "notes": list(self.notes),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def _page(self, *, whole: bool = False) -> Page:
        """What was looked at, and each finding: how often, where, what it means, what to do, and what it moves."""
        sections: list[list[Piece]] = [[Paragraph(sentence)] for sentence in about(self)]
        rows = [[finding.name, finding.counted, largest_effect(finding)] for finding in self]
        summary = Table(["finding", "how many", "largest effect"], rows, labels=3, prose=frozenset({1, 2}))
        sections += [[summary]] if rows else []
        return Page([*sections, *(list(finding_pieces(finding, self, whole)) for finding in self)])

    def to_markdown(self, **shown: Any) -> str:
        """Return a table of all findings and a section for each as GitHub Markdown."""
        return super().to_markdown(**{"whole": True, **shown})

    def __repr__(self) -> str:
        return f"CheckResult({', '.join(f'{finding.name}: {finding.count}' for finding in self) or 'clean'})"


def about(checked: CheckResult) -> Iterator[str]:
    """What was looked at, and whether all is well."""
    at = checked.looked_at
    labels = f"Users with labels: {at['users with labels']:,} ({at['labels']:,} rows)"
    lists = f"with a list: {at['users with a list']:,} ({at['rows']:,} rows)"
    yield f"{labels}, {lists}; {f'cutoff {checked.cutoff}' if checked.cutoff else 'no cutoff'}."
    yield from checked.notes
    if checked.clean:
        yield "No problem was found that changes a metric."


def largest_effect(finding: Finding) -> str:
    """The number on which a finding has the largest effect, and how far it moves."""
    move = finding.furthest
    if move is None:
        return "–"
    return f"{move.metric} under {move.preset} {move.effect}"


def finding_pieces(finding: Finding, checked: CheckResult, whole: bool) -> Iterator[Piece]:
    yield Heading(finding.name, finding.title)
    yield from (Paragraph(sentence, INDENT, INDENT) for sentence in _sentences(finding))
    if not finding.moves:
        return
    metrics, rows = _moves(finding, checked)
    if whole:
        yield Table([*metrics, "under"], [[*cells, names] for cells, names in rows], 0, prose=frozenset({len(metrics)}))
        return
    sizes = [max(map(cell_len, column)) + 2 for column in zip(metrics, *(cells for cells, _ in rows), strict=True)]
    yield Values([(cells, [names]) for cells, names in rows[:MOST_LINES]], sizes, metrics, ["under"], indent=INDENT)
    if len(rows) > MOST_LINES:
        names = sum(len(names.split(", ")) for _, names in rows[MOST_LINES:])
        yield TextLine(f"{2 * INDENT}smaller effects under {plural(names, 'more preset')}: --format json")


def _sentences(finding: Finding) -> Iterator[str]:
    yield f"{finding.counted}{f', {finding.note}' if finding.note else ''}."
    yield f"For example: {'; '.join(str(example) for example in finding.examples)}."
    yield finding.means
    yield f"To do: {finding.do}"
    if finding.moves:
        none_now = any(math.isnan(move.mean) for move in finding.moves)
        yield f"Effect of {finding.otherwise}{' (in brackets: values where there is none now)' if none_now else ''}:"
    elif finding.otherwise:
        yield "No effect on the metrics checked."


def _moves(finding: Finding, checked: CheckResult) -> tuple[list[str], list[tuple[Sequence[str], str]]]:
    """The metrics that are moved, and how far each of them is, with the presets under which it is so."""
    moves = {(move.preset, move.metric): move for move in finding.moves}
    metrics = [metric for metric in checked.metrics if any((preset, metric) in moves for preset in checked.presets)]

    def furthest(preset: str) -> float:
        """How far a preset is moved; without end where it gives no number now."""
        steps = [move.by for move in finding.moves if move.preset == preset]
        return math.inf if any(map(math.isnan, steps)) else max(steps, default=0.0)

    names_by_cells: dict[Sequence[str], list[str]] = {}
    for preset in sorted(checked.presets, key=furthest, reverse=True):
        cells = tuple(_cell(moves.get((preset, metric))) for metric in metrics)
        if any(cells):
            names_by_cells.setdefault(cells, []).append(preset)
    return metrics, [(cells, ", ".join(names)) for cells, names in names_by_cells.items()]


def _cell(move: Move | None) -> str:
    """How far down and up; or the values, where the preset gives none, or an infinite one, for the data as they are."""
    if move is None:
        return ""
    if math.isnan(move.mean):
        return f"({move.range})"
    if not math.isfinite(move.by):
        return move.effect
    return " ".join(step(by, "+") for by in move.steps if abs(by) > 1e-12)


USUAL_PRESETS = ("rankconv", "trec_eval", "sklearn", "mllib", "ranx", "recbole")
"""One of each kind, where the caller names none."""
USUAL_METRICS, USUAL_CUTOFF = ("ndcg", "map", "precision", "mrr"), 10


@takes_joined
def check(
    labels: Any,
    run: Any = None,
    metrics: Metrics | Mapping[str, str | Definition] | None = None,
    preset: str | Preset | Sequence[str | Preset] | None = None,
    *,
    k: int | None = None,
    train: Any = None,
    seen: Any = None,
    catalogue: Any = None,
    item_features: Any = None,
    parents: Any = None,
    propensities: Any = None,
    shown: Any = None,
    group_target: Any = None,
    columns: Mapping[str, Any] | None = None,
) -> CheckResult:
    """Find problems in labels and run that change metrics, and measure how much.

    Parameters
    ----------
    labels, run
        As in `rc.evaluate`; one run.
    metrics : MetricLike, optional
        By default NDCG, MAP and precision at k, and the reciprocal rank.
    preset : str, path, Preset or a list of these, optional
        By default six that differ much.
    k : int, optional
        The rank down to which ties, short rankings and unjudged items are looked for; by default the largest cutoff of
        the metrics, or 10.
    train : LabelsLike, optional
        The training data; labels and ranked items that occur in it are found.
    seen, catalogue, item_features, parents, propensities, shown, group_target
        As in `rc.evaluate`.
    columns
        As in `rc.evaluate`.

    Returns
    -------
    CheckResult
        Each finding says how often and where it occurs, what it means, what to do, and its `moves`: the range of each
        mean over all treatments (orders of ties, of duplicates, of such users, matched ids). Ids that do not match
        between labels and run are a finding too; the other findings are then those with matched ids.

    Raises
    ------
    InputError, ConventionError, MetricError
        As in `rc.compare`.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels = {"ada": {"a": 1, "b": 1}, "bob": {"c": 1}}
    >>> run = {"ada": {"a": 0.9, "x": 0.5, "b": 0.5}, "bob": {"c": 0.2}}
    >>> found = rc.check(labels, run, "ndcg@2", ["rankconv", "trec_eval"])
    >>> found
    CheckResult(ties: 1, short-lists: 1)
    >>> found["ties"].counted, str(found["ties"].examples[0])
    ('1 of 2 users with labels and a list', "user 'ada': score 0.5 at ranks 2 to 3")
    >>> [(move.preset, round(move.by, 3)) for move in found["ties"].moves]
    [('trec_eval', 0.193)]
    """
    k = None if k is None else checked_cutoff(k, "k")
    wanted, chosen = (metrics, None) if are_columns(metrics, preset) else checked_metrics(metrics, preset, k)
    labels, run = read_by(columns, labels, run)
    if isinstance(labels, Joined):
        return _checked(_Spelled(labels), wanted, chosen, k)
    side = SideDataLike(catalogue=catalogue, train=train, seen=seen, item_features=item_features, parents=parents)
    side |= SideDataLike(propensities=propensities, shown=shown, group_target=group_target)
    spelled = _spelled(labels, run, **side)
    return _checked(spelled, wanted, chosen, k)


class _Spelled(NamedTuple):
    """Joined data, and what becomes of them with one spelling for each id."""

    joined: Joined
    spelling: Spelling = Spelling()
    respelled: Joined | None = None
    """None where no spelling differs, or `joined` is respelled already."""
    note: str = ""


def _spelled(labels: Any, run: Any, **side_data: Unpack[SideDataLike]) -> _Spelled:
    """The data as they are and with matched ids; with matched ids alone, where they do not match otherwise."""
    known, ranked = inputs.labels(labels), inputs.rankings(run)
    spelling = Spelling.of(known, ranked)
    if not spelling.tally.count:
        return _Spelled(join(known, ranked, **side_data), spelling)
    matched = spelling.respelled(known, ranked)
    try:
        return _Spelled(join(known, ranked, **side_data), spelling, join(*matched, **side_data))
    except InputError:
        return _Spelled(join(*matched, **side_data), spelling, None, RESPELLED)


def _checked(data: _Spelled, metrics: Any, presets: list[Preset] | None, k: int | None) -> CheckResult:
    """What was found, in words, with what it moves."""
    with muted(RespelledIds):  # it is a finding
        base = compare(data.joined, None, metrics, presets)
    return _found(data, base, k)


def check_compared(
    comparison: Comparison, run: str, labels: Labels, ranked: Run, presets: Sequence[str], **side: Unpack[SideDataLike]
) -> CheckResult:
    """Find the problems of labels and one run by the values of a comparison of all users, without a second look."""
    joined, spelling = comparison.facts[run].joined, Spelling.of(labels, ranked)
    respelled = join(*spelling.respelled(labels, ranked), **side) if spelling.tally.count else None
    cells = {("", metric, preset): one for (of, metric, preset), one in comparison.cells.items() if of == run}
    cells = {place: one for place, one in cells.items() if place[2] in presets}
    facts = {"": comparison.facts[run]}
    base = replace(comparison, runs=[""], presets=list(presets), cells=cells, facts=facts)
    return _found(_Spelled(joined, spelling, respelled), base, None)


def _found(data: _Spelled, base: Comparison, k: int | None) -> CheckResult:
    """What was found, where these values move."""
    measured = {(preset, metric): one for (_, metric, preset), one in base.cells.items()}
    checked = CheckedMetrics({place: one.definition for place, one in measured.items()}, k)
    looked_at = CheckedData(data.joined, checked, train=data.joined.extra.train, respelled=data.respelled)
    tallies = {name: lint.look(looked_at) for name, lint in LINTS.items()}
    tallies[DifferentSpelling.name] = data.spelling.tally
    known = LintFacts(looked_at, measured, tallies)
    found = findings(known)
    others = ways(found, known)
    moved = moves(known, others, measured_anew(looked_at, others))
    listed = [replace(one, moves=moved.get(name, []) if one.otherwise else []) for name, one in found.items()]
    listed.sort(key=lambda finding: (not finding.wrong, -finding.weight))
    notes = [data.note] if data.note else []
    return CheckResult(listed, looked_at.counts, checked.cutoff, base.metrics, base.presets, notes, base.library)


def checked_metrics(
    metrics: Any, presets: str | Preset | Sequence[str | Preset] | None, k: int | None
) -> tuple[Any, list[Preset]]:
    """The metrics and presets that are looked at; the usual ones, as far as a preset offers them, if none are named."""
    chosen = requested_presets(presets, USUAL_PRESETS)
    if metrics in (None, [], ()):
        metrics = usual_metrics(chosen, str(k or ""))
    requested(metrics, chosen)
    return metrics, chosen


def usual_metrics(presets: Any, cutoffs: str) -> list[str]:
    """The usual metrics at these cutoffs, as far as a preset offers them."""
    usual = each_spec(",".join(f"{metric}@{cutoffs or USUAL_CUTOFF}" for metric in USUAL_METRICS))
    chosen = requested_presets(presets, USUAL_PRESETS)
    return [metric for metric in usual if any(one.offers(metric) for one in chosen)] or list(usual)
