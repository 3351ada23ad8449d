"""The data problems of several runs on one page: what is the same for all, as findings of labels are, is there once."""

from collections.abc import Mapping, Sequence

from rankconv.analysis.check import CheckResult, about, finding_pieces, largest_effect
from rankconv.evaluation.findings.finding import Finding
from rankconv.rendering.pages.page import Heading, Page, Paragraph, Piece
from rankconv.rendering.pages.table import Table

RunFinding = tuple[str, Finding]
"""A finding and the run with which it was found."""


def data_page(checks: Mapping[str, CheckResult]) -> Page:
    """What was looked at, a table of all findings, and each finding with its largest effect."""
    intro = dict.fromkeys(f"{run}: {line}" if run else line for run, one in checks.items() for line in about(one))
    together = _together(checks)
    several = len(checks) > 1
    rows = [
        [each[0][1].name, *([_names(each, checks)] if several else []), each[0][1].counted, _effect(each, several)]
        for each in together
    ]
    heads = ["finding", *(["runs"] if several else []), "how many", "largest effect"]
    summary = Table(heads, rows, labels=len(heads), prose=frozenset(range(1, len(heads))))
    sections: list[Sequence[Piece]] = [list(map(Paragraph, intro)), *([[summary]] if rows else [])]
    return Page([*sections, *(_section(each, checks) for each in together)])


def _together(checks: Mapping[str, CheckResult]) -> list[list[RunFinding]]:
    """The findings, those that are the same with several runs together; the one with the largest effect comes first."""
    found: dict[tuple[object, ...], list[RunFinding]] = {}
    for run, one in checks.items():
        for finding in one:
            key = (finding.name, finding.counted, finding.note, *map(str, finding.examples))
            found.setdefault(key, []).append((run, finding))
    return [sorted(each, key=lambda pair: -pair[1].weight) for each in found.values()]


def _names(each: Sequence[RunFinding], checks: Mapping[str, CheckResult]) -> str:
    return "all" if len(each) == len(checks) else ", ".join(run for run, _ in each)


def _effect(each: Sequence[RunFinding], several: bool) -> str:
    run, finding = each[0]
    return largest_effect(finding) + (f" ({run})" if several and finding.moves else "")


def _section(each: Sequence[RunFinding], checks: Mapping[str, CheckResult]) -> list[Piece]:
    """A finding in full, with its effects on the run where the largest is."""
    run, finding = each[0]
    heading, *pieces = finding_pieces(finding, checks[run], whole=True)
    assert isinstance(heading, Heading)
    of = f" of {_names(each, checks)}" if len(checks) > 1 and len(each) < len(checks) else ""
    shown: list[Piece] = [heading._replace(words=f"{heading.words}{of}"), *pieces]
    if len(each) > 1 and finding.moves:
        shown.append(Paragraph(f"These are the effects on {run}, which has the largest one."))
    return shown
