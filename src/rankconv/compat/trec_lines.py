"""Lines of qrels and runs as dictionaries, as the libraries around trec_eval read them."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rankconv.compat.errors import WrongAssertion, WrongValue

QREL, RUN = ("query", "iteration", "document", "relevance"), ("query", "Q0", "document", "rank", "score", "tag")


def read(lines: Iterable[str], fields: tuple[str, ...], number: Callable[[str], Any]) -> dict[str, dict[str, Any]]:
    """The number of each document by query, of lines such as "q1 0 d7 1" (`QREL`) or "q1 Q0 d7 1 0.5 tag" (`RUN`).

    Raises WrongAssertion for a document that a query has twice, and WrongValue for a line that is none of these.

    >>> dict(read(["q1 Q0 d7 1 0.5 mine"], RUN, float))
    {'q1': {'d7': 0.5}}
    """
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for count, (query, _, document, value) in enumerate(rows(lines, fields, number), 1):
        if document in found[query]:
            raise WrongAssertion(f"document '{document}' occurs twice for query '{query}'", where=f"line {count}")
        found[query][document] = value
    return found


def rows(
    lines: Iterable[str], fields: tuple[str, ...], number: Callable[[str], Any]
) -> Iterator[tuple[str, str, str, Any]]:
    """Query, second field, document and number of each line, in their order, also of repeated documents.

    Raises WrongValue for a line that has other fields.

    >>> [*rows(["q1 7 d7 1", "q1 8 d7 0"], QREL, int)]
    [('q1', '7', 'd7', 1), ('q1', '8', 'd7', 0)]
    """
    at = 3 if fields is QREL else 4
    for count, line in enumerate(lines, 1):
        parts = line.split()
        where = f"line {count}"
        if len(parts) != len(fields):
            raise WrongValue(f"{len(parts)} fields", where=where, allowed=f"A line holds {', '.join(fields)}")
        try:
            value = number(parts[at])
        except ValueError:
            raise WrongValue(f"'{parts[at]}' is no {fields[at]}", where=where) from None
        yield parts[0], parts[1], parts[2], value
