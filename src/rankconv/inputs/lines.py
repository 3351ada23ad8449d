"""Lines of fields: TREC and MovieLens files."""

from collections.abc import Mapping
from typing import NamedTuple

from rankconv.errors import InputError
from rankconv.inputs.file import File
from rankconv.inputs.gathered import Gathered
from rankconv.inputs.paths import opened

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


def split(file: File, layout: Layout, wanted: Mapping[str, str]) -> Gathered:
    """The wanted fields of each line, by their roles.

    Blank lines and comments are left out, and a wrong number of fields is an error.
    """
    found = Gathered(file, list(wanted))
    places = [layout.fields.index(field) for field in wanted.values()]
    with opened(file.path) as lines:
        for number, line in enumerate(lines, 1):
            fields = line.strip().split(layout.between, _COUNTED)
            if fields in ([], [b""]) or (layout.comment and fields[0].startswith(layout.comment)):
                continue
            if len(fields) != len(layout.fields):
                raise _wrong_count(fields, layout, f"{file}, line {number}")
            found.add(number, [fields[place] for place in places])
    return found


def _wrong_count(fields: list[bytes], layout: Layout, where: str) -> InputError:
    shown = (layout.between or b" ").join(fields)[:400].decode(errors="replace")
    count = len(fields) if len(fields) <= _COUNTED else f"over {_COUNTED}"
    allowed = f"It was read as a {layout}"
    return InputError(f"there are {count} fields in '{shown:.80}'", where=where, allowed=allowed)
