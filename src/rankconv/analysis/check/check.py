"""The question before the number: is there something in these data that makes it lie?"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from rankconv import inputs
from rankconv.analysis.check.checked import CheckResult
from rankconv.analysis.findings.data import Asked, Spelling, Turn
from rankconv.analysis.findings.finding import Finding, Move
from rankconv.analysis.findings.found import Found
from rankconv.analysis.findings.impact import Ways, measured_anew, moves, ways
from rankconv.analysis.findings.known import Known, LookedAt, data_of
from rankconv.analysis.findings.lints import LINTS, Lint
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine.measured import Measured
from rankconv.errors import InputError
from rankconv.evaluation.compare.compare import asked, cells_asked, compare, presets_asked
from rankconv.evaluation.compare.comparison import are_columns
from rankconv.evaluation.joining import join, read_by, refuse_without_memory, takes_joined
from rankconv.presets.defining import Metrics
from rankconv.presets.definition import Definition
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import checked_cutoff

USUAL_PRESETS = ("rankconv", "trec_eval", "sklearn", "mllib", "ranx", "recbole")
"""One of each kind, where the caller names none."""
USUAL_CUTOFF = 10


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
    columns: Mapping[str, Any] | None = None,
    memory: str | int | None = None,
    temp_dir: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> CheckResult:
    """What in these labels and this run makes metrics lie, and which numbers does it move?

    Takes what `rc.compare` takes, with one run. `k` is the rank down to which ties, short lists and unjudged items
    are looked for: the deepest cutoff of the metrics unless said. Without metrics, NDCG, MAP and precision at k (10
    unless said) and the reciprocal rank; without presets, six that differ much, or the definitions as columns. `train`
    is what the model learned from, as labels: then labels and lists that stand in it are found too.

    Each finding tells how often it is so and where, what it means, what to do, and its moves: between which values
    each mean lies under all ways to take what was found (other tie orders, other treatments of duplicates, such
    users counted 0 or left out, ids matched), everything else being equal.

    Ids that differ by type, or so much that no user is common, are found too, not raised; the other findings are then
    those of the data with mended ids.

    `memory="2GB"` reads files and folders of parts batch by batch, as `rc.evaluate` does, with its `temp_dir`,
    `columns` and `progress`: once to look at all users, and once more for the numbers that findings move. What is found
    is what is found in memory, but that a refusal names the user of the least id. Ids of text are compared as far as
    all different ones fit the memory, and a note tells where they do not. Training data are held in memory. Raises
    MetricError for numbers that need all users at once.

    >>> import rankconv as rc
    >>> labels = {"ada": {"a": 1, "b": 1}, "bob": {"c": 1}}
    >>> run = {"ada": {"a": 0.9, "x": 0.5, "b": 0.5}, "bob": {"c": 0.2}}
    >>> found = rc.check(labels, run, "ndcg@2", ["rankconv", "trec_eval"])
    >>> found
    CheckResult(ties: 1, short-lists: 1)
    >>> found["ties"].counted, str(found["ties"].examples[0])
    ('1 of 2 users of both sides', "user 'ada': score 0.5 at ranks 2 to 3")
    >>> [(move.preset, round(move.by, 3)) for move in found["ties"].moves]
    [('trec_eval', 0.193)]
    """
    k = None if k is None else checked_cutoff(k, "k")
    if memory is not None:
        from rankconv.evaluation.of_files import check_paths

        check_paths(labels, [run], {"seen": seen})
        given: dict[str, Any] = {"catalogue": catalogue, "train": train, "item_features": item_features}
        how: dict[str, Any] = {"temp_dir": temp_dir, "columns": columns, "progress": progress}
        return _of_files(labels, run, metrics, preset, memory, k, given, **how)
    refuse_without_memory(temp_dir)
    labels, run = read_by(columns, labels, run)
    wanted, chosen = _wanted(metrics, preset, k)
    if isinstance(labels, Joined):
        joined, spelling, respelled, note = labels, Spelling(), None, ""
    else:
        known, ranked = inputs.labels(labels), inputs.rankings(run)
        spelling = Spelling.of(known, ranked)
        joined, respelled, note = _joined(
            known, ranked, spelling, seen=seen, catalogue=catalogue, train=train, item_features=item_features
        )
    base = compare(joined, None, wanted, chosen)
    measured = {(preset, metric): one for (_, metric, preset), one in base.cells.items()}
    asked_for = Asked({place: one.definition for place, one in measured.items()}, k)
    data = data_of(joined, asked_for, measured, train=joined.extra.train, respelled=respelled)
    seen = {lint.name: lint.look(data) for lint in LINTS.values()}
    known_of_all = Known(asked_for, measured, LookedAt.of(joined), seen, spelling, respelled is not None)
    return told(known_of_all, lambda others: measured_anew(data, others), base.metrics, base.presets, [note])


def _wanted(metrics: Any, presets: Any, k: int | None) -> tuple[Any, list[Preset] | None]:
    return (metrics, None) if are_columns(metrics, presets) else asked_of_check(metrics, presets, k)


def _of_files(
    labels: Any, run: Any, metrics: Any, presets: Any, memory: str | int, k: int | None, given: Any, **how: Any
) -> CheckResult:
    """The findings in files, within a budget of memory."""
    from rankconv.analysis.check.check_files import known_of_files

    rows, names, table = cells_asked(*_wanted(metrics, presets, k))
    asked_for = Asked({(preset, metric): one for (metric, preset), one in table.items()}, k)
    train = None if given["train"] is None else inputs.interactions(given["train"])
    beside_them = {**given, "train": train}
    with ExitStack() as stack:
        known, anew, ids = known_of_files(labels, run, asked_for, memory, stack, beside=beside_them, train=train, **how)
        return told(known, anew, rows, names, [ids.unknown or ("" if ids.matching else _MENDED)])


def told(
    known: Known,
    measured: Callable[[Ways], Mapping[Turn | None, Sequence[Measured]]],
    metrics: Sequence[str],
    presets: Sequence[str],
    notes: Sequence[str],
) -> CheckResult:
    """What was seen of all users, in words, with what it moves: `measured` gives what comes out of other ways."""
    found = {name: one for name, lint in LINTS.items() if (one := lint.tell(known.seen[name], known))}
    others = ways([LINTS[name] for name in found], known)
    moved = moves(known, others, measured(others))
    findings = [_finding(LINTS[name], one, known, moved.get(name, [])) for name, one in found.items()]
    findings.sort(key=lambda finding: (not finding.wrong, -finding.weight))
    notes = [note for note in notes if note]
    return CheckResult(findings, known.at.to_dict(), known.asked.cutoff, metrics, presets, notes)


def asked_of_check(
    metrics: Any, presets: str | Preset | Sequence[str | Preset] | None, k: int | None
) -> tuple[Any, list[Preset]]:
    """The metrics and presets that are looked at; the usual ones where none are named."""
    chosen = presets_asked(presets, USUAL_PRESETS)
    told = _usual_metrics(k or USUAL_CUTOFF, chosen) if metrics in (None, [], ()) else metrics
    asked(told, chosen)
    return told, chosen


def _joined(labels: Labels, run: Run, spelling: Spelling, **given: Any) -> tuple[Joined, Joined | None, str]:
    """The data as they are and with mended ids; with mended ids alone, where they do not match otherwise."""
    mended = spelling.mended(labels, run) if spelling.found else None
    try:
        joined = join(labels, run, **given)
    except InputError:
        if mended is None:
            raise
        return join(*mended, **given), None, _MENDED
    return joined, None if mended is None else join(*mended, **given), ""


_MENDED = "As they are spelled, the ids of labels and run do not match at all; all else is said of mended ids."


def _usual_metrics(k: int, presets: Sequence[Preset]) -> list[str]:
    """Those of the usual metrics that one of the presets offers; all, if none offers any."""
    usual = [f"ndcg@{k}", f"map@{k}", f"precision@{k}", f"mrr@{k}"]
    return [metric for metric in usual if any(preset.offers(metric) for preset in presets)] or usual


def _finding(lint: Lint[Any], found: Found, known: Known, moved: Sequence[Move]) -> Finding:
    tried = lint.tried(known.seen[lint.name], known)
    return Finding(
        name=lint.name,
        title=lint.title,
        count=found.count,
        of=found.of,
        unit=lint.unit,
        note=found.note,
        examples=found.examples,
        means=lint.means,
        do=lint.do,
        otherwise=tried,
        wrong=lint.wrong,
        moves=moved if tried else [],
    )
