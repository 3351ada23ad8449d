"""The result of a gate: its verdict, and its page, JSON, JUnit and annotations of GitHub."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar
from xml.etree import ElementTree

from typing_extensions import TypedDict

from rankconv.addons.gate.decisions import Decision, Verdict
from rankconv.addons.gate.lock import Identity, IdentityData
from rankconv.rendering.pages.cells import ABSENT, finite, number
from rankconv.rendering.pages.display import RowResult
from rankconv.rendering.pages.page import Page, Paragraph, Piece, TextLine
from rankconv.rendering.pages.table import Table

EXIT_CODES: dict[Verdict, int] = {"pass": 0, "same": 0, "fail": 1, "undecided": 3}


class DecisionData(TypedDict):
    """Whether one requirement is met, and by which numbers."""

    metric: str
    segment: str
    """Empty for all users."""
    requirement: str
    """In words: at least 0.31, not worse by 0.01."""
    verdict: Verdict
    value: float | None
    """The value of the run over these users."""
    users: int
    baseline: float | None
    """The value of the baseline; null without one, as the next three fields."""
    difference: float | None
    """The value less the baseline's; positive is better."""
    low: float | None
    """The one-sided lower limit of the difference, or of the value where a floor is decided with confidence."""
    high: float | None
    """The one-sided upper limit."""
    changed: int
    """Users whose value differs from the baseline's."""
    unseen: float | None
    """The share of users up to which a loss can be absent from these users; null where the value itself decides."""
    users_needed: int | None
    """Users of this kind that would decide, where these do not."""
    reason: str


class GateData(TypedDict):
    """Whether a run passes: the verdict over all requirements, and the decision of each."""

    verdict: Verdict
    exit_code: int
    alpha: float
    notes: list[str]
    decisions: list[DecisionData]
    definitions: dict[str, IdentityData]
    """By metric its definition and its data."""
    baseline_digests: dict[str, dict[str, str]]
    """By metric the digests of the baseline's data."""


def decision_data(one: Decision) -> DecisionData:
    """Return plain data; NaN is None, as JSON has it."""
    return {
        "metric": one.metric,
        "segment": one.segment,
        "requirement": one.requirement,
        "verdict": one.verdict,
        "value": finite(one.value),
        "users": one.users,
        "baseline": finite(one.baseline),
        "difference": finite(one.difference),
        "low": finite(one.low),
        "high": finite(one.high),
        "changed": one.changed,
        "unseen": finite(one.unseen),
        "users_needed": one.users_needed,
        "reason": one.reason,
    }


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
    identities: Mapping[str, Identity] = field(default_factory=dict)
    """The definition and the data of each metric."""
    baseline_digests: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Digests of the baseline's data, by metric; empty of a saved result that states none."""
    same: Verdict = "same"
    """What a requirement counts as where no list changed."""
    notes: Sequence[str] = ()
    library: str = field(default="", repr=False)
    """The library whose table the data came in, for `to_frame`."""

    @property
    def counted_as(self) -> list[Verdict]:
        """The verdict of each requirement, where `undecided` and `same` say what these count as."""
        same: list[Verdict] = [self.same if one.verdict == "same" else one.verdict for one in self.decisions]
        return [self.undecided if one == "undecided" else one for one in same]

    @property
    def verdict(self) -> Verdict:
        """`fail` if one requirement fails, else `undecided` if one is or there is none, else `pass`.

        In place of `pass` it is `same` if no list of any user changed.
        """
        found = self.counted_as
        if "fail" in found:
            return "fail"
        if "undecided" in found or not found:
            return "undecided"
        whole = [one for one, decision in zip(found, self.decisions, strict=True) if not decision.segment]
        return "same" if "same" in whole else "pass"

    @property
    def ok(self) -> bool:
        """Whether the exit code is 0."""
        return self.exit_code == 0

    @property
    def exit_code(self) -> int:
        """0 passes, or no list changed; 1 fails, 3 is undecided."""
        return EXIT_CODES[self.verdict]

    def require(self) -> None:
        """Raise an AssertionError with the table unless the run passes or no list changed, for a test."""
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
        return Table(heads, rows, labels=2 + segments, notes=[*dict.fromkeys(self._notes(digits))])

    def _notes(self, digits: int) -> Iterable[str]:
        level = f"{100 * (1 - self.alpha):g} %"
        for one in self.decisions:
            place = f"{one.metric}{f' of {one.segment}' if one.segment else ''}"
            if one.verdict == "same" or math.isnan(one.unseen):
                yield f"{place}: {one.reason}."
                continue
            if math.isfinite(one.low + one.high):
                yield f"{place}: one-sided {level} limits {one.low:+.{digits}f} and {one.high:+.{digits}f}."
            if one.verdict == "undecided":
                about = f"about {one.users_needed:,} users would decide" if one.users_needed else ""
                yield f"{place}: undecided, {one.reason or about or 'more users are needed'}."
            elif one.reason:
                yield f"{place}: {one.reason}."
        for users, share in {one.users: one.unseen for one in self.decisions if one.unseen < 1}.items():
            yield f"{users:,} users cannot exclude a loss that reaches fewer than {per_cent(share)} of users."

    def _page(self, digits: int = 4) -> Page:
        who = f"{self.run or 'The run'}{f' against {self.baseline}' if self.baseline else ''}"
        about: list[Piece] = [*map(Paragraph, self.notes), TextLine(self.summary)]
        return Page([[Paragraph(f"{self.verdict.upper()}: {who}")], [self.table(digits)], about])

    @property
    def summary(self) -> str:
        """The verdict with presets, fingerprints, digests and the users left out, as one line."""
        definitions = dict[str, list[str]]()
        for metric, one in self.identities.items():
            name = f"{metric} of {one.preset} ({one.fingerprint or 'a function, without fingerprint'})"
            definitions.setdefault(self._data(metric), []).append(name)
        said = [f"{', '.join(names)}: {data}" for data, names in definitions.items()]
        return f"{self.verdict.upper()}: {'. '.join(said)}."

    def _data(self, metric: str) -> str:
        """The data of a metric in words: digests, users, and those left out."""
        one, theirs = self.identities[metric], self.baseline_digests.get(metric)
        digests = [f"{name} {text}" for name, text in one.digests.items()] or ["data without digests"]
        digests += [] if theirs is None else [f"baseline's run {theirs.get('run', 'without digest')}"]
        left = ", ".join(f"{name}: {count:,}" for name, count in one.left_out.items()) or "none"
        return f"{', '.join(digests)}; {one.users:,} users, left out {left}"

    def to_dict(self) -> GateData:
        """Return verdict, decisions, definitions and digests as plain data; NaN is None, as JSON has it."""
        return {
            "verdict": self.verdict,
            "exit_code": self.exit_code,
            "alpha": self.alpha,
            "notes": list(self.notes),
            "decisions": list(map(decision_data, self.decisions)),
            "definitions": {metric: one.to_dict() for metric, one in self.identities.items()},
            "baseline_digests": {metric: dict(one) for metric, one in self.baseline_digests.items()},
        }

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
        properties = ElementTree.SubElement(suite, "properties")
        ElementTree.SubElement(properties, "property", name="rankconv gate", value=self.summary)
        for one, verdict in zip(self.decisions, counts, strict=True):
            name = f"{one.metric} {one.requirement}{f' [{one.segment}]' if one.segment else ''}"
            case = ElementTree.SubElement(suite, "testcase", classname="rankconv.gate", name=name)
            if verdict in ("fail", "undecided"):
                tag = "failure" if verdict == "fail" else "skipped"
                ElementTree.SubElement(case, tag, message=_in_words(one))
            elif one.verdict == "same":
                ElementTree.SubElement(case, "system-out").text = one.reason
        return ElementTree.tostring(suite, encoding="unicode")

    def to_github(self) -> str:
        """Return lines by which a GitHub workflow shows what does not pass, and of what this is the verdict."""
        kinds: dict[Verdict, str] = {"fail": "error", "undecided": "warning", "same": "notice"}
        lines = [(kinds[one.verdict], _in_words(one)) for one in self.decisions if one.verdict in kinds]
        lines.append(("notice", self.summary))
        return "".join(f"::{kind} title=rankconv gate::{words}\n" for kind, words in lines)


def _in_words(one: Decision) -> str:
    where = f" of {one.segment}" if one.segment else ""
    against = "" if math.isnan(one.difference) else f", {one.difference:+.4f} against the baseline"
    reason = f": {one.reason}" if one.reason else ""
    return f"{one.metric}{where} is {one.value:.4f}{against}; required: {one.requirement}; {one.verdict}{reason}"


def no_list_changed(unseen: float) -> str:
    """Return what a verdict of `same` shows, and what it does not."""
    return f"no list changed; says nothing of changes that reach fewer than {per_cent(unseen)} of users"


def per_cent(share: float) -> str:
    """Return a share in per cent, with three digits.

    >>> per_cent(0.04871), per_cent(0.5)
    ('4.87 %', '50 %')
    """
    return f"{100 * share:.3g} %"
