"""The parts of labels and a run that only some settings and metrics read, and what each of them declares to read."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

DataPart = Literal["grades", "label-order", "user-order", "scores", "order", "order-repeats", "ranks"]
"""What a definition may read besides the items of labels, the signs of their grades, and the ranking by falling score:

`grades` is the grades themselves, `scores` the scores themselves. `label-order` is the order of a user's labels, and
`user-order` that of the users. `order` is the order of rows as given, where ties or scores that rise leave it open;
`order-repeats` the order of the rows of one item alone. `ranks` are those that the run states."""
ALL_PARTS: frozenset[DataPart] = frozenset(get_args(DataPart))
_OF_GRADES = {"grades", "highest", "own_highest"}
"""What a setting is given that is made of grades."""


def is_own(module: str) -> bool:
    """Whether this is a module of rankconv, whose settings and metrics declare all that they read."""
    return module.partition(".")[0] == __name__.partition(".")[0]


def parts_read(module: str, declared: Any, given: Iterable[str], keywords: Mapping[str, Any]) -> frozenset[DataPart]:
    """What a setting reads whose function is of this module: what it declares; a plugin's that declares nothing, all.

    `declared` are the parts, or a function that gives them for the parameters of the setting; None for nothing. `given`
    are the names of the data that the setting is given.
    """
    if declared is not None:
        return frozenset(declared(**keywords) if callable(declared) else declared)
    if not is_own(module):
        return ALL_PARTS
    return frozenset({"grades"} if _OF_GRADES & {*given} else ())
