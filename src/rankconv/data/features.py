"""What is known of items: a vector of numbers for each."""

from dataclasses import dataclass

from rankconv.data.arrays import Fixed, Numbers
from rankconv.data.ids import Ids


@dataclass(frozen=True, eq=False)
class Features(Fixed):
    """A vector for each item that has one; a set of categories is a vector of ones and zeros."""

    items: Ids
    vectors: Numbers
    """Shape (items, features); NaN where a number is missing."""
    names: tuple[str, ...]
    """What each feature is called."""
    source: str = "the features"
    """Where they came from, for messages."""

    def __repr__(self) -> str:
        return f"Features({len(self.items)} items, {len(self.names)} features, from {self.source})"
