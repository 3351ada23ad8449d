"""Ids of users and items: kept as they came, counted once, referred to by code."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from math import isnan
from operator import index
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, FrozenArrays, Numbers, take_ownership
from rankconv.errors import InputError

Kind = Literal["text", "integer", "compound", "none"]
"""What the ids are; compound ones are tuples of texts and integers, "none" is where there is no id at all."""


@dataclass(frozen=True, eq=False)
class Ids(FrozenArrays):
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
        """Letters that differ from those of other ids, whatever the order."""
        given = "\n".join(sorted(map(repr, self.values.tolist())))
        return sha256(given.encode("utf-8", "backslashreplace")).hexdigest()[:16]

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
        return take_ownership(rank)

    @cached_property
    def number_rank(self) -> NDArray[np.float64]:
        """The place of each id when all are sorted as numbers, shape (ids,) float64; NaN where an id is no number.

        Equal numbers have one place. Integers are compared as integers: as float64, those beyond 2^53 would be equal to
        their neighbours.
        """
        numbers = [_number(value) for value in self.values.tolist()]
        place = {number: at for at, number in enumerate(sorted({one for one in numbers if one is not None}))}
        return take_ownership(np.array([np.nan if one is None else place[one] for one in numbers], np.float64))

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
    """Return the kind of these ids: text, integers or tuples of these; InputError for others, or several."""
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
    kinds = [
        "text"
        if isinstance(one, str)
        else "integer"
        if isinstance(one, int | np.integer) and not isinstance(one, bool)
        else ""
        for one in value
    ]
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


def make_ids(distinct: Sequence[Any], what: str) -> Ids:
    """Ids from values that are already distinct."""
    kind = kind_of(distinct, what)
    if kind == "integer":
        return Ids(take_ownership(np.array(distinct, np.int64)), kind)
    return Ids(take_ownership(np.fromiter(plain_ids(distinct), object, len(distinct))), kind)


def encode(values: Iterable[Any], what: str) -> tuple[Codes, Ids]:
    """The code of each value, shape (values,), and the distinct values in order of first appearance."""
    listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    distinct = dict.fromkeys(listed)
    ids = make_ids(list(distinct), what)
    code_of = {value: code for code, value in enumerate(distinct)}
    return np.fromiter(map(code_of.__getitem__, listed), np.int64, len(listed)), ids


# clusters: ids that are drawn together


Cluster = int | Sequence[int] | Mapping[Any, Any]
"""The part of compound ids to resample by, counted from 1; several parts; or the cluster of each id."""


@dataclass(frozen=True, eq=False)
class Clusters(FrozenArrays):
    """The cluster of each id, numbered in the order of their first ids."""

    of: Codes
    """Shape (ids,)."""

    @cached_property
    def _order(self) -> Codes:
        return np.argsort(self.of, kind="stable")

    @cached_property
    def _starts(self) -> Codes:
        rising = self.of[self._order]
        return np.flatnonzero(np.append(True, rising[1:] != rising[:-1])[: len(rising)])

    def __len__(self) -> int:
        return len(self._starts)

    @cached_property
    def members(self) -> list[Codes]:
        """The places of the ids of each cluster, each of shape (its ids,)."""
        return np.split(self._order, self._starts[1:])

    def sums(self, values: NDArray[Any]) -> Numbers:
        """The values of each cluster added up, shape (clusters, …), from values of shape (ids, …)."""
        if not len(values):
            return np.asarray(values, np.float64)
        return np.asarray(np.add.reduceat(np.asarray(values, np.float64)[self._order], self._starts, axis=0))

    def among(self, places: Codes) -> "Clusters":
        """The clusters of some of the ids, at these places, shape (some,)."""
        return numbered(self.of[places])


def numbered(given: NDArray[Any]) -> Clusters:
    """Return the clusters of ids with equal numbers, shape (ids,)."""
    _, first, of = np.unique(given, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return Clusters(rank[of])


def clusters_of(ids: NDArray[Any], cluster: Cluster) -> Clusters:
    """Return the clusters of these ids, shape (ids,), as a caller names them.

    InputError for a part that the ids do not have, and for an id that a mapping does not have.
    """
    values = ids.tolist()
    given = _of_mapping(values, cluster) if isinstance(cluster, Mapping) else _of_parts(values, cluster)
    code_of = {one: code for code, one in enumerate(dict.fromkeys(given))}
    return Clusters(np.fromiter(map(code_of.__getitem__, given), np.int64, len(given)))


def _of_mapping(values: Sequence[Any], cluster: Mapping[Any, Any]) -> list[Any]:
    missing = next((value for value in values if value not in cluster), None)
    if missing is not None:
        raise InputError(f"user '{typed(missing)}' is in no cluster", where="cluster", do="Name one for every user.")
    return [cluster[value] for value in values]


def _of_parts(values: Sequence[Any], cluster: Any) -> list[Any]:
    several = list(cluster) if isinstance(cluster, (list, tuple)) else [cluster]
    if not several or any(isinstance(one, bool) or not isinstance(one, int) for one in several):
        allowed = "The number of a part of compound ids, from 1 on; several; or a dict from each user to their cluster"
        raise InputError(f"cluster={cluster!r:.100} names no clusters", allowed=allowed)
    if not values:
        return []
    if not isinstance(values[0], tuple):
        raise InputError(
            f"ids such as '{values[0]}' have no parts, of which one could be the cluster",
            where="cluster",
            do="Read ids of several columns, user=('uid', 'given'); or pass a dict from each user to their cluster.",
            shell="Read ids of several columns: --column user=uid,given.",
        )
    parts = len(values[0])
    odd = next((one for one in several if not 1 <= one <= parts), None)
    if odd is not None:
        wrong = f"there is no part {odd} of ids such as '{typed(values[0])}'"
        raise InputError(wrong, where="cluster", allowed=f"A number from 1 to {parts}")
    return [tuple(value[one - 1] for one in several) for value in values]
