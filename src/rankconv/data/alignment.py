"""The one place that knows how every table names its users and its items, and whether two tables can meet.

Tables are the labels, the run, what users have seen, training interactions, the catalogue, features and parents of
items, listed users, and batches of these. In each, users and items are

* *named*, where ids say them: keys of a dict, columns of a table, fields of a file, the numbers in an array of item
  ids, and what `user_ids=` and `item_ids=` give;
* *placed*, where they are rows and columns: the rows of arrays, of sparse matrices and of lists in turn, and the
  columns of matrices of numbers. A place is a number from 0 on, and `Form` of a table says what is placed.

When two tables meet, users meet users and items meet items:

| | named | placed |
|---|---|---|
| named | ids of one type | whole numbers are taken for places, which is said; all else is refused |
| placed | | as many of them, also in sparse matrices; else refused |

Whole numbers that meet places are refused where one is no place, and where they look counted from 1: 0 is neither a
user nor an item, and the last place is one. Gaps mean nothing. What the caller has named is not guessed at: consecutive
numbers in `user_ids=` are places, and nothing is said of these; in `item_ids=` they say that users are numbered so too.

Of batches, whose rows are named by `evaluation.streaming.batch_rows`, the evidence of counting from 1 adds up.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from rankconv.basics.errors import InputError
from rankconv.data.attributes import Form
from rankconv.data.ids import IdKind, Ids, quoted
from rankconv.data.labels_and_rankings import Labels, Run

Role = Literal["user", "item"]
ROLES: tuple[Role, ...] = ("user", "item")
_PLACES: dict[Role, str] = {"user": "rows", "item": "columns"}
_KINDS = {"dense": "an array", "sparse": "a sparse matrix", "ids": "an array of item ids"}
_EXAMPLES = 3


@dataclass(frozen=True, eq=False)
class IdTable:
    """How a table that enters names users and items."""

    name: str
    """In messages: the labels, the run, seen=."""
    users: Ids | None = None
    """None where it has no users."""
    item_kind: IdKind = "none"
    some_items: Callable[[int], Iterable[Any]] = lambda count: ()
    all_items: Callable[[], Ids | None] = lambda: None
    """Coded on first use, and so for whole numbers alone."""
    form: Form = field(default=Form())
    is_set: bool = False
    """Whether it tells of each user or item nothing but that it is there."""

    @classmethod
    def of(cls, read: Labels | Run, name: str) -> "IdTable":
        """The table that labels, interactions or a run came in."""
        return cls(name, read.users, read.item_kind, read.some_items, lambda: read.items, read.form)

    @classmethod
    def of_items(cls, items: Ids, name: str, *, is_set: bool = False) -> "IdTable":
        """A table of items without users."""
        some: Callable[[int], Iterable[Any]] = lambda count: items.values[:count].tolist()
        return cls(name, None, items.kind, some, lambda: items, is_set=is_set)

    @classmethod
    def of_users(cls, users: Ids, name: str) -> "IdTable":
        """A list of users."""
        return cls(name, users, is_set=True)

    def placed(self, role: Role) -> bool:
        """Whether its users, or its items, are places."""
        return self.form.users_placed if role == "user" else self.form.items_placed

    def kind(self, role: Role) -> IdKind:
        """What the ids of its users or items are; none without these."""
        if role == "item":
            return self.item_kind
        return "none" if self.users is None else self.users.kind

    def ids(self, role: Role) -> Ids | None:
        """The ids of its users or items, places too."""
        return self.users if role == "user" else self.all_items()

    def places(self, role: Role) -> range:
        """The places of users or items that are placed."""
        if role == "item":
            return range(self.form.shape[1])
        assert self.users is not None
        first = int(self.users.values[0]) if len(self.users) else 0
        return range(first, first + len(self.users))

    def has(self, role: Role, number: int) -> bool:
        """Whether this number is one of its users or items."""
        ids = self.ids(role) if self.kind(role) == "integer" else None
        return ids is not None and bool((ids.values == number).any())

    def examples(self, role: Role) -> str:
        """The first few ids."""
        if role == "user":
            return "" if self.users is None else self.users.examples(_EXAMPLES)
        some = [*self.some_items(_EXAMPLES + 1)]
        return ", ".join(map(quoted, some[:_EXAMPLES])) + (", …" if len(some) > _EXAMPLES else "")

    @property
    def call(self) -> str:
        """What names the rows and columns of it, up to these names."""
        argument = self.name.removeprefix("the ").removesuffix("=")
        return f"{'rc.Run' if argument == 'run' else 'rc.Labels'}({argument}, "

    @property
    def shape(self) -> str:
        """Its shape, in words."""
        if self.form.kind:
            return f"{self.name}: {_KINDS[self.form.kind]} of shape {self.form.shape}"
        return f"{self.name}: {0 if self.users is None else len(self.users)} lists in turn"


def check_meeting(one: IdTable, other: IdTable, *, placed_sides: tuple[IdTable, ...] = ()) -> None:
    """An InputError where the users or items of two tables cannot be those of both, or are not known to be.

    Of `placed_sides` tables, one of which is here, those with the same places need the same names.
    """
    _check_counts(one, other)
    for role, named, placed in _named_and_placed(one, other):
        to_name = [placed]
        if any(table is placed for table in placed_sides):
            to_name += [table for table in placed_sides if table is not placed and table.placed(role)]
        if named.kind(role) == "integer":
            _check_numbers(role, named, placed, to_name)
        elif named.kind(role) != "none":
            raise _texts_at_places(role, named, placed, to_name)


def _naming(role: Role, tables: Sequence[IdTable]) -> str:
    """The calls that name the rows or columns of these tables, and what else of them has no names."""
    calls = []
    for table in tables:
        roles = [one for one in ROLES if one == role or table.placed(one)]
        calls.append(f"{table.call}{', '.join(f'{one}_ids=…' for one in roles)})")
    return " and ".join(calls)


def check_types(one: IdTable, other: IdTable) -> None:
    """An InputError where both name users or items, by ids of two types that no two of them can match."""
    for role in ROLES:
        ours, theirs = one.kind(role), other.kind(role)
        if "none" not in (ours, theirs) and ours != theirs:
            wrong = f"{role} ids are {theirs} in {other.name} ({other.examples(role)}) and {ours} elsewhere"
            raise InputError(wrong, do="Convert them, so that all have the same type.")


def notes_of_meeting(one: IdTable, other: IdTable) -> tuple[str, ...]:
    """A sentence on whole numbers that are taken for places; none where the caller says that they are."""
    said = one.form.in_order | other.form.in_order
    found = [
        (role, named, placed)
        for role, named, placed in _named_and_placed(one, other)
        if _decides(role, named, placed) and said.isdisjoint({role, "item"})
    ]
    notes = []
    for table in dict.fromkeys(placed.name for _, _, placed in found):
        roles = [role for role, _, placed in found if placed.name == table]
        named, placed = next((named, placed) for _, named, placed in found if placed.name == table)
        what, where = (" and ".join(of) for of in ([f"{role}s" for role in roles], [_PLACES[role] for role in roles]))
        ids = ", ".join(f"{role}_ids=…" for role in roles)
        notes.append(
            f"The {what} of {named.name} are whole numbers, and are taken for the {where} of "
            f"{placed.name}, counted from 0. If they are ids, say which {where} these are: {placed.call}{ids}). "
            f"{roles[-1]}_ids=range(n) says that they are numbers of {_PLACES[roles[-1]]}."
        )
    return tuple(notes)


def _decides(role: Role, named: IdTable, placed: IdTable) -> bool:
    """Whether it matters which id is which place: not of a set of all places."""
    if named.kind(role) != "integer":
        return False
    ids = named.ids(role)
    return not named.is_set or ids is None or len(ids) < len(placed.places(role))


def _named_and_placed(one: IdTable, other: IdTable) -> list[tuple[Role, IdTable, IdTable]]:
    """The roles that one table names and the other places, with these two tables."""
    return [
        (role, named, placed)
        for role in ROLES
        for named, placed in ((one, other), (other, one))
        if placed.placed(role) and not named.placed(role) and named.kind(role) != "none"
    ]


def _check_counts(one: IdTable, other: IdTable) -> None:
    """An InputError where both have places, and not as many."""
    if any(table.form.in_turn and not len(table.users or ()) for table in (one, other)):
        return  # an empty list is nobody
    both = [role for role in ROLES if one.placed(role) and other.placed(role)]
    differ = [role for role in both if len(one.places(role)) != len(other.places(role))]
    if not differ:
        return
    columns = one.placed("item") and other.placed("item")
    tables = [table for table in (one, other) if table.form.kind == "sparse"] or [other]
    ids = ", ".join(f"{role}_ids=…" for role in differ)
    raise InputError(
        f"the arrays do not fit each other ({one.shape}; {other.shape})",
        allowed="Both have one row for each user" + (", and one column for each item" if columns else ""),
        do="Give both the same users and items; a user without any has zeros, an empty list, or padding where there "
        f"are ids; or say which {' and '.join(_PLACES[role] for role in differ)} there are: {tables[0].call}{ids})",
    )


def _texts_at_places(role: Role, named: IdTable, placed: IdTable, to_name: Sequence[IdTable]) -> InputError:
    places, where = placed.places(role), _PLACES[role]
    numbered = f"the {where} {places[0]} to {places[-1]}" if places else f"no {where}"
    some = ", ".join(f'"{one}": …' for one in (() if named.users is None else named.users.values[:2].tolist()))
    return InputError(
        f"{role}s have names in {named.name} ({named.examples(role)}), and are {numbered} in {placed.name}",
        allowed=f"A {where[:-1]} may be any of these {role}s",
        do=f"Say which {role} each {where[:-1]} is: {_naming(role, to_name)}",
        shell=f"Give each list its user: {{{some}}} in place of lists in turn" if placed.form.in_turn else "",
    )


def _check_numbers(role: Role, named: IdTable, placed: IdTable, to_name: Sequence[IdTable]) -> None:
    """An InputError for a whole number that is no place."""
    ids, places = named.ids(role), placed.places(role)
    if ids is None or not len(ids):
        return
    odd = next((one for one in (int(ids.values.max()), int(ids.values.min())) if one not in places), None)
    if odd is not None:
        where = _PLACES[role]
        raise InputError(
            f"{role} {odd} of {named.name} is none of the {len(places)} {where} of {placed.name}",
            do=f"Number {role}s by {where}, or name these: {_naming(role, to_name)}",
        )


@dataclass(frozen=True)
class Counting:
    """Whether whole numbers that meet places count from 1; users may come in batches."""

    zero: bool = False
    """Whether 0 is a user or an item."""
    last_item: int = -1
    """The item in the last column; -1 where it is none."""
    highest_user: int = -1
    """The highest number of a user that met rows."""
    rows: int = 0
    """So many rows there are."""
    tables: tuple[IdTable, ...] = field(default=(), repr=False)
    """One that has names, and one that has places, without what they hold."""

    def plus(self, other: "Counting") -> "Counting":
        """The evidence of both."""
        return Counting(
            self.zero or other.zero,
            max(self.last_item, other.last_item),
            max(self.highest_user, other.highest_user),
            max(self.rows, other.rows),
            self.tables or other.tables,
        )

    @classmethod
    def of(cls, one: IdTable, other: IdTable) -> "Counting":
        """The evidence of two tables; none where the caller has named the places of one."""
        found = cls()
        if any(table.form.users_named or table.form.items_named for table in (one, other)):
            return found
        for role, named, placed in _named_and_placed(one, other):
            if named.kind(role) != "integer" or not placed.places(role):
                continue
            last = placed.places(role)[-1]
            found = replace(found, zero=found.zero or named.has("user", 0) or named.has("item", 0))
            ids = named.ids(role)
            if role == "item" and named.has(role, last):
                found = replace(found, last_item=last)
            if role == "user" and ids is not None and len(ids):
                found = replace(found, highest_user=int(ids.values.max()), rows=last + 1)
            found = replace(found, tables=tuple(IdTable(table.name, form=table.form) for table in (named, placed)))
        return found

    def refuse(self) -> None:
        """Raise InputError where the numbers look counted from 1."""
        role: Role = "item" if self.last_item >= 0 else "user"
        last = self.last_item if role == "item" else self.rows - 1
        if self.zero or not self.tables or (role == "user" and self.highest_user != last):
            return
        named, placed = self.tables
        where, columns = _PLACES[role], placed.form.shape[1] if placed.form.items_placed else 0
        counts = {"user_ids": self.rows, "item_ids": columns}
        from_1 = ", ".join(f"{ids}=range(1, {count + 1})" for ids, count in counts.items() if count)
        raise InputError(
            f"the whole numbers of {named.name} look counted from 1: 0 is neither a user nor an item there, and "
            f"{role} {last} is one",
            allowed=f"{where.capitalize()} of {placed.name} are numbered from 0 on, 0 to {last}",
            do=f"Pass {placed.call}{from_1}) if they count from 1, and {placed.call}{role}_ids=range({last + 1})) if "
            "they count from 0",
        )
