"""What is seen of users, or of rows: how many there are, of how many, and those of the least ids."""

from collections.abc import Callable
from heapq import nsmallest

import numpy as np

from rankconv.analysis.findings.data import Data
from rankconv.analysis.findings.found import EXAMPLES, Example
from rankconv.analysis.findings.listed import Listed
from rankconv.analysis.findings.seen import Least
from rankconv.data.arrays import Codes, Mask
from rankconv.data.ids import Ids

Tell = Callable[[int], str]
"""What to say of one user or row, by its code or place."""
Counted = tuple[int, int, Least]
"""How often it is so, of how many, and the first examples."""


def of_users(data: Data, users: Mask, of: Mask, tell: Tell | None = None) -> Counted:
    """The users for whom it is so, among those looked at, `of`; both have shape (users,)."""
    codes, ids = np.flatnonzero(users), data.joined.users
    told = [(ids.id(code), tell(code) if tell else "") for code in least(ids, codes)] if not data.quick else []
    examples = Least.of([(user, Example(user, None, note)) for user, note in told])
    return len(codes), int(np.count_nonzero(of)), examples


def of_list_rows(data: Data, listed: Listed, rows: Mask, of: int | None = None, tell: Tell | None = None) -> Counted:
    """The ranked rows for which it is so, shape (rows,)."""
    places = np.flatnonzero(rows)
    usual: Tell = lambda row: f"rank {listed.place[row] + 1}"
    first = [] if data.quick else _first(data.joined.users, listed.user[places], places)
    ids = data.joined.users, data.joined.items
    found = ((ids[0].id(listed.user[row]), ids[1].id(listed.item[row]), row) for row in first)
    examples = Least.of([(user, Example(user, item, (tell or usual)(row))) for user, item, row in found])
    return len(places), len(listed) if of is None else of, examples


def of_label_rows(data: Data, rows: Mask) -> Counted:
    """The labels for which it is so, shape (labels,)."""
    labels, places = data.joined.labels, np.flatnonzero(rows)
    owner = np.searchsorted(labels.starts, places, side="right") - 1
    first = [] if data.quick else _first(labels.users, owner, places)
    users = np.searchsorted(labels.starts, first, side="right") - 1
    found = ((labels.users.id(user), row) for user, row in zip(users.tolist(), first, strict=True))
    told = [(user, labels.items.id(labels.item[row]), f"grade {labels.grade[row]:g}") for user, row in found]
    return len(places), len(rows), Least.of([(user, Example(user, item, note)) for user, item, note in told])


def _first(users: Ids, owner: Codes, places: Codes) -> list[int]:
    """The first of these places, shape (places,), by the ids of their owners, shape (places,), and as they stand.

    Those of one owner stand together.
    """
    begins = np.flatnonzero(np.append(True, owner[1:] != owner[:-1])[: len(owner)])
    found: list[int] = []
    for user in least(users, owner[begins]):
        begin = int(begins[np.flatnonzero(owner[begins] == user)[0]])
        found += places[begin : begin + EXAMPLES][owner[begin : begin + EXAMPLES] == user].tolist()
    return found[:EXAMPLES]


def least(ids: Ids, codes: Codes) -> list[int]:
    """The codes, of those given, shape (codes,), that have the least ids, in the order of these."""
    if ids.kind == "integer" and len(codes) > EXAMPLES:
        codes = codes[np.argpartition(ids.values[codes], EXAMPLES)[:EXAMPLES]]
    values = ids.values[codes].tolist()
    return [int(codes[place]) for place in nsmallest(EXAMPLES, range(len(values)), key=values.__getitem__)]
