"""What a number of groups is made of: the values of each group."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rankconv.data.arrays import Mask, Numbers


@dataclass(frozen=True, eq=False)
class GroupValues:
    """The values of each group of items, for each of some users, or for all lists together."""

    names: tuple[str, ...]
    columns: Mapping[str, Numbers]
    """By what they are, "rate" or "target", the main one first; each of shape (groups, users), or (groups,)."""

    def of(self, users: Mask) -> "GroupValues":
        """Those of some of the users, `users` having shape (users,)."""
        return GroupValues(self.names, {name: values[:, users] for name, values in self.columns.items()})

    @property
    def main(self) -> dict[str, float]:
        """The main value of each group; of values of all lists together."""
        return dict(zip(self.names, next(iter(self.columns.values())).tolist(), strict=True))

    @property
    def rows(self) -> dict[str, dict[str, float]]:
        """Each group with all of its values by what they are."""
        columns = {name: values.tolist() for name, values in self.columns.items()}
        return {group: {name: one[at] for name, one in columns.items()} for at, group in enumerate(self.names)}


@dataclass
class GroupMeans:
    """The mean of the values of each group over users who come block by block; a user without a value is left out."""

    blocks: list[GroupValues] = field(default_factory=list)

    def add(self, values: GroupValues) -> None:
        """Add users; each comes once."""
        self.blocks.append(values)

    @property
    def values(self) -> GroupValues | None:
        """The means, shape (groups,); None where there was nobody."""
        if not self.blocks:
            return None
        first = self.blocks[0]
        columns = {name: _mean([block.columns[name] for block in self.blocks]) for name in first.columns}
        return GroupValues(first.names, columns)


def _mean(blocks: Sequence[Numbers]) -> Numbers:
    """The mean of each row over its numbers, whatever their order; NaN where it has none."""
    values = np.sort(np.hstack(blocks), axis=1)  # NaN is last, and the order of users changes no sum
    counts = (~np.isnan(values)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.nansum(values, axis=1) / counts)
