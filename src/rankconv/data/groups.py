"""Labels in groups: which items serve which subtopic of a user, and how well."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Fixed, Numbers
from rankconv.data.ids import Ids


@dataclass(frozen=True, eq=False)
class Groups(Fixed):
    """The groups of each user's labels: one row for each item of each group, in the order given.

    A group belongs to one user: groups of equal name of two users have nothing in common. An item may stand in several
    groups, with a grade in each. User `u` of the labels owns rows `starts[u]` to `starts[u + 1]`.
    """

    names: Ids
    starts: Codes
    """Shape (users + 1,)."""
    group: Codes
    """Code of the group of each row."""
    item: Codes
    """Code of the item in each row, among those of the labels."""
    grade: Numbers

    def of(self, user: int, items: Ids) -> dict[Any, dict[Any, float]]:
        """The groups of the user of this code: the grade of each item, by group."""
        found: dict[Any, dict[Any, float]] = {}
        for row in range(int(self.starts[user]), int(self.starts[user + 1])):
            group = found.setdefault(self.names.id(int(self.group[row])), {})
            group[items.id(int(self.item[row]))] = float(self.grade[row])
        return found


def best_rows(key: Codes, group: Codes, grade: Numbers) -> Codes:
    """The rows that stay where groups are no matter, rising: of each item those of the group that grades it highest.

    `key`, one number for each pair of user and item, `group` and `grade` have shape (rows,). Of groups that grade an
    item alike the first counts; what one group says twice of an item stays twice.
    """
    order = np.lexsort((-grade, key))  # stable: of equal grades the first row comes first
    first = np.append(True, key[order][1:] != key[order][:-1]) if len(key) else np.empty(0, bool)
    best = np.empty_like(group)
    best[order] = group[order[first]][np.cumsum(first) - 1]
    return np.flatnonzero(group == best)
