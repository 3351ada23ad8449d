"""The items of one user and their numbers as two lists, in either order: what a call of a model gives for a user.

`recommend` of implicit gives (ids, scores), `torch.topk` (values, indices). Texts are items, and fractions are numbers.
"""

from collections.abc import Sequence
from typing import Any, Literal

from rankconv.basics.errors import InputError
from rankconv.data.inputs.array_input import NO_ITEM, as_numpy, is_array
from rankconv.data.inputs.input_rows import ColumnSpec
from rankconv.data.inputs.values import as_list

ListKind = Literal["items", "numbers", "integers"]
"""What a list has; integers may be either."""


def have_two_lists(owned: Sequence[Any]) -> bool:
    """Whether each user who owns anything has a tuple of two lists or arrays, of one dimension and of one length."""
    pairs = _owned_tuples(owned)
    return bool(pairs) and all(map(_are_lists, pairs)) and len(pairs) + sum(map(_is_empty, owned)) == len(owned)


def _owned_tuples(owned: Sequence[Any]) -> list[Any]:
    return [one for one in owned if isinstance(one, tuple) and one]


def _is_empty(owned: Any) -> bool:
    return isinstance(owned, list | tuple | dict) and not owned


def _are_lists(pair: Any) -> bool:
    return len(pair) == 2 and all(map(_is_list, pair)) and len(pair[0]) == len(pair[1])


def _is_list(value: Any) -> bool:
    return isinstance(value, list) or (is_array(value) and len(value.shape) == 1)


def kinds_of_lists(owned: Sequence[Any]) -> tuple[ListKind | None, ListKind | None]:
    """What the first lists of these users have, and the second ones; None where they differ, or hold other values."""
    pairs = _owned_tuples(owned)
    return _common_kind([first for first, _ in pairs]), _common_kind([second for _, second in pairs])


def _common_kind(lists: Sequence[Any]) -> ListKind | None:
    kinds = {_kind(_values(one)) for one in lists if len(one)}
    if kinds == {"integers", "numbers"}:
        return "numbers"
    return kinds.pop() if len(kinds) == 1 else None


def _kind(values: list[Any]) -> ListKind | None:
    types = set(map(type, values))
    if types == {str}:
        return "items"
    if types == {int}:
        return "integers"
    return "numbers" if types <= {int, float} else None


def item_number_pairs(owned: Sequence[Any], spec: ColumnSpec, source: str) -> list[Any] | None:
    """The list of (item, number) pairs of each user who has two lists; None where these can be nothing but pairs.

    InputError where either list may have the items, or each may be a pair.
    """
    kinds = kinds_of_lists(owned)
    are_integers = kinds == ("integers", "integers")
    if not are_integers and (None in kinds or kinds[0] == kinds[1]):
        return None
    may_be_pairs = all(isinstance(one, list) and _may_be_pair(one) for pair in _owned_tuples(owned) for one in pair)
    if are_integers or may_be_pairs:
        lists, pair = f"items, {spec.number}s", f" or be a pair (item, {spec.number})" if may_be_pairs else ""
        wrong = f"each of these two lists of numbers may have the items{pair}"
        do = f"Pass {{user: dict(zip({lists})) for user, ({lists}) in data.items()}}"
        do += ", or {user: dict(pairs) for user, pairs in data.items()}" if may_be_pairs else ""
        raise InputError(wrong, where=source, do=do)
    items = 1 if kinds[0] == "numbers" or kinds[1] == "items" else 0
    return [[] if _is_empty(one) else _pairs(one[items], one[1 - items], spec) for one in owned]


def _may_be_pair(values: list[Any]) -> bool:
    return len(values) == 2 and isinstance(values[0], int | str) and isinstance(values[1], int | float)


def _pairs(items: Any, numbers: Any, spec: ColumnSpec) -> list[tuple[Any, Any]]:
    padding = NO_ITEM if spec.padding is None else spec.padding
    pairs = zip(_values(items), _values(numbers), strict=True)
    return list(pairs) if isinstance(items, list) else [(item, number) for item, number in pairs if item != padding]


def _values(values: Any) -> list[Any]:
    return values if isinstance(values, list) else as_list(as_numpy(values, "an array"))
