"""Lines of fields: TREC and MovieLens files."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rankconv.errors import InputError
from rankconv.inputs.blocks import Block
from rankconv.inputs.file import File

_COUNTED = 50
"""Fields of a line that are told apart."""


class Layout(NamedTuple):
    """The fields of each line, and what parts them."""

    name: str
    fields: tuple[str, ...]
    between: bytes | None = None
    """None: any run of blanks."""
    comment: bytes = b""
    """What begins a line that says nothing."""

    def __str__(self) -> str:
        return f"{self.name} file ({len(self.fields)} fields: {', '.join(self.fields)})"


def split(block: Block, layout: Layout, wanted: Sequence[str], file: File) -> Iterator[tuple[int, list[str]]]:
    """The wanted fields of each line, with its number.

    Blank lines and comments are left out, and a wrong number of fields is an error.
    """
    places = [layout.fields.index(field) for field in wanted]
    for number, line in block.lines:
        fields = line.strip().split(layout.between, _COUNTED)
        if fields in ([], [b""]) or (layout.comment and fields[0].startswith(layout.comment)):
            continue
        if len(fields) != len(layout.fields):
            raise _wrong_count(fields, layout, f"{file}, line {number}")
        yield number, [fields[place].decode() for place in places]


def _wrong_count(fields: list[bytes], layout: Layout, where: str) -> InputError:
    shown = (layout.between or b" ").join(fields)[:400].decode(errors="replace")
    count = len(fields) if len(fields) <= _COUNTED else f"over {_COUNTED}"
    allowed = f"It was read as a {layout}"
    return InputError(f"there are {count} fields in '{shown:.80}'", where=where, allowed=allowed)
