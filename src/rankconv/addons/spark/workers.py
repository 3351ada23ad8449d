"""What workers do: rows of their users become labels and a run, and these a part of all users."""

import json
import pickle
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rankconv.addons.spark.spark_sides import TAG, Sent, wanted
from rankconv.basics import errors as all_errors
from rankconv.basics.errors import InputError, RankconvError
from rankconv.basics.plugins import load_copy
from rankconv.data.ids import Ids, unite
from rankconv.data.inputs.frames import read_frame
from rankconv.data.inputs.input_rows import RankSource, RawRows, as_labels, as_rankings
from rankconv.data.inputs.values import coded
from rankconv.data.joined import Joined, put_together
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.evaluation.joining import SharedData, with_extra
from rankconv.evaluation.streaming.evaluator import UserSums
from rankconv.evaluation.streaming.partial import Partial, nobody
from rankconv.presets.definition import Definition

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa


@dataclass(frozen=True)
class Places:
    """What goes by the order of rows in some definition."""

    of_rows: bool
    of_labels: bool
    """Of two labels for one item, the last."""


SentTables = list[tuple[Sent, "pl.DataFrame"]]


def of_tags(rows: "pl.DataFrame", sent: Sequence[Sent]) -> SentTables:
    """The rows of each side, in columns called by their roles."""
    import polars as pl

    found = []
    for tag, one in enumerate(sent):
        mine = rows.filter(pl.col(TAG) == tag)
        found.append((one, mine.select(pl.col(name).alias(role) for role, name in one.columns.items())))
    return found


def joined(sides: SentTables, places: Places) -> tuple[Joined, Labels | None]:
    """Labels and run of these users together, and what they have seen; InputError for what is wrong with the rows.

    Of several wrong rows the message names one of the least user, however they stand.
    """
    try:
        return _joined(sides, places)
    except RankconvError:
        return _joined([(one, rows.sort("user", "item", nulls_last=True)) for one, rows in sides], places)


def _joined(sides: SentTables, places: Places) -> tuple[Joined, Labels | None]:
    found: dict[str, Any] = {}
    for sent, rows in sides:
        read = _read(sent, rows, places)
        found[sent.what] = as_rankings(read) if sent.what == "run" else as_labels(read)
        if sent.what == "labels" and places.of_labels and not (sent.ordered or found["labels"].distinct):
            _refuse_two_grades(rows)
    known: Labels = found["labels"]
    run: Run = found["run"]
    return put_together(known, run, part=True), found.get("seen=")


def _read(sent: Sent, rows: "pl.DataFrame", places: Places) -> RawRows:
    import polars as pl

    empty = None
    if sent.listed:
        empty = rows.filter(pl.col("position").is_null())["user"]
        rows = rows.filter(pl.col("position").is_not_null())
    _refuse_nulls(sent, rows)
    if sent.ordered:
        rows = rows.sort("user", "position")
        _refuse_same(sent, rows, "position")
    elif places.of_rows and "rank" in sent.columns:
        _refuse_same(sent, rows.select("user", "rank").sort("user", "rank"), "rank")
    named = {role: role for role in sent.columns if role != "position"}
    if sent.what == "run" and "position" in rows.columns:
        rows, named = rows.rename({"position": "rank"}), {**named, "rank": "rank"}
    read = read_frame(rows.select(*named), wanted(sent.what, named), _source(sent), _source(sent))
    source = RankSource.LIST if sent.listed else RankSource.COLUMN
    read = replace(read, rank_source=source, columns={**sent.called, "rank": sent.called.get("position", "rank")})
    if empty is None or not len(empty):
        return read
    more, _ = coded(empty.to_list() if empty.dtype == pl.String else empty.to_numpy(), "user", lambda row: "")
    return read.of_users(unite(read.users, more, "user", spelling=False)[0])


def _refuse_nulls(sent: Sent, rows: "pl.DataFrame") -> None:
    """An InputError that names the neighbour of a missing id."""
    import polars as pl

    for role, other in (("user", "item"), ("item", "user"), ("position", "user")):
        if role in rows.columns and rows[role].null_count():
            neighbour = rows.filter(pl.col(role).is_null())[other].min()
            wrong = f"a row has no {role} (column '{sent.called[role]}')"
            where = f"{_source(sent)}, {other} {neighbour!r}"
            raise InputError(
                wrong, where=where, do=f"Leave such rows out, or give them {'a' if role > 'item' else 'an'} {role}"
            )


def _refuse_same(sent: Sent, rows: "pl.DataFrame", order: str) -> None:
    """An InputError where two rows of a user have one place; rows stand by users and places."""
    user, place = rows["user"], rows[order]
    for at in ((user == user.shift(1)) & (place == place.shift(1))).fill_null(False).arg_true().head(1):
        wrong = f"two rows have the {order} {place[at]}, so that nothing says which comes first"
        do = f"Give each row of a user a {order} of its own"
        raise InputError(wrong, where=f"{_source(sent)}, user {user[at]!r}", do=do)


def _refuse_two_grades(rows: "pl.DataFrame") -> None:
    """An InputError where an item has two labels of different grades, and nothing says which came last."""
    pairs = rows.unique(("user", "item", "grade") if "grade" in rows.columns else ("user", "item"))
    twice = pairs.filter(pairs.select("user", "item").is_duplicated()).select("user", "item").sort("user", "item")
    for user, item in twice.head(1).iter_rows():
        wrong = "it has two labels with different grades, of which the last counts, and a table of Spark has no order"
        where = f"the labels, user {user!r}, item {item!r}"
        raise InputError(wrong, where=where, do="Keep one of them, or name the column with their order: position=…")


def _source(sent: Sent) -> str:
    return sent.what if sent.what == "seen=" else f"the {sent.what}"


_LOADED: dict[Path, str] = {}
"""The plugins that this process has run, each with the checksum of its text."""


@dataclass(frozen=True)
class Request:
    """A request, as it travels to workers: definitions by their settings, plugins by their text."""

    preset: str
    definitions: bytes
    plugins: tuple[tuple[Path, str], ...]
    digests: bool
    """Whether workers make digests of the data, for signatures."""

    @classmethod
    def of(cls, empty: Partial, plugins: Sequence[str | Path], *, digests: bool) -> "Request":
        """The request of a part without users, with the texts of these files."""
        files = [Path(one).resolve() for one in plugins]
        texts = tuple((file, file.read_text(encoding="utf-8")) for file in files)
        return cls(empty.preset, pickle.dumps(empty.definitions), texts, digests)

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
    # the driver sees to the items that are labelled
    return nobody(request.preset, request.read(), labelled=True, digests=request.digests)


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


def first(errors: Iterable[str | None]) -> str | None:
    """The error that is raised: that of the least user, whoever found it."""
    return min((one for one in errors if one), key=_place, default=None)


def raise_error(wrong: str) -> None:
    """Raise the error of a worker."""
    name, said, parts = json.loads(wrong)
    raise getattr(all_errors, name)(said, **parts)


def _problem_text(problem: RankconvError) -> str:
    return json.dumps([type(problem).__name__, problem.wrong, {name: getattr(problem, name) for name in _PARTS}])


def _place(wrong: str) -> list[tuple[int, int, str]]:
    """By what errors are sorted: where and what they are, numbers as numbers."""
    _, said, parts = json.loads(wrong)
    pieces = re.split(r"(\d+)", f"{parts['where']} {said}")
    return [(1, int(one), "") if one.isdigit() else (2, 0, one) for one in pieces if one]


@dataclass(frozen=True)
class WorkerRows:
    """How a worker's rows become labels and a run: all at once where they stand in any order."""

    sent: tuple[Sent, ...]
    places: Places
    side_data: SharedData
    seen: Labels | None = None
    """What users had seen, where it did not come with their rows."""
    labelled: Ids | None = None
    """The items that any user has a label for, where a definition asks for them."""

    def joined(self, batches: Iterable["pa.RecordBatch"]) -> Joined | None:
        """Labels and run of all users of a partition; InputError for what is wrong with them, None without a row."""
        import polars as pl
        import pyarrow as pa

        filled = [one for one in batches if one.num_rows]
        if not filled:
            return None
        rows = pl.from_arrow(pa.Table.from_batches(filled))
        assert isinstance(rows, pl.DataFrame)
        data, seen = joined(of_tags(rows, self.sent), self.places)
        seen = seen if self.seen is None else self.seen
        return with_extra(data, seen=seen, labelled=self.labelled, **self.side_data)


@dataclass(frozen=True)
class PartialMaker:
    """Gives one row: the part that these users are, or the error that their rows hold; none where there is no user."""

    request: Request
    rows: WorkerRows

    def __call__(self, batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        """As Spark's mapInArrow calls it."""
        import pyarrow as pa

        part = wrong = None
        try:
            part = self._part(batches)
        except RankconvError as problem:
            wrong = _problem_text(problem)
        if part is not None or wrong is not None:
            columns = [pa.array([part], pa.binary()), pa.array([wrong], pa.string())]
            yield pa.RecordBatch.from_arrays(columns, ["part", "error"])

    def _part(self, batches: Iterator["pa.RecordBatch"]) -> bytes | None:
        data = self.rows.joined(batches)
        if data is None:
            return None
        numbers = UserSums(self.request.preset, self.request.empty().definitions, {}, [], digests=self.request.digests)
        numbers.add(data)
        return numbers.partial.to_bytes()
