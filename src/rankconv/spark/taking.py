"""Which rows go to the workers, and how what these give is put together."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankconv.errors import InputError, LibraryError
from rankconv.evaluation.partial import Partial
from rankconv.inputs.columns import has_usual_name
from rankconv.spark.kinds import Cell, cells_of, column, kind_of_ids, name_of, number_sent_as
from rankconv.spark.request import SETTING, Judge, Merge, Request, Rows, first, merged, raise_error
from rankconv.spark.together import ROLES, Sent, Side, What, check_kinds, items_in_lists, items_of_side, together

USUAL: dict[What, tuple[str, ...]] = {
    "labels": ("relevant", "label", "labels", "_2"),
    "run": ("predicted", "prediction", "predictions", "_1"),
}
"""What the lists of either side are usually called; Spark calls the parts of a pair without names _1 and _2."""


def named_items(table: Any, item: Any) -> dict[What, str] | None:
    """The column of lists of either side, where one table has both: as named, or as usual; None where it has not."""
    cells = cells_of(table)
    if isinstance(item, Mapping) and {*item} == {"labels", "run"}:
        return {"labels": item["labels"], "run": item["run"]}
    if item is not None or "item" in cells:
        return None
    found = {side: [name for name in names if name in cells and cells[name].listed] for side, names in USUAL.items()}
    return {side: names[0] for side, names in found.items()} if all(len(one) == 1 for one in found.values()) else None


def of_rows(
    table: Any, items: dict[What, str], numbers: dict[What, dict[str, str | None]]
) -> tuple[Any, tuple[Sent, ...]]:
    """A table of users, numbered, with their lists, and how it is sent; `numbers` names lists next to those of items.

    Nothing is moved: a row has all that there is of a user.
    """
    from pyspark.sql import functions as sql

    cells, columns, sent = cells_of(table), [], []
    kinds = dict[What, str]()
    for side, name in items.items():
        where = f"the {side}"
        kinds[side] = kind_of_ids(_held(table, cells, name, where), "item", where, name, listed=True)
        of = {"item": name, **{role: column for role, column in numbers[side].items() if column is not None}}
        for role, called in of.items():
            if role != "item":
                number_sent_as(_held(table, cells, called, where), role, where, called)
            columns.append(column(called).alias(f"{side} {role}"))
        columns_of = {"user": "user", **{role: f"{side} {role}" for role in of}, "position": "position"}
        sent.append(Sent(side, columns_of, of, True, kinds[side] == "whole", True))
    if len({*kinds.values()}) > 1:
        words = " and ".join(f"{kind} in the {side}" for side, kind in kinds.items()).replace("whole", "floating-point")
        raise InputError(f"item ids are {words}, so nothing can match", do="Cast one of the columns")
    return table.select(sql.monotonically_increasing_id().alias("user"), *columns), tuple(sent)


def _held(table: Any, cells: dict[str, Cell], name: str, where: str) -> Any:
    """What the lists of a column hold."""
    if name not in cells:
        raise InputError(f"there is no column '{name}'", where=where, allowed=f"The columns are: {', '.join(cells)}")
    kind = table.schema[cells[name].column].dataType
    if cells[name].field or name_of(kind) != "array":
        raise InputError(f"the column '{name}' holds no lists", where=where, do="Give each row a list of items")
    return kind.elementType


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
