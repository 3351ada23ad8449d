"""Both sides in the order of their users: batches of whole users, cut where the user changes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

Both = tuple["pa.Table", "pa.Table"]
"""All labels and all rows of some users."""


class OutOfOrderError(Exception):
    """A user has a smaller id than one before."""


class _Sorted:
    """One side as far as it was read and not given away."""

    def __init__(self, batches: "Iterator[pa.Table]") -> None:
        self._batches, self._kept = batches, list[tuple[Any, Any]]()
        self.rows, self.last, self.done = 0, None, False
        self._schema: Any = None

    def more(self) -> None:
        """Read one more batch; OutOfOrderError where its users do not rise."""
        table = next(self._batches, None)
        if table is None:
            self.done = True
        elif table.num_rows:
            users = table.column("user").to_numpy()
            if (self.last is not None and users[0] < self.last) or (users[1:] < users[:-1]).any():
                raise OutOfOrderError
            self.last, self._schema = users[-1], table.schema
            self._kept.append((table, users))
            self.rows += len(users)

    def before(self, user: Any) -> Any:
        """The rows of users before this one, all where it is None, which are then no longer kept."""
        import pyarrow as pa

        given, kept = [], []
        for table, users in self._kept:
            cut = len(users) if user is None else int(np.searchsorted(users, user))
            given += [table.slice(0, cut)] if cut else []
            kept += [(table.slice(cut), users[cut:])] if cut < len(users) else []
        self._kept, self.rows = kept, sum(len(users) for _, users in kept)
        schema = self._schema
        return pa.concat_tables(given) if given else None if schema is None else schema.empty_table()


def clustered(labels: "Iterator[pa.Table]", run: "Iterator[pa.Table]", rows: int, most: int) -> Iterator[Both]:
    """Labels and rows of whole users, about `rows` of them at a time, from two sides whose users rise.

    Raises OutOfOrderError where they do not, or where one user has over `most` rows.
    """
    known, ranked = _Sorted(labels), _Sorted(run)
    while not (known.done and ranked.done and not known.rows + ranked.rows):
        wanted = rows
        cut = _read(known, ranked, wanted)
        while cut is not None and not _any_before(known, cut) and not _any_before(ranked, cut):
            wanted *= 2
            if wanted > most:
                raise OutOfOrderError
            cut = _read(known, ranked, wanted)
        yield known.before(cut), ranked.before(cut)


def _read(known: _Sorted, ranked: _Sorted, rows: int) -> Any:
    """Read both sides so far that all is there of some users; gives the first user of whom it is not, None for none."""
    while not ranked.done and ranked.rows < rows:
        ranked.more()
    while not known.done and known.rows < rows and (ranked.done or known.last is None or known.last <= ranked.last):
        known.more()
    ends: list[Any] = [side.last for side in (known, ranked) if not side.done and side.last is not None]
    return min(ends) if ends else None


def _any_before(side: _Sorted, user: Any) -> bool:
    return bool(side._kept) and bool(side._kept[0][1][0] < user)
