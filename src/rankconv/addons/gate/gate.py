"""`rc.gate`: whether a run meets floors, and is not worse than a baseline."""

import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field

from rankconv.addons.gate.baseline import Baseline
from rankconv.addons.gate.bounds import unseen_share
from rankconv.addons.gate.decisions import Decision, Excess, corrected, decided
from rankconv.addons.gate.gate_result import GateResult, no_list_changed
from rankconv.addons.gate.lock import Identity, hold, same_digest
from rankconv.analysis.segments.segment import by_column, check_ids, listed
from rankconv.analysis.significance.hypotheses import counted, why_no_mean
from rankconv.basics.errors import InputError, MetricError, nearest
from rankconv.data.arrays import Mask, Numbers
from rankconv.data.ids import make_ids
from rankconv.data.inputs.side_data import properties
from rankconv.engine.metric_result import range_of
from rankconv.evaluation.evaluate import evaluate
from rankconv.evaluation.joining import SideDataLike
from rankconv.evaluation.results.number import Number
from rankconv.evaluation.results.result import Result
from rankconv.evaluation.results.result_intervals import usual
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics
from rankconv.presets.checked_file import Strict, validated
from rankconv.presets.preset import Preset
from rankconv.presets.yaml_file import read_document, read_text

Margin = float | str
"""As a number, or as a share of the baseline's value, "5%"."""
IfUndecided = Literal["undecided", "pass", "fail"]
IfSame = Literal["same", "undecided"]


class GateSettings(Strict):
    """What `rankconv gate --settings FILE` reads; paths are relative to the file."""

    labels: Path | None = None
    run: Path | None = None
    baseline: Path | None = None
    metrics: list[str] = Field(default=[])
    preset: str = ""
    at_least: float | dict[str, float] | None = None
    not_worse_by: Margin | dict[str, Margin] | None = None
    confident: bool = False
    by: list[str] = Field(default=[])
    user_features: Path | None = None
    undecided: IfUndecided = "undecided"
    same: IfSame = "same"
    lock: Path | None = None
    alpha: float = 0.05


def read_settings(file: Path) -> GateSettings:
    """Return the settings of a file; ConventionError with its line for what is not one of them."""
    document = read_document(read_text(file, str(file)), str(file))
    found = validated(GateSettings, document, "a file of settings")
    paths = {name: getattr(found, name) for name in ("labels", "run", "baseline", "user_features", "lock")}
    return found.model_copy(update={name: file.parent / path for name, path in paths.items() if path})


def gate(
    labels: Any,
    run: Any,
    metrics: Metrics | None = None,
    preset: str | Preset | None = None,
    *,
    baseline: Any = None,
    at_least: float | Mapping[str, float] | None = None,
    not_worse_by: Margin | Mapping[str, Margin] | None = None,
    confident: bool = False,
    by: str | Iterable[str] = (),
    user_features: Any = None,
    undecided: IfUndecided = "undecided",
    same: IfSame = "same",
    lock: str | os.PathLike[str] | None = None,
    alpha: float = 0.05,
    seen: Any = None,
    catalogue: Any = None,
    train: Any = None,
) -> GateResult:
    """Decide whether a run is good enough, and not worse than a baseline.

    Parameters
    ----------
    labels, run
        As in `rc.evaluate`.
    metrics : MetricLike, optional
        As in `rc.evaluate`; by default those that `at_least` and `not_worse_by` name.
    preset : str, path or Preset, optional
        As in `rc.evaluate`.
    baseline : RunLike, Result or path, optional
        The run to be compared with, over the same users; or its result, saved or not, of the same definitions.
    at_least : float or mapping, optional
        The floor of each metric, one for all or by metric. The value decides; with `confident` its lower limit does.
    not_worse_by : float, str or mapping, optional
        The margin by which the run may be worse than the baseline, absolute or as a share of its value, `"5%"`; one for
        all or by metric. It passes if the one-sided lower limit of the mean difference is above it, fails if the upper
        one is below it, and is undecided in between. Where no list of any user changed it is `same`.
    confident : bool, default False
        Whether a floor holds for the one-sided lower limit.
    by : str or iterable of str, optional
        Columns of `user_features`; each requirement holds for each segment too. A segment fails only after Holm's
        correction; that all pass needs none.
    user_features : mapping, frame or path, optional
        A table with a row for each user.
    undecided : {"undecided", "pass", "fail"}, default "undecided"
        What an undecided requirement counts as.
    same : {"same", "undecided"}, default "same"
        What a margin counts as where no list changed: `same` has the exit code 0.
    lock : str or path, optional
        A file that keeps fingerprints and the digests of labels and users. It is written where it is missing.
    alpha : float, default 0.05
        One minus the level of each one-sided limit.
    seen, catalogue, train
        As in `rc.evaluate`.

    Returns
    -------
    GateResult
        The verdict, the exit code (0 passes or no list changed, 1 fails, 3 is undecided), the decision of each
        requirement, and the definitions and digests of the data.

    Raises
    ------
    InputError
        If the baseline has other users or labels than the run, or the definitions or data are not those of the lock.
    MetricError
        If nothing is required, a requirement names a metric that is not evaluated, or a saved baseline has another
        definition.

    Notes
    -----
    Limits are exact where fewer than six users change, or all by one size; else they are those of the share of users
    who change times the mean size of changes. No sample shows what reaches fewer users than `unseen`, a share that each
    decision states: below about 3 · range / margin users, a few large losses among many small changes can be absent.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels = {user: ["a"] for user in range(40)}
    >>> old = {user: ["b", "a"] for user in range(40)}
    >>> new = {user: ["a"] if user % 2 else ["b", "a"] for user in range(40)}
    >>> rc.gate(labels, new, "mrr", baseline=old, at_least=0.7, not_worse_by=0.01).verdict
    'pass'
    """
    arguments.decimal(alpha, "alpha", 0.0001, 0.5)
    arguments.word(undecided, IfUndecided, "undecided")
    arguments.word(same, IfSame, "same")
    if lock is not None and not isinstance(lock, str | os.PathLike):
        raise InputError(f"lock={lock!r:.60} is not a file", allowed="It is the path of one")
    sides = SideDataLike(seen=seen, catalogue=catalogue, train=train)
    named = [metric for given in (at_least, not_worse_by) if isinstance(given, Mapping) for metric in given]
    metrics = metrics or [*dict.fromkeys(named)]
    new = _evaluated(labels, run, metrics, preset, sides)
    old = _baseline(labels, baseline, metrics, preset, sides, new)
    floors, margins = _by_metric(at_least, new, "at_least"), _by_metric(not_worse_by, new, "not_worse_by")
    floors = {metric: arguments.decimal(floor, "at_least") for metric, floor in floors.items()}
    if not floors and not margins:
        shell = "Add --at-least 0.3, or --baseline RUN --not-worse-by 0.01."
        raise MetricError("nothing is required", do="Pass at_least=0.3 or not_worse_by=0.01.", shell=shell)
    if margins and old is None:
        do, shell = "Pass baseline=…, the run to be compared with.", "Add --baseline RUN, the run to be compared with."
        raise MetricError("a margin needs a baseline", do=do, shell=shell)
    identities = {metric: Identity.of(one, new.signatures[metric]) for metric, one in new.items()}
    notes = [] if lock is None else [_locked(Path(lock), identities)]
    segments = {"": np.ones(len(new.users), bool)} | _segments(by, user_features, new.users.tolist())
    decisions = list[Decision]()
    for metric, one in new.items():
        if metric in floors:
            decide = partial(_floor, metric, one, floors[metric], alpha=alpha, confident=confident)
            decisions += _decisions(segments, decide, alpha)
        if metric in margins and old is not None:
            _check_mean(one, metric)
            decide = partial(_margin, metric, one, old, old.values(metric), margins[metric], alpha=alpha)
            decisions += _decisions(segments, decide, alpha)
    digests = {} if old is None else {metric: old.digests(metric) for metric in margins}
    if old is not None and not all(
        same_digest(identities[one].digests, each, "labels") for one, each in digests.items()
    ):
        notes.append("The baseline states no digest of its labels: whether they are those of the run is not known.")
    about: dict[str, Any] = {"identities": identities, "baseline_digests": digests, "same": same, "notes": notes}
    about["library"] = new.library
    return GateResult(decisions, undecided, alpha, _name(run), _name(baseline), **about)


def _baseline(
    labels: Any, given: Any, metrics: Any, preset: str | Preset | None, sides: SideDataLike, new: Result
) -> Baseline | None:
    if given is None:
        return None
    return Baseline(Baseline.saved(given) or _evaluated(labels, given, metrics, preset, sides), new)


def _evaluated(labels: Any, run: Any, metrics: Any, preset: str | Preset | None, sides: SideDataLike) -> Result:
    """The result of one run; an InputError for several."""
    found: Any = evaluate(labels, run, metrics, preset, **sides)
    if not isinstance(found, Result):
        names = ", ".join(map(repr, found))
        raise InputError(f"these are several runs: {names:.200}", do="Pass one alone: a gate decides on one run.")
    return found


def _locked(file: Path, identities: Mapping[str, Identity]) -> str:
    written = hold(file, identities)
    return f"{file} is written: it locks fingerprints, labels and users." if written else f"All is as locked in {file}."


def _segments(by: str | Iterable[str], user_features: Any, users: list[Any]) -> dict[str, Mask]:
    """The users of each segment, by column and name, each of shape (users,)."""
    if not by:
        return {}
    if user_features is None:
        do, shell = "Pass user_features=…, a table or file.", "Add --user-features FILE."
        raise InputError("segments need a table of users", where="by", do=do, shell=shell)
    table, ids, found = properties(user_features, "user"), make_ids(users, "user"), dict[str, Mask]()
    check_ids(table, ids, "user")
    for column in listed(by):
        if column not in table.columns:
            wrong, allowed = f"'{column}' is not a column of {table.source}", f"Columns: {', '.join(table.columns)}"
            raise InputError(wrong, where="by", allowed=allowed, nearest=nearest(column, [*table.columns]))
        split = by_column(table, column, ids, len(users))
        found |= {f"{column}={name}": split.users_of(name) for name in split.names}
    return found


def _by_metric(given: Any, result: Result, name: str) -> dict[str, Any]:
    """What is required of each metric, by its text in the result."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        return dict.fromkeys(result, given)
    required = dict[str, Any]()
    for metric, value in given.items():
        if metric not in result:
            allowed = f"Evaluated are {', '.join(result)}"
            raise MetricError(f"{name} names '{metric}', which is not evaluated", allowed=allowed)
        text = next(text for text, one in result.by_spec.items() if one is result.measured(metric))
        if text in required:
            raise MetricError(f"{name} names {text} twice, once as '{metric}'", do="Give one value for each metric.")
        required[text] = value
    return required


def _check_mean(one: Number, metric: str) -> None:
    """A MetricError where a number is not the mean of the values of its users."""
    why = why_no_mean([one.measured])
    if not why and usual(one.definition) != "t":
        why = "its number is the sum of the users' values"
    if why:
        do = "Gates compare means over users; a floor without confidence and segments takes any metric."
        raise MetricError(f"{metric} has no margin and no limits: {why}", do=do)


def _floor(metric: str, one: Number, least: float, at: Mask, alpha: float, confident: bool) -> Decision:
    """Whether the value over some users, shape (users,), is at least a floor; or at most, where less is better."""
    low = one.definition.lower_is_better
    requirement = f"at {'most' if low else 'least'} {least:g}{f' at {1 - alpha:.0%} confidence' if confident else ''}"
    if confident or not at.all():
        _check_mean(one, metric)
    counts = counted(one.measured) & at
    value = float(one) if at.all() else float(one.measured.values[counts].mean()) if counts.any() else math.nan
    met = value <= least if low else value >= least
    decision = Decision(metric, "", requirement, "pass" if met else "fail", value, int(counts.sum()))
    if not confident or not counts.any():
        return replace(decision, reason="the value of these users decides, with no limit of all users")
    sign = -1 if low else 1
    ends = sorted(sign * end for end in range_of(one.definition))
    excess = Excess.of_floor(sign * one.measured.values[counts], sign * least, (ends[0], ends[1]))
    return decided(decision, excess, value, alpha)


def _margin(
    metric: str, one: Number, baseline: Baseline, old: Numbers, given: Margin, at: Mask, alpha: float
) -> Decision:
    """Whether a run is worse than its baseline by no more than a margin, over some users.

    `old`, the baseline's values, and `at` have shape (users,).
    """
    margin, share = _margin_of(given)
    sign = -1 if one.definition.lower_is_better else 1
    counts = counted(one.measured) & at
    new, before = one.measured.values[counts], old[counts]
    requirement = f"not worse by {given if isinstance(given, str) else format(given, 'g')}"
    if not len(new):
        return Decision(metric, "", requirement, "undecided", math.nan, 0, reason="no user counts here")
    ends = sorted(sign * end for end in range_of(one.definition))
    excess = Excess.of_margin(sign * new, sign * before, margin, share, (ends[0], ends[1]))
    changed, difference = int(np.count_nonzero(excess.changes)), sign * float((new - before).mean())
    decision = Decision(
        metric, "", requirement, "same", float(new.mean()), len(new), float(before.mean()), difference, changed=changed
    )
    if not changed and baseline.same_lists(metric)[counts].all():
        unseen = unseen_share(len(new), alpha)
        return replace(decision, low=0.0, high=0.0, unseen=unseen, reason=no_list_changed(unseen))
    return decided(decision, excess, difference, alpha)


def _margin_of(given: Margin) -> tuple[float, float]:
    """A margin as a number and as a share of the baseline."""
    text = str(given).strip()
    try:
        margin = float(text.removesuffix("%"))
    except ValueError:
        margin = math.nan
    if not 0 <= margin < math.inf:
        allowed = 'A margin is a number from 0 on, or a share such as "5%"'
        raise MetricError(f"{given!r} is not a margin", allowed=allowed)
    return (0.0, margin / 100) if text.endswith("%") else (margin, 0.0)


def _decisions(segments: Mapping[str, Mask], decide: Callable[[Mask], Decision], alpha: float) -> list[Decision]:
    """The decision over all users, and those of segments, each with its users, shape (users,)."""
    whole, *others = (replace(decide(at), segment=name) for name, at in segments.items())
    return [whole, *corrected(others, alpha)]


def _name(run: Any) -> str:
    return str(run) if isinstance(run, str | os.PathLike) else ""
