"""The entry points that read labels, rankings and runs of any form, and flat arrays and matrices of hits as both."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes
from rankconv.data.attributes import Form
from rankconv.data.ids import Ids, coded_integers, quoted
from rankconv.data.joined import Joined, join
from rankconv.data.labels_and_rankings import Labels, Run, Runs
from rankconv.errors import InputError, RankconvError
from rankconv.inputs import frames
from rankconv.inputs.arrays import array_name, as_numpy, is_array, is_sparse
from rankconv.inputs.files import runs_in
from rankconv.inputs.line_files import scored_rows
from rankconv.inputs.python import are_pairs_of_lists
from rankconv.inputs.reader import ColumnName, ColumnSpec, RawRows
from rankconv.inputs.readers import rows_from
from rankconv.inputs.rows import as_labels, as_rankings
from rankconv.inputs.values import coded, numbered, numbers_from_array

Read = TypeVar("Read", Labels, Run)
FEW = 20
"""A dict of more entries holds users, and not runs."""
_SOURCE = "the grouped rows"
_MOST_POSITIVES = 10**8
"""No user has so many relevant items."""


def labels(
    data: Any,
    *,
    user: ColumnName = None,
    item: ColumnName = None,
    grade: str | None = None,
    group: str | None = None,
    padding: int | None = None,
    user_ids: Sequence[Any] | None = None,
    item_ids: Sequence[Any] | None = None,
) -> Labels:
    """Read labels: the relevant items of each user, and their grades.

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
    label with the highest of them. What groups mean is set by `subtopics=`, `no-subtopic=` and `subtopic-weight=` in a
    definition. Lists of two whose second is a number are pairs (item, grade): with ids that are numbers, use sets or
    name the groups.

    `user`, `item`, `grade` and `group` name the columns of a table; without them, usual names are looked for. Several
    columns make tuples of their parts: `user=("uid", "given")`. Where no column has a usual name of the grade, and one
    that nobody knows holds numbers, it is named, or `grade="none"` says that every row has grade 1. `padding` is the
    number that fills the rows of an array of item ids, -1 by default. An array of whole numbers holds item ids; but
    grades together with an array of scores of the same shape.

    Rows stay in the order given, those of a user together; duplicates are kept. Ids keep their type; files of plain
    text always give text ids.

    Raises `InputError` when the data cannot be read.

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
    return _named(as_labels(rows_from(data, ColumnSpec("labels", names, padding))), user_ids, item_ids)


def rankings(
    data: Any,
    *,
    user: ColumnName = None,
    item: ColumnName = None,
    score: str | None = None,
    rank: str | None = None,
    padding: int | None = None,
    letor: str | os.PathLike[str] | None = None,
    user_ids: Sequence[Any] | None = None,
    item_ids: Sequence[Any] | None = None,
) -> Run:
    """Read a run: the ranking of each user.

    Takes `{user: [items]}`, `{user: {item: score}}`, `{user: [(item, score), …]}`, one such list or dict per user,
    tuples `(user, item)` or `(user, item, score)`, pairs `(predicted, truth)`, an array of item ids with one row per
    user, an array of scores or a SciPy sparse matrix of users by items, a table of any library, or the path of a
    file: CSV, TSV, TREC run, JSON, JSON lines, Parquet, Arrow, each also packed (.gz, .zst); `-` is the standard
    input; plugins may read more (`plugin.input_format`).

    `user`, `item`, `score` and `rank` name the columns of a table; without them, usual names are looked for. Several
    columns make tuples of their parts: `user=("uid", "given")`. Where no column has a usual name of the score or the
    rank, and one that nobody knows holds numbers, it is named, or `score="none"` says that the order of the rows is the
    ranking. `padding` is the number that fills the rows of an
    array of item ids, -1 by default. `letor` is the LETOR file whose lines the file scores, one number in each line,
    as `svm_rank_classify` writes them.

    Lists carry their order. All else is ordered by rank where there are ranks, by falling score where there are
    only scores, and as it comes where there are neither; ties keep the order of the rows. Duplicates are kept.

    Raises `InputError` when the data cannot be read.

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
        return as_rankings(scored_rows(data, letor))
    names = {"user": user, "item": item, "score": score, "rank": rank}
    return _named(as_rankings(rows_from(data, ColumnSpec("rankings", names, padding))), user_ids, item_ids)


def interactions(data: Any, *, user: ColumnName = None, item: ColumnName = None) -> Labels:
    """Read which items each user had, whatever their grades: a table needs no column for these."""
    return (
        data
        if isinstance(data, Labels)
        else as_labels(rows_from(data, ColumnSpec("labels", {"user": user, "item": item})))
    )


def runs(data: Any = None, /, **by_name: Any) -> Runs:
    """Read several named runs.

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


# several runs


def several(data: Any) -> Runs | None:
    """Several runs by name: `rc.Runs(…)`, or a dict of which every value is a whole run; None for all else.

    A whole run is a frame, an array of more than one dimension, a path, what `rc.Run` gave, or a mapping of
    lists. `{user: [items]}` and `{user: {item: score}}` are one run.
    """
    if isinstance(data, Runs):
        return data
    return runs(dict(data)) if are_runs(data) else None


def are_runs(data: Any) -> bool:
    """Whether this is a dict of which every value is a whole run."""
    return isinstance(data, Mapping) and bool(data) and all(map(_is_run, data.values()))


def one_run(data: Any) -> Run:
    """A run; an InputError for a dict that is none says how several runs are given."""
    try:
        return rankings(data)
    except InputError as error:
        if not isinstance(data, Mapping) or len(data) > FEW or not all(isinstance(name, str) for name in data):
            raise
        names = ", ".join(f"{name}=…" if name.isidentifier() else "…" for name in data)
        raise error.replace(allowed=f"This was read as one run; several come by name: rc.Runs({names})") from None


def _is_run(given: Any) -> bool:
    if isinstance(given, Run | os.PathLike) or (isinstance(given, str) and os.path.exists(given)):
        return True
    if isinstance(given, Mapping):
        return bool(given) and all(_is_list(one) for one in given.values())
    shape = getattr(given, "shape", ())
    return frames.takes(given) or (isinstance(shape, tuple) and len(shape) > 1)


def _is_list(given: Any) -> bool:
    return isinstance(given, list | tuple | Mapping | np.ndarray)


# users without ids


def users_are_numbered(data: Any) -> bool:
    """Whether users are known by their rows alone: in arrays, matrices, and lists with one entry per user."""
    if frames.takes(data):
        return False
    if is_array(data) or is_sparse(data):
        return True
    if isinstance(data, str) or not isinstance(data, Sequence):
        return False
    tuples = bool(data) and isinstance(data[0], tuple)
    return not tuples or are_pairs_of_lists(data)


def numbered_from(read: Read, first: int) -> Read:
    """The data with users numbered from there on."""
    again: Read = read.replace(users=Ids(np.arange(first, first + len(read.users)), "integer"))
    return again


def called(read: Read, users: Sequence[Any]) -> Read:
    """The data with its users called by these ids."""
    if len(users) != len(read.users):
        raise InputError(
            f"{len(users)} users were named, and there are {len(read.users)} rows",
            where=read.source,
            do="Name one user for each row.",
        )
    ids, codes = coded(list(users), "user", lambda place: f"users=, place {place}")
    if len(ids) < len(users):
        repeated = int(np.argmax(np.diff(codes, prepend=-1) != 1))
        raise InputError(f"user {quoted(ids.id(int(codes[repeated])))} was named twice", do="Name each user once.")
    named: Read = read.replace(users=ids)
    return named


def _named(read: Read, user_ids: Sequence[Any] | None, item_ids: Sequence[Any] | None) -> Read:
    """The rows of an array or a matrix with its users and items called by these ids, by their numbers."""
    if user_ids is None and item_ids is None:
        return read
    if not read.form.kind:
        do = "Leave them out: these data name users and items."
        raise InputError("user_ids= and item_ids= name the rows and columns of arrays", where=read.source, do=do)
    named = read if user_ids is None else called(read, list(user_ids))
    if item_ids is None:
        of_numbers: Read = named.replace(form=Form())
        return of_numbers
    ids, of_matrix = list(item_ids), read.form.kind != "ids"
    columns, numbers = read.form.shape[1], read.items.values
    if of_matrix and len(ids) != columns:
        wrong = f"{len(ids)} items were named, and there are {columns} columns"
        raise InputError(wrong, where=read.source, do="Name one item for each column.")
    if not of_matrix and len(ids) == columns:
        wrong = f"whole numbers in {columns} columns may be a number for each of the {columns} items, or item numbers"
        raise InputError(wrong, where=read.source, do="Pass array.astype(float) for the former, lists for the latter.")
    if not of_matrix and len(numbers) and not 0 <= int(numbers.min()) <= int(numbers.max()) < len(ids):
        wrong = f"the array holds item {int(numbers.max())}, and {len(ids)} items were named"
        raise InputError(wrong, where=read.source)
    place = lambda place: f"item_ids=, place {place}"
    every, codes = coded(ids, "item", place)
    if len(every) < len(ids):
        repeated = int(np.argmax(np.diff(codes, prepend=-1) != 1))
        raise InputError(f"item {quoted(ids[repeated])} was named twice", do="Name each item once.")
    items, _ = coded([ids[number] for number in numbers.tolist()], "item", place)
    with_items: Read = named.replace(items=items, form=Form())
    return with_items


# flat arrays and matrices of hits


def grouped(y_true: Any, y_score: Any, *, group: Any = None, query_id: Any = None) -> Joined:
    """Return the labels and the run of flat arrays, one entry per candidate.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Grades.
    y_score : array-like of shape (n_rows,)
        Scores.
    group : array-like of int, optional
        Sizes of the queries, one after the other, as in LightGBM and XGBoost.
    query_id : array-like of shape (n_rows,), optional
        The query of each row. Without `group` and `query_id` all rows are of one query.

    Returns
    -------
    Joined
        For `rc.evaluate` and `rc.compare`; items are numbered by row.

    Raises
    ------
    InputError
        If lengths do not match, or a grade or score is not a finite number.

    Examples
    --------
    >>> import rankconv as rc
    >>> judged = rc.grouped([1, 0, 0, 1], [0.2, 0.9, 0.1, 0.8], group=[2, 2])
    >>> rc.evaluate(judged, "mrr").per_user["mrr"].tolist()
    [0.5, 1.0]
    """
    grades, scores = _flat(y_true, "y_true"), _flat(y_score, "y_score")
    if len(grades) != len(scores):
        raise InputError(f"y_true has {len(grades)} entries, and y_score has {len(scores)}", do="Give each row both")
    users, user = _queries(len(grades), group, query_id)
    items = numbered(len(grades))

    def rows(values: NDArray[Any], role: str) -> RawRows:
        number = numbers_from_array(values, role, lambda row: f"{_SOURCE}, row {row}")
        return RawRows(_SOURCE, users, user, items, np.arange(len(values)), number)

    return join(as_labels(rows(grades, "grade")), as_rankings(rows(scores, "score")))


def _flat(values: Any, name: str) -> NDArray[Any]:
    array = as_numpy(values if is_array(values) else np.array(list(values)), name)
    if array.ndim != 1:
        do = "Pass arrays of users by items as rc.Labels(…) and rc.Run(…)"
        raise InputError(f"{name} has {array.ndim} dimensions, and one is wanted", do=do)
    if array.dtype.kind not in "biuf" and len(array):
        raise InputError(f"{name} holds {array.dtype}, and numbers are wanted")
    return array


def _queries(rows: int, group: Any, query_id: Any) -> tuple[Ids, Codes]:
    """The query of each row as ids and codes, shape (rows,)."""
    if group is not None and query_id is not None:
        raise InputError("group= and query_id= say the same thing twice", do="Leave one of them out")
    if query_id is not None:
        return _named_queries(rows, query_id)
    sizes = _flat([rows] if group is None else group, "group")
    if sizes.dtype.kind not in "iu" or (sizes < 0).any() or sizes.sum() != rows:
        wrong = f"the group sizes sum to {sizes.sum()}, and there are {rows} rows"
        do = "Pass the number of rows of each query, one after the other, or query_id= with the query of each row"
        raise InputError(wrong, do=do)
    return numbered(len(sizes)), np.repeat(np.arange(len(sizes)), sizes).astype(np.int64)


def _named_queries(rows: int, query_id: Any) -> tuple[Ids, Codes]:
    ids = as_numpy(query_id, array_name(query_id)) if is_array(query_id) else list(query_id)
    if len(ids) != rows:
        raise InputError(f"query_id has {len(ids)} entries, and there are {rows} rows", do="Give each row its query")
    return coded(ids, "query", lambda row: f"{_SOURCE}, row {row}")


def hit_matrix(hits: Any, positives: Any = None) -> Joined:
    """Return the labels and the run of a matrix of hits.

    Parameters
    ----------
    hits : array-like of shape (n_users, k)
        1 where the item at that rank is relevant, else 0.
    positives : array-like of shape (n_users,), optional
        The number of relevant items of each user; by default the last column of `hits`, as in RecBole's `rec.topk`.

    Returns
    -------
    Joined
        For `rc.evaluate` and `rc.compare`. Items are called by their ranks from 0, unretrieved ones by the next
        numbers.

    Raises
    ------
    InputError
        If a cell is not 0 or 1, a number of positives is not a count below 100,000,000, or a user has more hits than
        positives.

    Examples
    --------
    >>> import rankconv as rc
    >>> judged = rc.hit_matrix([[0, 1, 0], [1, 1, 0]], positives=[2, 2])
    >>> rc.evaluate(judged, "recall@3").per_user["recall@3"].tolist()
    [0.5, 1.0]
    """
    source, found, known = _checked_hits(hits, positives)
    users, ranks = numbered(len(found)), found.shape[1]
    missing = known - found.sum(axis=1)
    hit_user, hit_rank = (at.astype(np.int64) for at in np.nonzero(found))
    user = np.concatenate([hit_user, np.repeat(np.arange(len(found)), missing)])
    labels = np.concatenate([hit_rank, ranks + _counted(missing)])
    lists = np.tile(np.arange(ranks), len(found))
    known_rows = RawRows(source, users, user, *coded_integers(labels))
    ranked = RawRows(source, users, np.repeat(np.arange(len(found)), ranks), *coded_integers(lists))
    return join(as_labels(known_rows), as_rankings(ranked))


def _counted(lengths: Codes) -> Codes:
    """0, 1, ... up to each length, anew for the next, shape (sum of lengths,); lengths have shape (users,)."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def _checked_hits(hits: Any, positives: Any) -> tuple[str, NDArray[np.bool_], Codes]:
    source = "a matrix of hits"
    array = _cells(hits, source)
    if array.ndim != 2 or (positives is None and not array.shape[1]):
        wrong = "it has no column" if array.ndim == 2 else f"it has {array.ndim} dimensions"
        raise InputError(wrong, where=source, allowed="One row per user, one column per rank")
    counts = _cells(array[:, -1] if positives is None else positives, "the numbers of positives")
    array = array[:, :-1] if positives is None else array
    if counts.shape != (len(array),):
        raise InputError(f"there are {len(array)} rows, and {counts.size} numbers of positives", where=source)
    known = _counts(counts, source)
    for user, rank in np.argwhere((array != 0) & (array != 1))[:1]:
        where = f"{source}, row {user}, column {rank}"
        raise InputError(f"{array[user, rank]} is neither 0 nor 1", where=where, do="Pass grades as rc.Labels(…)")
    for user in np.flatnonzero(known < (array != 0).sum(axis=1))[:1]:
        wrong = f"there are {int(array[user].sum())} hits, and {known[user]} positives"
        raise InputError(wrong, where=f"{source}, row {user}", do="Pass the number of all relevant items of each user")
    return source, array != 0, known


def _cells(given: Any, source: str) -> NDArray[Any]:
    """What the caller gave as an array of numbers, of whatever shape it has."""
    try:
        array = as_numpy(given, source) if is_array(given) else np.array(given)
    except RankconvError:
        raise
    except ValueError:
        raise InputError(
            "the rows are not equally long", where=source, do="Give every user a 0 or 1 at every rank"
        ) from None
    if array.size and array.dtype.kind not in "biuf":
        raise InputError(f"it holds {array.dtype}, and numbers are wanted", where=source)
    return array


def _counts(counts: NDArray[Any], source: str) -> Codes:
    """The numbers of relevant items as integers, shape (users,); an InputError where one is no count."""
    none = ~((counts >= 0) & (counts < _MOST_POSITIVES) & (counts % 1 == 0))
    for user in np.flatnonzero(none)[:1]:
        wrong, do = f"{counts[user]} is no number of positives", "Pass the number of all relevant items of each user"
        raise InputError(wrong, where=f"{source}, row {user}", do=do)
    return counts.astype(np.int64)


Labels.read_with(labels)
Run.read_with(rankings)
Runs.read_with(runs)
