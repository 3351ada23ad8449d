"""Read what drop-in functions take: lists, nested lists, dictionaries, matrices and TREC lines of queries."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import rankconv as rc
from rankconv import InputError, RankconvError


@lru_cache(maxsize=1024)
def of(preset: str, spec: str, k: int | None = None) -> rc.Definition:
    """The metric of a preset, at a cutoff if there is one.

    Raises ConventionError and MetricError for what the preset does not offer.
    """
    return rc.metric(spec if k is None else f"{spec}@{k}", preset=preset)


def changed(definition: rc.Definition, settings: Mapping[str, Any]) -> rc.Definition:
    """The definition with other settings by convention; itself where there are none."""
    given: dict[str, Any] = dict(settings)
    return definition.replace(**given) if given else definition


class WrongValue(InputError, ValueError):
    """What the library refuses by a ValueError."""


class WrongType(InputError, TypeError):
    """What the library refuses by a TypeError."""


class WrongDivision(InputError, ZeroDivisionError):
    """Where the library divides by zero."""


class WrongAssertion(InputError, AssertionError):
    """What the library refuses by an assertion."""


ErrorKind = type[WrongValue] | type[WrongType] | type[WrongDivision] | type[WrongAssertion]


@contextmanager
def refused_as(kind: ErrorKind) -> Iterator[None]:
    """Whatever rankconv refuses inside is raised in the library's kind, with rankconv's words."""
    try:
        yield
    except RankconvError as problem:
        if isinstance(problem, kind):
            raise
        parts = {part: getattr(problem, part) for part in ("where", "allowed", "nearest", "do", "shell")}
        raise kind(problem.wrong, **parts) from None


QREL_LINE, RUN_LINE = (
    ("query", "iteration", "document", "relevance"),
    ("query", "Q0", "document", "rank", "score", "tag"),
)


def read_trec(lines: Iterable[str], fields: tuple[str, ...], number: Callable[[str], Any]) -> dict[str, dict[str, Any]]:
    """The number of each document by query, of lines such as "q1 0 d7 1" or, of a run, "q1 Q0 d7 1 0.5 tag".

    Raises WrongAssertion for a document that a query has twice, and WrongValue for a line that is none of these.

    >>> dict(read_trec(["q1 Q0 d7 1 0.5 mine"], RUN_LINE, float))
    {'q1': {'d7': 0.5}}
    """
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    at = 3 if fields is QREL_LINE else 4
    for count, line in enumerate(lines, 1):
        parts, where = line.split(), f"line {count}"
        if len(parts) != len(fields):
            raise WrongValue(f"{len(parts)} fields", where=where, allowed=f"A line holds {', '.join(fields)}")
        query, document = parts[0], parts[2]
        if document in found[query]:
            raise WrongAssertion(f"document '{document}' occurs twice for query '{query}'", where=where)
        try:
            found[query][document] = number(parts[at])
        except ValueError:
            raise WrongValue(f"'{parts[at]}' is no {fields[at]}", where=where) from None
    return found


ItemsByUser = dict[int, list[int]]
"""The items of each user, numbered; users are numbered by their place."""


class _Further:
    """A second label for an item: one more that could be found, and equals none that is returned."""


def paired(
    actual: Iterable[Any], predicted: Iterable[Any], *, repeats_count: bool = False
) -> tuple[ItemsByUser, ItemsByUser]:
    """Labels and run of two lists of lists; the shorter one ends the pairing, as `zip` does.

    Items are compared as Python does, so 1, 1.0 and True are one item. `repeats_count`: an item that is relevant
    twice makes the user's relevant items one more, as `len` counts them, although it can be found once alone.

    Raises WrongType for users and items that are no lists of things that a dictionary could hold.
    """
    number_of: dict[Hashable, int] = {}
    labels: ItemsByUser = {}
    run: ItemsByUser = {}
    try:
        for user, (true, found) in enumerate(zip(actual, predicted, strict=False)):
            known: dict[Hashable, None] = {}
            for item in true:
                known[_Further() if repeats_count and item in known else item] = None
            labels[user], run[user] = (
                [number_of.setdefault(item, len(number_of)) for item in one] for one in (known, found)
            )
    except TypeError as problem:
        raise WrongType(f"each user has a list of items here: {problem}", do="Pass lists of numbers or text.") from None
    return labels, run
