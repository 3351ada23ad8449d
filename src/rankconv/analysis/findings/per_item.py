"""Counts of each item, which add up over parts of the users."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.arrays import Codes
from rankconv.data.ids import Ids, columns_of

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class PerItem:
    """Counts of each item."""

    pieces: "tuple[pl.DataFrame, ...]" = ()

    @classmethod
    def of(cls, items: Ids, **counts: Codes) -> "PerItem":
        """Of these items, each with its counts, shape (items,)."""
        import polars as pl

        if not len(items):
            return cls()
        ids = {"item": items.values} if items.kind == "integer" else columns_of("item", items.values.tolist())
        return cls((pl.DataFrame(ids | counts),))

    def __add__(self, other: "PerItem") -> "PerItem":
        import polars as pl

        pieces = self.pieces + other.pieces
        if len(pieces) < 2:
            return PerItem(pieces)
        ids = [name for name in pieces[0].columns if name.startswith("item")]
        return PerItem((pl.concat(pieces).group_by(ids).sum(),))

    @cached_property
    def ids(self) -> list[Any]:
        """The items, as their ids are told, in the order of the counts."""
        if not self.pieces:
            return []
        table = self.pieces[0].select(r"^item.*$")
        return table.to_series().to_list() if table.width == 1 else table.rows()

    def counts(self, name: str) -> Codes:
        """A count of each item, shape (items,)."""
        return self.pieces[0][name].to_numpy() if self.pieces else np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self.pieces[0]) if self.pieces else 0

    @property
    def bytes(self) -> int:
        """Of memory."""
        return sum(int(piece.estimated_size()) for piece in self.pieces)
