"""What was learned from must not be asked for again."""

from collections.abc import Iterable

import numpy as np

from rankconv.ask.check.data import Data
from rankconv.ask.check.found import EXAMPLES, Example, Found, of_label_rows, of_list_rows
from rankconv.ask.check.lint import Lint, Other
from rankconv.presets.definition import Definition

POPULAR = 10
"""An item with so many relevant labels is popular."""


class LabelsInTraining(Lint):
    """Labels that stand in the training data too."""

    name = "labels-in-training"
    title = "labels that the model was trained on"
    unit = "label rows"
    wrong = True
    means = "The same user and item stand in the training data, so a model that only remembers looks good."
    do = "Split again, so that no user and item stands on both sides."
    otherwise = "taking them out of the labels"
    at_evaluate = False

    def find(self, data: Data) -> Found | None:
        """Label rows whose user and item are in the training data."""
        if data.train is None:
            return None
        trained = data.trained_labels
        note = "the labels are the training data" if trained.all() else ""
        return of_label_rows(data.joined, trained, note=note)

    def tried(self, data: Data) -> str:
        """Nothing, where no label would be left."""
        return "" if data.trained_labels.all() else self.otherwise

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """The labels that are new."""
        return [Other(joined=data.untrained)]


class ListsFromTraining(Lint):
    """Rows of lists that the user had in training."""

    name = "lists-from-training"
    title = "returned items that the user had in training"
    unit = "rows of the run"
    means = "The user had the item already; if the labels are all new, such a row cannot be a hit."
    do = "Take seen items out before the list is cut, or say drop=seen with --seen FILE (in Python seen=…)."
    otherwise = "taking them out of the lists"
    at_evaluate = False

    def find(self, data: Data) -> Found | None:
        """Ranked rows whose user and item are in the training data."""
        if data.train is None:
            return None
        return of_list_rows(data.rows, np.isin(data.rows.keys, data.trained))

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """The lists without them."""
        return [Other({"drop": "seen"}, data.with_seen)] if definition.judging.answers["drop"].changes_nothing else []


class TooGood(Lint):
    """Popular items that everybody finds who has them, and hardly anybody else is shown."""

    name = "too-good"
    title = "popular items with recall 1"
    unit = "popular items"
    wrong = True
    means = "Everybody who has the item finds it above the cutoff, and hardly anybody else: no model knows that much."
    do = "Look for the labels among what the model was given: pass it with --train FILE (in Python train=…)."
    at_evaluate = False

    def find(self, data: Data) -> Found | None:
        """Items found by all who have them, unless at least half of the others are shown them too."""
        if data.cutoff is None:
            return None
        joined, size = data.joined, len(data.joined.items)
        wanted = (joined.labels.grade > 0) & data.listed[data.label_user]
        relevant = np.bincount(joined.labels.item[wanted], minlength=size)
        popular = relevant >= POPULAR
        if not popular.any():
            return None
        rows = data.top.only(~data.top.repeats & popular[data.top.item])
        hits = np.bincount(rows.item[rows.gain > 0], minlength=size)
        shown = np.bincount(rows.item, minlength=size) - hits
        crowd = np.count_nonzero(data.listed) - relevant
        known = np.flatnonzero(popular & (hits >= relevant) & (2 * shown < crowd))
        if 2 * len(known) < np.count_nonzero(popular):
            return None
        told = [Example(None, joined.items.id(one), f"{relevant[one]} users") for one in known[:EXAMPLES].tolist()]
        return Found(len(known), int(np.count_nonzero(popular)), told)
