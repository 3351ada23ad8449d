"""Two signatures side by side: which settings and which parts of the data differ."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, get_args

from typing_extensions import TypedDict

from rankconv.basics.errors import MetricError, RankconvError
from rankconv.conventions.data_parts import DataPart
from rankconv.conventions.spec import BETWEEN, is_signature
from rankconv.evaluation.results.circumstances import DIGESTED, NONE, NOT_KNOWN, NOT_READ
from rankconv.presets.definition import fingerprint
from rankconv.presets.signature import PARTS, definition_of, stated_circumstances
from rankconv.rendering.pages.cells import ABSENT
from rankconv.rendering.pages.display import RowResult
from rankconv.rendering.pages.page import Page
from rankconv.rendering.pages.table import Table

Agrees = Literal["yes", "no", "not read", "unknown", "other version"]
"""Whether both state the same. Data that no definition reads may differ, and so may the version of rankconv."""
HARMLESS: tuple[Agrees, ...] = ("yes", "not read", "other version")
SEPARATELY_READ: tuple[str, ...] = get_args(DataPart)


@dataclass(frozen=True)
class Statement:
    """What two signatures state under one name."""

    name: str
    first: str
    second: str
    agrees: Agrees


class StatementData(TypedDict):
    """What two signatures state under one name."""

    name: str
    """A convention, or a part of the data."""
    first: str
    second: str
    agrees: Agrees
    """Whether both state the same; `not read` are differences in data that no definition reads."""


class SignatureComparisonData(TypedDict):
    """What two signatures state, side by side."""

    ok: bool
    """Whether one number has both signatures."""
    statements: list[StatementData]


@dataclass(frozen=True)
class SignatureComparison(RowResult):
    """What two signatures state, side by side."""

    rows_in = "statements"
    statements: tuple[Statement, ...]
    heads: tuple[str, str] = ("first", "second")

    @property
    def ok(self) -> bool:
        """Whether one number has both signatures: nothing that is read differs, and nothing is unknown."""
        return all(one.agrees in HARMLESS for one in self.statements)

    def table(self) -> Table:
        """A row for each statement."""
        rows = [[one.name, one.first, one.second, one.agrees] for one in self.statements]
        return Table(["part", *self.heads, "agrees"], rows, labels=4)

    def to_dict(self) -> SignatureComparisonData:
        """Return the statements and the verdict as plain data."""
        statements: list[StatementData] = [
            {"name": one.name, "first": one.first, "second": one.second, "agrees": one.agrees}
            for one in self.statements
        ]
        return {"ok": self.ok, "statements": statements}

    def _page(self) -> Page:
        return Page([[self.table()]])


def compare_signatures(a: str, b: str, *, heads: tuple[str, str] = ("first", "second")) -> SignatureComparison:
    """Compare what two signatures state: settings, users, each part of the data, preset and version.

    Parameters
    ----------
    a, b : str
        Signatures of numbers.
    heads : tuple of str, optional
        The names of both.

    Returns
    -------
    SignatureComparison
        A row for each part, and `ok`: whether nothing that is read differs and nothing is unknown.

    Raises
    ------
    MetricError
        If a text is not a signature.

    Examples
    --------
    >>> import rankconv as rc
    >>> there, here = "mrr||users:3|run:9f3c1a20b8c7|digests:2", "mrr||users:3|run:77ab01c4d5e6|digests:2"
    >>> print(rc.compare_signatures(there, here).table().to_markdown())
    | part       | first        | second       | agrees   |
    |------------|--------------|--------------|----------|
    | definition | mrr          | mrr          | yes      |
    | users      | 3            | 3            | yes      |
    | run        | 9f3c1a20b8c7 | 77ab01c4d5e6 | no       |
    | digests    | 2            | 2            | yes      |
    """
    for text in (a, b):
        if not isinstance(text, str) or not is_signature(text):
            do = "Pass what result.signatures has."
            raise MetricError(f"{text!r:.100} is not a signature", allowed="metric@k|…||users:…", do=do)
    statements = (*_of_definitions(a, b), *_of_circumstances(a, b))
    return SignatureComparison(statements, heads)


def _of_definitions(*signatures: str) -> Iterator[Statement]:
    """What the definitions state, where they differ: metrics and settings."""
    one, other = (" ".join(text.partition(PARTS)[0].split()) for text in signatures)
    heads, settings = zip(*(_pairs(part) for part in (one, other)), strict=True)
    ours, theirs = settings
    differing = [name for name in dict.fromkeys([*ours, *theirs]) if ours.get(name) != theirs.get(name)]
    if heads[0] == heads[1] and not differing:
        yield Statement("definition", heads[0], heads[1], "yes")
        return
    first, second = (f"{head} {fingerprint(part)[:8]}" for head, part in zip(heads, (one, other), strict=True))
    yield Statement("definition", first, second, "no")
    for name in differing:
        yield Statement(name, ours.get(name, ABSENT), theirs.get(name, ABSENT), "no")


def _pairs(part: str) -> tuple[str, dict[str, str]]:
    head, *pairs = (one.strip() for one in part.split(BETWEEN))
    return head, {name.strip(): text.strip() for name, _, text in (pair.partition(":") for pair in pairs)}


def _of_circumstances(*signatures: str) -> Iterator[Statement]:
    ours, theirs = map(stated_circumstances, signatures)
    unread = frozenset(SEPARATELY_READ).difference(*map(read_parts, signatures))
    for name in dict.fromkeys([*ours, *theirs]):
        one, other = ours.get(name, ABSENT), theirs.get(name, ABSENT)
        yield Statement(name, one, other, _verdict(name, one, other, ours, theirs, unread))


def _verdict(
    name: str, one: str, other: str, ours: Mapping[str, str], theirs: Mapping[str, str], unread: frozenset[str]
) -> Agrees:
    """Whether both state the same under a name; nothing is no statement."""
    if any(known in text for known in (NOT_READ, NOT_KNOWN) for text in (one, other)):
        return "unknown"
    if name in DIGESTED - {"digests"}:
        same_format = ours.get("digests") is not None and ours.get("digests") == theirs.get("digests")
        if not same_format:
            return "unknown"
        one, other = (NONE if text == ABSENT else text for text in (one, other))
        return "yes" if one == other else "not read" if name in unread else "no"
    if ABSENT in (one, other):
        return "unknown"
    return "yes" if one == other else "other version" if name == "rankconv" else "no"


def read_parts(signature: str) -> frozenset[str]:
    """Of the parts of the data that only some definitions read those that this one reads; all, if it is not known."""
    with suppress(RankconvError):
        return frozenset(definition_of(signature).data_read)
    return frozenset(SEPARATELY_READ)
