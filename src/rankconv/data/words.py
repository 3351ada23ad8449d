"""Words in place of numbers: grades such as `vital` and `okay`, scores such as `support` and `partial_support`."""

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True)
class Words:
    """The words of one side; a row has the place of its word, from 0, as its number.

    Definitions say which numbers they are: `rankconv.preparation.word_numbers`.
    """

    texts: tuple[str, ...]
    """In the order of the alphabet, so that the places do not depend on the order of the rows."""
    places: tuple[str, ...]
    """The first row that has each word: a file and a line, for messages."""

    def __str__(self) -> str:
        return ", ".join(self.texts)

    def of_rows(self, places: NDArray[np.floating[Any]]) -> list[str]:
        """The word of each row, shape (rows,)."""
        return [self.texts[place] for place in places.astype(np.int64).tolist()]

    def in_place_of(self, places: NDArray[np.floating[Any]], values: NDArray[T]) -> NDArray[T]:
        """What each row has, shape (rows,), where each word has one of these values, shape (words,)."""
        return np.asarray(values[places.astype(np.int64)])
