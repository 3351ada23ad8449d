"""Tables of Spark as sides: types of columns, and all rows as one table that says which side each is of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rankconv.basics.errors import InputError
from rankconv.data.inputs.columns import are_numbers, find_columns, refuse_unread
from rankconv.data.inputs.input_rows import ColumnSpec
from rankconv.data.inputs.side_data import items_of
from rankconv.data.inputs.span_columns import places_of
from rankconv.data.inputs.usual_names import is_usual
from rankconv.engine.needs import spanning
from rankconv.presets.definition import Definition

IDS = {"string": "text", **dict.fromkeys(("byte", "short", "integer", "long"), "integer")}
"""What ids of each type are."""
_EXACT_AS_DOUBLE = ("byte", "short", "integer", "float", "double")
"""Numbers that a double holds as they are."""
_SENT = {"text": "string", "integer": "bigint"}
"""The type of Spark in which workers get ids of each kind."""


def name_of(kind: Any) -> str:
    """The name of a type without its parameters: `decimal`, `string`."""
    return str(kind.typeName()).split("(")[0].split(" ")[0]


def kind_of_ids(kind: Any, role: str, where: str, column: str) -> str:
    """Whether ids are text or integers; an InputError for any other type."""
    name = name_of(kind)
    if name not in IDS:
        wrong = f"{role} ids must be text or integers, and the column '{column}' is of type {name}"
        raise InputError(wrong, where=where, do="Cast the column")
    return IDS[name]


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
class ColumnPath:
    """Where the values of a name stand: in a column, in the lists of a column, or in a field of what these hold."""

    column: str
    field: str = ""
    listed: bool = False


def cells_of(table: Any) -> dict[str, ColumnPath]:
    """All that can be named: columns, and the fields of what lists hold, where no column is called so."""
    columns, fields = dict[str, ColumnPath](), dict[str, ColumnPath]()
    for one in table.schema.fields:
        listed = name_of(one.dataType) == "array"
        held = one.dataType.elementType if listed else None
        if held is not None and name_of(held) == "struct":
            fields |= {field.name: ColumnPath(one.name, field.name, listed=True) for field in held.fields}
        else:
            columns[one.name] = ColumnPath(one.name, listed=listed)
    return fields | columns


def holds_lists(cells: Mapping[str, ColumnPath], where: str) -> bool:
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


def holds_numbers(table: Any, cell: ColumnPath) -> bool:
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


def flat(table: Any, cells: Mapping[str, ColumnPath], position: str | None) -> Any:
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


def _lists(table: Any, listed: Mapping[str, ColumnPath]) -> list[Any]:
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


def _zipped(listed: Mapping[str, ColumnPath]) -> Any:
    from pyspark.sql import functions as sql

    return sql.col(_LIST) if listed["item"].field else sql.arrays_zip(*listed)


What = Literal["labels", "run", "seen="]
ROLES: dict[What, tuple[str, ...]] = {
    "labels": ("user", "item", "group", "grade"),
    "run": ("user", "item", "score", "rank"),
    "seen=": ("user", "item"),
}
"""What each side may have."""
RoleColumns = Mapping[str, str | None]


@dataclass(frozen=True, eq=False)
class SparkSide:
    """One row for each item, in columns called by their roles."""

    what: What
    table: Any
    called: Mapping[str, str]
    """What the caller calls the column of each role."""
    kinds: Mapping[str, str]
    """What the ids of users, items and groups are."""
    listed: bool
    """Whether the rows stood in lists, whose order they keep."""

    @classmethod
    def of(cls, what: What, table: Any, named: RoleColumns, position: str | None = None) -> "SparkSide":
        """The columns that are named, or have usual names; an InputError where there is none, or none that fits."""
        given = cells_of(table)
        if what == "run":
            _refuse_calls(given)
        ordered = position if position in given else None
        cells = _find(what, {name: cell for name, cell in given.items() if name != ordered}, named)
        if ordered is None:
            _refuse_unread(what, table, given, cells, named)
        listed = holds_lists(cells, _where(what))
        if ordered and not listed and "rank" in cells:
            _refuse_two_orders(named, cells.pop("rank").column, ordered)
        made = flat(table, cells, None if listed else ordered)
        called = {role: cell.field or cell.column for role, cell in cells.items()}
        called |= {"position": ordered} if ordered and not listed else {}
        kinds: dict[str, str] = {
            role: kind_of_ids(made.schema[role].dataType, role, _where(what), called[role])
            for role in ("user", "item", "group")
            if role in called
        }
        return cls(what, made, called, kinds, listed)

    @property
    def ordered(self) -> bool:
        """Whether something says how the rows of a user stand."""
        return self.listed or bool({"position", "rank"} & {*self.called})

    @property
    def roles(self) -> list[str]:
        """What there is of each row."""
        return [*self.called, *(["position"] if self.listed else [])]

    def sent_as(self, role: str) -> str:
        """The type of Spark in which workers get this role; an InputError for numbers that are none."""
        if role in self.kinds:
            return _SENT[self.kinds[role]]
        name = self.called.get(role, role)
        return number_sent_as(self.table.schema[role].dataType, role, _where(self.what), name)


def _where(what: What) -> str:
    return what if what == "seen=" else f"the {what}"


def wanted(what: What, named: RoleColumns) -> ColumnSpec:
    """What is looked for in a side, as in a table in memory."""
    return ColumnSpec("rankings" if what == "run" else "labels", {role: named.get(role) for role in ROLES[what]})


def _refuse_unread(
    what: What, table: Any, given: Mapping[str, ColumnPath], cells: Mapping[str, ColumnPath], named: RoleColumns
) -> None:
    """An InputError where there are numbers in a column that nobody recognised, and neither grade, score nor rank."""
    name_of_cell = {cell: name for name, cell in given.items()}
    found = {role: name_of_cell[cell] for role, cell in cells.items()}
    refuse_unread([*given], found, wanted(what, named), _where(what), lambda name: holds_numbers(table, given[name]))


def _find(what: What, cells: Mapping[str, ColumnPath], named: RoleColumns) -> dict[str, ColumnPath]:
    found = find_columns([*cells], wanted(what, named), _where(what))
    if places_of(found.get("item", ""), cells, _where(what)):
        wrong, do = "these are spans of documents, and here a row has a whole item", "Pass toPandas() to rc.evaluate"
        raise InputError(wrong, where=_where(what), do=do)
    return {role: cells[name] for role, name in found.items() if role in ROLES[what]}


def _refuse_calls(cells: Mapping[str, ColumnPath]) -> None:
    """An InputError for a column of several searches for one task."""
    for name in cells:
        if is_usual("call", name):
            wrong = f"the column '{name}' numbers the searches for a task, and here a user has one list"
            raise InputError(wrong, where="the run", do="Drop it, or pass run.toPandas() to rc.evaluate")


def _refuse_two_orders(named: RoleColumns, rank: str, position: str) -> None:
    """An InputError where a caller names a column of ranks and one of positions; a usual name alone is passed over."""
    if named.get("rank") is not None:
        do = "Leave out the one that does not order the lists"
        raise InputError(f"rank={rank!r} and position={position!r} are both named", where="the run", do=do)


def is_table(given: Any) -> bool:
    """Whether this is a DataFrame of Spark; those of Spark Connect take any attribute's name for a column."""
    return hasattr(type(given), "mapInArrow")


def tables(**given: Any) -> dict[str, Any]:
    """Tables of Spark, by what they are; an InputError for what is none. Those of pandas on Spark become such."""
    found = {name: one.to_spark() if hasattr(type(one), "to_spark") else one for name, one in given.items()}
    for name, one in found.items():
        if not is_table(one):
            kind = type(one).__name__
            do = "Pass a DataFrame: spark.table(…), spark.read.parquet(…). Data in memory needs no Spark: rc.evaluate."
            raise InputError(f"the {name} {'is' if name == 'run' else 'are'} no table of Spark ({kind})", do=do)
    return found


def check_kinds(sides: Sequence[SparkSide]) -> None:
    """An InputError where ids of two sides are of different types, so that nothing can match."""
    first, *others = sides
    for other in others:
        for role in ("user", "item"):
            ours, theirs = first.kinds[role], other.kinds[role]
            if ours != theirs:
                there = f"in {_where(other.what)}"
                wrong = f"{role} ids are {ours} in {_where(first.what)} and {theirs} {there}, so nothing can match"
                names = [f"'{side.called[role]}' of {_where(side.what)}" for side in (first, other)]
                do = f"Cast the column {' or '.join(names)}"
                raise InputError(wrong, do=do)


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
    ordered: bool
    """Whether positions say how rows stand, so that no two of a user may have the same."""

    @classmethod
    def of(cls, side: SparkSide) -> "Sent":
        """The columns of a side as it is sent."""
        columns = {role: _column(role, side.sent_as(role)) for role in side.roles}
        return cls(side.what, columns, side.called, side.listed, "position" in columns)


def _column(role: str, kind: str) -> str:
    """Users and items have the same type on all sides."""
    return (
        role
        if role in ("user", "item")
        else "".join(c if c.isalnum() else "_" for c in f"{_SHARED.get(role, role)}_{kind}")
    )


def together(sides: Sequence[SparkSide], partitions: int | None) -> tuple[Any, tuple[Sent, ...]]:
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
