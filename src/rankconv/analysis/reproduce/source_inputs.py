"""The inputs of published numbers: labels and lists in the form that is nearest to the source, put together."""

import csv
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import Field, field_validator

import rankconv.evaluation.joining as joining
from rankconv.analysis.reproduce.data_files import DataFolder
from rankconv.basics.errors import ConventionError, InputError, RankconvError
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.presets.checked_file import Strict

SourceUser = str | int
QuotedNumber = Annotated[str, Field(strict=True, min_length=1)]
"""A number as it is in print, quoted in YAML so that no digit is lost."""


class Aligned(Strict):
    """Grades and scores of the same items, place by place."""

    grades: list[float]
    scores: list[float]


class Inputs(Strict):
    """Labels and lists, in the form that is nearest to the source."""

    labels: dict[SourceUser, Any] = {}
    """User to items (grade 1), or user to item to grade; `1..99` represents all whole numbers from 1 to 99."""
    rankings: dict[SourceUser, list[Any]] = {}
    """User to items, best first."""
    scores: dict[SourceUser, dict[SourceUser, float]] = {}
    """User to item to score, in place of rankings."""
    by_rank: dict[SourceUser, list[float] | str] = {}
    """User to the grades of the list, best first; or marks such as RRN, where N*9978 is repeated."""
    unretrieved: dict[SourceUser, list[float]] = {}
    """With by-rank: grades of items that the list lacks."""
    rows: dict[SourceUser, Aligned] = {}
    """User to grades and scores of the same items."""
    qrels: str = ""
    """A TREC qrels file in the folder of this one, plain or gzipped; or one of the `data`, in any known format."""
    run: str = ""
    """A TREC run in the folder of this one; fields after the sixth are ignored. Or one of the `data`, as with qrels."""
    users: list[SourceUser] = []
    """With files of the `data`: only these users; empty for all."""
    reversed: bool = False
    """With a run of the `data`: its lists are from worst to best."""
    until: str = ""
    """With a run of the `data`: a list ends with its last line whose second field is this."""
    line: int | None = Field(default=None, ge=1)
    """With a run of the `data` that has a JSON object on each line: the number of the line that is taken."""
    only: dict[str, str] = {}
    """With a CSV run of the `data` that has columns `user` and `item`: column to the value of the rows taken."""
    columns: list[Literal["user", "item", "score"]] = []
    """With a run of the `data` without headers: what its first columns hold. An id 7.0 is read as 7.

    Without scores a list is in the order of the lines.
    """
    seen: str = ""
    """One of the `data`: what users had seen before."""
    train: str = ""
    """One of the `data`: the interactions that the recommender learned from."""
    catalogue: int | None = Field(default=None, ge=1)
    """How many items there are, where the preset asks."""

    @field_validator("labels", "rankings", mode="before")
    @classmethod
    def _no_path(cls, given: Any) -> Any:
        if isinstance(given, str):
            raise ValueError(f"'{given}' is a file: TREC files are 'qrels:' and 'run:', here are mappings by user")
        return given


FileReader = Callable[[str], bytes]
"""Reads a file in the folder of the one that names it."""
_RANGE = re.compile(r"(\d{1,18})\.\.(\d{1,18})", re.ASCII)
MOST_ITEMS, MOST_BYTES = 1_000_000, 1 << 28
"""What a few signs may stand for, and a packed file."""
_MARK = re.compile(r"([RN])(?:\*(\d{1,6}))?", re.ASCII)


def taken(inputs: Inputs, read_file: FileReader, data: DataFolder) -> Joined:
    """Labels and lists put together; a ConventionError where they are given in no form, or in two."""
    forms = {"labels": inputs.labels, "by-rank": inputs.by_rank, "rows": inputs.rows, "qrels": inputs.qrels}
    given = [form for form, value in forms.items() if value]
    if len(given) != 1:
        said = f"there are both {' and '.join(given)}" if given else "there are no labels"
        raise ConventionError(said, allowed=f"Inputs are given in one of these forms: {', '.join(forms)}")
    if inputs.qrels and not inputs.run:
        raise ConventionError("there are qrels, and no run", do="Name its file under 'run:'.")
    labels, lists = _fetched(inputs, data) if inputs.qrels in data else FORMS[given[0]](inputs, read_file)
    seen, train = (str(data.verified(name)) if name else None for name in (inputs.seen, inputs.train))
    return joining.join(labels, lists, catalogue=inputs.catalogue, seen=seen, train=train)


def _plain(inputs: Inputs, read_file: FileReader) -> tuple[Any, Any]:
    labels = {user: _items(items) if isinstance(items, list) else items for user, items in inputs.labels.items()}
    return labels, inputs.scores or {user: _items(items) for user, items in inputs.rankings.items()}


def _items(items: Iterable[Any]) -> list[Any]:
    return _bounded(item for one in items for item in _spread(one))


def _spread(item: Any) -> Iterable[Any]:
    found = _RANGE.fullmatch(item) if isinstance(item, str) else None
    return range(int(found[1]), int(found[2]) + 1) if found else [item]


def _bounded(spread: Iterable[Any]) -> list[Any]:
    found = list(islice(spread, MOST_ITEMS + 1))
    if len(found) > MOST_ITEMS:
        do = "Put them into a TREC file next to this one"
        raise ConventionError(f"one user has over {MOST_ITEMS:,} items", do=do)
    return found


def _by_rank(inputs: Inputs, read_file: FileReader) -> tuple[Any, Any]:
    grades = {user: _grades(marks) for user, marks in inputs.by_rank.items()}
    lists = {user: [f"r{rank}" for rank in range(1, len(found) + 1)] for user, found in grades.items()}
    labels = {user: dict(zip(lists[user], found, strict=True)) for user, found in grades.items()}
    for user, unretrieved in inputs.unretrieved.items():
        labels.setdefault(user, {}).update({f"m{place}": grade for place, grade in enumerate(unretrieved, 1)})
    return labels, lists


def _grades(marks: list[float] | str) -> list[float]:
    if isinstance(marks, list):
        return marks
    if _MARK.sub("", marks).strip():
        raise ConventionError(f"'{marks}' is not a list of marks", allowed="Write R and N, and N*20 for twenty of them")
    return _bounded(float(mark == "R") for mark, times in _MARK.findall(marks) for _ in range(int(times or 1)))


def _rows(inputs: Inputs, read_file: FileReader) -> tuple[Any, Any]:
    for user, rows in inputs.rows.items():
        if len(rows.grades) != len(rows.scores):
            counts = f"{len(rows.grades)} grades and {len(rows.scores)} scores"
            raise ConventionError(f"'{user}' has {counts}", do="Give each item both.")
    labels = {user: {f"i{at}": g for at, g in enumerate(rows.grades, 1)} for user, rows in inputs.rows.items()}
    return labels, {user: {f"i{at}": s for at, s in enumerate(rows.scores, 1)} for user, rows in inputs.rows.items()}


def _trec(inputs: Inputs, read_file: FileReader) -> tuple[Any, Any]:
    return _trec_rows(read_file, inputs.qrels, 3), _trec_rows(read_file, inputs.run, 4)


def _trec_rows(read_file: FileReader, name: str, column: int) -> dict[str, dict[str, float]]:
    """The grade or the score of each item of each user, which is in this column."""
    found: dict[str, dict[str, float]] = {}
    for number, line in enumerate(unpacked(read_file, name).splitlines(), 1):
        fields = line.split()
        try:
            if fields:
                found.setdefault(fields[0], {})[fields[2]] = float(fields[column])
        except (IndexError, ValueError):
            do = "Give other data as mappings, labels: {user: {item: grade}} and rankings: {user: [items]}."
            raise InputError("the line is not of a TREC file", where=f"{name}, line {number}", do=do) from None
    return found


def _fetched(inputs: Inputs, data: DataFolder) -> tuple[Any, Any]:
    """Labels and a run that the user fetched, as their files are; as mappings where only parts of them are taken."""
    labels, run = data.verified(inputs.qrels), data.verified(inputs.run)
    parts = inputs.users or inputs.reversed or inputs.until or inputs.only or inputs.columns
    plain = not parts and run.suffix != ".json"
    if plain:
        return str(labels), str(run)
    try:
        return _parts_of_files(inputs, labels, run)
    except RankconvError:
        raise
    except (LookupError, ValueError, TypeError, AttributeError):
        wrong = "the file is not what its name, 'line:', 'only:' or 'columns:' say"
        raise InputError(wrong, where=run.name) from None


def _parts_of_files(inputs: Inputs, labels: Path, run: Path) -> tuple[Any, Any]:
    """Labels and a run, of whose files only parts are taken."""
    taken = {str(user) for user in inputs.users}
    if inputs.only:
        return str(labels), _rows_with(run, inputs.only)
    if inputs.columns:
        return cast(Any, Labels)(str(labels)), cast(Any, Run)(_of_columns(run, inputs.columns))
    grades = _mapping(labels) or _trec_rows(lambda _: labels.read_bytes(), labels.name, 3)
    lists = _mapping(run, inputs.line) or _lists(unpacked(lambda _: run.read_bytes(), run.name), inputs.until)
    lists = {user: items[::-1] if inputs.reversed else items for user, items in lists.items()}
    known = [{user: one for user, one in side.items() if user in taken or not taken} for side in (grades, lists)]
    return known[0], known[1]


def _rows_with(file: Path, values: Mapping[str, str]) -> dict[str, list[str]]:
    """The items of each user in the rows of a CSV file that have these values, in the order of the file."""
    found: dict[str, list[str]] = {}
    for row in csv.DictReader(unpacked(lambda _: file.read_bytes(), file.name).splitlines()):
        if all(row.get(column) == value for column, value in values.items()):
            found.setdefault(row["user"], []).append(row["item"])
    return found


def _of_columns(file: Path, columns: Sequence[str]) -> dict[str, Any]:
    """The items of each user in the order of the lines, or with scores; `columns` are the first ones of the file."""
    text = unpacked(lambda _: file.read_bytes(), file.name)
    rows = [dict(zip(columns, line.split("\t"), strict=False)) for line in text.splitlines()]
    found: dict[str, list[tuple[str, float]]] = {}
    for row in rows:
        item, score = row["item"].removesuffix(".0"), float(row.get("score", "nan"))
        found.setdefault(row["user"].removesuffix(".0"), []).append((item, score))
    if "score" in columns:
        return {user: dict(items) for user, items in found.items()}
    return {user: [item for item, _ in items] for user, items in found.items()}


def _mapping(file: Path, line: int | None = None) -> dict[str, Any]:
    """What a JSON file, or one of its lines, holds by user, with ids as text; nothing for other files."""
    if file.suffix != ".json":
        return {}
    text = file.read_text("utf-8")
    found = json.loads(text if line is None else text.splitlines()[line - 1])
    return {user: list(map(str, one)) if isinstance(one, list) else one for user, one in found.items()}


def _lists(text: str, last: str) -> dict[str, list[str]]:
    """The items of each user in the order of the lines, down to the last line whose second field is `last`."""
    rows: dict[str, list[list[str]]] = {}
    for line in text.splitlines():
        if len(fields := line.split()) > 2:
            rows.setdefault(fields[0], []).append(fields)
    ends = {user: max((at for at, one in enumerate(of, 1) if one[1] == last), default=0) for user, of in rows.items()}
    return {user: [one[2] for one in (of[: ends[user]] if last else of)] for user, of in rows.items()}


def unpacked(read_file: FileReader, name: str) -> str:
    """The text of a file, also of a gzipped one."""
    data = read_file(name)
    try:
        plain = gzip.GzipFile(fileobj=BytesIO(data)).read(MOST_BYTES + 1) if name.endswith(".gz") else data
        if len(plain) > MOST_BYTES:
            raise InputError(f"the file has over {MOST_BYTES:,} bytes", where=name)
        return plain.decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError):
        raise InputError("the file is not UTF-8 text, plain or gzipped", where=name) from None


FORMS = {"labels": _plain, "by-rank": _by_rank, "rows": _rows, "qrels": _trec}
