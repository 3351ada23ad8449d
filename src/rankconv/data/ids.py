"""Ids of users and items: kept as they came, counted once, referred to by code."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from math import isnan
from operator import index
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Fixed, own
from rankconv.errors import InputError

Kind = Literal["text", "integer", "compound", "none"]
"""What the ids are; compound ones are tuples of texts and integers, "none" is where there is no id at all."""


@dataclass(frozen=True, eq=False)
class Ids(Fixed):
    """Distinct ids in the order of their first appearance; the code of an id is its place here.

    Text stays text and integers stay integers: `1` and `"1"` are different ids. What is more than a text or an
    integer, such as a member of `class Genre(str, Enum)`, is the text or integer that it is.
    """

    values: NDArray[Any]
    kind: Kind

    def __len__(self) -> int:
        return len(self.values)

    def id(self, code: int) -> Any:
        """The id of a code, as plain text or integer."""
        return self.values[code : code + 1].tolist()[0]

    def are(self, others: "Ids") -> bool:
        """Whether these are the others, in the same order."""
        return bool(np.array_equal(self.values, others.values))

    @cached_property
    def digest(self) -> str:
        """Some letters that tell these ids, in whatever order, from others."""
        told = "\n".join(sorted(map(repr, self.values.tolist())))
        return sha256(told.encode("utf-8", "backslashreplace")).hexdigest()[:16]

    @cached_property
    def code_of(self) -> dict[Any, int]:
        """The code of each id."""
        return {value: code for code, value in enumerate(self.values.tolist())}

    def code(self, user_or_item: Any) -> int:
        """The code of one id as a caller gives it; KeyError where it is none of these."""
        return self.code_of[plain_id(user_or_item)]

    def codes_of(self, others: "Ids") -> Codes:
        """The code here of each of the others, shape (others,); -1 for one that is none of these."""
        code_of = self.code_of
        return np.fromiter((code_of.get(value, -1) for value in others.values.tolist()), np.int64, len(others))

    @cached_property
    def text_rank(self) -> Codes:
        """The place of each id, shape (ids,), when all are sorted as text, by code point, as string comparison does."""
        texts = [str(value) for value in self.values.tolist()]
        rank = np.empty(len(texts), np.int64)
        rank[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))  # polars deadlocks after a fork
        return own(rank)

    @cached_property
    def number_rank(self) -> NDArray[np.float64]:
        """The place of each id when all are sorted as numbers, shape (ids,) float64; NaN where an id is no number.

        Equal numbers have one place. Integers are compared as integers: as float64, those beyond 2^53 would be equal to
        their neighbours.
        """
        numbers = [_number(value) for value in self.values.tolist()]
        place = {number: at for at, number in enumerate(sorted({one for one in numbers if one is not None}))}
        return own(np.array([np.nan if one is None else place[one] for one in numbers], np.float64))

    @cached_property
    def not_a_number(self) -> str:
        """The least id, as text, that is no number; empty where all are numbers."""
        return min(map(str, self.values[np.isnan(self.number_rank)].tolist()), default="")

    def examples(self, count: int = 3) -> str:
        """The first few ids as a person would type them."""
        shown = ", ".join(map(quoted, self.values[:count].tolist()))
        return shown + (", …" if len(self) > count else "")


def _number(value: str | int) -> int | float | None:
    with suppress(ValueError):
        return int(value)
    with suppress(ValueError):
        return None if isnan(float(value)) else float(value)
    return None


def plain_id(value: Any) -> Any:
    """A text or an integer as Python's own, whatever else it is: a member of an Enum, a number of NumPy's.

    Of a tuple each part is made so.
    """
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, tuple):
        return tuple(map(plain_id, value))
    return index(value) if isinstance(value, int | np.integer) and not isinstance(value, bool) else value


def plain_ids(values: Sequence[Any]) -> Sequence[Any]:
    """Many ids made plain; those that are plain already are not copied."""
    return values if set(map(type, values)) <= {str, int} else [plain_id(value) for value in values]


def kind_of(values: Iterable[Any], what: str) -> Kind:
    """Whether these ids are text, integers or tuples of these; anything else, or several at once, is an error."""
    values = list(values)
    kinds = {type(value) for value in values}
    if not kinds:
        return "none"
    if all(issubclass(kind, str) for kind in kinds):
        return "text"
    if all(issubclass(kind, (int, np.integer)) and not issubclass(kind, bool) for kind in kinds):
        return "integer"
    if all(issubclass(kind, tuple) for kind in kinds):
        parts = {parts_of(value) for value in values}
        if len(parts) == 1 and all(parts):
            return "compound"
    names = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise InputError(
        f"{what} ids must be all text or all integers, and these are of type: {names}",
        do="Convert the column to one type before you pass it.",
    )


def parts_of(value: Any) -> str:
    """What the parts of a compound id are: `text, integer`; empty for what is none."""
    if not isinstance(value, tuple) or not value:
        return ""
    kinds = ["text" if isinstance(one, str) else "integer" if _is_integer(one) else "" for one in value]
    return ", ".join(kinds) if all(kinds) else ""


def parts_as_tuple(value: Any) -> tuple[Any, ...]:
    """The parts of an id, which is its own only part unless it is compound."""
    return value if isinstance(value, tuple) else (value,)


def typed(value: Any) -> str:
    """An id as a person types it: the parts of a compound one with commas between them."""
    return ",".join(map(str, parts_as_tuple(value)))


def quoted(value: Any) -> str:
    """An id in a sentence, as Python writes it; a compound one as it is typed: `'u1'`, `7`, `'u1,3'`."""
    return repr(typed(value) if isinstance(value, tuple) else value)


def columns_of(name: str, values: Sequence[Any]) -> dict[str, list[Any]]:
    """The columns of a table that hold these ids: one, or one for each part of compound ones."""
    if not values or not isinstance(values[0], tuple):
        return {name: list(values)}
    return {f"{name}_{at}": list(part) for at, part in enumerate(zip(*values, strict=True), 1)}


def _is_integer(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def make_ids(distinct: Sequence[Any], what: str) -> Ids:
    """Ids from values that are already distinct."""
    kind = kind_of(distinct, what)
    if kind == "integer":
        return Ids(own(np.array(distinct, np.int64)), kind)
    return Ids(own(np.fromiter(plain_ids(distinct), object, len(distinct))), kind)


def encode(values: Iterable[Any], what: str) -> tuple[Codes, Ids]:
    """The code of each value, shape (values,), and the distinct values in order of first appearance."""
    listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    distinct = dict.fromkeys(listed)
    ids = make_ids(list(distinct), what)
    code_of = {value: code for code, value in enumerate(distinct)}
    return np.fromiter(map(code_of.__getitem__, listed), np.int64, len(listed)), ids


def unite(first: Ids, second: Ids, what: str, *, spelling: bool = True) -> tuple[Ids, Codes]:
    """All ids of both, the first's codes unchanged, and the new code of each of the second's, shape (second,).

    An InputError where they are of two types, or, asked for `spelling`, differ in nothing but how they are written.
    """
    if "none" not in (first.kind, second.kind) and first.kind != second.kind:
        side = "labels" if first.kind == "integer" else "rankings"
        raise InputError(
            f"{what} ids are {first.kind} in the labels ({first.examples()}) and {second.kind} in the rankings "
            f"({second.examples()}), so nothing can match",
            do=f"Make those of the {side} text too: in pandas frame['{what}'].astype(str), in polars .cast(pl.String)",
            shell=f"Write those of the {side} as text too: save the column '{what}' of that file as text",
        )
    if first.kind == second.kind == "compound":
        _refuse_other_parts(first, second, what)
    if first.kind == second.kind and first.are(second):
        return first, np.arange(len(second))
    if first.kind == second.kind == "integer":
        codes, new = _places(first.values, second.values)
        return Ids(np.append(first.values, new), first.kind), codes
    code_of, asked = first.code_of, second.values.tolist()
    more = [value for value in asked if value not in code_of]
    if more:
        if spelling and first.kind == second.kind != "compound" and len(more) == len(second):
            _refuse_other_spelling(first, second, what)
        code_of = code_of | {value: code for code, value in enumerate(more, len(first))}
    codes = np.fromiter(map(code_of.__getitem__, asked), np.int64, len(asked))
    return make_ids(list(code_of), what) if more else first, codes


_SPELLINGS: dict[str, Callable[[str], str]] = {
    "blanks": str.strip,
    "capital letters": str.casefold,
    "zeros before numbers": lambda text: text.lstrip("0") or "0",
    "'.0' behind numbers": lambda text: text.removesuffix(".0"),
}
"""In what ids of two sides differ that mean the same, and how they become the same."""
_TOO_FEW = 3
"""So few ids may be alike by chance."""


def _refuse_other_spelling(first: Ids, second: Ids, what: str) -> None:
    """An InputError where the sides have no id in common, and would have half of them if both wrote ids alike."""
    ours, theirs = first.values.tolist(), second.values.tolist()
    for differs, alike in _SPELLINGS.items():
        common = set(map(alike, ours)) & set(map(alike, theirs))
        if len(common) >= max(_TOO_FEW, min(len(ours), len(theirs)) / 2):
            raise InputError(
                f"no {what} id of the labels ({first.examples()}) is one of the rankings ({second.examples()}), "
                f"and {len(common)} would be but for {differs}",
                do=f"Write the {what} ids of both sides alike",
            )


def _refuse_other_parts(first: Ids, second: Ids, what: str) -> None:
    """An InputError where the parts of compound ids are of other types, so that no two can be equal."""
    ours, theirs = parts_of(first.id(0)), parts_of(second.id(0))
    if ours != theirs:
        raise InputError(
            f"{what} ids are of ({ours}) in the labels ({first.examples()}) and of ({theirs}) in the rankings "
            f"({second.examples()}), so nothing can match",
            do="Convert the parts of both sides to the same types; files of plain text always give text",
        )


def _places(known: Codes, asked: Codes) -> tuple[Codes, Codes]:
    """The place of each number among `labels-used`, new ones following these, shape as `asked`; and those that are new."""
    codes = _in_table(known, asked) if _is_narrow(known) else _in_order(known, asked)
    new = codes < 0
    codes[new] = len(known) + np.arange(np.count_nonzero(new))
    return codes, asked[new]


def _is_narrow(known: Codes) -> bool:
    """Whether these numbers, shape (known,), span so few that a table with a place for each of them is small."""
    return len(known) > 0 and int(known.max()) - int(known.min()) < 8 * len(known)


def _in_table(known: Codes, asked: Codes) -> Codes:
    """The place of each number among `labels-used`, shape as `asked`; -1 where it is not known. Looks them up in a table."""
    least, greatest = int(known.min()), int(known.max())
    table = np.full(greatest - least + 2, -1)
    table[known - least] = np.arange(len(known))
    inside = (asked >= least) & (asked <= greatest)
    return table[np.where(inside, asked - least, -1)]


def _in_order(known: Codes, asked: Codes) -> Codes:
    """The place of each number among `labels-used`, shape as `asked`; -1 where it is not known. Sorts what is known."""
    if not len(known):
        return np.full(len(asked), -1)
    order = np.argsort(known, kind="stable")
    ordered = known[order]
    at = np.minimum(np.searchsorted(ordered, asked), len(known) - 1)
    return np.where(ordered[at] == asked, order[at], -1)
