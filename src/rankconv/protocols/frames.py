"""A split as tables, for files and for other programs."""

from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.arrays import Codes
from rankconv.protocols.division import Division
from rankconv.protocols.ratings import columns_of_codes

if TYPE_CHECKING:
    import polars as pl


def frames(split: Division) -> "dict[str, pl.DataFrame]":
    """train, given, labels; validation and candidates if the protocol has them; a point's key in each row."""
    found = {
        "train": split.train.to_frame(),
        "given": _of_points(split, "given"),
        "labels": _of_points(split, "labels"),
    }
    if len(split.validation):
        found["validation"] = split.validation.to_frame()
    if not split.protocol.settings.settings["candidates"].trait("whole"):
        found["candidates"] = _candidates(split)
    return found


def _of_points(split: Division, part: str) -> "pl.DataFrame":
    """What is given, or what is to be found, row by row; of numbers given that are nested, only the last."""
    import polars as pl

    points = np.arange(len(split.points))
    if part == "given":
        points = _deepest(split) if split.nested else points
        rows = [split.points.inputs_of(int(point)) for point in points]
        told = {"item": None, "rating": split.ratings.rating}
    else:
        rows = [split.points.targets_of(int(point)) for point in points]
        told = {"item": None, "grade": split.points.grade}
    sizes, joined = [len(one) for one in rows], np.concatenate([np.empty(0, np.int64), *rows])
    key = _keys(split, np.repeat(points, sizes), given=split.nested and part == "labels")
    if part == "given" and split.nested:
        key["place"] = np.concatenate([np.empty(0, np.int64), *(np.arange(1, size + 1) for size in sizes)])
    columns = {**key, **columns_of_codes("item", split.ratings.items, split.ratings.item[joined])}
    return pl.DataFrame({**columns, **{name: value[joined] for name, value in told.items() if value is not None}})


def _deepest(split: Division) -> Codes:
    """Of each user the point at which most is given, shape (users asked,)."""
    user = split.points.user
    return np.flatnonzero(np.append(user[1:] != user[:-1], True))


def _keys(split: Division, points: Codes, *, given: bool) -> dict[str, Any]:
    """The columns that say which point it is, for points of shape (rows,)."""
    columns: dict[str, Any] = dict(columns_of_codes("user", split.ratings.users, split.points.user[points]))
    if given:
        columns["given"] = split.points.given[points]
    if (split.points.case >= 0).any():
        columns |= columns_of_codes("case", split.ratings.items, split.ratings.item[split.points.case[points]])
    return columns


def _candidates(split: Division) -> "pl.DataFrame":
    import polars as pl

    each = [split.candidates_of(point) for point in range(len(split.points))]
    key = _keys(split, np.repeat(np.arange(len(each)), [len(one) for one in each]), given=split.nested)
    return pl.DataFrame({**key, **columns_of_codes("item", split.ratings.items, np.concatenate(each))})
