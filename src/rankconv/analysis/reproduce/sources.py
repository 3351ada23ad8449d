"""Published sources: the model of their YAML files, their inputs, and how they are found."""

import gzip
import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from io import BytesIO
from itertools import islice
from pathlib import Path, PureWindowsPath
from typing import Annotated, Any

from pydantic import Field, field_validator

import rankconv.evaluation.joining as joining
from rankconv.basics.errors import ConventionError, InputError, RankconvError, likely, not_among
from rankconv.data.joined import Joined
from rankconv.presets import folders
from rankconv.presets.checked_file import Strict, validated
from rankconv.presets.preset_file import Citation, Name
from rankconv.presets.yaml_file import Document, read_document, read_text

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
    """A TREC qrels file in the folder of this one, plain or gzipped; no other format is read."""
    run: str = ""
    """A TREC run in the folder of this one; fields after the sixth are ignored."""
    catalogue: int | None = Field(default=None, ge=1)
    """How many items there are, where the preset asks."""

    @field_validator("labels", "rankings", mode="before")
    @classmethod
    def _no_path(cls, given: Any) -> Any:
        if isinstance(given, str):
            raise ValueError(f"'{given}' is a file: TREC files are 'qrels:' and 'run:', here are mappings by user")
        return given


class Erratum(Strict):
    """A sentence or a sum of the source that contradicts the number."""

    says: Annotated[str, Field(min_length=1)]
    """The words, as short as will do."""
    gives: QuotedNumber
    """The number that follows from them by hand, such as 2/4. It must be what the preset gives."""


class SourceNumber(Strict):
    """One printed number, or a row of them by cutoff or by user: exactly one of printed, at, by-user."""

    metric: str
    """A spec, such as ndcg@3."""
    printed: QuotedNumber | None = None
    """0.94, 1/3, 83.3%, 0.33… (a prefix), NaN, error, or a sum such as 1/ln(3) + 1/ln(5)."""
    at: dict[int, QuotedNumber] = {}
    """Cutoff to number, for a metric without its @k."""
    by_user: dict[SourceUser, QuotedNumber] = {}
    """User to number."""
    user: SourceUser | None = None
    """The number is this user's; without it, the mean."""
    where: str = ""
    """The row, where the table alone does not say it."""
    inputs: str = ""
    preset: str = ""
    erratum: bool | Erratum = False
    """It is wrong in print: `true` where all else in the table comes out, or what contradicts it."""
    note: str = ""


class SourceTable(Strict):
    """Numbers that stand together in the source."""

    where: str
    inputs: str = ""
    """Which of the inputs; not needed where there is one."""
    preset: str = ""
    """In place of the file's."""
    settings: dict[str, Any] = {}
    """Options of the run: convention to setting, in place of what the preset says."""
    numbers: list[SourceNumber] = []
    output: str = ""
    """A file in the folder of this one in the form that trec_eval prints, in place of numbers."""
    computed: bool = False
    """The source does not print these numbers: its own program returns them. They are counted separately."""
    note: str = ""


class PublishedFile(Strict):
    """The numbers that one source prints, with their inputs and the preset that must give them."""

    name: Name
    """The name that users type; equal to the file's stem."""
    title: str
    """The source, in one line."""
    preset: str = ""
    """The preset that must give the numbers, where a table or a number names no other."""
    cite: list[Citation] = []
    about: str = ""
    """How the inputs were taken from the source."""
    inputs: dict[str, Inputs] = {}
    tables: Annotated[list[SourceTable], Field(min_length=1)]
    remarks: list[Annotated[str, Field(min_length=1)]] = []
    """What the source says that its own numbers or formulas contradict, a sentence each: where, what, what is meant."""


class NotReproduced(Strict):
    """Printed numbers that are not reproduced."""

    source: str
    where: str
    reason: str
    printed: dict[str, QuotedNumber]
    """What they are, and the numbers."""


class LeftOutFile(Strict):
    """All that is left out, and why."""

    left_out: list[NotReproduced]


PARTS = (Aligned, Citation, Erratum, Inputs, SourceNumber, SourceTable)


def published_schema() -> dict[str, Any]:
    """What an editor checks a file of published numbers against."""
    schema = PublishedFile.model_json_schema(by_alias=True)
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Numbers that rankconv reproduces"}
    return {**schema, **about, "description": (PublishedFile.__doc__ or "").strip()}


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


LEFT_OUT = "left-out"
CALLED = "a file of published numbers"


@dataclass
class Source:
    """A file of published numbers, and the lines of its parts."""

    file: PublishedFile
    document: Document
    folder: Traversable

    @cached_property
    def joined(self) -> dict[str, Joined]:
        """Its inputs by name."""
        found = {}
        for name, inputs in self.file.inputs.items():
            try:
                found[name] = taken(inputs, self.read)
            except RankconvError as error:
                raise error.at(self.document.place(("inputs", name))) from None
        return found

    def read(self, name: str) -> bytes:
        """A file next to it or in a folder there, and nowhere else."""
        file, path = self.folder.joinpath(name), PureWindowsPath(name)  # which goes up, or begins at the top anywhere
        inside = not isinstance(file, Path) or file.resolve().is_relative_to(Path(str(self.folder)).resolve())
        if path.anchor or ".." in path.parts or not inside:
            raise ConventionError(f"'{name}' leads out of the folder", allowed="Only files next to this one are read")
        if not file.is_file():
            raise ConventionError(f"there is no file {name} next to it")
        return file.read_bytes()


def published() -> dict[str, Traversable]:
    """The package's own files of published numbers, by name."""
    files = folders.packed_folder("published").iterdir()
    found = {file.name.rsplit(".", 1)[0]: file for file in files if file.name.endswith(folders.ENDINGS)}
    return {name: found[name] for name in sorted(found) if name != LEFT_OUT}


def source(name: str | Path) -> Source:
    """The source of that name, or of that file; an unknown name is a ConventionError with the nearest."""
    if isinstance(name, Path) or folders.is_path(name):
        if not Path(name).is_file():
            raise ConventionError(f"there is no file {name}")
        return _source(Path(name), Path(name).parent)
    known = published()
    if name not in known:
        raise not_among("source", name, likely(name, known), ("rc.reproduce().titles", "rankconv reproduce"))
    return _source(known[name], folders.packed_folder("published"))


def sources_named(name: str | Path) -> list[str | Path]:
    """The sources that a word represents: one, or all whose numbers a preset of that name gives.

    >>> sources_named("blog"), sources_named("mllib")
    (['bellei2017'], ['pyspark', 'spark'])
    """
    known = published()
    if isinstance(name, Path) or folders.is_path(name) or name in known:
        return [name]
    heads = {one: read_text(file, str(file)).partition("\nabout:")[0] for one, file in known.items()}
    return [one for one, head in heads.items() if f"\npreset: {name}\n" in f"{head}\n"] or [name]


def _source(file: Any, folder: Any) -> Source:
    document = _document(file)
    found = validated(PublishedFile, document, CALLED)
    stem = file.name.rsplit(".", 1)[0]
    if found.name != stem:
        wrong = f"the file is called '{stem}' and names its source '{found.name}'"
        raise ConventionError(wrong, where=document.place(("name",)))
    return Source(found, document, folder)


def left_out() -> list[NotReproduced]:
    """What of the shipped sources is not reproduced, and why."""
    file = folders.packed_folder("published") / f"{LEFT_OUT}.yaml"
    return validated(LeftOutFile, _document(file), CALLED).left_out


def _document(file: Any) -> Document:
    parts = str(file).replace("\\", "/").rsplit("conventions/", 1)
    said = f"conventions/{parts[1]}" if len(parts) == 2 else str(file)
    return read_document(read_text(file, said), said)
