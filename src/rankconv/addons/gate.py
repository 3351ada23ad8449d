"""`rc.gate`: whether a run meets floors, and is not worse than a baseline."""

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import Any, ClassVar, Literal
from xml.etree import ElementTree

import numpy as np
from pydantic import Field

from rankconv.analysis.segments.segment import by_column, check_ids, listed, table_of
from rankconv.analysis.significance.hypotheses import counted, why_no_mean
from rankconv.basics.errors import InputError, MetricError
from rankconv.data.arrays import Mask, Numbers
from rankconv.data.ids import make_ids
from rankconv.data.inputs.side_data import properties
from rankconv.engine.metric_result import range_of
from rankconv.evaluation.evaluate import evaluate
from rankconv.evaluation.joining import SideDataLike
from rankconv.evaluation.results.result import Number, Result
from rankconv.evaluation.results.result_intervals import usual
from rankconv.evaluation.statistics.intervals import Ends, of_mean, why_not_squared
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics
from rankconv.presets.checked_file import Strict, validated
from rankconv.presets.preset import Preset
from rankconv.presets.yaml_file import read_document, read_text
from rankconv.rendering.pages.cells import ABSENT, number
from rankconv.rendering.pages.display import RowResult
from rankconv.rendering.pages.page import Page, Paragraph
from rankconv.rendering.pages.table import Table

Verdict = Literal["pass", "fail", "undecided"]
Margin = float | str
"""As a number, or as a share of the baseline's value, "5%"."""
LEAST_USERS = 5
"""Of fewer users there are no limits."""


@dataclass(frozen=True, eq=False)
class Excess:
    """What the value of each user has above the requirement: it is met if the mean is above 0."""

    values: Numbers
    """Shape (users,)."""
    within: Ends
    """Between which the values can be."""

    def limits(self, alpha: float) -> Ends:
        """Return the one-sided lower and upper limits of the mean, each of level 1 - alpha."""
        if len(self.values) < LEAST_USERS or why_not_squared(self.values):
            return -math.inf, math.inf
        if np.ptp(self.values) == 0:
            return float(self.values[0]), float(self.values[0])
        interval = of_mean(self.values, 1 - 2 * alpha, self.within)
        return interval.low, interval.high

    def verdict(self, alpha: float) -> Verdict:
        """Return whether the requirement is met, as far as these users say."""
        low, high = self.limits(alpha)
        return "pass" if low > 0 else "fail" if high < 0 else "undecided"

    def users_needed(self, alpha: float) -> int | None:
        """Return how many users of this kind would decide; None where their mean is just what is required."""
        if len(self.values) < 2 or why_not_squared(self.values):
            return None
        mean, spread = float(self.values.mean()), float(self.values.std(ddof=1))
        if not mean or not spread or not np.isfinite([mean, spread]).all():
            return None
        users, (low, high) = len(self.values), self.limits(alpha)
        normal = NormalDist().inv_cdf(1 - alpha) * spread / users**0.5
        reach = (high - low) / 2 if math.isfinite(high) else normal
        return max(LEAST_USERS, users + 1, math.ceil(users * (reach / mean) ** 2))


@dataclass(frozen=True)
class Decision:
    """Whether one requirement is met, and by which numbers."""

    metric: str
    segment: str
    """Empty for all users."""
    requirement: str
    """In words, such as "at least 0.31" or "not worse by 0.01"."""
    verdict: Verdict
    value: float
    """The value of the run over these users."""
    users: int
    baseline: float = math.nan
    difference: float = math.nan
    """The value less the baseline's; positive is better."""
    low: float = math.nan
    """The one-sided lower limit of the difference, or of the value where a floor is decided with confidence."""
    high: float = math.nan
    changed: int = 0
    """Users whose value differs from the baseline's."""
    users_needed: int | None = None
    """Users of this kind that would decide, where these do not."""
    reason: str = ""
    excess: Excess | None = field(default=None, repr=False, compare=False)
    """None where the value itself decides."""


def decided(decision: Decision, excess: Excess, middle: float, alpha: float) -> Decision:
    """Return the decision with its verdict; `middle` is the number that the printed limits are of."""
    low, high = excess.limits(alpha)
    shift = middle - float(excess.values.mean())
    verdict = excess.verdict(alpha)
    needed = excess.users_needed(alpha) if verdict == "undecided" else None
    return replace(decision, verdict=verdict, low=low + shift, high=high + shift, users_needed=needed, excess=excess)


def corrected(decisions: Sequence[Decision], alpha: float) -> list[Decision]:
    """Return the decisions of segments, in which those fail that Holm's correction lets fail.

    That all segments pass needs no correction; to name one that fails does. The segment whose upper limit is lowest
    must be below 0 at alpha / m, the next at alpha / (m - 1), and so on.
    """
    found = list(decisions)
    tested = {at: one.excess for at, one in enumerate(found) if one.excess is not None}
    levels = [alpha / (len(tested) - step) for step in range(len(tested))]
    upper = {at: excess.limits(levels[0])[1] for at, excess in tested.items()}
    holds = True
    for at, level in zip(sorted(tested, key=upper.__getitem__), levels, strict=True):
        holds = holds and tested[at].limits(level)[1] < 0
        if found[at].verdict == "fail" and not holds:
            found[at] = replace(found[at], verdict="undecided", reason="fails only without Holm's correction")
    return found


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
    undecided: Verdict = "undecided"
    alpha: float = 0.05


def read_settings(file: Path) -> GateSettings:
    """Return the settings of a file; ConventionError with its line for what is not one of them."""
    document = read_document(read_text(file, str(file)), str(file))
    found = validated(GateSettings, document, "a file of settings")
    paths = {name: getattr(found, name) for name in ("labels", "run", "baseline", "user_features")}
    return found.model_copy(update={name: file.parent / path for name, path in paths.items() if path})


EXIT_CODES: dict[Verdict, int] = {"pass": 0, "fail": 1, "undecided": 3}


@dataclass(frozen=True, eq=False, repr=False)
class GateResult(RowResult):
    """Whether a run passes: the verdict over all requirements, and the decision of each."""

    rows_in: ClassVar[str] = "decisions"

    decisions: Sequence[Decision]
    undecided: Verdict = "undecided"
    """What an undecided requirement counts as."""
    alpha: float = 0.05
    run: str = ""
    baseline: str = ""

    @property
    def counted_as(self) -> list[Verdict]:
        """The verdict of each requirement, where an undecided one counts as `undecided` says."""
        return [self.undecided if one.verdict == "undecided" else one.verdict for one in self.decisions]

    @property
    def verdict(self) -> Verdict:
        """`fail` if one requirement fails, else `undecided` if one is or there is none, else `pass`."""
        found = self.counted_as
        return "fail" if "fail" in found else "undecided" if "undecided" in found or not found else "pass"

    @property
    def ok(self) -> bool:
        """Whether the run passes."""
        return self.verdict == "pass"

    @property
    def exit_code(self) -> int:
        """0 passes, 1 fails, 3 is undecided."""
        return EXIT_CODES[self.verdict]

    def require(self) -> None:
        """Raise an AssertionError with the table unless the run passes, for a test."""
        if not self.ok:
            raise AssertionError(f"\n{self.to_text()}")

    def table(self, digits: int = 4) -> Table:
        """Return the decisions, a row each."""
        segments = any(one.segment for one in self.decisions)
        about = ["metric", *(["segment"] if segments else [])]
        heads = [*about, "requirement", "value", "baseline", "difference", "users", "verdict"]
        rows = [
            [
                one.metric,
                *([one.segment or "all"] if segments else []),
                one.requirement,
                number(one.value, digits),
                ABSENT if math.isnan(one.baseline) else number(one.baseline, digits),
                ABSENT if math.isnan(one.difference) else f"{one.difference:+.{digits}f}",
                f"{one.users:,}",
                one.verdict,
            ]
            for one in self.decisions
        ]
        return Table(heads, rows, labels=2 + segments, notes=[*self._notes(digits)])

    def _notes(self, digits: int) -> Iterable[str]:
        level = f"{100 * (1 - self.alpha):g} %"
        for one in self.decisions:
            place = f"{one.metric}{f' of {one.segment}' if one.segment else ''}"
            if math.isfinite(one.low + one.high) and one.low != one.high:
                yield f"{place}: one-sided {level} limits {one.low:+.{digits}f} and {one.high:+.{digits}f}."
            if one.verdict == "undecided":
                about = f"about {one.users_needed:,} users would decide" if one.users_needed else ""
                yield f"{place}: undecided, {one.reason or about or 'more users are needed'}."
            elif one.reason:
                yield f"{place}: {one.reason}."

    def _page(self, digits: int = 4) -> Page:
        who = f"{self.run or 'The run'}{f' against {self.baseline}' if self.baseline else ''}"
        return Page([[Paragraph(f"{self.verdict.upper()}: {who}")], [self.table(digits)]])

    def to_dict(self) -> dict[str, Any]:
        """Return verdict and decisions as plain data."""
        names = [name for name in Decision.__dataclass_fields__ if name != "excess"]
        rows = [{name: getattr(one, name) for name in names} for one in self.decisions]
        return {"verdict": self.verdict, "exit_code": self.exit_code, "alpha": self.alpha, "decisions": rows}

    def to_junit(self) -> str:
        """Return the decisions as a test suite of JUnit: an undecided one is skipped, unless it counts as failed."""
        counts = self.counted_as
        suite = ElementTree.Element(
            "testsuite",
            name="rankconv gate",
            tests=str(len(counts)),
            failures=str(counts.count("fail")),
            skipped=str(counts.count("undecided")),
        )
        for one, verdict in zip(self.decisions, counts, strict=True):
            name = f"{one.metric} {one.requirement}{f' [{one.segment}]' if one.segment else ''}"
            case = ElementTree.SubElement(suite, "testcase", classname="rankconv.gate", name=name)
            if verdict != "pass":
                tag = "failure" if verdict == "fail" else "skipped"
                ElementTree.SubElement(case, tag, message=_decision_text(one))
        return ElementTree.tostring(suite, encoding="unicode")

    def to_github(self) -> str:
        """Return lines by which a GitHub workflow shows what does not pass."""
        kinds = {"fail": "error", "undecided": "warning"}
        return "".join(
            f"::{kinds[one.verdict]} title=rankconv gate::{_decision_text(one)}\n"
            for one in self.decisions
            if one.verdict in kinds
        )


def _decision_text(one: Decision) -> str:
    where = f" of {one.segment}" if one.segment else ""
    against = "" if math.isnan(one.difference) else f", {one.difference:+.4f} against the baseline"
    return f"{one.metric}{where} is {one.value:.4f}{against}; required: {one.requirement}; {one.verdict}"


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
    undecided: Verdict = "undecided",
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
    baseline : RunLike, optional
        The run to be compared with, over the same users.
    at_least : float or mapping, optional
        The floor of each metric, one for all or by metric. The value decides; with `confident` its lower limit does.
    not_worse_by : float, str or mapping, optional
        The margin by which the run may be worse than the baseline, absolute or as a share of its value, `"5%"`; one for
        all or by metric. It passes if the one-sided lower limit of the mean difference is above it, fails if the upper
        one is below it, and is undecided in between.
    confident : bool, default False
        Whether a floor holds for the one-sided lower limit.
    by : str or iterable of str, optional
        Columns of `user_features`; each requirement holds for each segment too. A segment fails only after Holm's
        correction; that all pass needs none.
    user_features : mapping, frame or path, optional
        A table with a row for each user.
    undecided : {"undecided", "pass", "fail"}, default "undecided"
        What an undecided requirement counts as.
    alpha : float, default 0.05
        One minus the level of each one-sided limit.
    seen, catalogue, train
        As in `rc.evaluate`.

    Returns
    -------
    GateResult
        The verdict, the exit code (0 passes, 1 fails, 3 is undecided), and the decision of each requirement.

    Raises
    ------
    InputError
        If the baseline has other users than the run.
    MetricError
        If nothing is required, or a requirement names a metric that is not evaluated.

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
    arguments.word(undecided, Verdict, "undecided")
    sides = SideDataLike(seen=seen, catalogue=catalogue, train=train)
    named = [metric for given in (at_least, not_worse_by) if isinstance(given, Mapping) for metric in given]
    metrics = metrics or [*dict.fromkeys(named)]
    new = evaluate(labels, run, metrics, preset, **sides)
    old = None if baseline is None else evaluate(labels, baseline, metrics, preset, **sides)
    floors, margins = _by_metric(at_least, new, "at_least"), _by_metric(not_worse_by, new, "not_worse_by")
    floors = {metric: arguments.decimal(floor, "at_least") for metric, floor in floors.items()}
    if not floors and not margins:
        shell = "Add --at-least 0.3, or --baseline RUN --not-worse-by 0.01."
        raise MetricError("nothing is required", do="Pass at_least=0.3 or not_worse_by=0.01.", shell=shell)
    if margins and old is None:
        do, shell = "Pass baseline=…, the run to be compared with.", "Add --baseline RUN, the run to be compared with."
        raise MetricError("a margin needs a baseline", do=do, shell=shell)
    segments = {"": np.ones(len(new.users), bool)} | _segments(by, user_features, new.users.tolist())
    decisions = list[Decision]()
    for metric, one in new.items():
        if metric in floors:
            decide = partial(_floor, metric, one, floors[metric], alpha=alpha, confident=confident)
            decisions += _decisions(segments, decide, alpha)
        if metric in margins and old is not None:
            for each in (one, old[metric]):
                _check_mean(each, metric)
            decide = partial(_margin, metric, one, _aligned(old[metric], one, metric), margins[metric], alpha=alpha)
            decisions += _decisions(segments, decide, alpha)
    return GateResult(decisions, undecided, alpha, _name(run), _name(baseline))


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
        if table_of(column, table, None) is None:
            raise InputError(f"'{column}' is not a column of {table.source}", where="by")
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


def _aligned(old: Number, new: Number, metric: str) -> Numbers:
    """The baseline's values of the run's users, shape (users,); an InputError where it counts other users."""
    theirs = old.users[counted(old.measured)].tolist()
    values = dict(zip(theirs, old.per_user[counted(old.measured)].tolist(), strict=True))
    others = values.keys() ^ {*new.users[counted(new.measured)].tolist()}
    if others:
        user = min(others, key=str)
        which = "the baseline" if user in values else "the run"
        do = "Rank the same users in both runs."
        raise InputError(f"{metric} counts user {user!r} in {which} alone, so differences are of other users", do=do)
    return np.array([values.get(user, np.nan) for user in new.users.tolist()])


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
    value = float(one) if at.all() else float(one.per_user[counts].mean()) if counts.any() else math.nan
    met = value <= least if low else value >= least
    decision = Decision(metric, "", requirement, "pass" if met else "fail", value, int(counts.sum()))
    if not confident or not counts.any():
        return decision
    sign = -1 if low else 1
    ends = sorted(sign * (end - least) for end in range_of(one.definition))
    return decided(decision, Excess(sign * (one.per_user[counts] - least), (ends[0], ends[1])), value, alpha)


def _margin(metric: str, one: Number, old: Numbers, given: Margin, at: Mask, alpha: float) -> Decision:
    """Whether a run is worse than its baseline by no more than a margin, over some users.

    `old`, the baseline's values, and `at` have shape (users,).
    """
    least, share = _margin_of(given)
    sign = -1 if one.definition.lower_is_better else 1
    counts = counted(one.measured) & at
    new, before = one.per_user[counts], old[counts]
    requirement = f"not worse by {given if isinstance(given, str) else format(given, 'g')}"
    if not len(new):
        return Decision(metric, "", requirement, "undecided", math.nan, 0, reason="no user counts here")
    difference = sign * float((new - before).mean())
    changed = int(np.count_nonzero(new - before))
    decision = Decision(
        metric, "", requirement, "pass", float(new.mean()), len(new), float(before.mean()), difference, changed=changed
    )
    if not changed:
        return replace(decision, low=0.0, high=0.0, reason="no value changed")
    low, high = range_of(one.definition)
    width = (high - low) * (1 + share)
    excess = Excess(sign * (new - before) + least + share * np.abs(before), (-width, width))
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
