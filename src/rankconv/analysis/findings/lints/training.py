"""What was learned from must not be evaluated again."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import nsmallest

import numpy as np

from rankconv.analysis.findings.data import Data, PerItem, untrained, with_seen
from rankconv.analysis.findings.finding import EXAMPLES, Example, Found
from rankconv.analysis.findings.lint import Known, Lint, Other
from rankconv.analysis.findings.tally import Seen, of_label_rows, of_list_rows
from rankconv.presets.definition import Definition

POPULAR = 10
"""An item with so many relevant labels is popular."""


class LabelsInTraining(Lint[Seen]):
    """Labels that stand in the training data too."""

    name = "labels-in-training"
    title = "labels that the model was trained on"
    unit = "label rows"
    wrong = True
    means = "The same user and item are in the training data, so a model that only memorizes looks good."
    do = "Split again, so that no user and item is on both sides."
    otherwise = "taking them out of the labels"
    at_evaluate = False

    def look(self, data: Data) -> Seen:
        """Label rows whose user and item are in the training data."""
        return Seen() if data.train is None else Seen(*of_label_rows(data, data.trained_labels))

    def tell(self, seen: Seen, known: Known) -> Found | None:
        """And whether all of them are."""
        return seen.found("the labels are the training data" if seen.count == seen.of else "")

    def tried(self, seen: Seen, known: Known) -> str:
        """Nothing, where no label would be left."""
        return "" if seen.count == seen.of else self.otherwise

    def others(self, seen: Seen, known: Known, definition: Definition) -> Iterable[Other]:
        """The labels that are new."""
        return [Other(turn=untrained)]


class ListsFromTraining(Lint[Seen]):
    """Rows of lists that the user had in training."""

    name = "lists-from-training"
    title = "returned items that the user had in training"
    unit = "rows of the run"
    means = "The user had the item already; if the labels are all new, such a row cannot be a hit."
    do = "Take seen items out before the list is cut, or say exclude=seen with --seen FILE (in Python seen=…)."
    otherwise = "taking them out of the lists"
    at_evaluate = False

    def look(self, data: Data) -> Seen:
        """Ranked rows whose user and item are in the training data."""
        if data.train is None:
            return Seen()
        return Seen(*of_list_rows(data, data.rows, np.isin(data.rows.keys, data.trained)))

    def others(self, seen: Seen, known: Known, definition: Definition) -> Iterable[Other]:
        """The lists without them."""
        return (
            [Other({"exclude": "seen"}, with_seen)]
            if definition.preparation.settings["exclude"].changes_nothing
            else []
        )


@dataclass(frozen=True)
class Popular(Seen):
    """How often each item is wanted, found and shown."""

    items: PerItem = field(default_factory=PerItem)
    listed: int = 0
    """Users with a list."""


class TooGood(Lint[Popular]):
    """Popular items that everybody finds who has them, and hardly anybody else is shown."""

    name = "too-good"
    title = "popular items with recall 1"
    unit = "popular items"
    wrong = True
    means = "Everybody who has the item finds it above the cutoff, and hardly anybody else: no model knows that much."
    do = "Look for the labels among what the model was given: pass it with --train FILE (in Python train=…)."
    at_evaluate = False

    def look(self, data: Data) -> Popular:
        """For each item by how many it is wanted, of those how many find it, and to how many others it is shown."""
        if data.checked_metrics.cutoff is None:
            return Popular()
        joined, size, top = data.joined, len(data.joined.items), data.top
        wanted = (joined.labels.grade > 0) & data.listed[data.label_user]
        first, hit = ~top.repeats, top.gain > 0
        counts = {
            "wanted": np.bincount(joined.labels.item[wanted], minlength=size),
            "found": np.bincount(top.item[first & hit], minlength=size),
            "shown": np.bincount(top.item[first & ~hit], minlength=size),
        }
        return Popular(items=PerItem.of(joined.items, **counts), listed=int(np.count_nonzero(data.listed)))

    def tell(self, seen: Popular, known: Known) -> Found | None:
        """Items found by all who have them, unless at least half of the others are shown them too."""
        items = seen.items
        wanted, found, shown = (items.counts(name) for name in ("wanted", "found", "shown"))
        popular = wanted >= POPULAR
        good = np.flatnonzero(popular & (found >= wanted) & (2 * shown < seen.listed - wanted)).tolist()
        if not good or 2 * len(good) < np.count_nonzero(popular):
            return None
        first = nsmallest(EXAMPLES, ((items.ids[at], int(wanted[at])) for at in good))
        parts = [Example(None, item, f"{users} users") for item, users in first]
        return Found(len(good), int(np.count_nonzero(popular)), parts)
