"""What a lint finds: how much of it, of how many, and the first three."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankconv.data.ids import quoted

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
