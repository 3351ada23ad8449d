"""Which items any user has a label for: a first look at the labels, for what asks whose judgment counts."""

from collections.abc import Mapping
from typing import Any

from rankconv.engine.summed import spanning
from rankconv.inputs.side_data import items_of
from rankconv.presets.definition import Definition
from rankconv.spark.sides import Side
from rankconv.spark.together import Sent


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
