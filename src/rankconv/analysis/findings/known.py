"""What is known of all data once each part of them was looked at."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rankconv.analysis.findings.data import Asked, Data, PerItem, Place, Spelling
from rankconv.analysis.findings.seen import Adding, Seen
from rankconv.data.joined import Joined
from rankconv.engine.measured import Measured


@dataclass(frozen=True)
class LookedAt(Adding):
    """How much there is."""

    labelled: int = 0
    """Users with labels."""
    labels: int = 0
    listed: int = 0
    """Users with a list."""
    rows: int = 0
    scored: int = 0
    """Rows that have a score."""
    by_score: int = 0
    """Rows that stand where their scores put them."""
    items: PerItem = field(default_factory=PerItem)

    @classmethod
    def of(cls, joined: Joined, *, items: bool = True) -> "LookedAt":
        """In these data; `items` says whether items are counted, which takes time."""
        rows = joined.rankings.row_count
        return cls(
            labelled=int((joined.label_counts > 0).sum()),
            labels=len(joined.labels.item),
            listed=int((joined.list_counts > 0).sum()),
            rows=rows,
            scored=rows * joined.rankings.scored,
            by_score=rows * joined.rankings.by_score,
            items=PerItem.of(joined.items) if items else PerItem(),
        )

    def to_dict(self) -> dict[str, int]:
        """As it is told."""
        return {
            "users with labels": self.labelled,
            "labels": self.labels,
            "users with a list": self.listed,
            "rows": self.rows,
            "items": len(self.items),
        }


@dataclass(frozen=True, eq=False)
class Known:
    """What was measured and seen of all users."""

    asked: Asked
    measured: Mapping[Place, Measured]
    at: LookedAt
    seen: Mapping[str, Seen]
    """By the names of lints."""
    spelling: Spelling
    """Ids that are the same but for their spelling."""
    respelled: bool = False
    """Whether there are data with one spelling for each id beside these."""


def undecided(measured: Mapping[Place, Measured]) -> list[Place]:
    """The numbers for which users are looked at one by one: neither all data nor a refusal of everybody decides."""
    return [place for place, one in measured.items() if one.of_everybody is None]


def data_of(joined: Joined, asked: Asked, measured: Mapping[Place, Measured], **more: Any) -> Data:
    """All data at once, with the values of each user that were measured."""
    return Data(joined, asked, {place: measured[place].values for place in undecided(measured)}, **more)
