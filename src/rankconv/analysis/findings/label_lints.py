"""Data problems of ids, labels, users and training data."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import nsmallest

import numpy as np

from rankconv.analysis.findings.data import Data, respelled, untrained, with_seen
from rankconv.analysis.findings.finding import EXAMPLES, Example, Found, ItemCounts, Tally
from rankconv.analysis.findings.lint import Known, Lint, Other
from rankconv.engine.aggregate import populations
from rankconv.engine.plan import GradesNeeded
from rankconv.presets.definition import Definition


class RespelledIds(Lint[Tally]):
    """Ids that differ between labels and run only by type, blanks, padding or case."""

    name = "respelled-ids"
    title = "ids that differ only by spelling"
    unit = "ids"
    wrong = True
    means = (
        "Labels and run spell the same id differently (by type, blanks, leading zeros, a trailing .0, case), "
        "so it does not match, and its hits are lost."
    )
    do = "Spell ids the same on both sides; read id columns as text in every program that touches the files."
    otherwise = "matching them"
    at_evaluate = False

    def look(self, data: Data) -> Tally:
        """Count nothing: spellings are compared over all ids, whichever users have them."""
        return Tally()

    def found(self, tally: Tally, known: Known) -> Found | None:
        """Ids of one side only, of which the other has another spelling."""
        return known.spelling.found

    def tried(self, tally: Tally, known: Known) -> str:
        """Nothing, where there are no numbers before ids are respelled."""
        return self.otherwise if known.respelled else ""

    def others(self, tally: Tally, known: Known, definition: Definition) -> Iterable[Other]:
        """The data with one spelling for each id."""
        return [Other(turn=respelled)] if known.respelled else []


@dataclass(frozen=True)
class RepeatTally(Tally):
    """Label rows whose item came before."""

    other_grade: int = 0
    """Of how many the label before has another grade."""


class DuplicateLabels(Lint[RepeatTally]):
    """Items that a user has labelled more than once."""

    name = "duplicate-labels"
    title = "items that are labelled twice"
    unit = "label rows"
    wrong = True
    means = "The same user has another label for the item; most systems keep one of them, some count both."
    do = "Keep one label of each user and item."
    otherwise = "counting each label"
    settings = ({"duplicate-labels": "one"}, {"duplicate-labels": "counted"})

    def look(self, data: Data) -> RepeatTally:
        """Count labels whose item the same user has labelled further up."""
        labels = data.joined.labels
        if labels.distinct:
            return RepeatTally(0, labels.row_count)
        keys = data.label_user * len(data.joined.items) + labels.item
        order = np.argsort(keys, kind="stable")
        repeated = np.zeros(len(keys), bool)
        again = keys[order[1:]] == keys[order[:-1]]
        repeated[order[1:]] = again
        other = again & (labels.grade[order[1:]] != labels.grade[order[:-1]])
        return RepeatTally(*data.label_rows(repeated), int(np.count_nonzero(other)))

    def note(self, tally: RepeatTally, known: Known) -> str:
        """How many there are of another grade."""
        return f"{tally.other_grade:,} of them with another grade" if tally.other_grade else ""


class NegativeGrades(Lint[Tally]):
    """Grades below zero."""

    name = "negative-grades"
    title = "negative grades"
    unit = "label rows"
    means = "Systems read a negative grade as a loss, as 0, or as not judged; a sum of gains can then be below zero."
    do = "Replace them by 0 if they mean judged and not relevant; leave them out if they mean unjudged."
    otherwise = "other readings of them"
    settings = tuple({"negative": setting} for setting in ("grade", "zero", "unjudged"))

    def look(self, data: Data) -> Tally:
        """Count label rows with such a grade."""
        grade = data.joined.labels.grade
        return Tally(*data.label_rows(grade < 0)) if (data.grades < 0).any() else Tally(0, len(grade))


@dataclass(frozen=True)
class GradeTally(Tally):
    """Labels above 0, and metrics for which some of them is relevant."""

    reached: Counter[str] = field(default_factory=Counter)
    """Parts of the users with a relevant label, by definition."""


class MissingGrades(Lint[GradeTally]):
    """Labels without the grade from which a collection counts items as relevant."""

    name = "missing-grades"
    title = "no label is relevant for a metric of a collection"
    unit = "label rows"
    wrong = True
    means = "The collection counts items as relevant from a grade that no label has, so no ranking has a hit."
    do = "Take the labels of the collection with all their grades."
    at_evaluate = False

    def look(self, data: Data) -> GradeTally:
        """Count labels above 0, and look which metrics have a relevant one."""
        needed, grade = GradesNeeded(data.checked_metrics.definitions.values()), data.joined.labels.grade
        every = {one.text for one in needed.without}
        needed.look(data.joined)
        reached = Counter(every - {one.text for one in needed.without})
        return GradeTally(*data.label_rows(grade > 0), reached) if every else GradeTally(0, len(grade))

    def holds(self, tally: GradeTally, known: Known) -> bool:
        """Whether some metric has none."""
        return bool(self._without(tally, known))

    def note(self, tally: GradeTally, known: Known) -> str:
        """The metrics that have none."""
        return ", ".join(f"{one.text} has relevant={one.settings['relevant']}" for one in self._without(tally, known))

    def _without(self, tally: GradeTally, known: Known) -> list[Definition]:
        needed = GradesNeeded(known.checked_metrics.definitions.values()).without
        return [one for one in needed if one.text not in tally.reached]


class FractionalGrades(Lint[Tally]):
    """Grades that are not whole numbers."""

    name = "fractional-grades"
    title = "fractional grades"
    unit = "label rows"
    means = "trec_eval cuts them to whole numbers, so 0.9 is not relevant; others refuse them, or take them as given."
    do = "Map grades to whole numbers yourself, so that everybody reads the same."
    otherwise = "cutting them to whole numbers"

    def look(self, data: Data) -> Tally:
        """Count label rows with such a grade."""
        grade = data.joined.labels.grade
        if (data.grades == np.trunc(data.grades)).all():
            return Tally(0, len(grade))
        return Tally(*data.label_rows(grade != np.trunc(grade)))

    def others(self, tally: Tally, known: Known, definition: Definition) -> Iterable[Other]:
        """As given in place of whole numbers, and the other way round; all grades are 0 and 1 to some presets."""
        other = definition.preparation.settings["grades"].trait("other_fractions")
        return [Other({"grades": other})] if other else []


class UsersWithoutList(Lint[Tally]):
    """Users of the labels without a ranking in the run."""

    name = "users-without-list"
    title = "users with labels and no list"
    unit = "users with labels"
    means = "The run returned nothing to them; some systems count them 0, others leave them out of the mean."
    do = "Say which you mean; two runs that leave out different users cannot be compared otherwise."
    otherwise = "counting them 0 or leaving them out"

    def look(self, data: Data) -> Tally:
        """Count users with a label row and no ranked row."""
        return Tally(*data.users(data.labelled & ~data.listed, data.labelled))

    def others(self, tally: Tally, known: Known, definition: Definition) -> Iterable[Other]:
        """Counted 0, or left out; nobody else comes in or goes."""
        within = {"intersection": "labelled", "ranked": "union"}
        users = definition.aggregation.given("users")
        users = within.get(users, users)
        return [Other({"users": users, "on-no-ranking": setting}) for setting in ("0", "skip")]


class UsersWithoutLabels(Lint[Tally]):
    """Users of the run without a label."""

    name = "users-without-labels"
    title = "users with a list and no labels"
    unit = "users with a list"
    means = "Nothing is known about them; most systems leave them out, some count them 0."
    do = "Nothing, if they were not to be judged; else look for their labels."
    otherwise = "counting them 0 or leaving them out"
    at_evaluate = False

    def look(self, data: Data) -> Tally:
        """Count users with a ranked row and no label row."""
        return Tally(*data.users(data.listed & ~data.labelled, data.listed))

    def others(self, tally: Tally, known: Known, definition: Definition) -> Iterable[Other]:
        """Counted 0, or left out; nobody else comes in or goes."""
        within = {"intersection": "ranked", "labelled": "union"}
        without = {"union": "labelled", "ranked": "intersection"}
        aggregation = definition.aggregation
        users, policies = aggregation.given("users"), aggregation.active_policies(["on-nothing-judged"])
        counted = {"users": within.get(users, users), **dict.fromkeys([*policies, "on-no-labels"], "0")}
        return [Other(counted), Other({"users": without.get(users, users)})]


@dataclass(frozen=True)
class RelevanceTally(Tally):
    """Users without a relevant label, and users without any."""

    unlabelled: Counter[str] = field(default_factory=Counter)
    """Users without a label row in the population of each setting to `users`."""


class NoRelevant(Lint[RelevanceTally]):
    """Users all of whose labels say "not relevant"."""

    name = "no-relevant"
    title = "users without a relevant label"
    unit = "users with labels"
    means = "No list can please them; systems leave them out, or count them 0, 1 or NaN."
    do = "State which users are counted, and report their number with the mean."
    otherwise = "counting them 0 or leaving them out"

    def look(self, data: Data) -> RelevanceTally:
        """Count users with label rows, of which none has a grade above 0."""
        looked_at = populations(data.joined, list(data.checked_metrics.definitions.values()), None)
        unlabelled = {users: int(np.count_nonzero(mask & ~data.labelled)) for users, mask in looked_at.items()}
        without = np.zeros_like(data.labelled)
        if not (data.grades > 0).all():
            without = data.labelled.copy()
            without[data.label_user[data.joined.labels.grade > 0]] = False
        return RelevanceTally(*data.users(without, data.labelled), Counter(unlabelled))

    def others(self, tally: RelevanceTally, known: Known, definition: Definition) -> Iterable[Other]:
        """Counted 0, or left out; users without any label stay as they are, where that can be said."""
        aggregation = definition.aggregation
        both = [Other({"on-no-relevant": setting}) for setting in ("0", "skip")]
        if aggregation.active_policies(["on-no-labels"]):
            return both
        if aggregation.settings["on-no-relevant"].trait("by_formula") and tally.unlabelled[aggregation.given("users")]:
            return []
        return [Other({"on-no-labels": aggregation.given("on-no-relevant"), **other.settings}) for other in both]


class LabelsInTraining(Lint[Tally]):
    """Labels that occur in the training data too."""

    name = "labels-in-training"
    title = "labels that the model was trained on"
    unit = "label rows"
    wrong = True
    means = "The same user and item are in the training data, so a model that only memorizes looks good."
    do = "Split again, so that no user and item is on both sides."
    otherwise = "taking them out of the labels"
    at_evaluate = False

    def look(self, data: Data) -> Tally:
        """Count label rows whose user and item are in the training data."""
        return Tally() if data.train is None else Tally(*data.label_rows(data.trained_labels))

    def note(self, tally: Tally, known: Known) -> str:
        """Whether all of them are."""
        return "the labels are the training data" if tally.count == tally.of else ""

    def tried(self, tally: Tally, known: Known) -> str:
        """Nothing, where no label would be left."""
        return "" if tally.count == tally.of else self.otherwise

    def others(self, tally: Tally, known: Known, definition: Definition) -> Iterable[Other]:
        """The labels that are new."""
        return [Other(turn=untrained)]


class ListsFromTraining(Lint[Tally]):
    """Rows of lists that the user had in training."""

    name = "lists-from-training"
    title = "returned items that the user had in training"
    unit = "rows of the run"
    means = "The user had the item already; if the labels are all new, such a row cannot be a hit."
    do = "Take seen items out before the list is cut, or say exclude=seen with --seen FILE (in Python seen=…)."
    otherwise = "taking them out of the lists"
    at_evaluate = False

    def look(self, data: Data) -> Tally:
        """Count ranked rows whose user and item are in the training data."""
        if data.train is None:
            return Tally()
        return Tally(*data.list_rows(data.rows, np.isin(data.rows.keys, data.trained)))

    def others(self, tally: Tally, known: Known, definition: Definition) -> Iterable[Other]:
        """The lists without them."""
        keeps_all = definition.preparation.settings["exclude"].changes_nothing
        return [Other({"exclude": "seen"}, with_seen)] if keeps_all else []


POPULAR = 10
"""The number of relevant labels from which an item is popular."""


@dataclass(frozen=True)
class PopularityTally(Tally):
    """How often each item is wanted, found and shown."""

    items: ItemCounts = field(default_factory=ItemCounts)
    listed: int = 0
    """Users with a list."""


class TooGood(Lint[PopularityTally]):
    """Popular items that everybody finds who has them, and hardly anybody else is shown."""

    name = "too-good"
    title = "popular items with recall 1"
    unit = "popular items"
    wrong = True
    means = "Everybody who has the item finds it above the cutoff, and hardly anybody else: no model knows that much."
    do = "Look for the labels among what the model was given: pass it with --train FILE (in Python train=…)."
    at_evaluate = False

    def look(self, data: Data) -> PopularityTally:
        """For each item count who wants it, who of these finds it, and to how many others it is shown."""
        if data.checked_metrics.cutoff is None:
            return PopularityTally()
        joined, size, top = data.joined, len(data.joined.items), data.top
        wanted = (joined.labels.grade > 0) & data.listed[data.label_user]
        first, hit = ~top.repeats, top.gain > 0
        counts = {
            "wanted": np.bincount(joined.labels.item[wanted], minlength=size),
            "found": np.bincount(top.item[first & hit], minlength=size),
            "shown": np.bincount(top.item[first & ~hit], minlength=size),
        }
        return PopularityTally(items=ItemCounts.of(joined.items, **counts), listed=int(np.count_nonzero(data.listed)))

    def found(self, tally: PopularityTally, known: Known) -> Found | None:
        """Items found by all who have them, unless at least half of the others are shown them too."""
        items = tally.items
        wanted, found, shown = (items.counts(name) for name in ("wanted", "found", "shown"))
        popular = wanted >= POPULAR
        good = np.flatnonzero(popular & (found >= wanted) & (2 * shown < tally.listed - wanted)).tolist()
        if not good or 2 * len(good) < np.count_nonzero(popular):
            return None
        first = nsmallest(EXAMPLES, ((items.ids[at], int(wanted[at])) for at in good))
        examples = [Example(None, item, f"{users} users") for item, users in first]
        return Found(len(good), int(np.count_nonzero(popular)), examples)
