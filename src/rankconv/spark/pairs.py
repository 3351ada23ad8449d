"""Tables of Spark whose rows are (predicted, relevant): each row is a user, as Spark's RankingMetrics takes them."""

from collections.abc import Mapping
from typing import Any

from rankconv.errors import InputError
from rankconv.spark.kinds import kind_of_ids, name_of, number_sent_as
from rankconv.spark.lists import Cell, cells_of, column
from rankconv.spark.sides import What
from rankconv.spark.together import Sent

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
