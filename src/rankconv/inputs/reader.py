"""What a reader is: it says whether it takes the data, and turns it into rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rankconv.inputs.rows import Rows


@dataclass(frozen=True)
class Wanted:
    """What the caller asks for."""

    what: Literal["labels", "rankings"]
    columns: Mapping[str, str | None]
    """Role of each column that can be named, and the name the caller gave."""
    padding: int | None = None
    """What stands for no item in an array, where the caller said."""

    @property
    def number(self) -> str:
        """What the number beside an item is."""
        return "grade" if self.what == "labels" else "score"

    @property
    def named(self) -> dict[str, str]:
        """The roles whose column the caller named."""
        return {role: name for role, name in self.columns.items() if name is not None}


@dataclass(frozen=True)
class Reader:
    """One kind of input. A file comes as a `File` with something in it."""

    kind: str
    """What it reads, in a person's words."""
    takes: Callable[[Any], bool]
    read: Callable[[Any, Wanted], Rows]
    endings: tuple[str, ...] = ()
    """Of files: those whose name says that this reader takes them; others are known by their content."""
    has_columns: bool = False
    """Whether the data has columns with names."""
    is_text: bool = True
    """Of files: whether they hold nothing but text."""
    pads: bool = False
    """Whether something can stand for no item."""
