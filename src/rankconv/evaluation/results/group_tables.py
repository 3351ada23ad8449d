"""The values of groups of items next to the numbers that are made of them."""

from collections.abc import Mapping
from typing import Any

from rankconv.data.group_values import GroupValues
from rankconv.engine.metric_result import Measured
from rankconv.rendering.pages.cells import finite, number, short, some
from rankconv.rendering.pages.table import Table

NAMED = 12
"""So many groups are named in a line, at most."""


def groups_table(groups: Mapping[str, GroupValues], digits: int = 4) -> Table:
    """A row for each number and group, with what the number is made of."""
    heads = list(dict.fromkeys(name for one in groups.values() for name in one.columns))
    rows = [
        [spec, short(group), *(number(values[name], digits) if name in values else "" for name in heads)]
        for spec, one in groups.items()
        for group, values in one.rows.items()
    ]
    return Table(["metric", "group", *heads], rows, labels=2)


def group_rows(groups: Mapping[str, GroupValues]) -> list[dict[str, Any]]:
    """A row for each number and group as plain data."""
    return [
        {"metric": spec, "group": group, "mean": value}
        for spec, one in groups.items()
        for group, value in one.main.items()
    ]


def group_data(values: GroupValues) -> dict[str, dict[str, float | None]]:
    """The values of each group as plain data; None where JSON has none."""
    return {group: {name: finite(one) for name, one in row.items()} for group, row in values.rows.items()}


def groups_line(values: GroupValues, digits: int = 4) -> str:
    """The main value of each group in a line: "head 0.1000, tail 0.0250"."""
    return some([f"{short(group)} {number(value, digits)}" for group, value in values.main.items()], NAMED)


def with_groups(by_name: Mapping[str, Measured], digits: int = 4) -> list[str]:
    """A sentence on the groups of each number that has some, by the name of the number."""
    return [
        f"{name}, by group: {groups_line(one.groups, digits)}."
        for name, one in by_name.items()
        if one.groups is not None
    ]
