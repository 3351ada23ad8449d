"""One user's number with the whole way to it, to be printed, drawn or passed on as data."""

from dataclasses import dataclass
from typing import Any

from rankconv.analysis.explain.explanation_data import data_of
from rankconv.analysis.explain.explanation_page import bars, page
from rankconv.analysis.explain.worked_number import WorkedNumber
from rankconv.data.ids import typed
from rankconv.pages import forms
from rankconv.pages.page import Page
from rankconv.pages.picture import Target
from rankconv.pages.rank_plot import draw
from rankconv.pages.shown import Drawn
from rankconv.pages.terminal import terminal_width


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Drawn, WorkedNumber):
    """One user's number, worked out.

    `value` is the metric's over exact numbers, such as fractions; `engine` is what `rc.evaluate` gives, in doubles.

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
      gain=linear            g
      discount=log(base=2)   1 / log2(rank + 1)
    dcg@3 = 1/log2(3) + 3/2 ≈ 2.130929754
    """

    against: "Explanation | None" = None
    """This user under another definition."""

    def page(self) -> Page:
        """All that is told of this definition's number."""
        return page(self)

    def printed(self, width: int | None) -> Page:
        """This definition's page, and behind it that of the other."""
        return Page([section for one in self._both for section in one.page().sections])

    def text(self, width: int | None = 100) -> str:
        """For a terminal of this width."""
        if self.against is None:
            return forms.text(self.page(), width)
        names = (self.definition.text, self.against.definition.text)
        return forms.both_texts(self.page(), self.against.page(), names, width)

    def markdown(self) -> str:
        """GitHub Markdown."""
        return "\n\n".join(forms.markdown(one.page()) for one in self._both)

    def latex(self) -> str:
        """A fragment for a document that uses booktabs and amsmath."""
        return "\n\n".join(forms.latex(one.page()) for one in self._both)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; NaN is None, as JSON has it."""
        return data_of(self) | ({} if self.against is None else {"against": data_of(self.against)})

    def plot(self, path: Target) -> None:
        """Draw the list as bars, the ideal list as outline, into an SVG or PNG file. Needs matplotlib."""
        draw([bars(one) for one in self._both], f"User {typed(self.user)}", path)

    @property
    def _both(self) -> "list[Explanation]":
        return [self] if self.against is None else [self, self.against]

    def __str__(self) -> str:
        return self.text(terminal_width())
