"""Files that are read batch by batch, each with rows that were found right."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.data.attributes import Form
from rankconv.data.ids import Ids, coded_integers, make_ids, quoted
from rankconv.data.inputs.columns import without_parts
from rankconv.data.inputs.files import File
from rankconv.data.inputs.input_rows import ColumnSpec, Floats, RankSource, RawRows, RowPlace, base, is_id
from rankconv.data.inputs.span_columns import PLACES, check_spans, read_places
from rankconv.data.inputs.values import (
    FEW,
    IdValues,
    coded,
    finite,
    is_written_list,
    not_a_number,
    owners,
    raw_or_coded,
    refuse_rounded,
)
from rankconv.data.inputs.word_columns import WordColumn, coded_words, numbers_or_words, words_among_numbers

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl


NUMBERS = ("grade", "score", "rank")
Record = dict[str, Any]
"""The columns of a row, or lists of all rows of a user."""
_LEVEL = r"^\s*L\d+\s*$"
"""Levels of relevance as NTCIR writes them: L2 is the grade 2."""
TIME_FORMS = "A time is a number, such as 978300760, or as in 2000-12-31 and 2000-12-31T22:12:40"
ROWS = 1 << 16
"""Rows read one by one that make a batch: Python's texts take ten times the room of the file."""


@dataclass(frozen=True, eq=False)
class RowBatch:
    """Adjacent rows of a file, each of which was found right."""

    ids: Mapping[str, IdValues]
    """Texts or integers, none missing, by role; of ids with several parts one for each: `user.1` and so on."""
    numbers: Mapping[str, Floats] = field(default_factory=dict)
    """Grades, scores and ranks, by role."""
    time: Floats | None = None
    owners: Mapping[str, IdValues] = field(default_factory=dict)
    """The users of records that may have no row, one for each record; empty where each row is a record."""
    words: WordColumn | None = None
    """In place of grades or scores, where they are words."""

    def __len__(self) -> int:
        return len(next(iter(self.ids.values())))


@dataclass(eq=False)
class RowBatches:
    """A file that is read batch by batch, and what is known of it as far as it was read."""

    each: Iterator[RowBatch]
    columns: Mapping[str, str] = field(default_factory=dict)
    """The names of the columns that are read, by role; of a table only."""
    form: Form = field(default=Form())
    tag: str = ""
    """The name that a TREC run gives itself."""
    rank_source: RankSource = RankSource.COLUMN
    empty_calls: list[tuple[Any, Any]] = field(default_factory=list)
    """User and call of each call that gave no row, so far."""


def in_memory(batches: Callable[[File, ColumnSpec], RowBatches]) -> Callable[[File, ColumnSpec], RawRows]:
    """Return the function that reads all rows of such a file together."""
    return lambda file, spec: rows_of(batches(file, spec), file.name)


def batch_of(
    columns: Mapping[str, Any],
    read: Callable[[Any, str, RowPlace], Any],
    place: RowPlace,
    of_number: RowPlace | None = None,
) -> RowBatch:
    """Return the rows of the column of each role, as `read` takes them; InputError for the first wrong row of a column.

    `place` names a row, `of_number` the place of its number, if that is another.
    """
    tried = {role: read(one, role, place if is_id(role) else of_number or place) for role, one in columns.items()}
    ids = {role: one for role, one in tried.items() if is_id(role)}
    check_spans(ids, place)
    _refuse_written_lists(ids, place)
    words = next((one for one in tried.values() if isinstance(one, WordColumn)), None)
    numbers = {role: one for role, one in tried.items() if role in NUMBERS and not isinstance(one, WordColumn)}
    return RowBatch(ids, numbers, tried.get("time"), words=words)


def _refuse_written_lists(ids: Mapping[str, IdValues], place: RowPlace) -> None:
    """Raise InputError where an item is a list of ids that is written as a text; the first row tells."""
    for role in ids:
        if base(role) == "item" and len(ids[role]) and is_written_list(text := str(ids[role][0])):
            raise InputError(
                f"the item id {quoted(text)} is a list that is written as a text",
                where=place(0),
                do="Pass the list, which ast.literal_eval(text) makes of it, or a row for each item",
                shell="Write a row for each item, or leave out all columns but those of the user and the lists",
            )


def of_texts(texts: Mapping[str, "pl.Series"], place: RowPlace) -> RowBatch:
    """Return the rows of these texts; ids stay text, so that 007 stays 007, and numbers may be parsed already."""
    return batch_of(texts, _read_text, place)


def _read_text(texts: "pl.Series", role: str, place: RowPlace) -> Any:
    if role == "time":
        return times_from_texts(texts, place)
    if not is_id(role):
        return numbers_or_words(numbers_from_texts, texts, role, place)
    if role in PLACES:
        return read_places(texts.to_list(), role, place)
    for row in (texts.is_null() | (texts == "")).arg_true().head(1):
        raise InputError(f"there is no {base(role)} id", where=place(row), do="Give the row an id, or leave it out")
    return texts


def gathered(rows: Iterable[tuple[int, Sequence[str]]], roles: Sequence[str], file: File) -> Iterator[RowBatch]:
    """Give batches of rows that come one by one, each with its line: a text for each role."""
    lines, texts = array("q"), list[str]()

    def batch() -> RowBatch:
        import polars as pl

        columns = {role: pl.Series(texts[at :: len(roles)], dtype=pl.String) for at, role in enumerate(roles)}
        return of_texts(columns, lambda row: f"{file}, line {lines[row]}")

    for line, fields in rows:
        lines.append(line)
        texts += fields
        if len(lines) == ROWS:
            yield batch()
            lines, texts = array("q"), []
    if lines:
        yield batch()


def rows_of(batches: RowBatches, source: str) -> RawRows:
    """Return all rows together; `source` is what they are from."""
    each = list(batches.each)
    about: dict[str, Any] = {"columns": without_parts(batches.columns), "form": batches.form, "tag": batches.tag}
    about["rank_source"] = batches.rank_source
    if not each:
        nobody, no_row = coded_integers(np.empty(0, np.int64))
        return RawRows(source, nobody, no_row, nobody, no_row, **about)

    def ids(what: str, of: Sequence[Mapping[str, IdValues]]) -> list[IdValues]:
        """The ids of each part; texts as they are, integers as an array, shape (rows,)."""
        return [_concatenated([one[role] for one in of]) for role in of[0] if base(role) == what]

    rows, named = [batch.ids for batch in each], [batch.owners for batch in each if batch.owners]
    users, user, starts = owners(ids("user", [*named, *rows]), lambda _: "")
    if named:  # users of records come before those of rows
        every = np.repeat(np.arange(len(users)), np.diff(starts)) if starts is not None else user
        assert every is not None
        user, starts = every[len(every) - sum(map(len, each)) :], None
    found = {role: np.concatenate([batch.numbers[role] for batch in each]) for role in _numbers_of(each)}
    rank = found.pop("rank", None)
    if each[0].words is not None:
        found["words"], about["words"] = coded_words(batch.words for batch in each if batch.words is not None)
    for role in ("group", "call"):
        if role in each[0].ids:
            about[f"{role}s"], about[role] = coded(ids(role, rows)[0], role, lambda _: "")
    if batches.empty_calls:
        about |= _with_empty_calls(about, users, batches.empty_calls)
    times = [batch.time for batch in each if batch.time is not None]
    about |= {"time": np.concatenate(times) if times else None, "starts": starts}
    items, item = raw_or_coded(ids("item", rows), "item", lambda _: "")
    return RawRows(source, users, user, items, item, next(iter(found.values()), None), rank, **about)


def _with_empty_calls(about: Mapping[str, Any], users: Ids, empty: Sequence[tuple[Any, Any]]) -> dict[str, Any]:
    """The names of all calls, and the codes of those that gave no row."""
    names = make_ids([*dict.fromkeys([*about["calls"].values.tolist(), *(call for _, call in empty)])], "call")
    return {"calls": names, "empty_calls": [(users.code(user), names.code(call)) for user, call in empty]}


def _numbers_of(batches: Sequence[RowBatch]) -> Iterable[str]:
    """The roles of the numbers that all batches have; an InputError where some have words in place of them."""
    for batch in batches:
        if batch.numbers.keys() != batches[0].numbers.keys():
            raise words_among_numbers(next(one.words for one in batches if one.words is not None))
    return batches[0].numbers


def _concatenated(ids: Sequence[IdValues]) -> IdValues:
    filled = [one for one in ids if len(one)] or [*ids[:1]]
    if len(filled) == 1:
        return filled[0]
    arrays = [one for one in filled if isinstance(one, np.ndarray)]
    if len(arrays) == len(filled):
        return np.concatenate(arrays)
    lists = [one for one in filled if isinstance(one, list)]
    if len(lists) == len(filled) and sum(map(len, lists)) <= FEW:
        return [*chain.from_iterable(lists)]
    import polars as pl

    columns = [pl.Series(one, dtype=pl.String if isinstance(one, list) else None) for one in filled]
    joined = pl.concat(columns, rechunk=True)
    return joined.to_numpy() if joined.dtype.is_integer() else joined


# numbers and times in texts


def numbers_from_texts(texts: "pl.Series", role: str, place: RowPlace) -> Floats:
    """Parse the numbers in these texts, where they are texts, shape (rows,)."""
    import polars as pl

    are_texts = texts.dtype == pl.String
    if are_texts and role == "grade" and len(texts) and texts.str.contains(_LEVEL).all():
        texts = texts.str.strip_chars().str.slice(1)
    parsed = texts.str.strip_chars().cast(pl.Float64, strict=False) if are_texts else texts.cast(pl.Float64)
    for row in (parsed.is_null() | ~parsed.is_finite()).arg_true().head(1):
        if parsed[row] is None:
            if not texts[row]:
                raise InputError(f"there is no {role}", where=place(row), do=f"Give every row a {role}")
            raise not_a_number(f"'{texts[row]}'", role, place(row))
        finite(parsed.to_numpy(), role, place)
    floats = parsed.to_numpy(writable=True)
    if are_texts:
        refuse_rounded(texts, floats, role, place)
    return floats


def times_from_texts(texts: "pl.Series", place: RowPlace) -> Floats:
    """Read times from texts or numbers, shape (rows,); InputError for the first row without one."""
    import polars as pl

    plain = texts.str.strip_chars() if texts.dtype == pl.String else texts
    numbers = plain.cast(pl.Float64, strict=False)
    if len(numbers) and numbers[0] is None and plain.dtype == pl.String:
        numbers = _seconds(plain)
    for row in (numbers.is_null() | ~numbers.is_finite().fill_null(False)).arg_true().head(1):
        raise InputError(f"the time '{texts[row]}' cannot be read", where=place(row), allowed=TIME_FORMS)
    return numbers.to_numpy(writable=True)


def times_from_objects(values: Sequence[Any], place: RowPlace) -> Floats:
    """Read times from numbers, texts, dates or moments, shape (rows,)."""
    import polars as pl

    return times_from_texts(pl.Series([None if one is None else str(one) for one in values], dtype=pl.String), place)


def times_from_column(column: "nw.Series[Any]", place: RowPlace) -> Floats:
    """Read times from the column of a table, shape (rows,)."""
    import narwhals.stable.v2 as nw
    import polars as pl

    if column.dtype.is_temporal() and not column.is_null().any():
        if column.dtype == nw.Date:
            column = column.cast(nw.Datetime("us"))
        return column.dt.timestamp("us").to_numpy().astype(np.float64) / 1e6
    if column.dtype.is_numeric():
        return times_from_texts(pl.Series(column.to_list(), dtype=pl.Float64), place)
    return times_from_objects(column.to_list(), place)


def _seconds(texts: "pl.Series") -> "pl.Series":
    """Seconds since 1970, UTC where no zone is given; null where a text is no moment."""
    import polars as pl

    with_zone = texts.str.replace(r"Z$", "+00:00").str.replace(" ", "T", literal=True)
    moments = with_zone.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%:z", strict=False, time_unit="us", time_zone="UTC")
    for form in ("%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M"):
        plain = with_zone.str.to_datetime(form, strict=False, time_unit="us").dt.replace_time_zone("UTC")
        moments = moments.zip_with(moments.is_not_null(), plain)
    days = with_zone.str.to_date("%Y-%m-%d", strict=False).cast(pl.Datetime("us", "UTC"))
    return moments.zip_with(moments.is_not_null(), days).cast(pl.Int64).cast(pl.Float64) / 1e6
