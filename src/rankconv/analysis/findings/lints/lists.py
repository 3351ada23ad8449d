"""What lists hold: items twice, too few rows, items that nobody judged."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rankconv.analysis.findings.data import Data
from rankconv.analysis.findings.finding import Found
from rankconv.analysis.findings.lint import Known, Lint, Other
from rankconv.analysis.findings.tally import Seen, of_list_rows, of_users
from rankconv.presets.definition import Definition


class Duplicates(Lint[Seen]):
    """Items that stand in a list more than once."""

    name = "duplicates"
    title = "items that occur twice in a list"
    unit = "rows of the run"
    wrong = True
    means = "The item occurs higher in the same list; some systems count it again, others drop or refuse it."
    do = "Keep the first row of each user and item."
    otherwise = "other treatments of them"
    settings = tuple({"duplicates": setting} for setting in ("each", "once", "first-row", "last-row", "set"))

    def look(self, data: Data) -> Seen:
        """Rows whose item is further up."""
        rows = data.rows
        return Seen(*of_list_rows(data, rows, rows.repeats)) if data.may_repeat else Seen(0, len(rows))


class ShortLists(Lint[Seen]):
    """Lists with fewer rows than the cutoff."""

    name = "short-lists"
    title = "lists shorter than k"
    unit = "users of both sides"
    means = "The list ends above the cutoff; some systems still divide by k, others by the rows there are."
    do = "Return k items to everybody, or say by what precision is divided."
    otherwise = "other divisors"

    counterparts: ClassVar = {
        "precision-denominator": ("k", "min(k, length)"),
        "ap-denominator": ("min(k, relevant)", "min(k, length, relevant)"),
        "ideal-cutoff": ("k", "length"),
    }
    """Pairs of settings that differ on short lists alone."""

    def look(self, data: Data) -> Seen:
        """Users with such a list, among those who have labels too."""
        cutoff = data.checked_metrics.cutoff
        if cutoff is None:
            return Seen()
        both, counts = data.labelled & data.listed, data.joined.list_counts
        return Seen(*of_users(data, both & (counts < cutoff), both, lambda user: f"{counts[user]} of {cutoff} rows"))

    def others(self, seen: Seen, known: Known, definition: Definition) -> Iterable[Other]:
        """The divisor that ends with the list in place of one that does not, and the other way round."""
        fields = definition.settings if definition.k else {}
        pairs = {
            convention_name: pair
            for convention_name, pair in self.counterparts.items()
            if fields.get(convention_name) in pair
        }
        return [Other({convention_name: setting}) for convention_name, pair in pairs.items() for setting in pair]


@dataclass(frozen=True)
class Holes(Seen):
    """Rows that nobody judged, and whether that tells anything."""

    not_relevant: int = 0
    """Labels that say so."""


class Unjudged(Lint[Holes]):
    """Rows above the cutoff whose item nobody judged, where others were judged not to be relevant."""

    name = "unjudged"
    title = "unjudged items in lists"
    unit = "rows that are read"
    means = (
        "The labels distinguish judged from relevant items, and these items are unjudged; they count as not relevant."
    )
    do = "Report judged_share@k with the value, or compare it with unjudged=condensed-before-depth."
    otherwise = "leaving them out"
    settings = ({"unjudged": "not-relevant"}, {"unjudged": "condensed-before-depth"})
    at_evaluate = False

    def look(self, data: Data) -> Holes:
        """Rows of labelled users without a label of theirs."""
        top, labelled = data.top, data.labelled
        holes = np.isnan(top.grade) & labelled[top.user]
        counted = of_list_rows(data, top, holes, of=int(np.count_nonzero(labelled[top.user])))
        return Holes(*counted, int(np.count_nonzero(data.joined.labels.grade <= 0)))

    def tell(self, seen: Holes, known: Known) -> Found | None:
        """None where labels name relevant items only."""
        return seen.found() if seen.not_relevant else None
