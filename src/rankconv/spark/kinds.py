"""What types of Spark's columns are ids and numbers, and as which type workers get them."""

from typing import Any

from rankconv.errors import InputError

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
