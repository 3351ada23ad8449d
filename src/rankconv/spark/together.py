"""All sides as one table of rows that say which side they are of, so that a user's rows come to one worker."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankconv.engine.summed import spanning
from rankconv.inputs.side_data import items_of
from rankconv.presets.definition import Definition
from rankconv.spark.sides import Side, What

TAG = "side"
_SHARED = {"grade": "number", "score": "number"}
"""Roles that no side has both of, and that share a column where their types are the same."""


@dataclass(frozen=True)
class Sent:
    """How the rows of one side come to a worker."""

    what: What
    columns: Mapping[str, str]
    """The column of each role."""
    called: Mapping[str, str]
    """What the caller calls it."""
    listed: bool
    """Whether rows without an item are empty lists."""
    whole: bool
    """Whether item ids are doubles that must be whole."""
    ordered: bool
    """Whether positions say how rows stand, so that no two of a user may have the same."""

    @classmethod
    def of(cls, side: Side) -> "Sent":
        """The columns of a side as it is sent."""
        columns = {role: _column(role, side.sent_as(role)) for role in side.roles}
        whole = side.kinds["item"] == "whole"
        return cls(side.what, columns, side.called, side.listed, whole, "position" in columns)


def _column(role: str, kind: str) -> str:
    """Users and items have the same type on all sides."""
    return (
        role
        if role in ("user", "item")
        else "".join(c if c.isalnum() else "_" for c in f"{_SHARED.get(role, role)}_{kind}")
    )


def together(sides: Sequence[Side], partitions: int | None) -> tuple[Any, tuple[Sent, ...]]:
    """The rows of all sides, those of a user in one partition, and how they are sent: tagged by the side's place."""
    from pyspark.sql import functions as sql

    sent = tuple(map(Sent.of, sides))
    tables = []
    for tag, (side, one) in enumerate(zip(sides, sent, strict=True)):
        columns = [sql.col(role).cast(side.sent_as(role)).alias(name) for role, name in one.columns.items()]
        tables.append(side.table.select(sql.lit(tag).cast("tinyint").alias(TAG), *columns))
    rows = tables[0]
    for table in tables[1:]:
        rows = rows.unionByName(table, allowMissingColumns=True)
    return (rows.repartition("user") if partitions is None else rows.repartition(partitions, "user")), sent


def items_of_side(labels: Side) -> Any:
    """The items of these labels as workers get them, in one column."""
    from pyspark.sql import functions as sql

    return labels.table.select(_as_sent(sql.col("item"), whole=labels.kinds["item"] == "whole"))


def items_in_lists(rows: Any, sent: Sent) -> Any:
    """The items of the lists of a side, where each row is a user, in one column."""
    from pyspark.sql import functions as sql

    return rows.select(sql.explode(sent.columns["item"]).alias("item")).select(_as_sent(sql.col("item"), sent.whole))


def _as_sent(items: Any, whole: bool) -> Any:
    """Doubles as the integers that workers make of them; those that are none are an error there."""
    return (items.cast("bigint") if whole else items).alias("item")


def distinct(table: Any) -> list[Any]:
    """The different values of a table of one column, brought to the driver."""
    return [row[0] for row in table.dropna().distinct().collect()]


def needs_labelled(definitions: Mapping[str, Definition]) -> bool:
    """Whether some definition looks at the labels of all users."""
    return any(map(spanning, definitions.values()))


def labelled_items(table: Any) -> Any:
    """The ids of a column of labels, which all workers are given; a job of its own."""
    found = items_of(distinct(table), "the labels")
    _ = found.digest  # made here, once, and sent along
    return found
