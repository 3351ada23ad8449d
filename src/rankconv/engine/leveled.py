"""What is added piece by piece in few steps: pieces of doubling length, each put together with those of its length."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

Piece = TypeVar("Piece", bound="Any")
Together = Callable[[Sequence[Piece]], Piece]
"""One piece of several, in the one form that no order of them changes."""


class Leveled(ABC, Generic[Piece]):
    """Pieces, each at most half as long as the one before; nobody writes to them.

    A row is touched anew only when what it stands in has doubled, so that n batches take n log n steps and not n².
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = tuple(pieces)

    @abstractmethod
    def together(self, pieces: Sequence[Piece]) -> Piece:
        """One piece of several."""

    @abstractmethod
    def plain(self) -> Any:
        """All as JSON takes it."""

    @cached_property
    def whole(self) -> Piece:
        """All as one piece."""
        return self.pieces[0] if len(self.pieces) == 1 else self.together(self.pieces)

    def with_others(self, others: Sequence[Piece], together: Together[Piece] | None = None) -> tuple[Piece, ...]:
        """The pieces of both; `together` puts some into one where it is not done as usual."""
        rising, few = sorted([*self.pieces, *others], key=len), list[Piece]()
        while len(rising) > 1:
            least = rising.pop(0)
            if 2 * len(least) > len(rising[0]):
                rising[0] = (together or self.together)([rising[0], least])
                rising.sort(key=len)
            else:
                few.append(least)
        return (*rising, *reversed(few))

    def __deepcopy__(self, known: Any) -> "Leveled[Piece]":
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {"pieces": (self.whole,)}
