"""The inputs of a published table, as labels and lists."""

import gzip
import re
import zlib
from collections.abc import Callable, Iterable
from io import BytesIO
from itertools import islice
from typing import Any

import rankconv.evaluation.joining as joining
from rankconv.analysis.reproduce.model import Inputs
from rankconv.data.joined import Joined
from rankconv.errors import ConventionError, InputError

FileReader = Callable[[str], bytes]
"""Reads a file in the folder of the one that names it."""
_RANGE = re.compile(r"(\d{1,18})\.\.(\d{1,18})", re.ASCII)
MOST_ITEMS, MOST_BYTES = 1_000_000, 1 << 28
"""What a few signs may stand for, and a packed file."""
_MARK = re.compile(r"([RN])(?:\*(\d{1,6}))?", re.ASCII)


def taken(inputs: Inputs, read_file: FileReader) -> Joined:
    """Labels and lists put together; a ConventionError where they are given in no form, or in two."""
    forms = {"labels": inputs.labels, "by-rank": inputs.by_rank, "rows": inputs.rows, "qrels": inputs.qrels}
    given = [form for form, value in forms.items() if value]
    if len(given) != 1:
        said = f"there are both {' and '.join(given)}" if given else "there are no labels"
        raise ConventionError(said, allowed=f"Inputs are given in one of these forms: {', '.join(forms)}")
    labels, lists = FORMS[given[0]](inputs, read_file)
    return joining.join(labels, lists, catalogue=inputs.catalogue)


def _plain(inputs: Inputs, read_file: FileReader) -> tuple[Any, Any]:
    labels = {user: _items(items) if isinstance(items, list) else items for user, items in inputs.labels.items()}
    return labels, inputs.scores or {user: _items(items) for user, items in inputs.rankings.items()}


def _items(items: Iterable[Any]) -> list[Any]:
    return _bounded(item for one in items for item in _spread(one))


def _bounded(spread: Iterable[Any]) -> list[Any]:
    found = list(islice(spread, MOST_ITEMS + 1))
    if len(found) > MOST_ITEMS:
        raise ConventionError(
            f"one user has over {MOST_ITEMS:,} items", do="Put them into a TREC file next to this one"
        )
    return found


def _spread(item: Any) -> Iterable[Any]:
    found = _RANGE.fullmatch(item) if isinstance(item, str) else None
    return range(int(found[1]), int(found[2]) + 1) if found else [item]


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
    labels: dict[str, dict[str, float]] = {}
    lists: dict[str, dict[str, float]] = {}
    for name, found, places in ((inputs.qrels, labels, (0, 2, 3)), (inputs.run, lists, (0, 2, 4))):
        for number, line in enumerate(unpacked(read_file, name).splitlines(), 1):
            fields = line.split()
            if fields:
                _take(found, fields, places, f"{name}, line {number}")
    return labels, lists


def _take(found: dict[str, dict[str, float]], fields: list[str], places: tuple[int, ...], where: str) -> None:
    try:
        user, item, number = (fields[place] for place in places)
        found.setdefault(user, {})[item] = float(number)
    except (IndexError, ValueError):
        raise InputError("the line is not of a TREC file", where=where) from None


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
