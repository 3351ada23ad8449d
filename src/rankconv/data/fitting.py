"""Checks that labels and rankings fit each other: whole numbers are ids or grades, and sides are not exchanged."""

from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.data.alignment import ROLES, Counting, IdTable, Role, check_meeting
from rankconv.data.arrays import begins, take_ownership
from rankconv.data.attributes import Form
from rankconv.data.ids import Ids, make_ids
from rankconv.data.labels_and_rankings import Labels, Run, Scores
from rankconv.data.ordering import owners_of_repeats

IdentifiedRows = TypeVar("IdentifiedRows", Labels, Run)
_STEPS = (2, 3, 4)
"""Grades that are no whole numbers are halves, thirds or quarters of such: means of what a few people gave."""
_HIGHEST = 10
"""Grades are seldom higher."""
_HARDLY = 1e-3
"""Labels of ids that no list leaves out are that unlikely to be in the first columns alone."""
_NEAR = 1e-6
"""Fractions that differ by less are one."""
_FEW_ROWS, _FEW_CELLS = 100, 10_000
"""Looked at first: most scores are no grades, and these tell. So many cells of a matrix are looked at."""


def as_grades(labels: Labels, numbers: Form, called: str) -> Labels:
    """Return the labels; whole numbers are grades where the other side is a matrix of numbers of the same shape.

    An InputError where they may be ids as well: where rows are padded, where they came as lists, and where the other
    side is of whole numbers too and each row has 0, 1, … once. And where an item id is there twice.
    """
    ids, matrix = labels.form.kind == "ids", numbers.kind in ("dense", "sparse")
    lists = labels.form.in_turn and matrix and _are_lists(labels, numbers.shape)
    fits = labels.form.shape == numbers.shape if ids else lists
    if ids and fits and matrix and bool((labels.lengths == numbers.shape[1]).all()):
        return _of_matrix(labels, labels.form)
    if fits and (matrix or _are_all(labels)):
        wrong = f"{labels.source} holds whole numbers and has the shape of {called}, {numbers.shape}: they may be "
        do = "Pass numpy.array(labels, float) if they are grades, and {user: [ids]} if they are item ids"
        raise InputError(wrong + "a grade for each item, or item ids", do=do)
    if ids and not labels.distinct:
        _refuse_repeats(labels)
    return labels


def _are_all(labels: Labels) -> bool:
    """Whether each row of an array has each of 0, 1, … once, which as item ids would tell nothing."""
    users, width = labels.form.shape
    whole = width > 1 and users > 0 and len(labels.items) == width and bool((labels.lengths == width).all())
    return whole and labels.distinct and np.array_equal(np.sort(labels.items.values), np.arange(width))


def _are_lists(labels: Labels, shape: tuple[int, int]) -> bool:
    """Whether these are lists of whole numbers without grades, one for each of so many users, each of this length."""
    users, width = shape
    if not (len(labels.users) == users and labels.item_kind == "integer" and labels.groups is None):
        return False
    without_grades = not any(labels.grade.strides)  # one number for all rows
    return without_grades and bool((labels.lengths == width).all())


def as_ids(rankings: Run, labels: Labels) -> Run:
    """Return the run; whole numbers in lists of one length are item ids, also where they may be a score for each item.

    They may be where each labelled item is the number of a column. An InputError where they can hardly be ids: where an
    item is in a list twice, and where numbers go beyond the columns and no more labels are in the lists than by chance.
    """
    if labels.form.kind == "dense" or not _are_whole(rankings) or labels.item_kind != "integer":
        return rankings
    lengths, known = rankings.lengths, labels.items.values
    rows, width = len(lengths), int(lengths[0])
    columns = max(int(known.max(initial=0)) + 1, labels.form.shape[1] if labels.form.kind == "sparse" else 0)
    if width == 1 or bool((lengths != width).any()) or int(known.min(initial=0)) < 0 or columns > width:
        return rankings
    for row in owners_of_repeats(rankings.starts, rankings.item)[:1]:
        raise _ids_or_scores(rankings, f"row {row} has a number twice")
    ids, relevant = rankings.items.values, int(np.count_nonzero(labels.grade > 0))
    least, most = min(int(ids.min()), 0), max(int(ids.max()), width - 1)
    share = width / (most - least + 1)
    by_chance = share * relevant + 2 * (share * relevant) ** 0.5
    if share**relevant < _HARDLY and (hits := _hits(labels, rankings)) <= by_chance:
        wrong = f"they are {least} to {most}, and {hits} of {relevant} relevant items are in their user's list"
        raise _ids_or_scores(rankings, wrong)
    assumed = f"{rows} lists of {width} whole numbers are item ids, best first; scores would be floats"
    form = replace(rankings.form, assumed=assumed if rankings.form.kind else rankings.form.assumed)
    distinct: Run = rankings.replace(form=form, is_distinct=True)
    return distinct


def with_texts_of_files(labels: Labels, rankings: Run) -> tuple[Labels, Run]:
    """Return labels and run of two files, of which whole numbers on one side are the decimal texts that the other has.

    A file of text has no types: a CSV and the keys of a JSON object are texts, and its values are numbers. `7` becomes
    "7", which is not "007".
    """
    if not (labels.form.path and rankings.form.path):
        return labels, rankings
    kinds = (labels.users.kind, rankings.users.kind), (labels.item_kind, rankings.item_kind)
    for role, both in zip(ROLES, kinds, strict=True):
        if both == ("integer", "text"):
            labels = _with_texts(labels, role)
        elif both == ("text", "integer"):
            rankings = _with_texts(rankings, role)
    return labels, rankings


def _with_texts(side: IdentifiedRows, role: Role) -> IdentifiedRows:
    """The side with texts for its users or items."""
    ids = {"user": side.users, "item": side.items}[role]
    texts = make_ids(list(map(str, ids.values.tolist())), role)
    form = replace(side.form, as_texts=(*side.form.as_texts, role))
    changed: IdentifiedRows = side.replace(**{f"{role}s": texts}, form=form)
    return changed


def _are_whole(rankings: Run) -> bool:
    """Whether these are lists of whole numbers, one for each user in turn."""
    lists = (rankings.form.kind == "ids" or rankings.form.in_turn) and not rankings.form.items_named
    return lists and rankings.item_kind == "integer" and not rankings.scored


def _hits(labels: Labels, rankings: Run) -> int:
    """How many relevant labels have an item of their user's list."""
    user = np.repeat(rankings.users.codes_of(labels.users), labels.lengths)
    item = rankings.items.codes_of(labels.items)[labels.item]
    relevant, count = (labels.grade > 0) & (user >= 0) & (item >= 0), len(rankings.items)
    listed = np.repeat(np.arange(len(rankings.users)), rankings.lengths) * count + rankings.item
    return int(np.count_nonzero(np.isin((user * count + item)[relevant], listed)))


def _ids_or_scores(rankings: Run, wrong: str) -> InputError:
    """The error for whole numbers that are rather scores."""
    rows, width = len(rankings.users), int(rankings.lengths[0])
    return InputError(
        f"{rows} lists of {width} whole numbers may be item ids, best first, or scores of the items 0 to {width - 1}: "
        + wrong,
        where=rankings.source,
        do="Pass numpy.array(run, float) if they are scores, and {user: [ids]} if they are item ids",
    )


def _of_matrix(labels: Labels, form: Form) -> Labels:
    """The whole numbers that were taken for ids as grades of the items 0, 1, …"""
    users, width = form.shape
    grade = np.asarray(labels.items.values[labels.item], np.float64)
    items, item = Ids(take_ownership(np.arange(width)), "integer"), np.tile(np.arange(width), users)
    source = f"{labels.source} of grades"
    return Labels(
        labels.users,
        items,
        labels.starts,
        take_ownership(item),
        take_ownership(grade),
        source,
        form=replace(form, kind="dense"),
    )


def _refuse_repeats(labels: Labels) -> None:
    """An InputError where a user has an item id twice: it may be a matrix of whole grades."""
    for user in owners_of_repeats(labels.starts, labels.item)[:1]:
        items = labels.item[labels.starts[user] : labels.starts[user + 1]]
        found, counts = np.unique(items, return_counts=True)
        item = labels.items.id(int(found[counts > 1][0]))
        do = "Pass numpy.asarray(array, float) if these are grades of users by items, lists if it was labelled twice"
        raise InputError(f"item {item} is there twice", where=f"{labels.source}, row {user}", do=do)


def check_fit(labels: Labels, rankings: Run, *, part: bool = False) -> None:
    """An InputError where users or items of the two cannot meet, or where they look exchanged.

    A `part` of the users may look as if it were, or as if its numbers counted from 1.
    """
    _check_spans(labels, rankings)
    _check_ids(labels, rankings)
    known, ranked = IdTable.of(labels, "the labels"), IdTable.of(rankings, "the run")
    check_meeting(known, ranked)
    _check_grades_in_turn(labels, rankings)
    _check_order(labels, rankings)
    if not part:
        Counting.of(known, ranked).refuse()
        exchange = Exchange()
        exchange.add(labels, rankings)
        exchange.refuse()


def _check_spans(labels: Labels, rankings: Run) -> None:
    """An InputError where one side has spans of documents and the other one whole items."""
    sides = [(one.form.are_spans, one) for one in (labels, rankings) if one.row_count]
    with_spans = [one for are_spans, one in sides if are_spans]
    if with_spans and len(with_spans) < len(sides):
        whole = next(one for are_spans, one in sides if not are_spans)
        raise InputError(
            f"{with_spans[0].source} has spans of documents, and {whole.source} has items ({whole.items.examples()})",
            do="Give both document, start and end, or leave start and end out of both",
        )


def _check_grades_in_turn(labels: Labels, rankings: Run) -> None:
    """An InputError where labels in turn look like grades.

    Whole numbers that repeat, as many as the user's list has items, may be the grades of these items.
    """
    if not (labels.form.in_turn and rankings.form.users_placed) or not len(labels.users):
        return
    whole = labels.item_kind == "integer" and (labels.grade == 1).all() and not labels.is_distinct
    if whole and np.array_equal(labels.lengths, rankings.lengths):
        raise InputError(
            "labels without user ids have items twice, and as many entries as the lists",
            where=labels.source,
            allowed="They may be items, or grades of the items in the lists",
            do="Pass {user: [items]} for the former, rc.grouped(grades, scores, group=sizes) for the latter",
        )


def _check_ids(labels: Labels, rankings: Run) -> None:
    """An InputError where whole scores, one for each item, were taken for item ids; the grades' columns tell."""
    if labels.form.kind != "dense" or labels.form.items_named or not _are_whole(rankings):
        return
    ids, items = rankings.items.values, labels.form.shape[1]
    do = "if these are scores, pass numpy.array(run, float)"
    if bool((rankings.lengths == items).all()) and len(rankings.owners_of_repeats(None)):
        known = ", ".join(map(str, sorted(ids.tolist())[:3])) + (", …" if len(ids) > 3 else "")
        wrong = f"the run has the shape of the grades, {labels.form.shape}, and lists with an item twice, of {known}"
        raise _exchanged(wrong, _both(labels, rankings), do)
    if int(ids.max()) >= items or int(ids.min()) < 0:
        odd = int(ids.max()) if int(ids.max()) >= items else int(ids.min())
        wrong = f"the run has the item {odd}, and the labels have the {items} columns 0 to {items - 1}"
        raise InputError(wrong, do=f"Number the items from 0; {do}")


def _check_order(labels: Labels, rankings: Run) -> None:
    """An InputError for a matrix of fractions with lists that rise by item, as those of relevant items do."""
    named = labels.side_named or rankings.side_named
    if named or labels.form.kind != "dense" or rankings.scored or rankings.item_kind != "integer":
        return
    rises = np.diff(rankings.items.values[rankings.item]) > 0
    starts = rankings.starts[1:-1]
    rises[starts[(starts > 0) & (starts < rankings.row_count)] - 1] = True
    several = rankings.row_count > 2 * np.count_nonzero(rankings.lengths) > 2
    if several and rises.all() and 2 * np.count_nonzero(labels.grade % 1) > len(labels.grade):
        do = "if not, say so: rc.Labels(labels), rc.Run(run)"
        wrong = "the grades are fractions, and each list without scores rises by item"
        raise _exchanged(wrong, _both(labels, rankings), do)


@dataclass
class Exchange:
    """The evidence that sides are exchanged: all scores look like grades, and most grades like scores.

    Users may come in parts. Never refused are columns with names, TREC runs, and what the caller calls labels or run.
    """

    _possible: bool = True
    _where: str = ""
    _scores: set[float] = field(default_factory=set)
    """The different ones, which are few."""
    _grades: int = 0
    _odd: int = 0
    """So many grades are fractions that no few people give."""
    _equal: int = 0
    """So many grades are another one's of the same user."""
    _longest: int = 0
    _lists: int = 0
    """So many lists have items."""
    _lowest: set[int] = field(default_factory=lambda: {0, 1})
    """The scores of each list count down to one of these, as places do."""

    def add(self, labels: Labels, rankings: Run) -> None:
        """Add the evidence of some users."""
        some = rankings.scores_in_any_order
        named = rankings.tag or (labels.form.numbers_named and rankings.form.numbers_named)
        named = named or labels.side_named or rankings.side_named
        in_words = labels.words is not None or rankings.words is not None
        if (
            not self._possible
            or named
            or in_words
            or some is None
            or not (_like_grades(some[:_FEW_ROWS]) and _like_grades(some))
        ):
            self._possible = False
            return
        cut = rankings.form.cut
        others = some if cut is None else cut.scores.take(np.arange(min(cut.scores.size, _FEW_CELLS)))
        if not _like_grades(others[np.isfinite(others)]):
            self._possible = False
            return
        self._where = _both(labels, rankings)
        self._scores |= {*np.unique(some).tolist()}
        self._add_grades(labels)
        self._add_places(rankings)

    def plus(self, other: "Exchange") -> "Exchange":
        """The evidence of both."""
        return Exchange(
            self._possible and other._possible,
            self._where or other._where,
            self._scores | other._scores,
            self._grades + other._grades,
            self._odd + other._odd,
            self._equal + other._equal,
            max(self._longest, other._longest),
            self._lists + other._lists,
            self._lowest & other._lowest,
        )

    def _add_grades(self, labels: Labels) -> None:
        grade = labels.grade
        odd = np.ones(len(grade), bool)
        parts = np.modf(grade)[0]  # numbers that are too large to be multiplied have none
        for steps in (1, *_STEPS):
            odd &= np.abs(parts * steps - np.round(parts * steps)) > _NEAR
        owner = np.repeat(np.arange(len(labels.users)), labels.lengths)
        order = np.lexsort((grade, owner))
        equal = ~begins(grade[order], owner[order])[1:]
        cut = labels.form.labels_cut
        unread = 0 if cut is None else int(cut.counts.sum())
        self._grades += len(grade) + unread
        self._odd += int(np.count_nonzero(odd))
        self._equal += int(np.count_nonzero(equal)) + unread

    def _add_places(self, rankings: Run) -> None:
        score, starts, lengths = rankings.score, rankings.starts, rankings.lengths
        assert score is not None
        self._longest = max(self._longest, int(lengths.max(initial=0)))
        self._lists += int(np.count_nonzero(lengths))
        last = np.repeat(starts[1:], lengths) - np.arange(len(score))
        self._lowest = {at for at in self._lowest if np.array_equal(score, last - (1 - at))}

    def refuse(self) -> None:
        """Raise InputError where the evidence of all users added is clear."""
        like_scores = 2 * self._odd >= self._grades > 2 * self._equal
        places = self._lowest and self._longest > 2 and self._lists > 1
        if not (self._possible and self._scores and like_scores) or places:
            return
        wrong = f"{self._odd} of the {self._grades} grades are fractions, and the scores are only "
        wrong += " and ".join(f"{value:g}" for value in sorted(self._scores))
        raise _exchanged(wrong, self._where, "if not, say so: rc.Labels(labels), rc.Run(run)", _HEADERS)


def _like_grades(score: Scores) -> bool:
    """Whether all these scores, shape (rows,), are whole and as low as grades."""
    return bool(((score >= 0) & (score <= _HIGHEST) & (score % 1 == 0)).all())


def _both(labels: Labels, rankings: Run) -> str:
    return f"{labels.source} and {rankings.source}"


_HEADERS = "if not, say so in a first line of each file: user,item,grade and user,item,score"


def _exchanged(wrong: str, where: str, else_do: str, else_shell: str = "") -> InputError:
    begins_with = "Are the labels and the rankings exchanged? Labels come first; "
    return InputError(wrong, where=where, do=begins_with + else_do, shell=begins_with + (else_shell or else_do))
