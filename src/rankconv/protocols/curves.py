"""The learning curve of recommenders."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes
from rankconv.data.ids import quoted
from rankconv.errors import InputError, RankconvError
from rankconv.evaluation.compare.compare import requested_presets
from rankconv.evaluation.result import Errors
from rankconv.pages.cells import plural
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE
from rankconv.presets.resolved import Preset
from rankconv.progress import watching
from rankconv.protocols.curve_result import Faults, LearningCurve
from rankconv.protocols.curve_rows import Store, check, lists_of, read_rows, users_left, values_of
from rankconv.protocols.division import Division
from rankconv.protocols.presets import protocol as find_protocol
from rankconv.protocols.recommenders import Answered, ListRequest, Many, Recommend, Training, ask_each, made, name_of
from rankconv.protocols.split import Protocol, Split
from rankconv.specs.spec import preset_and_rest

USERS = 8
"""So many users are handled at a time."""
_worker: list[Any] = []
"""In a worker: the recommender, and the catalogue."""


def chunks(split: Division, users: Codes) -> list[Codes]:
    """The points of a few users after another; `users` are codes, shape (users,), a chunk has shape (points,)."""
    found = []
    for first in range(0, len(users), USERS):
        low, high = (
            np.searchsorted(split.points.user, users[first : first + USERS], side) for side in ("left", "right")
        )
        found.append(np.concatenate([np.arange(*ends) for ends in zip(low, high, strict=True)]))
    return found


def metrics_of_all(split: Division, points: Codes, n: int) -> list[ListRequest]:
    """The conventions of these points, shape (points,)."""
    items, ratings = split.ratings.items.values, split.ratings
    whole = split.protocol.settings.settings["candidates"].trait("whole")
    found = []
    for point in points.tolist():
        rows = split.points.inputs_of(point)
        plenty = whole and len(rows) < len(split.catalogue)
        allowed = None if plenty else frozenset(items[split.candidates_of(point)].tolist())
        parts = (items[ratings.item[rows]].tolist(), ratings.rating[rows].tolist())
        found.append(ListRequest(point, *parts, n, allowed, split.drops_given))
    return found


def settings(split: Division, source: Any, n: int, users: Codes, jobs: int) -> Iterator[tuple[Codes, list[Answered]]]:
    """The settings for all points of these users, shape (users,), chunk by chunk, as they come."""
    training, parts = Training.of(split), chunks(split, users)
    if jobs == 1 or len(parts) < 2:
        recommend, catalogue = made(source, training), frozenset(training.items)
        for points in parts:
            yield points, ask_each(recommend, metrics_of_all(split, points, n), catalogue)
        return
    yield from _in_processes(split, source, n, parts, jobs, training)


def _in_processes(
    split: Division, source: Any, n: int, parts: Sequence[Codes], jobs: int, training: Training
) -> Iterator[tuple[Codes, list[Answered]]]:
    """Each process learns for itself, so that nothing that was learned has to be sent; parts have shape (points,)."""
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start, (source, training))
    try:
        waiting = {pool.submit(_work, metrics_of_all(split, points, n)): points for points in parts}
        for done in as_completed(waiting):
            yield waiting[done], done.result()
    except RankconvError:
        raise
    except (AttributeError, TypeError, ImportError) as problem:
        do = "Name it as a function in a file, my_models.py:als, or take jobs=1."
        wrong = f"it cannot be sent to another process: {problem}"
        raise InputError(wrong, where=f"recommender {name_of(source)}", do=do) from problem
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _start(source: Any, training: Training) -> None:
    try:
        _worker[:] = [made(source, training), frozenset(training.items)]
    except RankconvError as error:
        _worker[:] = [error, frozenset()]


def _work(some: Sequence[ListRequest]) -> list[Answered]:
    recommend, catalogue = _worker
    if isinstance(recommend, RankconvError):
        raise recommend
    recommender: Recommend | Many = recommend
    return ask_each(recommender, some, catalogue)


Lists = dict[int, tuple[Any, ...]]


def learning_curve(
    ratings: Any,
    recommenders: Any = None,
    metrics: Metrics | None = None,
    preset: str | Preset | Sequence[str | Preset] | None = None,
    *,
    protocol: str | Protocol = "fastml",
    seed: int = 0,
    rows: str | Path | None = None,
    jobs: int = 1,
    on_error: Errors = "raise",
    n_resamples: int = 1000,
    progress: bool | None = None,
    columns: Mapping[str, str] | None = None,
) -> LearningCurve:
    """Evaluate recommenders after 1, 2, … ratings of each user, and compare their curves.

    A recommender is a function of the training data (`items`, `users`, `matrix`, `to_frame()`). It returns
    `recommend(items, values, n)`, or an object with that method: the ids of n items, best first, with or without
    scores, for a user who gave these items these values. An object with `recommend_many(histories, n)` gets several
    (items, values) at once, and returns a list for each.

    Parameters
    ----------
    ratings : RatingsLike or Split
        Whatever `protocols.Ratings` reads.
    recommenders : dict, list or None
        Names (`popularity`, `item-item`), functions in files (`my_models.py:als`) or functions.
    metrics : MetricLike, optional
        By default those of the protocol.
    preset : str, path, Preset or a list of these, optional
        Each metric has a curve for each of them.
    protocol : str or Protocol, default "fastml"
        How ratings are split.
    seed : int, default 0
        Random seed.
    rows : path, optional
        A folder in which lists are kept and from which a later call continues; without recommenders, a file or folder
        of lists made elsewhere, with the columns recommender, user, given, rank, item.
    jobs : int, default 1
        Number of processes; the values are the same.
    on_error : {"raise", "collect"}, default "raise"
        Whether a faulty list is an error, or is counted and used as far as it is valid.
    n_resamples : int, default 1000
        Number of bootstrap samples of users for bands and intervals.
    progress : bool, optional
        As in `rc.evaluate`.
    columns : mapping, optional
        Names of the columns of `ratings`.

    Returns
    -------
    LearningCurve
        The curves, their tests and the faults.

    Raises
    ------
    InputError
        For ratings, recommenders and their lists, with the user and the number of ratings given.
    MetricError
        As in `rc.evaluate`.

    Examples
    --------
    >>> import rankconv as rc
    >>> from rankconv import protocols
    >>> ratings = [(user, item, 5 - (user + item) % 3) for user in range(40) for item in range(user % 5, 12)]
    >>> nested = "fastml(given=nested(3), least-users=3)"
    >>> curve = protocols.learning_curve(ratings, ["popularity"], "ndcg@5", protocol=nested)
    >>> curve.to_frame()["given"].to_list()
    [1, 2, 3]
    """
    arguments.word(on_error, Errors, "on_error")
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise InputError(f"jobs={jobs!r:.100} is no number of processes", allowed="A whole number from 1 on")
    split = ratings if isinstance(ratings, Split) else find_protocol(protocol).split(ratings, seed, **(columns or {}))
    definitions = _definitions(split, metrics, preset)
    check(definitions)
    lists, faults = _lists(
        split, recommenders, rows, _deepest(definitions, split), jobs, on_error == "collect", progress
    )
    values = {
        (name, metric): found
        for name, one in lists.items()
        for metric, found in values_of(split, one, definitions).items()
    }
    return LearningCurve(split, definitions, lists, values, faults, n_resamples, split.seed)


def _definitions(split: Split, metrics: Metrics | None, presets: Any) -> dict[str, Definition]:
    """What is requested, under each preset; of nothing the metric that the protocol's source reports."""
    own = split.protocol.metric
    if metrics is None and not own:
        do, shell = (f"Say which: {how}." for how in ("metrics='ndcg@10'", "-m ndcg@10"))
        raise InputError(f"the protocol {split.protocol.name} names no metric", do=do, shell=shell)
    chosen = requested_presets(presets, [HOUSE])
    metrics_of_all: Metrics = metrics if metrics is not None else preset_and_rest(own)[1] if len(chosen) > 1 else own
    each = {preset.name: define(metrics_of_all, preset) for preset in chosen}
    if len(each) == 1:
        return next(iter(each.values()))
    return {one.text: one for found in each.values() for one in found.values()}


def _deepest(definitions: Mapping[str, Definition], split: Split) -> int:
    """How many items of each list are judged; all where a metric has no cutoff."""
    cutoffs = [one.k for one in definitions.values()]
    size = len(split.catalogue)
    return min(size, max((k or size for k in cutoffs), default=size))


def _lists(
    split: Split, recommenders: Any, rows: str | Path | None, n: int, jobs: int, keep_going: bool, progress: bool | None
) -> tuple[dict[str, Lists], dict[str, Faults]]:
    sources = by_name(recommenders)
    if not sources:
        if rows is None:
            do = "Pass recommenders=['popularity', 'my_models.py:als'], or rows= with lists made elsewhere."
            shell = "Pass -r popularity -r my_models.py:als, or --rows with lists made elsewhere."
            raise InputError("there is no recommender", do=do, shell=shell)
        found = lists_of(split, read_rows(Path(rows)))
        _check_whole(found, split, keep_going)
        return found, {name: Counter() for name in found}
    store = None if rows is None else Store(Path(rows), split, n)
    lists = {name: {} if store is None else store.read(name) for name in sources}
    faults: dict[str, Faults] = {name: Counter() for name in sources}
    left = {name: users_left(split, found) for name, found in lists.items()}
    work = [_Work(len(users)) for users in left.values()]
    with watching(progress) as recommender:
        for one, (name, source) in zip(work, sources.items(), strict=True):
            for points, answered in settings(split, source, n, left[name], jobs):
                _check(split, name, answered, faults[name], keep_going)
                lists[name] |= {each.point: each.items for each in answered}
                if store is not None:
                    store.write(name, answered)
                one.done += len(np.unique(split.points.user[points]))
                if recommender is not None:
                    recommender(work)
    return lists, faults


class _Work:
    """One recommender on its way through the users."""

    def __init__(self, to_do: int) -> None:
        self.to_do, self.done = to_do, 0


def by_name(recommenders: Any) -> dict[str, Any]:
    """The recommenders by name; an InputError for two of one name."""
    if recommenders is None:
        return {}
    if isinstance(recommenders, Mapping):
        return dict(recommenders)
    listed: Sequence[Any] = recommenders if isinstance(recommenders, (list, tuple)) else [recommenders]
    names = [name_of(one) for one in listed]
    for name in names:
        if names.count(name) > 1:
            do = "Name them: {'mine': …, 'yours': …}; for a command, name the functions differently."
            raise InputError(f"two recommenders are called '{name}'", do=do)
    return dict(zip(names, listed, strict=True))


def _check(split: Split, name: str, answered: Sequence[Answered], faults: Faults, keep_going: bool) -> None:
    """Count what was wrong, or raise the first of it, with user and number given."""
    for one in answered:
        for kind, said in one.faults:
            faults[kind] += 1
            if not keep_going:
                user = split.ratings.users.id(int(split.points.user[one.point]))
                given = plural(int(split.points.given[one.point]), "rating")
                where = f"recommender {name}, user {quoted(user)}, {given} given"
                do, shell = (
                    "Count such settings and go on: " + how for how in ('on_error="collect".', "--on-error collect.")
                )
                raise InputError(said, where=where, do=do, shell=shell)


def _check_whole(lists: Mapping[str, Lists], split: Split, keep_going: bool) -> None:
    """An InputError where rows made elsewhere lack points."""
    for name, found in lists.items():
        missing = next((point for point in range(len(split.points)) if point not in found), None)
        if missing is not None and not keep_going:
            user = split.ratings.users.id(int(split.points.user[missing]))
            given = plural(int(split.points.given[missing]), "rating")
            wrong = f"there is no list of {name} for user {quoted(user)} after {given}, nor for "
            wrong += plural(len(split.points) - len(found) - 1, "other point")
            do = 'Count them as empty lists: on_error="collect".'
            raise InputError(wrong, do=do, shell="Count them as empty lists: --on-error collect.")
