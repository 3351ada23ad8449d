"""A request, as it travels to workers: definitions by their settings, plugins by their text."""

import json
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rankconv import errors as all_errors
from rankconv.data.joined import Joined
from rankconv.errors import InputError, RankconvError
from rankconv.evaluation.accumulate import Unchecked
from rankconv.evaluation.joining import with_extra
from rankconv.evaluation.partial import Partial, nobody, read
from rankconv.plugins import load_copy
from rankconv.presets.definition import Definition
from rankconv.spark.together import Sent
from rankconv.spark.worker_rows import Places, Sides, joined, of_pairs, of_tags

if TYPE_CHECKING:
    import pyarrow as pa


_LOADED: dict[Path, str] = {}
"""The plugins that this process has run, each with the checksum of its text."""


@dataclass(frozen=True)
class Request:
    """A request, as it travels to workers: definitions by their settings, plugins by their text."""

    preset: str
    definitions: bytes
    plugins: tuple[tuple[Path, str], ...]

    @classmethod
    def of(cls, empty: Partial, plugins: Sequence[str | Path]) -> "Request":
        """The request of a part without users, with the texts of these files."""
        files = [Path(one).resolve() for one in plugins]
        texts = tuple((file, file.read_text(encoding="utf-8")) for file in files)
        return cls(empty.preset, pickle.dumps(empty.definitions), texts)

    def empty(self) -> Partial:
        """The part without a user, made in this process; InputError for a plugin that is not here."""
        return _made(self)

    def read(self) -> dict[str, Definition]:
        """The definitions; InputError for a plugin that is not here."""
        try:
            found: dict[str, Definition] = pickle.loads(self.definitions)  # of the driver, as all that Spark sends
        except InputError as problem:
            do = "Name it: plugins=[…], and its text travels to all workers."
            raise InputError(problem.wrong, where="a worker of Spark", do=do) from None
        return found


@lru_cache(maxsize=1)
def _made(request: Request) -> Partial:
    """Made once in a process, which takes one task after another."""
    for file, text in request.plugins:
        _run(file, text)
    return nobody(request.preset, request.read(), labelled=True)  # the driver sees to the items that are labelled


def _run(file: Path, text: str) -> None:
    """Run the text of a plugin, once in this process."""
    mark = sha256(text.encode()).hexdigest()
    if _LOADED.get(file) == mark:
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder) / file.name
        copy.write_text(text, encoding="utf-8")
        load_copy(copy, file)
    _LOADED[file] = mark


SETTING = "part binary, error string"
"""What a worker gives: the bytes of a part, or what is wrong."""
_PARTS = ("where", "allowed", "nearest", "do", "shell")


def caught(work: Callable[[], bytes | None]) -> Iterator[Any]:
    """One row with what the work gives, or with the error that it raises; no row where there is nothing."""
    try:
        part, wrong = work(), None
    except RankconvError as problem:
        part, wrong = None, _written(problem)
    if part is not None or wrong is not None:
        yield batch([part], wrong)


def batch(parts: list[bytes | None], wrong: str | None) -> Any:
    """A row for each part, all with this error."""
    import pyarrow as pa

    columns = [pa.array(parts, pa.binary()), pa.array([wrong] * len(parts), pa.string())]
    return pa.RecordBatch.from_arrays(columns, ["part", "error"])


def first(errors: Iterable[str | None]) -> str | None:
    """The error that is raised: that of the least user, whoever found it."""
    return min((one for one in errors if one), key=_place, default=None)


def raise_error(wrong: str) -> None:
    """Raise the error of a worker."""
    name, said, parts = json.loads(wrong)
    raise getattr(all_errors, name)(said, **parts)


def _written(problem: RankconvError) -> str:
    return json.dumps([type(problem).__name__, problem.wrong, {name: getattr(problem, name) for name in _PARTS}])


def _place(wrong: str) -> list[tuple[int, int, str]]:
    """By what errors are sorted: where and what they are, numbers as numbers."""
    _, said, parts = json.loads(wrong)
    pieces = re.split(r"(\d+)", f"{parts['where']} {said}")
    return [(1, int(one), "") if one.isdigit() else (2, 0, one) for one in pieces if one]


@dataclass(frozen=True)
class Rows:
    """How a worker's rows become labels and a run: all at once where they stand in any order."""

    sent: tuple[Sent, ...]
    places: Places
    side_data: Mapping[str, Any]
    """The catalogue, and what else is known of items, the same for all users."""
    pairs: bool = False
    """Whether each row is a user with both lists, so that rows can be taken batch by batch."""

    def joined(self, batches: Iterator["pa.RecordBatch"]) -> Iterator[Joined]:
        """Labels and run of all that there is of some users; InputError for what is wrong with them."""
        for sides in self._sides(batches):
            data, seen = joined(sides, self.places)
            seen = self.side_data.get("seen", seen)
            more = {name: value for name, value in self.side_data.items() if name != "seen"}
            yield with_extra(data, seen, **more)

    def _sides(self, batches: Iterator["pa.RecordBatch"]) -> Iterator[Sides]:
        import polars as pl
        import pyarrow as pa

        if self.pairs:
            yield from (of_pairs(one, self.sent) for one in batches if one.num_rows)
            return
        filled = [one for one in batches if one.num_rows]
        if filled:
            rows = pl.from_arrow(pa.Table.from_batches(filled))
            assert isinstance(rows, pl.DataFrame)
            yield of_tags(rows, self.sent)


@dataclass(frozen=True)
class Judge:
    """Gives one row: the part that these users are, or the error that their rows hold; none where there is no user."""

    request: Request
    rows: Rows

    def __call__(self, batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        """As Spark's mapInArrow calls it."""
        yield from caught(lambda: self._part(batches))

    def _part(self, batches: Iterator["pa.RecordBatch"]) -> bytes | None:
        numbers = None
        for data in self.rows.joined(batches):
            numbers = numbers or Unchecked(self.request.empty(), {})
            numbers.update(data)
        return None if numbers is None else numbers.partial().to_bytes()


@dataclass(frozen=True)
class Merge:
    """Gives one row of several: all parts together, or the error to raise."""

    request: Request

    def __call__(self, batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        """As Spark's mapInArrow calls it."""
        rows = [row for one in batches for row in one.to_pylist()]
        wrong = first(row["error"] for row in rows)
        if wrong:
            yield batch([None], wrong)
        elif rows:
            yield from caught(lambda: merged(self.request.empty(), [row["part"] for row in rows]).to_bytes())


def merged(empty: Partial, parts: Sequence[bytes]) -> Partial:
    """All parts together."""
    return Partial.merged([empty, *(Partial(*read(bytes(one), empty.definitions)) for one in parts)])
