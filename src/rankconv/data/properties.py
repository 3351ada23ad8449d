"""What is known of users or items: columns of categories or numbers, as text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rankconv.data.arrays import Fixed
from rankconv.data.ids import Ids


@dataclass(frozen=True, eq=False)
class Properties(Fixed):
    """A table of users, or of items: one row for each."""

    ids: Ids
    columns: Mapping[str, Sequence[str | None]]
    """The value of each id, None where it has none."""
    source: str = "the table"
    """Where it came from, for messages."""
