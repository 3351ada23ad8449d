"""Both sides in the order of their users: batches of whole users, cut where the user changes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

Both = tuple["pl.DataFrame | None", "pl.DataFrame | None"]
"""All labels and all rows of some users; None where a side has none at all so far."""


class OutOfOrderError(Exception):
    """A user has a smaller id than one before."""


class _Sorted:
    """One side as far as it was read and not given away."""

    def __init__(self, batches: "Iterator[pl.DataFrame]") -> None:
        self._batches, self._kept = batches, list["pl.DataFrame"]()
        self.rows, self.last, self.done = 0, None, False

    def more(self) -> None:
        """Read one more batch; OutOfOrderError where its users do not rise."""
        table = next(self._batches, None)
        if table is None:
            self.done = True
        elif len(table):
            users = table["user"]
            if (self.last is not None and users[0] < self.last) or (users.slice(1) < users.head(-1)).any():
                raise OutOfOrderError
            self.last = users[-1]
            self._kept.append(table)
            self.rows += len(table)

    @property
    def first(self) -> Any:
        """The first user who is kept; None where there is none."""
        return self._kept[0]["user"][0] if self._kept else None

    def before(self, user: Any) -> "pl.DataFrame | None":
        """The rows of users before this one, all where it is None, which are then no longer kept."""
        import polars as pl

        given, kept = [], []
        for table in self._kept:
            cut = len(table) if user is None else int(table["user"].search_sorted(user))
            given += [table.head(cut)] if cut else []
            kept += [table.slice(cut)] if cut < len(table) else []
        self._kept, self.rows = kept, sum(map(len, kept))
        return pl.concat(given, how="diagonal") if given else None


def clustered(labels: "Iterator[pl.DataFrame]", run: "Iterator[pl.DataFrame]", rows: int, most: int) -> Iterator[Both]:
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
    return side.first is not None and bool(side.first < user)
