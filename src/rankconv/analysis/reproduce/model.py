"""Printed sources: their files, shape and schema."""

from typing import Annotated, Any

from pydantic import Field

from rankconv.presets.model import Citation, Name, Strict
from rankconv.presets.schema import described

User = str | int
Shown = Annotated[str, Field(strict=True, min_length=1)]
"""A number as it is in print, quoted in YAML so that no digit is lost."""


class Aligned(Strict):
    """Grades and scores of the same items, place by place."""

    grades: list[float]
    scores: list[float]


class Inputs(Strict):
    """Labels and lists, in the form that is nearest to the source."""

    labels: dict[User, Any] = {}
    """User to items (grade 1), or user to item to grade; `1..99` represents all whole numbers from 1 to 99."""
    rankings: dict[User, list[Any]] = {}
    """User to items, best first."""
    scores: dict[User, dict[User, float]] = {}
    """User to item to score, in place of rankings."""
    by_rank: dict[User, list[float] | str] = Field(default={}, alias="by-rank")
    """User to the grades of the list, best first; or marks such as RRN, where N*9978 is repeated."""
    unretrieved: dict[User, list[float]] = {}
    """With by-rank: grades of items that the list lacks."""
    rows: dict[User, Aligned] = {}
    """User to grades and scores of the same items."""
    qrels: str = ""
    """A TREC qrels file in the folder of this one, plain or gzipped."""
    run: str = ""
    """A TREC run in the folder of this one; fields after the sixth are ignored."""
    catalogue: int | None = Field(default=None, ge=1)
    """How many items there are, where the preset asks."""


class Erratum(Strict):
    """A sentence or a sum of the source that contradicts the number."""

    says: Annotated[str, Field(min_length=1)]
    """The words, as short as will do."""
    gives: Shown
    """The number that follows from them by hand, such as 2/4. It must be what the preset gives."""


class Number(Strict):
    """One printed number, or a row of them by cutoff or by user: exactly one of printed, at, by-user."""

    metric: str
    """A spec, such as ndcg@3."""
    printed: Shown | None = None
    """0.94, 1/3, 83.3%, 0.33… (a prefix), NaN, error, or a sum such as 1/ln(3) + 1/ln(5)."""
    at: dict[int, Shown] = {}
    """Cutoff to number, for a metric without its @k."""
    by_user: dict[User, Shown] = Field(default={}, alias="by-user")
    """User to number."""
    user: User | None = None
    """The number is this user's; without it, the mean."""
    where: str = ""
    """The row, where the table alone does not say it."""
    inputs: str = ""
    preset: str = ""
    erratum: bool | Erratum = False
    """It is wrong in print: `true` where all else in the table comes out, or what contradicts it."""
    note: str = ""


class Table(Strict):
    """Numbers that stand together in the source."""

    where: str
    inputs: str = ""
    """Which of the inputs; not needed where there is one."""
    preset: str = ""
    """In place of the file's."""
    settings: dict[str, Any] = {}
    """Options of the run: convention to setting, in place of what the preset says."""
    numbers: list[Number] = []
    output: str = ""
    """A file in the folder of this one in the form that trec_eval prints, in place of numbers."""
    computed: bool = False
    """The source does not print these numbers: its own program returns them. They are counted separately."""
    note: str = ""


class Contradiction(Strict):
    """Two statements of one source that give different numbers."""

    where: str
    says: str
    """What the one statement says."""
    reading: str
    """The spec that carries it out."""
    against: str
    """The spec of the other statement."""
    printed: Shown
    """The number that the other one prints."""
    inputs: str = ""
    preset: str = ""
    user: User | None = None


class Slip(Strict):
    """A slip of the pen in a source, which all else there sets right."""

    where: str
    says: Annotated[str, Field(min_length=1)]
    """What is there."""
    meant: Annotated[str, Field(min_length=1)]
    """What must be meant, and what shows it."""


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
    tables: Annotated[list[Table], Field(min_length=1)]
    contradictions: list[Contradiction] = []
    slips: list[Slip] = []


class LeftOut(Strict):
    """Printed numbers that are not reproduced."""

    source: str
    where: str
    reason: str
    printed: dict[str, Shown]
    """What they are, and the numbers."""


class LeftOutFile(Strict):
    """All that is left out, and why."""

    left_out: list[LeftOut] = Field(alias="left-out")


PARTS = (Aligned, Citation, Contradiction, Erratum, Inputs, Number, Table)


def published_schema() -> dict[str, Any]:
    """What an editor checks a file of published numbers against."""
    schema = PublishedFile.model_json_schema(by_alias=True)
    described(PublishedFile, schema["properties"])
    for kind in PARTS:
        described(kind, schema["$defs"][kind.__name__]["properties"])
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Numbers that rankconv reproduces"}
    return {**schema, **about, "description": (PublishedFile.__doc__ or "").strip()}
