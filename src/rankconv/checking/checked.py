"""What `rc.check` gives: the findings, and what was looked at."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankconv.checking.finding import Finding
from rankconv.errors import MetricError


@dataclass(frozen=True)
class Checked:
    """What in labels and a run makes metrics lie.

    `checked["ties"]` is a finding by its name; iterating gives all of them: first where the data are wrong, then where
    they can be read in more than one way, each time from what moves a number most to what moves it least.
    """

    findings: Sequence[Finding]
    looked_at: Mapping[str, int]
    """How many users, labels, rows and items there are."""
    cutoff: int | None
    """The rank down to which ties, short lists and unjudged items are looked for; None for whole lists."""
    metrics: Sequence[str]
    presets: Sequence[str]
    notes: Sequence[str] = ()
    """What else must be known to read it."""

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

    def to_dict(self) -> dict[str, Any]:
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

    def to_text(self, width: int | None = 100) -> str:
        """For a terminal."""
        from rankconv.report.checked import checked_text

        return checked_text(self, width)

    def to_markdown(self) -> str:
        """A table of all findings and a section for each, as Markdown."""
        from rankconv.report.checked import checked_markdown

        return checked_markdown(self)

    def __repr__(self) -> str:
        return f"Checked({', '.join(f'{finding.name}: {finding.count}' for finding in self) or 'clean'})"
