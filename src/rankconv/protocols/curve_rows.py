"""Lists and labels of the points of a learning curve, and their values."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers, take_ownership
from rankconv.data.ids import Ids, columns_of, parts_as_tuple
from rankconv.data.labels_and_rankings import Run
from rankconv.engine import measure
from rankconv.engine.metric_result import OUTSIDE
from rankconv.errors import InputError, MetricError
from rankconv.evaluation.joining import join
from rankconv.evaluation.result import raise_first
from rankconv.presets.definition import Definition, neutral_settings
from rankconv.protocols.division import Division
from rankconv.protocols.ratings import columns_of_codes
from rankconv.protocols.recommenders import Answered
from rankconv.writing import draft_of

if TYPE_CHECKING:
    import polars as pl


POINTS = 2000
"""So many are evaluated at a time."""
_MEAN = "aggregate"


@dataclass(frozen=True, eq=False)
class PointValues:
    """What each point is worth; arrays have shape (points,)."""

    values: Numbers
    counted: Mask


def check(definitions: Mapping[str, Definition]) -> None:
    """MetricError for a definition that has no plain mean over users."""
    for name, one in definitions.items():
        if one.pools:
            do = "Ask for a metric of each list."
            raise MetricError(f"{name} is of all lists together, and a curve needs a value of each", where=name, do=do)
        setting = one.aggregation.given(_MEAN)
        if setting != neutral_settings()[_MEAN]:
            raise MetricError(f"a curve is of plain means, and this one is {_MEAN}={setting}", where=name)


def values_of(
    split: Division, lists: Mapping[int, tuple[Any, ...]], definitions: Mapping[str, Definition]
) -> dict[str, PointValues]:
    """The points by what was requested; a point without a list counts as the definition says of empty ones."""
    size = len(split.points)
    found = {name: PointValues(np.full(size, np.nan), np.zeros(size, bool)) for name in definitions}
    for first in range(0, size, POINTS):
        points = np.arange(first, min(first + POINTS, size))
        labels = split.labels_of(points)
        joined = join(labels, _rankings(split, points, lists, labels.users), catalogue=len(split.ratings.items))
        place = np.searchsorted(points, points[joined.users.codes_of(labels.users)])
        for (name, values), one in zip(found.items(), measure(joined, list(definitions.values()), None), strict=True):
            raise_first({name: one.refusals} if one.refusals else {})
            values.values[points] = one.values[place]
            values.counted[points] = ((one.states != OUTSIDE) & ~np.isnan(one.values))[place]
    return found


def _rankings(split: Division, points: Codes, lists: Mapping[int, tuple[Any, ...]], users: Ids) -> Run:
    """The lists of these points, shape (points,)."""
    code_of = split.ratings.items.code_of
    parts: Sequence[list[int]] = [
        [code_of[item] for item in lists.get(point, ()) if item in code_of] for point in points.tolist()
    ]
    starts = np.append(0, np.cumsum([len(one) for one in parts])).astype(np.int64)
    item = np.fromiter((code for one in parts for code in one), np.int64, int(starts[-1]))
    return Run(
        users, split.ratings.items, take_ownership(starts), take_ownership(item), None, source="the recommenders"
    )


ABOUT = "about.json"
COLUMNS = ("recommender", "given", "rank")


def frame_of(split: Division, name: str, answered: Sequence[Answered]) -> "pl.DataFrame":
    """The rows of these settings."""
    import polars as pl

    sizes = [max(1, len(one.items)) for one in answered]
    points = np.repeat([one.point for one in answered], sizes)
    rank = [at for one in answered for at in (range(1, len(one.items) + 1) if one.items else (0,))]
    item = [item for one in answered for item in (one.items or (None,))]
    ratings, items = split.ratings, split.ratings.items
    columns: dict[str, Any] = {"recommender": [name] * len(points)}
    columns |= columns_of_codes("user", ratings.users, split.points.user[points])
    columns["given"] = split.points.given[points]
    if (split.points.case >= 0).any():
        columns |= columns_of_codes("case", items, ratings.item[split.points.case[points]])
    parts = item_columns(split)
    nobody = (None,) * len(parts)
    values = zip(*(nobody if one is None else parts_as_tuple(one) for one in item), strict=True)
    listed = [pl.Series(part, list(one), dtype) for (part, dtype), one in zip(parts.items(), values, strict=True)]
    return pl.DataFrame(columns).with_columns(pl.Series("rank", rank, pl.Int32), *listed)


def item_columns(split: Division) -> "dict[str, Any]":
    """The columns that hold the items of lists, with their types: one, or one for each part of compound ids."""
    return {
        part: one.dtype for part, one in columns_of_codes("item", split.ratings.items, np.zeros(1, np.int64)).items()
    }


class Store:
    """A folder of parts, of one split and one length of lists."""

    def __init__(self, folder: Path, split: Division, n: int) -> None:
        """InputError for a folder that holds the rows of another split."""
        self.folder, self.split = folder, split
        fields = {"split": split.fingerprint, "n": n, "protocol": split.protocol.text, "seed": split.seed}
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(f"no folder can be made: {problem.strerror}", where=str(folder)) from None
        file = folder / ABOUT
        known = json.loads(file.read_text()) if file.is_file() else None
        if known is None and any(folder.iterdir()):
            raise InputError("this folder holds something else", where=str(folder), do="Name another one.")
        if known is not None and known != fields:
            differs = ", ".join(
                f"{key} {known.get(key)} there, {value} now" for key, value in fields.items() if known.get(key) != value
            )
            raise InputError(
                f"the rows there are of another split: {differs}", where=str(folder), do="Name another one."
            )
        if known is None:
            with draft_of(file, force=True) as draft:
                draft.write_text(json.dumps(fields))

    def write(self, name: str, answered: Sequence[Answered]) -> None:
        """One more part, whole or not at all."""
        kept = [one for one in answered if not any(kind for kind, _ in one.faults)]
        if not kept:
            return
        part = self.folder / f"{_plain(name)}-{kept[0].point:08d}.parquet"
        with draft_of(part, force=True) as draft:
            frame_of(self.split, name, kept).write_parquet(draft)

    def read(self, name: str) -> dict[int, tuple[Any, ...]]:
        """What is there already of this recommender: the list of each point."""
        import polars as pl

        parts = sorted(self.folder.glob(f"{_plain(name)}-*.parquet"))
        return lists_of(self.split, pl.concat([pl.read_parquet(part) for part in parts])).get(name, {}) if parts else {}


def _plain(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in name)


def read_rows(path: Path) -> "pl.DataFrame":
    """Rows that somebody wrote: a Parquet or CSV file, or a folder of Parquet files; InputError without a column."""
    import polars as pl

    try:
        if path.is_dir():
            frame = pl.concat([pl.read_parquet(part) for part in sorted(path.glob("*.parquet"))])
        else:
            frame = pl.read_parquet(path) if path.suffix in (".parquet", ".pq") else pl.read_csv(path)
    except (pl.exceptions.PolarsError, OSError, ValueError) as problem:
        said = str(problem).partition("\n")[0]
        raise InputError(f"these rows cannot be read: {said}", where=str(path)) from None
    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing:
        allowed = f"The columns are {', '.join(COLUMNS)}; there are {', '.join(frame.columns)}"
        raise InputError(f"there is no column {missing[0]}", where=str(path), allowed=allowed)
    return frame


def lists_of(split: Division, frame: "pl.DataFrame") -> dict[str, dict[int, tuple[Any, ...]]]:
    """The list of each point by recommender; InputError for rows of a user or number that the split does not ask."""
    place = _places(split)
    keys = _key_columns(split, frame.columns)
    parts = list(item_columns(split))
    found: dict[str, dict[int, tuple[Any, ...]]] = {}
    ordered = frame.sort("recommender", *keys, "rank", maintain_order=True)
    for key, rows in ordered.group_by("recommender", *keys, maintain_order=True):
        name, *point = key
        entries = tuple(str(one) for one in point)
        if entries not in place:
            wrong = f"the rows have {', '.join(f'{k} {v}' for k, v in zip(keys, point, strict=True))}, "
            wrong += "and the split does not"
            raise InputError(wrong, do="Ask under the same protocol and seed, and of the same ratings.")
        items = rows[parts[0]].to_list() if len(parts) == 1 else rows.select(parts).rows()
        found.setdefault(str(name), {})[place[entries]] = tuple(_as_ids(items, split))
    return found


def _places(split: Division) -> Mapping[tuple[str, ...], int]:
    """Each point by its user, number given and case, all as text."""
    points, users, items = split.points, split.ratings.users, split.ratings.items
    columns = [*columns_of("user", users.values[points.user].tolist()).values(), points.given.tolist()]
    if (points.case >= 0).any():
        columns += columns_of("case", items.values[split.ratings.item[points.case]].tolist()).values()
    return {tuple(map(str, key)): at for at, key in enumerate(zip(*columns, strict=True))}


def _key_columns(split: Division, there: Sequence[str]) -> list[str]:
    """The columns that say which point a row is of; InputError where one is not there."""
    points, ratings = split.points, split.ratings
    keys = [*columns_of_codes("user", ratings.users, points.user[:1]), "given"]
    keys += columns_of_codes("case", ratings.items, np.zeros(1, np.int64)) if (points.case >= 0).any() else []
    missing = [name for name in (*keys, *item_columns(split)) if name not in there]
    if missing:
        raise InputError(f"the rows have no column {missing[0]}", allowed=f"There are: {', '.join(there)}")
    return keys


def _as_ids(items: Sequence[Any], split: Division) -> list[Any]:
    """Ids as the ratings have them; those of texts may have been read as numbers."""
    parts = [item for item in items if item is not None and not (isinstance(item, tuple) and item[0] is None)]
    return [str(item) for item in parts] if split.ratings.items.kind == "text" else parts


def users_left(split: Division, done: Mapping[int, Any]) -> Codes:
    """The users with a missing point, as codes, shape (users left,)."""
    missing = np.ones(len(split.points), bool)
    missing[list(done)] = False
    return np.unique(split.points.user[missing])
