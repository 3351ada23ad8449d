"""Lists of relevant and of returned items, paired by position, as many small libraries take them."""

from collections.abc import Hashable, Iterable
from typing import Any

import rankconv as rc
from rankconv.compat.errors import WrongType
from rankconv.typing import Number

Rows = dict[int, list[int]]
"""The items of each user, numbered; users are numbered by their place."""


class _Further:
    """A second label for an item: one more that could be found, and equals none that is returned."""


def paired(actual: Iterable[Any], predicted: Iterable[Any], *, repeats_count: bool = False) -> tuple[Rows, Rows]:
    """Labels and run of two lists of lists; the shorter one ends the pairing, as `zip` does.

    Items are compared as Python does, so 1, 1.0 and True are one item. `repeats_count`: an item that is relevant
    twice makes the user's relevant items one more, as `len` counts them, although it can be found once alone.

    Raises WrongType for users and items that are no lists of things that a dictionary could hold.
    """
    number_of: dict[Hashable, int] = {}
    labels: Rows = {}
    run: Rows = {}
    try:
        for user, (true, found) in enumerate(zip(actual, predicted, strict=False)):
            known: dict[Hashable, None] = {}
            for item in true:
                known[_Further() if repeats_count and item in known else item] = None
            labels[user], run[user] = (
                [number_of.setdefault(item, len(number_of)) for item in one] for one in (known, found)
            )
    except TypeError as problem:
        raise WrongType(f"each user has a list of items here: {problem}", do="Pass lists of numbers or text.") from None
    return labels, run


def mean(definition: rc.Definition, actual: Any, predicted: Any, *, repeats_count: bool = False) -> Number:
    """What a definition gives for lists that are paired by position."""
    number: Number = definition(*paired(actual, predicted, repeats_count=repeats_count))
    return number
