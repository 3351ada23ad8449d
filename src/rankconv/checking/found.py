"""What a lint finds: how much of it, of how many, and the first three."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankconv.checking.listed import Listed
from rankconv.ranking.ids import Codes
from rankconv.ranking.joined import Joined
from rankconv.ranking.rows import Mask

EXAMPLES = 3
"""How many examples a finding has at most."""


@dataclass(frozen=True)
class Example:
    """One place where it is so."""

    user: Any = None
    item: Any = None
    note: str = ""

    def __str__(self) -> str:
        named = [f"{role} {value!r}" for role, value in (("user", self.user), ("item", self.item)) if value is not None]
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
    """The users for whom it is so, among those looked at; None where there are none."""
    codes = np.flatnonzero(users)
    examples = [Example(joined.users.id(code), None, tell(code) if tell else "") for code in codes[:EXAMPLES].tolist()]
    return Found(len(codes), int(np.count_nonzero(of)), examples, note) if len(codes) else None


def of_list_rows(listed: Listed, rows: Mask, of: int | None = None, tell: Tell | None = None) -> Found | None:
    """The ranked rows for which it is so; None where there are none."""
    places = np.flatnonzero(rows)
    usual: Tell = lambda row: f"rank {listed.place[row] + 1}"
    examples = _examples(listed.joined, listed.user, listed.item, places, tell or usual)
    return Found(len(places), len(listed) if of is None else of, examples) if len(places) else None


def of_label_rows(joined: Joined, user: Codes, rows: Mask, tell: Tell | None = None, note: str = "") -> Found | None:
    """The label rows for which it is so; None where there are none."""
    places = np.flatnonzero(rows)
    usual: Tell = lambda row: f"grade {joined.labels.grade[row]:g}"
    examples = _examples(joined, user, joined.labels.item, places, tell or usual)
    return Found(len(places), len(user), examples, note) if len(places) else None


def _examples(joined: Joined, user: Codes, item: Codes, places: Codes, tell: Tell) -> list[Example]:
    shown = places[:EXAMPLES].tolist()
    return [Example(joined.users.id(int(user[at])), joined.items.id(int(item[at])), tell(at)) for at in shown]
