"""The lines of a text file some at a time, so that a file of any size is read in the room of one block."""

import io
from collections.abc import Iterator
from dataclasses import dataclass

from rankconv.inputs.encoding import damage
from rankconv.inputs.file import File
from rankconv.inputs.paths import opened

BLOCK = 4 << 20
"""So many bytes are read at a time."""


@dataclass(frozen=True)
class Block:
    """Whole lines of a file."""

    text: bytes
    first: int
    """The number of the first of them."""

    @property
    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Each line with its number."""
        return enumerate(io.BytesIO(self.text), self.first)


def blocks(file: File) -> Iterator[Block]:
    """The lines of a file; an InputError at the first that is damaged, after those before it were given."""
    line = 1
    with opened(file.path) as lines:
        while text := lines.read(BLOCK) + lines.readline():
            found = damage(text)
            whole = text if found is None else text[: text.rfind(b"\n", 0, found.at) + 1]
            if whole:
                yield Block(whole, line)
            line += whole.count(b"\n")
            if found is not None:
                raise found.error(f"{file}, line {line}")
