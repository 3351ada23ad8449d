"""Data problems of ids, labels, users and training data."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from rankconv.data.arrays import Codes, set_readonly
from rankconv.data.joined import Joined
from rankconv.engine.aggregate import populations
from rankconv.evaluation.findings.finding import Tally
from rankconv.evaluation.findings.lint import Lint, LintFacts, Other
from rankconv.evaluation.findings.lint_data import CheckedData, WithParents, respelled, untrained, with_seen
from rankconv.presets.definition import Definition


class DifferentSpelling(Lint[Tally]):
    """Ids that differ between labels and run only by type, blanks, padding or case, as `other_spelling` finds them."""

    name = "respelled-ids"
    title = "ids that differ only by spelling"
    unit = "ids"
    wrong = True
    means = (
        "Labels and run spell the same id differently (by type, blanks, leading zeros, a trailing .0, case), "
        "so it does not match, and its hits are lost."
    )
    do = "Use one spelling on both sides, and read id columns as text."
    otherwise = "matching them"
    at_evaluate = False

    def look(self, data: CheckedData) -> Tally:
        """Count nothing: spellings are compared over all ids, whichever users have them, by `Spelling`."""
        return Tally()

    def tried(self, tally: Tally, known: LintFacts) -> str:
        """Nothing, where there are no numbers before ids are respelled."""
        return self.otherwise if known.data.respelled else ""

    def others(self, tally: Tally, known: LintFacts, definition: Definition) -> Iterable[Other]:
        """The data with one spelling for each id."""
        return [Other(turn=respelled)] if known.data.respelled else []


@dataclass(frozen=True)
class ChunkTally(Tally):
    """Rows of the run whose item is a chunk of a labelled document, or the document of a labelled chunk."""

    separators: Counter[str] = field(default_factory=Counter)
    """How many chunks have each separator in their ids."""
    further: int = 0
    """Rows whose document has another chunk further up."""
    mixed: int = 0
    """Labels of chunks of documents that the user has labelled too."""

    @property
    def separator(self) -> str:
        """The separator that most ids have; empty where documents have it too, or none is found."""
        return max(self.separators, key=lambda one: (self.separators[one], one), default="")


class Chunks(Lint[ChunkTally]):
    """Items of lists whose ids look like chunks of what the labels name, or the other way round."""

    name = "chunks"
    title = "chunks on one side, their documents on the other"
    unit = "rows of the run"
    wrong = True
    means = "One side names documents and the other chunks of them, so ids do not match and hits are lost."
    do = "Collapse chunks to documents: --parents '{0}' -m '{1}' (in Python parents='{0}')."
    by_table: ClassVar = "Collapse chunks to documents with a table of both: --parents FILE -m '{1}'."
    otherwise = "collapsing them to documents"
    at_evaluate = False

    def look(self, data: CheckedData) -> ChunkTally:
        """Count unlabelled rows of which the user has labelled the document, or a chunk."""
        rows, joined = data.rows, data.joined
        head, separators = joined.once(_heads)
        if not separators:
            return ChunkTally(0, len(rows))
        size, document = len(joined.items), head[joined.labels.item]
        own, above = (np.unique((data.label_user * size + of)[of >= 0]) for of in (joined.labels.item, document))
        of_row = np.where(head[rows.item] >= 0, rows.user * size + head[rows.item], -1)
        chunks = np.isin(of_row, own) & ~np.isin(rows.keys, own)
        named = Counter(separators[item] for item in rows.item[chunks].tolist())
        named.update(separators[item] for item in joined.labels.item[document >= 0].tolist())
        further = int(np.count_nonzero(chunks)) - len(np.unique(of_row[chunks]))
        return ChunkTally(
            *data.list_rows(rows, chunks | np.isin(rows.keys, above)), named, further, int(np.isin(above, own).sum())
        )

    def note(self, tally: ChunkTally, known: LintFacts) -> str:
        """How many documents occur several times, and whether labels are mixed."""
        mixed = f"{tally.mixed:,} labels are of chunks of documents that are labelled too"
        further = f"{tally.further:,} of them further chunks of a document above"
        return "; ".join(text for text, count in ((further, tally.further), (mixed, tally.mixed)) if count)

    def to_do(self, tally: ChunkTally, known: LintFacts) -> str:
        """With their separator, if documents do not have it; labels must be of one kind."""
        first = "Keep labels of documents or of chunks, not both. " if tally.mixed else ""
        metric = next(iter(known.definitions.values())).requested.having("collapse", "max")
        return first + (self.do if tally.separator else self.by_table).format(tally.separator, metric)

    def tried(self, tally: ChunkTally, known: LintFacts) -> str:
        """Nothing, where it is not clear which item is a chunk of which."""
        return "" if tally.mixed or not tally.separator else self.otherwise

    def others(self, tally: ChunkTally, known: LintFacts, definition: Definition) -> Iterable[Other]:
        """The documents, ranked by their best chunks."""
        changes = self.tried(tally, known) and definition.preparation.settings["collapse"].changes_nothing
        return [Other({"collapse": "max"}, WithParents(tally.separator))] if changes else []


_CHUNKS = (re.compile(r"(.+?)([\W_]+(?:[A-Za-z]+[\W_]*)?)[0-9]+"), re.compile(r"(.+)([\W_]+)[0-9]+"))
"""A chunk: the id of a document, a separator, which may have a word in it, and a number."""


def _heads(joined: Joined) -> tuple[Codes, dict[int, str]]:
    """The item of which each item looks like a chunk, as a code, shape (items,), -1 for others; and separators."""
    items, head, separators = joined.items, np.full(len(joined.items), -1), dict[int, str]()
    for code, item in enumerate(items.values.tolist() if items.kind == "text" else []):
        for found in filter(None, (form.fullmatch(item) for form in _CHUNKS)):
            if found[1] in items.code_of:
                head[code], separators[code] = items.code_of[found[1]], "" if found[2] in found[1] else found[2]
                break
    return set_readonly(head), separators


@dataclass(frozen=True)
class RepeatTally(Tally):
    """Label rows whose item came before."""

    other_grade: int = 0
    """Of how many the label before has another grade."""


@dataclass(frozen=True)
class OneGrade:
    """Give all labels of one user and item the grade of the first of them, or the highest."""

    highest: bool

    def __call__(self, data: CheckedData) -> Joined:
        """The data with these labels."""
        labels = data.joined.labels
        pairs = np.repeat(np.arange(len(labels.users)), labels.lengths) * len(labels.items) + labels.item
        _, first, pair = np.unique(pairs, return_index=True, return_inverse=True)
        grade = labels.grade[first]
        if self.highest:
            np.maximum.at(grade, pair, labels.grade)
        return replace(data.joined, labels=labels.replace(grade=grade[pair]))


class DuplicateLabels(Lint[RepeatTally]):
    """Items that a user has labelled more than once."""

    name = "duplicate-labels"
    title = "items that are labelled twice"
    unit = "label rows"
    wrong = True
    means = "The same user has another label for the item; most systems keep one of them, some count both."
    do = "Keep one label of each user and item."
    otherwise = "counting each label, the first or the highest"
    settings = ({"duplicate-labels": "one"}, {"duplicate-labels": "counted"})

    def others(self, tally: RepeatTally, known: LintFacts, definition: Definition) -> Iterable[Other]:
        """One or each, and of those with another grade the first and the highest."""
        yield from super().others(tally, known, definition)
        if tally.other_grade:
            yield from (Other({"duplicate-labels": "one"}, OneGrade(highest)) for highest in (False, True))

    def look(self, data: CheckedData) -> RepeatTally:
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

    def note(self, tally: RepeatTally, known: LintFacts) -> str:
        """How many there are of another grade."""
        last = "by default the last counts"
        return f"{tally.other_grade:,} of them with another grade; {last}" if tally.other_grade else ""


class NegativeGrades(Lint[Tally]):
    """Grades below zero."""

    name = "negative-grades"
    title = "negative grades"
    unit = "label rows"
    means = "Systems read a negative grade as a loss, as 0, or as not judged; a sum of gains can then be below zero."
    do = "Replace them by 0 if they mean judged and not relevant; leave them out if they mean unjudged."
    otherwise = "other readings of them"
    settings = tuple({"negative": setting} for setting in ("grade", "zero", "unjudged"))

    def look(self, data: CheckedData) -> Tally:
        """Count label rows with such a grade."""
        grade = data.joined.labels.grade
        return Tally(*data.label_rows(grade < 0)) if (data.grades < 0).any() else Tally(0, len(grade))


class FractionalGrades(Lint[Tally]):
    """Grades that are not whole numbers."""

    name = "fractional-grades"
    title = "fractional grades"
    unit = "label rows"
    means = "trec_eval cuts them to whole numbers, so 0.9 is not relevant; others refuse them, or take them as given."
    do = "Map grades to whole numbers before the evaluation."
    otherwise = "cutting them to whole numbers"

    def look(self, data: CheckedData) -> Tally:
        """Count label rows with such a grade."""
        grade = data.joined.labels.grade
        if (data.grades == np.trunc(data.grades)).all():
            return Tally(0, len(grade))
        return Tally(*data.label_rows(grade != np.trunc(grade)))

    def usual(self, known: LintFacts) -> bool:
        """Half stars, where no definition cuts them."""
        doubled = 2 * known.data.grades
        return True not in self._cut(known) and bool((doubled == np.trunc(doubled)).all())

    def tried(self, tally: Tally, known: LintFacts) -> str:
        """What the definitions do not do; of some that cut and some that do not, the other of each."""
        cut = self._cut(known)
        return self.otherwise if True not in cut else "taking them as given" + " or cutting them" * (False in cut)

    @staticmethod
    def _cut(known: LintFacts) -> set[bool]:
        """Whether definitions cut grades to whole numbers."""
        read = (one.preparation.settings["grades"].traits.other_fractions for one in known.definitions.values())
        return {other == "given" for other in read if other}

    def others(self, tally: Tally, known: LintFacts, definition: Definition) -> Iterable[Other]:
        """As given in place of whole numbers, and the other way round; all grades are 0 and 1 to some presets."""
        other = definition.preparation.settings["grades"].traits.other_fractions
        return [Other({"grades": other})] if other else []


class UsersWithoutList(Lint[Tally]):
    """Users of the labels without a ranking in the run."""

    name = "users-without-list"
    title = "users with labels and no list"
    unit = "users with labels"
    means = "The run has no items for these users; some systems score them 0, others leave them out of the mean."
    do = "State whether they score 0 or are left out, and compare runs on the same users."
    otherwise = "scoring them 0 or leaving them out"

    def look(self, data: CheckedData) -> Tally:
        """Count users with a label row and no ranked row."""
        return Tally(*data.users(data.labelled & ~data.listed, data.labelled))

    def others(self, tally: Tally, known: LintFacts, definition: Definition) -> Iterable[Other]:
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
    means = "These users have no labels; most systems leave them out, some score them 0."
    do = "No change if these users were not judged on purpose; otherwise add their labels."
    otherwise = "scoring them 0 or leaving them out"
    at_evaluate = False

    def look(self, data: CheckedData) -> Tally:
        """Count users with a ranked row and no label row."""
        return Tally(*data.users(data.listed & ~data.labelled, data.listed))

    def others(self, tally: Tally, known: LintFacts, definition: Definition) -> Iterable[Other]:
        """Counted 0, or left out; nobody else comes in or goes."""
        within = {"intersection": "ranked", "labelled": "union", "named-in-labels": "union"}
        without = {"union": "labelled", "ranked": "intersection", "named-in-labels": "labelled"}
        aggregation = definition.aggregation
        users, policies = aggregation.given("users"), aggregation.active_policies(["on-nothing-judged"])
        counted = {"users": within.get(users, users), **dict.fromkeys([*policies, "on-no-labels"], "0")}
        return [Other(counted), Other({"users": without.get(users, users)})]


@dataclass(frozen=True)
class RelevanceTally(Tally):
    """Users without a relevant label, and users without any."""

    unlabelled: Counter[str] = field(default_factory=Counter)
    """Users without a label row in the population of each setting of `users`."""


class NoRelevant(Lint[RelevanceTally]):
    """Users all of whose labels say "not relevant"."""

    name = "no-relevant"
    title = "users without a relevant label"
    unit = "users with labels"
    means = "No ranking can score above 0 for them; systems leave them out, or score them 0, 1 or NaN."
    do = "State which users are counted, and report their number with the mean."
    otherwise = "scoring them 0 or leaving them out"

    def look(self, data: CheckedData) -> RelevanceTally:
        """Count users with label rows, of which none has a grade above 0."""
        looked_at = populations(data.joined, list(data.checked_metrics.definitions.values()), None)
        unlabelled = {users: int(np.count_nonzero(mask & ~data.labelled)) for users, mask in looked_at.items()}
        without = np.zeros_like(data.labelled)
        if not (data.grades > 0).all():
            without = data.labelled.copy()
            without[data.label_user[data.joined.labels.grade > 0]] = False
        return RelevanceTally(*data.users(without, data.labelled), Counter(unlabelled))

    def others(self, tally: RelevanceTally, known: LintFacts, definition: Definition) -> Iterable[Other]:
        """Counted 0, or left out; users without any label stay as they are, where that can be said."""
        aggregation = definition.aggregation
        both = [Other({"on-no-relevant": setting}) for setting in ("0", "skip")]
        if aggregation.active_policies(["on-no-labels"]):
            return both
        if aggregation.settings["on-no-relevant"].traits.by_formula and tally.unlabelled[aggregation.given("users")]:
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

    def look(self, data: CheckedData) -> Tally:
        """Count label rows whose user and item are in the training data."""
        return Tally() if data.train is None else Tally(*data.label_rows(data.trained_labels))

    def note(self, tally: Tally, known: LintFacts) -> str:
        """Whether all of them are."""
        return "the labels are the training data" if tally.count == tally.of else ""

    def tried(self, tally: Tally, known: LintFacts) -> str:
        """Nothing, where no label would be left."""
        return "" if tally.count == tally.of else self.otherwise

    def others(self, tally: Tally, known: LintFacts, definition: Definition) -> Iterable[Other]:
        """The labels that are new."""
        return [Other(turn=untrained)]


class ListsFromTraining(Lint[Tally]):
    """Rows of lists that the user had in training."""

    name = "lists-from-training"
    title = "returned items that the user had in training"
    unit = "rows of the run"
    means = "The user had the item already; if the labels are all new, such a row cannot be a hit."
    do = "Remove seen items before the list is cut, or set exclude=seen with --seen FILE (in Python seen=…)."
    otherwise = "taking them out of the lists"
    at_evaluate = False

    def look(self, data: CheckedData) -> Tally:
        """Count ranked rows whose user and item are in the training data."""
        if data.train is None:
            return Tally()
        return Tally(*data.list_rows(data.rows, np.isin(data.rows.keys, data.trained)))

    def others(self, tally: Tally, known: LintFacts, definition: Definition) -> Iterable[Other]:
        """The lists without them."""
        keeps_all = definition.preparation.settings["exclude"].changes_nothing
        return [Other({"exclude": "seen"}, with_seen)] if keeps_all else []
