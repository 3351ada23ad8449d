"""What labels hold: the same item twice, grades below zero or between whole numbers."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rankconv.analysis.findings.data import Data
from rankconv.analysis.findings.finding import Found
from rankconv.analysis.findings.lint import Known, Lint, Other
from rankconv.analysis.findings.tally import Seen, of_label_rows
from rankconv.presets.definition import Definition


@dataclass(frozen=True)
class Repeated(Seen):
    """Label rows whose item came before."""

    other_grade: int = 0
    """Of how many the label before has another grade."""


class DuplicateLabels(Lint[Repeated]):
    """Items that a user has labelled more than once."""

    name = "duplicate-labels"
    title = "items that are labelled twice"
    unit = "label rows"
    wrong = True
    means = "The same user has another label for the item; most systems keep one of them, some count both."
    do = "Keep one label of each user and item."
    otherwise = "counting each label"
    settings = ({"duplicate-labels": "one"}, {"duplicate-labels": "counted"})

    def look(self, data: Data) -> Repeated:
        """Labels whose item the same user has labelled further up."""
        labels = data.joined.labels
        if labels.distinct:
            return Repeated(0, labels.row_count)
        keys = data.label_user * len(data.joined.items) + labels.item
        order = np.argsort(keys, kind="stable")
        repeated = np.zeros(len(keys), bool)
        again = keys[order[1:]] == keys[order[:-1]]
        repeated[order[1:]] = again
        other = again & (labels.grade[order[1:]] != labels.grade[order[:-1]])
        return Repeated(*of_label_rows(data, repeated), int(np.count_nonzero(other)))

    def tell(self, seen: Repeated, known: Known) -> Found | None:
        """With how many there are of another grade."""
        return seen.found(f"{seen.other_grade:,} of them with another grade" if seen.other_grade else "")


class NegativeGrades(Lint[Seen]):
    """Grades below zero."""

    name = "negative-grades"
    title = "negative grades"
    unit = "label rows"
    means = "Systems read a negative grade as a loss, as 0, or as not judged; a sum of gains can then be below zero."
    do = "Replace them by 0 if they mean judged and not relevant; leave them out if they mean unjudged."
    otherwise = "other readings of them"
    settings = tuple({"negative": setting} for setting in ("grade", "zero", "unjudged"))

    def look(self, data: Data) -> Seen:
        """Label rows with such a grade."""
        grade = data.joined.labels.grade
        return Seen(*of_label_rows(data, grade < 0)) if (data.grades < 0).any() else Seen(0, len(grade))


class FractionalGrades(Lint[Seen]):
    """Grades that are not whole numbers."""

    name = "fractional-grades"
    title = "fractional grades"
    unit = "label rows"
    means = "trec_eval cuts them to whole numbers, so 0.9 is not relevant; others refuse them, or take them as given."
    do = "Map grades to whole numbers yourself, so that everybody reads the same."
    otherwise = "cutting them to whole numbers"

    def look(self, data: Data) -> Seen:
        """Label rows with such a grade."""
        grade = data.joined.labels.grade
        if (data.grades == np.trunc(data.grades)).all():
            return Seen(0, len(grade))
        return Seen(*of_label_rows(data, grade != np.trunc(grade)))

    def others(self, seen: Seen, known: Known, definition: Definition) -> Iterable[Other]:
        """As given in place of whole numbers, and the other way round; all grades are 0 and 1 to some presets."""
        other = definition.preparation.settings["grades"].trait("other_fractions")
        return [Other({"grades": other})] if other else []
