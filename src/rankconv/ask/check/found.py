"""What a lint finds: how much of it, of how many, and the first three."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankconv.ask.check.listed import Listed
from rankconv.data.arrays import Mask
from rankconv.data.ids import quoted
from rankconv.data.joined import Joined

EXAMPLES = 3
"""How many examples a finding has at most."""


@dataclass(frozen=True)
class Example:
    """One place where it is so."""

    user: Any = None
    item: Any = None
    note: str = ""

    def __str__(self) -> str:
        named = [
            f"{role} {quoted(value)}" for role, value in (("user", self.user), ("item", self.item)) if value is not None
        ]
        return ": ".join(part for part in (", ".join(named), self.note) if part)

    def to_dict(self) -> dict[str, Any]:
        """User, item and note as plain data; what an example does not name is None."""
        return {"user": self.user, "item": self.item, "note": self.note}


@dataclass(frozen=True)
class Found:
    """How often something is so, of how many, and the first examples."""

    count: int
    of: int
    examples: Sequence[Example]
    note: str = ""
    """What more there is to say of those found."""


Tell = Callable[[int], str]
"""What to say of one user or row, by its code or place."""


def of_users(joined: Joined, users: Mask, of: Mask, tell: Tell | None = None, note: str = "") -> Found | None:
    """The users for whom it is so, among those looked at, `of`; both have shape (users,). None where there are none."""
    codes = np.flatnonzero(users)
    examples = [Example(joined.users.id(code), None, tell(code) if tell else "") for code in codes[:EXAMPLES].tolist()]
    return Found(len(codes), int(np.count_nonzero(of)), examples, note) if len(codes) else None


def of_list_rows(listed: Listed, rows: Mask, of: int | None = None, tell: Tell | None = None) -> Found | None:
    """The ranked rows for which it is so, shape (rows,); None where there are none."""
    places = np.flatnonzero(rows)
    usual: Tell = lambda row: f"rank {listed.place[row] + 1}"
    first = places[:EXAMPLES]
    joined, notes = listed.joined, map(tell or usual, first.tolist())
    users, items = joined.users.values[listed.user[first]], joined.items.values[listed.item[first]]
    examples = list(map(Example, users.tolist(), items.tolist(), notes))
    return Found(len(places), len(listed) if of is None else of, examples) if len(places) else None


def of_label_rows(joined: Joined, rows: Mask, note: str = "") -> Found | None:
    """The labels for which it is so, shape (labels,); None where there are none."""
    labels, places = joined.labels, np.flatnonzero(rows)
    owner = np.searchsorted(labels.starts, places[:EXAMPLES], side="right") - 1
    shown = zip(owner.tolist(), labels.item[places[:EXAMPLES]].tolist(), labels.grade[places[:EXAMPLES]], strict=True)
    examples = [
        Example(labels.users.id(user), labels.items.id(item), f"grade {grade:g}") for user, item, grade in shown
    ]
    return Found(len(places), len(rows), examples, note) if len(places) else None
