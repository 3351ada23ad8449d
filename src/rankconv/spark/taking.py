"""Which rows go to the workers, and how what these give is put together."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankconv.errors import InputError, LibraryError
from rankconv.evaluation.partial import Partial
from rankconv.inputs.columns import has_usual_name
from rankconv.spark.labelled import items_in_lists, items_of_side
from rankconv.spark.lists import cells_of
from rankconv.spark.pairs import named_items, of_rows
from rankconv.spark.request import Request
from rankconv.spark.sides import ROLES, Side, What, check_kinds
from rankconv.spark.together import Sent, together
from rankconv.spark.work import Judge, Merge, Rows, merged
from rankconv.spark.worker_errors import SETTING, first, raise_error

MOST_AT_ONCE = 256
"""Of more parts, some are put together by workers before the driver gets them, in tasks that cost what 50 parts do."""


@dataclass(frozen=True, eq=False)
class Taken:
    """The rows that workers get: all of a user in one partition."""

    rows: Any
    sent: tuple[Sent, ...]
    ordered: bool
    """Whether something says how the rows of a list stand."""
    pairs: bool
    """Whether each row is a user with both lists, numbered where they stand."""
    text: bool
    """Whether users are text."""
    labelled: Any
    """The items of all labels, in one column, as workers get them."""


def take(
    given: Mapping[str, Any], names: Mapping[str, Any], position: str | None, partitions: int | None, *, same: bool
) -> Taken:
    """Tables by what they are, as rows; `names` are those of columns by role, `same` says that labels and run are one.

    Raises InputError for columns that are not there, for types that are no ids or numbers, and for ids that differ.
    """
    if partitions is not None and (isinstance(partitions, bool) or not isinstance(partitions, int) or partitions < 1):
        raise InputError(f"partitions={partitions!r:.100} is no number of partitions", allowed="It is 1 or more")
    items = named_items(given["labels"], names["item"]) if same else None
    if items and not (names["user"] or has_usual_name(["user"], *cells_of(given["labels"]))):
        if "seen" in given:
            raise InputError("seen= needs users, and these pairs have none", do="Add a column of users")
        numbers: dict[What, dict[str, str | None]] = {
            "labels": {"grade": names["grade"]},
            "run": {"score": names["score"]},
        }
        table = given["labels"] if partitions is None else given["labels"].repartition(partitions)
        rows, sent = of_rows(table, items, numbers)
        return Taken(rows, sent, ordered=True, pairs=True, text=False, labelled=items_in_lists(rows, sent[0]))
    sides = _sides(given, names, position, items)
    check_kinds(sides)
    rows, sent = together(sides, partitions)
    text, labelled = sides[0].kinds["user"] == "text", items_of_side(sides[0])
    return Taken(rows, sent, sides[1].ordered, pairs=False, text=text, labelled=labelled)


def _sides(
    given: Mapping[str, Any], names: Mapping[str, Any], position: str | None, items: Mapping[What, str] | None
) -> list[Side]:
    sides = list[Side]()
    for what in ROLES:
        table = given.get(what.rstrip("="))
        if table is None:
            continue
        named = {role: _of_side(role, name, what) for role, name in names.items()}
        named |= {"item": items[what]} if items and what in items else {}
        if what == "seen=":
            named = {role: name if name in table.columns else None for role, name in named.items()}
        sides.append(Side.of(what, table, named, position))
    if position is not None and "position" not in sides[1].called and not sides[1].listed:
        columns = ", ".join(given["run"].columns)
        raise InputError(f"there is no column '{position}'", where="the run", allowed=f"The columns are: {columns}")
    return sides


def _of_side(role: str, name: Any, what: What) -> str | None:
    """One name for both sides, or that of each side; an InputError for anything else."""
    found = name.get("labels" if what == "seen=" else what) if isinstance(name, Mapping) else name
    if found is None or isinstance(found, str):
        return found
    wrong = f"{role}={found!r:.100} is not the name of a column"
    raise InputError(wrong, do="Put ids of several columns into one column of text first")


def collected(taken: Taken, request: Request, work: Rows, partitions: int | None) -> Partial:
    """What all users are: one part of each partition, put together by workers where there are many.

    Raises what is wrong with the rows.
    """
    parts = taken.rows.mapInArrow(Judge(request, work), SETTING)
    expected = partitions or _usual_number(taken.rows)
    if expected > MOST_AT_ONCE:
        parts = parts.repartition(math.isqrt(expected)).mapInArrow(Merge(request), SETTING)
    found = _rows_of(parts)
    wrong = first(row["error"] for row in found)
    if wrong:
        raise_error(wrong)
    return merged(request.empty(), [row["part"] for row in found])


def _usual_number(rows: Any) -> int:
    return int(rows.sparkSession.conf.get("spark.sql.shuffle.partitions"))


def _rows_of(table: Any) -> list[Any]:
    """All rows; a LibraryError where the workers do not have this library."""
    try:
        return list(table.collect())
    except Exception as problem:
        if "No module named 'rankconv" not in str(problem):
            raise
    do = "Install the same version there, or send it along: spark.addArtifacts, or an archive of the environment"
    raise LibraryError("the workers of Spark have no rankconv", do=do)
