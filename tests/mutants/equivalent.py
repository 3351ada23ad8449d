"""Mutants that no test can catch, since no number changes; and why."""

from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import yaml

from tests.mutants.mutant import Mutant

PAGE = Path(__file__).with_name("equivalent.yaml")


@dataclass(frozen=True)
class Equivalent:
    """One line of the source, told by its text, so that it is found again when lines move."""

    file: str
    """A pattern, where the line stands in many files: `metrics/*.py`."""
    line: str
    changes: list[str]
    """As `Mutant.change` has them."""
    why: str

    def covers(self, mutant: Mutant) -> bool:
        """Whether the mutant is one of these."""
        return self.line == mutant.text and mutant.change in self.changes and fnmatch(mutant.file, self.file)


@cache
def equivalents() -> list[Equivalent]:
    """All that are known."""
    return [Equivalent(**entry) for entry in yaml.safe_load(PAGE.read_text("utf-8"))]


def reason(mutant: Mutant) -> str | None:
    """Why this mutant changes no number; None where it is not known to be so."""
    return next((entry.why for entry in equivalents() if entry.covers(mutant)), None)
