"""Recommenders asked for every point of a split: user by user, in one process or in several."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes
from rankconv.errors import InputError, RankconvError
from rankconv.protocols.division import Division
from rankconv.protocols.recommenders.named import Many, Recommend, made, name_of
from rankconv.protocols.recommenders.settings import Answered, Asked, ask_each
from rankconv.protocols.recommenders.training import Training

USERS = 8
"""So many users are asked for at a time."""
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


def asked(split: Division, points: Codes, n: int) -> list[Asked]:
    """The questions of these points, shape (points,)."""
    items, ratings = split.ratings.items.values, split.ratings
    whole = split.protocol.settings.settings["candidates"].trait("whole")
    found = []
    for point in points.tolist():
        rows = split.points.inputs_of(point)
        plenty = whole and len(rows) < len(split.catalogue)
        allowed = None if plenty else frozenset(items[split.candidates_of(point)].tolist())
        told = (items[ratings.item[rows]].tolist(), ratings.rating[rows].tolist())
        found.append(Asked(point, *told, n, allowed, split.drops_given))
    return found


def settings(split: Division, source: Any, n: int, users: Codes, jobs: int) -> Iterator[tuple[Codes, list[Answered]]]:
    """The answers for all points of these users, shape (users,), chunk by chunk, as they come."""
    training, parts = Training.of(split), chunks(split, users)
    if jobs == 1 or len(parts) < 2:
        recommend, catalogue = made(source, training), frozenset(training.items)
        for points in parts:
            yield points, ask_each(recommend, asked(split, points, n), catalogue)
        return
    yield from _in_processes(split, source, n, parts, jobs, training)


def _in_processes(
    split: Division, source: Any, n: int, parts: Sequence[Codes], jobs: int, training: Training
) -> Iterator[tuple[Codes, list[Answered]]]:
    """Each process learns for itself, so that nothing that was learned has to be sent; parts have shape (points,)."""
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start, (source, training))
    try:
        waiting = {pool.submit(_work, asked(split, points, n)): points for points in parts}
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


def _work(some: Sequence[Asked]) -> list[Answered]:
    recommend, catalogue = _worker
    if isinstance(recommend, RankconvError):
        raise recommend
    told: Recommend | Many = recommend
    return ask_each(told, some, catalogue)
