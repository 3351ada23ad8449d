"""What an explanation calls the parts of a formula, stated where a part is defined.

A part is a function of a block and more: `block.part(misses_above)` and `block.once(misses_above)` are what it gives.
The block of an explanation finds its caption here, and notes what it gave under these words; a plain block looks
nothing up.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

PartFunction = TypeVar("PartFunction", bound=Callable[..., Any])
Entries = Callable[..., Iterable[tuple[str, Any]]]
"""Called as the part is, with what it gave before these arguments: words, each with what an explanation has there."""


class CaptionPlace(Enum):
    """Where an explanation has what a part gave."""

    COLUMN = "values by rank, of shape (K, users)"
    NUMBER = "a number of each user, of shape (users,)"
    IDEAL = "the sum of an ideal list, rank by rank"


@dataclass(frozen=True)
class Caption:
    """Where an explanation has what a part gave, and under which words."""

    place: CaptionPlace
    words: tuple[str, ...] = ()
    by: Entries | None = None

    def entries(self, value: Any, *arguments: Any) -> Iterable[tuple[str, Any]]:
        """The words, each with its value; `arguments` are those of the part."""
        if self.by is not None:
            return self.by(value, *arguments)
        return zip(self.words, [value] if len(self.words) == 1 else value, strict=True)


CAPTIONS: dict[Callable[..., Any], Caption] = {}
"""The caption of each part that has one."""


def shown_as(*words: str, by: Entries | None = None) -> Callable[[PartFunction], PartFunction]:
    """Decorate a part whose values by rank an explanation has as a column.

    Parameters
    ----------
    *words : str
        The head of the column; several for a part that gives a tuple.
    by : function, optional
        What gives the heads and the values instead. Its arguments are what the part gave, the block, and the further
        arguments of the part.

    Returns
    -------
    function
        The decorator. It gives back the part itself.

    Examples
    --------
    >>> from rankconv import plugin
    >>> @plugin.shown_as("hits above")
    ... def hits_above(block: plugin.Block):
    ...     return block.hits_so_far.above
    """
    return _captioned(Caption(CaptionPlace.COLUMN, words, by))


def said_as(*words: str, by: Entries | None = None) -> Callable[[PartFunction], PartFunction]:
    """Decorate a part that an explanation has as a number of the user.

    Parameters
    ----------
    *words : str
        What the number is called; several for a part that gives a tuple.
    by : function, optional
        As in `shown_as`.

    Returns
    -------
    function
        The decorator. It gives back the part itself.

    Examples
    --------
    >>> from rankconv import plugin
    >>> @plugin.said_as("n, the rows read")
    ... def rows_read(block: plugin.Block, k: int | None):
    ...     return block.length_at(k)
    """
    return _captioned(Caption(CaptionPlace.NUMBER, words, by))


def shown_as_ideal(part: PartFunction) -> PartFunction:
    """Decorate a part that gives the sums of a `DiscountedList`: the list that a metric compares with."""
    return _captioned(Caption(CaptionPlace.IDEAL))(part)


def _captioned(caption: Caption) -> Callable[[PartFunction], PartFunction]:
    def register(part: PartFunction) -> PartFunction:
        CAPTIONS[part] = caption
        return part

    return register
