"""One user's number with the whole way to it, to be printed, drawn or passed on as data."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rankconv.definition import Definition
from rankconv.explaining.outcome import Outcome
from rankconv.explaining.rows import JudgedList
from rankconv.explaining.walk import Change
from rankconv.explaining.working import Working


@dataclass(frozen=True, eq=False)
class Explanation:
    """One user's number, worked out.

    `value` is computed from the rows that are printed, without the engine; `engine` is what `rc.evaluate` gives.

    >>> import rankconv as rc
    >>> found = rc.explain({"ada": {"a": 3, "b": 1}}, {"ada": ["x", "b", "a"]}, "dcg@3", user="ada")
    >>> print(found.text().split("What decided")[0].split("The list")[1].strip())
    rank  item  grade  relevant  gain  discount  product     sum
    ────  ────  ─────  ────────  ────  ────────  ───────  ──────
    1     x         –        no     0         1        0       0
    2     b         1       yes     1    0.6309   0.6309  0.6309
    3     a         3       yes     3       1/2      3/2  2.1309
    <BLANKLINE>
    The formula
    sum of gain · discount, ranks 1 to 3
      gain=grade             g
      discount=log(base=2)   1 / log2(rank + 1)
    dcg@3 = 1/log2(3) + 3/2 ≈ 2.130929754
    """

    definition: Definition
    user: Any
    changes: list[Change] = field(repr=False)
    """What judging did to the list, only where it changed something."""
    judged: JudgedList = field(repr=False)
    working: Working = field(repr=False)
    outcome: Outcome
    contribution: str = field(repr=False)
    """What the user adds to the mean, in words."""
    engine: float
    worked_out: bool = True
    """False for a plugin's metric of which nobody said how it is worked out: the numbers are then the engine's."""
    against: "Explanation | None" = None
    """The same user under another definition."""

    @property
    def value(self) -> float:
        """What the user counts as; NaN where he is outside, left out or refused."""
        return self.outcome.value

    @property
    def agrees(self) -> bool:
        """Whether the engine has the same number, to 1e-12."""
        if math.isnan(self.value) or math.isnan(self.engine):
            return math.isnan(self.value) and math.isnan(self.engine)
        return math.isclose(self.value, self.engine, rel_tol=1e-12)

    def text(self, width: int | None = 100) -> str:
        """For a terminal of this width."""
        from rankconv.report.explanation_page import page
        from rankconv.report.explanation_text import both_pages, text_of

        if self.against is None:
            return text_of(page(self), width)
        return both_pages(page(self), page(self.against), width)

    def markdown(self) -> str:
        """GitHub Markdown."""
        from rankconv.report.explanation_markdown import markdown_of
        from rankconv.report.explanation_page import page

        return "\n\n".join(markdown_of(page(one)) for one in self._both)

    def latex(self) -> str:
        """A fragment for a document that uses booktabs and amsmath."""
        from rankconv.report.explanation_latex import latex_of
        from rankconv.report.explanation_page import page

        return "\n\n".join(latex_of(page(one)) for one in self._both)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; NaN is None, as JSON has it."""
        from rankconv.report.explanation_data import data_of

        return data_of(self) | ({} if self.against is None else {"against": data_of(self.against)})

    def plot(self, path: str | Path) -> None:
        """Draw the list as bars, the ideal list as outline, into an SVG or PNG file. Needs matplotlib."""
        from rankconv.report.explanation_plot import draw

        draw(self, Path(path))

    @property
    def _both(self) -> "list[Explanation]":
        return [self] if self.against is None else [self, self.against]

    def __str__(self) -> str:
        return self.text()
