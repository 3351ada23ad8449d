"""What users call to say what is relevant and what was returned; rows of any form are read, and grouped by user."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers, own
from rankconv.data.coded import by_appearance
from rankconv.data.groups import Groups, best_rows
from rankconv.data.ids import Ids
from rankconv.data.labels_and_rankings import Labels, Run, Runs, Scores, owners_of_repeats
from rankconv.data.matrices import rises
from rankconv.data.ordering import Key, by_key, together
from rankconv.data.uncoded import told_by_id
from rankconv.data.unread import ListsAsGiven, UnreadLabels, UnreadRankings
from rankconv.errors import InputError
from rankconv.inputs.folder import runs_in
from rankconv.inputs.ranks import agreeing
from rankconv.inputs.reader import ColumnName, Rows, Wanted, by_ids
from rankconv.inputs.readers import rows_from
from rankconv.inputs.scores import of_lines


def labels(
    data: Any,
    *,
    user: ColumnName = None,
    item: ColumnName = None,
    grade: str | None = None,
    group: str | None = None,
    padding: int | None = None,
) -> Labels:
    """What is known to be relevant, and how much?

    Takes `{user: [items]}`, `{user: {item: grade}}`, `{user: set of items}`, one such list, dict or set per user,
    tuples `(user, item)` or `(user, item, grade)`, pairs `(predicted, truth)`, an array of item ids with one row per
    user, an array of grades or a SciPy sparse matrix of users by items, a table of any library, or the path of a
    file: CSV, TSV, TREC qrels, JSON, JSON lines, Parquet, Arrow, LETOR, MovieLens, each also packed (.gz, .zst);
    `-` is the standard input; plugins may read more (`plugin.input_format`). Where no grade is given, every row has
    grade 1.

    Labels may come in groups, such as the subtopics of a query: `{user: [[a, b], [c]]}`, `{user: {group: [items]}}`,
    `{user: {group: {item: grade}}}`, tuples `(user, group, item, grade)`, a table with a column `group` or `subtopic`,
    and TREC diversity qrels (topic, subtopic, document, grade), which look like any others: `group="subtopic"` says
    that they are. An item may stand in several groups, with a grade in each; where groups are no matter, it is one
    label with the highest of them. What groups mean is told by `groups=`, `no-subtopic=` and `subtopic-weight=` in a
    definition. Lists of two whose second is a number are pairs (item, grade): with ids that are numbers, use sets or
    name the groups.

    `user`, `item`, `grade` and `group` name the columns of a table; without them, usual names are looked for. Several
    columns make tuples of their parts: `user=("uid", "given")`. Where no column has a usual name of the grade, and one
    that nobody knows holds numbers, it is named, or `grade="none"` says that every row has grade 1. `padding` is the
    number that fills the rows of an array of item ids, -1 unless said. An array of whole numbers holds item ids; but
    grades beside an array of scores of the same shape.

    Rows stay in the order given, those of a user together; duplicates are kept. Ids keep their type; files of plain
    text always give text ids.

    Raises `InputError` when the data cannot be read as it stands.

    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> known = rc.Labels({"q1": {"d1": 2, "d7": 0}, "q2": {"d3": 1}})
    >>> known
    Labels(2 users, 3 rows, from a dict)
    >>> known.rows_of("q1")
    {'d1': 2.0, 'd7': 0.0}
    >>> rc.Labels({"q1": {"cars": ["d1", "d7"], "cats": {"d7"}}}).groups_of("q1")
    {'cars': {'d1': 1.0, 'd7': 1.0}, 'cats': {'d7': 1.0}}
    """
    if isinstance(data, Labels):
        return data
    _refuse(data, "labels", "Give the judged items and their grades")
    names = {"user": user, "item": item, "grade": grade, "group": group}
    return as_labels(rows_from(data, Wanted("labels", names, padding)))


def rankings(
    data: Any,
    *,
    user: ColumnName = None,
    item: ColumnName = None,
    score: str | None = None,
    rank: str | None = None,
    padding: int | None = None,
    letor: str | os.PathLike[str] | None = None,
) -> Run:
    """What was returned to each user, and in which order?

    Takes `{user: [items]}`, `{user: {item: score}}`, `{user: [(item, score), …]}`, one such list or dict per user,
    tuples `(user, item)` or `(user, item, score)`, pairs `(predicted, truth)`, an array of item ids with one row per
    user, an array of scores or a SciPy sparse matrix of users by items, a table of any library, or the path of a
    file: CSV, TSV, TREC run, JSON, JSON lines, Parquet, Arrow, each also packed (.gz, .zst); `-` is the standard
    input; plugins may read more (`plugin.input_format`).

    `user`, `item`, `score` and `rank` name the columns of a table; without them, usual names are looked for. Several
    columns make tuples of their parts: `user=("uid", "given")`. Where no column has a usual name of the score or the
    rank, and one that nobody knows holds numbers, it is named, or `score="none"` says that the order of the rows is the
    ranking. `padding` is the number that fills the rows of an
    array of item ids, -1 unless said. `letor` is the LETOR file whose lines the file scores, one number in each line,
    as `svm_rank_classify` writes them.

    Lists carry their order. All else is ordered by rank where there are ranks, by falling score where there are
    only scores, and as it comes where there are neither; ties keep the order of the rows. Duplicates are kept.

    Raises `InputError` when the data cannot be read as it stands.

    >>> import rankconv as rc
    >>> returned = rc.Run({"q1": {"d1": 0.2, "d7": 0.9}, "q2": {"d3": 0.5}})
    >>> returned
    Run(2 users, 3 rows, scored, from a dict)
    >>> returned.rows_of("q1")
    (['d7', 'd1'], [0.9, 0.2])
    """
    if isinstance(data, Run):
        return data
    _refuse(data, "rankings", "Give the items returned to each user, best first")
    if letor is not None:
        return as_rankings(of_lines(data, letor))
    names = {"user": user, "item": item, "score": score, "rank": rank}
    return as_rankings(rows_from(data, Wanted("rankings", names, padding)))


def interactions(data: Any, *, user: ColumnName = None, item: ColumnName = None) -> Labels:
    """Which items each user had, whatever grades stand beside them: a table needs no column for these."""
    return (
        data if isinstance(data, Labels) else as_labels(rows_from(data, Wanted("labels", {"user": user, "item": item})))
    )


def runs(data: Any = None, /, **by_name: Any) -> Runs:
    """Which rankings shall be evaluated side by side, and what are they called?

    Takes anything `rankings` takes, each under a name of your choice; or a dict of them; or a folder, whose files
    are the runs, called by their names without endings.

    Raises `InputError` when there is none, or when one cannot be read; the message names it.

    >>> import rankconv as rc
    >>> both = rc.Runs(bm25={"q1": ["d1", "d2"]}, dense={"q1": ["d2", "d1"]})
    >>> list(both.by_name)
    ['bm25', 'dense']
    """
    given = {**_named_runs(data), **by_name}
    if not given:
        raise InputError("there is no run", do="Pass each under its name: runs(bm25=…, dense=…)")
    return Runs({name: _run(name, run) for name, run in given.items()})


def _named_runs(data: Any) -> dict[str, Any]:
    if isinstance(data, Runs):
        return dict(data.by_name)
    if isinstance(data, str | os.PathLike):
        return {name: str(file) for name, file in runs_in(Path(data)).items()}
    if data is None or isinstance(data, dict):
        return dict(data or {})
    do = "Pass each under its name: runs(bm25=…, dense=…)"
    raise InputError(f"{data!r:.60} is neither a folder nor a dict of runs", do=do)


def _run(name: str, data: Any) -> Run:
    try:
        return rankings(data)
    except InputError as error:
        raise error.at(f"run '{name}'") from None


def _refuse(data: Any, wanted: str, do: str) -> None:
    """An InputError where labels are given as rankings, or rankings as labels, or several runs as either."""
    kinds = {Labels: "labels", Run: "rankings", Runs: "several runs"}
    for said in (said for kind, said in kinds.items() if isinstance(data, kind)):
        raise InputError(f"these are {said}, and {wanted} are wanted here", do=do)


# rows as they came: grouped by user, in the order that "given" means


def as_labels(rows: Rows) -> Labels:
    """The rows of each user together, in the order of the input."""
    grouped = _together(rows)
    starts, grade, groups = _starts(grouped), own(_grades(grouped)), None
    about: dict[str, Any] = {"source": rows.source, "library": rows.library, "columns": rows.columns, "form": rows.form}
    if rows.items is None and rows.groups is None:
        about |= {"starts": starts, "grade": grade, "groups": None}
        return UnreadLabels.of(rows.users, told_by_id(grouped.item), about, distinct=rows.distinct)
    grouped, items = _by_appearance(grouped, rows)
    item = np.asarray(grouped.item)
    if grouped.groups is not None and grouped.group is not None:
        groups = Groups(grouped.groups, starts, own(grouped.group), own(item), grade)
        kept = best_rows(grouped.owner.astype(np.int64) * len(items) + item, grouped.group, grade)
        starts, item, grade = _starts_of(grouped.owner[kept], len(grouped.users)), item[kept], own(grade[kept])
    distinct = (rows.distinct and groups is None) or not len(owners_of_repeats(starts, item))
    return Labels(rows.users, items, starts, own(item), grade, told_distinct=distinct, groups=groups, **about)


def as_rankings(rows: Rows) -> Run:
    """The rows of each user together: by rank, else by falling score, else in the order of the input."""
    if found := rounded(rows):
        raise found[1]
    by_score = rows.rank is None and rows.number is not None
    about: dict[str, Any] = {"source": rows.source, "library": rows.library, "by_score": by_score}
    about |= {"columns": rows.columns, "tag": rows.tag, "form": rows.form, "told_distinct": rows.distinct}
    if rows.items is None:
        given = _as_given(rows)
        agree = agreeing(rows, given.starts, given.order) if rows.rank is not None else None
        return UnreadRankings.of(rows.users, replace(given, agree=agree), about)
    grouped = _together(rows)
    starts, key = _starts(grouped), _key(grouped)
    order = None if key is None else by_key(starts, key, falling=by_score)
    agree = agreeing(grouped, starts, order)
    listed, items = _by_appearance(grouped if order is None else grouped.take(order, starts), rows)
    score = None if listed.number is None else own(listed.number.floats.astype(np.float64, copy=False))
    return Run(rows.users, items, starts, own(np.asarray(listed.item)), score, rank=_rank(listed, agree), **about)


def _as_given(rows: Rows) -> ListsAsGiven:
    """The rows as they came, and what is needed to order them once somebody looks."""
    score: Scores | None = None if rows.number is None else rows.number.floats
    key, falling, order = _key(rows), rows.rank is None, None
    if _came_together(rows):
        starts = _starts(rows)
    else:
        order, starts = together(rows.owner, len(rows.users))
        key = None if key is None else key[order]
    for made in (starts, score, key, order):
        if made is not None:
            own(made)
    return ListsAsGiven(starts, told_by_id(rows.item), score, key, falling, order)


def _key(rows: Rows) -> Key | None:
    """By what the rows of a user stand, shape (rows,): ranks that rise, or scores that fall; None without either."""
    column = rows.number if rows.rank is None else rows.rank
    return None if column is None else column.key


def _rank(rows: Rows, agree: Mask | None) -> Numbers | None:
    """The rank of each row, shape (rows,), 0 for users whose ranks do not count; None where nobody's do."""
    if rows.rank is None or agree is None:
        return None
    return own(np.where(agree[rows.owner], rows.rank.key.astype(np.float64), 0.0))


def _grades(rows: Rows) -> Numbers:
    """The grade of each row, shape (rows,); 1 where none was given, which is kept once for all of them."""
    if rows.number is None:
        return np.broadcast_to(own(np.array(1.0)), len(rows.item))
    return rows.number.floats.astype(np.float64, copy=False)


def rounded(rows: Rows) -> tuple[Any, InputError] | None:
    """The first user of whom two scores differ and are equal as float64, a tie that the data do not have; and which."""
    if rows.number is None or rows.number.order is None:
        return None
    order = np.lexsort((rows.number.order, rows.owner))
    user, place, score = rows.owner[order], rows.number.order[order], rows.number.floats[order]
    for at in np.flatnonzero((user[1:] == user[:-1]) & (score[1:] == score[:-1]) & (place[1:] != place[:-1]))[:1]:
        where = by_ids(rows.source, rows.users, rows.owner, rows.items, rows.item)(int(order[at]))
        wrong = f"the score and another of this user differ, and both are {score[at]:.17g} as a 64-bit float"
        do = "Subtract one number from all scores, or pass ranks in their place"
        return rows.users.id(int(user[at])), InputError(wrong, where=where, do=do)
    return None


def _together(rows: Rows) -> Rows:
    """The rows of each user together, as they came."""
    if _came_together(rows):
        return rows
    return rows.take(*together(rows.owner, len(rows.users)))


def _came_together(rows: Rows) -> bool:
    """Whether the rows of each user stand together, users in their order."""
    return rows.starts is not None or rises(rows.owner)


def _by_appearance(rows: Rows, given: Rows) -> tuple[Rows, Ids]:
    """The rows with their items coded by first appearance, as they are where the rows stand as they were given.

    Only so do tables with shuffled rows and lists of the same items become identical.
    """
    if rows.items is None:
        items, item = told_by_id(rows.item).coded()
    elif rows is given:
        return rows, rows.items
    else:
        items, item = by_appearance(rows.items, np.asarray(rows.item))
    if rows is not given and rows.groups is not None and rows.group is not None:
        groups, group = by_appearance(rows.groups, rows.group)
        rows = replace(rows, groups=groups, group=group)
    return replace(rows, items=items, item=item), items


def _starts(rows: Rows) -> Codes:
    """Where the rows of each user begin and the last ones end, shape (users + 1,); users stand together."""
    return _starts_of(rows.owner, len(rows.users)) if rows.starts is None else own(rows.starts)


def _starts_of(user: Codes, users: int) -> Codes:
    """Where the rows of each user begin and the last ones end, shape (users + 1,); `user` has shape (rows,)."""
    return own(np.searchsorted(user, np.arange(users + 1, dtype=user.dtype)).astype(np.int64))
