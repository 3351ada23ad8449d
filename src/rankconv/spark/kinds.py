"""What types of Spark's columns are ids and numbers, and as which type workers get them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs.columns import are_numbers

IDS = {"string": "text", **dict.fromkeys(("byte", "short", "integer", "long"), "integer")}
"""What ids of each type are."""
_EXACT_AS_DOUBLE = ("byte", "short", "integer", "float", "double")
"""Numbers that a double holds as they are."""
_SENT = {"text": "string", "integer": "bigint", "whole": "double"}


def name_of(kind: Any) -> str:
    """The name of a type without its parameters: `decimal`, `string`."""
    return str(kind.typeName()).split("(")[0].split(" ")[0]


def kind_of_ids(kind: Any, role: str, where: str, column: str, *, listed: bool) -> str:
    """Whether ids are text or integers; in lists also `whole`, doubles that must be whole, as Spark's own metrics have.

    Raises InputError for any other type.
    """
    name = name_of(kind)
    if listed and role == "item" and name in ("double", "float"):
        return "whole"
    if name not in IDS:
        wrong = f"{role} ids must be text or integers, and the column '{column}' is of type {name}"
        raise InputError(wrong, where=where, do="Cast the column")
    return IDS[name]


def sent_as(kind: str) -> str:
    """The type of Spark in which workers get ids of this kind."""
    return _SENT[kind]


def number_sent_as(kind: Any, role: str, where: str, column: str) -> str:
    """The type in which workers get a column of numbers, which keeps what they are; an InputError for what is none."""
    name = name_of(kind)
    if name in _EXACT_AS_DOUBLE or (name == "boolean" and role == "grade"):
        return "double"
    if name == "long":
        return "bigint"
    if name == "decimal":
        return str(kind.simpleString())
    do = f"Cast the column to a number: withColumn('{column}', col('{column}').cast('double'))"
    raise InputError(f"the {role} column '{column}' is of type {name}, which is no number", where=where, do=do)


_NUMBERS = ("boolean", "byte", "short", "integer", "long", "float", "double", "decimal")
_TEXTS = 1000
"""So many tell whether texts say numbers."""
_LIST, _ENTRY = "_list", "_entry"


@dataclass(frozen=True)
class Cell:
    """Where the values of a name stand: in a column, in the lists of a column, or in a field of what these hold."""

    column: str
    field: str = ""
    listed: bool = False


def cells_of(table: Any) -> dict[str, Cell]:
    """All that can be named: columns, and the fields of what lists hold, where no column is called so."""
    columns, fields = dict[str, Cell](), dict[str, Cell]()
    for one in table.schema.fields:
        listed = name_of(one.dataType) == "array"
        held = one.dataType.elementType if listed else None
        if held is not None and name_of(held) == "struct":
            fields |= {field.name: Cell(one.name, field.name, listed=True) for field in held.fields}
        else:
            columns[one.name] = Cell(one.name, listed=listed)
    return fields | columns


def holds_lists(cells: Mapping[str, Cell], where: str) -> bool:
    """Whether the items that were found, by role, stand in lists; an InputError where cells do not fit each other."""
    listed = {role for role, cell in cells.items() if cell.listed}
    alone = listed - {"item", "grade", "score", "group"}
    if alone or (listed and "item" not in listed):
        role = min(alone or listed)
        wrong = f"the column '{cells[role].column}' of the {role} holds lists, and that of the "
        wrong += "item holds none" if "item" not in listed else f"{role} must not"
        raise InputError(wrong, where=where, do="Give each row one user, and a list of items or one item")
    if len({cells[role].column for role in listed if cells[role].field}) > 1:
        raise InputError("items and numbers stand in lists of two columns", where=where, do="Use one of them")
    return bool(listed)


def holds_numbers(table: Any, cell: Cell) -> bool:
    """Whether the values of a cell are numbers, truth values, or texts that say numbers; the first texts tell."""
    kind = table.schema[cell.column].dataType
    if cell.listed:
        kind = kind.elementType if not cell.field else kind.elementType[cell.field].dataType
    if name_of(kind) != "string":
        return name_of(kind) in _NUMBERS
    texts = table.select(column(cell.column).alias("text")).filter("text is not null").limit(_TEXTS)
    return not cell.listed and are_numbers(row["text"] for row in texts.collect())


def column(name: str) -> Any:
    """A column of this very name, whatever characters it has."""
    from pyspark.sql import functions as sql

    return sql.col("`" + name.replace("`", "``") + "`")


def flat(table: Any, cells: Mapping[str, Cell], position: str | None) -> Any:
    """A table with one row for each item, whose columns are called by their roles; `position` is that in the list.

    A user with an empty list has one row without item and position; one whose list is missing has none.
    """
    from pyspark.sql import functions as sql

    plain = [column(cell.column).alias(role) for role, cell in cells.items() if not cell.listed]
    listed = {role: cell for role, cell in cells.items() if cell.listed}
    if not listed:
        order = [] if position is None else [column(position).alias("position")]
        return table.select(*plain, *order)
    users = [role for role, cell in cells.items() if not cell.listed]
    packed = table.select(*plain, *_lists(table, listed)).select(*users, _zipped(listed).alias(_LIST))
    entries = packed.filter(sql.col(_LIST).isNotNull()).select(
        *users, sql.posexplode_outer(_LIST).alias("position", _ENTRY)
    )
    fields = [sql.col(f"{_ENTRY}.{role}").alias(role) for role in listed]
    return entries.select(*users, sql.col("position").cast("bigint").alias("position"), *fields)


def _lists(table: Any, listed: Mapping[str, Cell]) -> list[Any]:
    """A list for each role, or one of structs with a field for each; numbers are an empty list where there is none."""
    from pyspark.sql import functions as sql

    if listed["item"].field:
        fields = {role: cell.field for role, cell in listed.items()}
        renamed = lambda one: sql.struct(*(one.getField(field).alias(role) for role, field in fields.items()))
        return [sql.transform(column(listed["item"].column), renamed).alias(_LIST)]
    found = []
    for role, cell in listed.items():
        empty = sql.array().cast(table.schema[cell.column].dataType)
        given = column(cell.column)
        found.append((given if role == "item" else sql.coalesce(given, empty)).alias(role))
    return found


def _zipped(listed: Mapping[str, Cell]) -> Any:
    from pyspark.sql import functions as sql

    return sql.col(_LIST) if listed["item"].field else sql.arrays_zip(*listed)
