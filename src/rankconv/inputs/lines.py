"""Lines of fields: TREC, LETOR and MovieLens files."""

from collections.abc import Sequence
from dataclasses import dataclass

from rankconv.errors import InputError
from rankconv.inputs.file import File
from rankconv.inputs.paths import opened, refuse_other_than_utf8


@dataclass(frozen=True)
class Layout:
    """The fields of each line, and what parts them."""

    name: str
    fields: tuple[str, ...]
    between: bytes | None = None
    """None: any run of blanks."""
    comment: bytes = b""
    """What begins a line that says nothing."""

    def __str__(self) -> str:
        return f"{self.name} file ({len(self.fields)} fields: {', '.join(self.fields)})"


@dataclass(frozen=True)
class Split:
    """The fields of all lines that say something, one after the other."""

    file: File
    layout: Layout
    lines: Sequence[int]
    """The number of each of these lines in the file."""
    texts: list[str]

    def column(self, name: str) -> list[str]:
        """One field of every line."""
        return self.texts[self.layout.fields.index(name) :: len(self.layout.fields)]

    def place(self, row: int) -> str:
        """Where a row stands."""
        return f"{self.file}, line {self.lines[row]}"


def split(file: File, layout: Layout) -> Split:
    """Each line in its fields; blank lines and comments are left out, and a wrong number of fields is an error."""
    lines: list[int] = []
    texts: list[bytes] = []
    with opened(file.path) as opened_file:
        for number, line in enumerate(opened_file, 1):
            fields = line.strip().split(layout.between)
            if fields in ([], [b""]) or (layout.comment and fields[0].startswith(layout.comment)):
                continue
            if len(fields) != len(layout.fields):
                raise _wrong_count(fields, layout, f"{file}, line {number}")
            lines.append(number)
            texts += fields
    return Split(file, layout, lines, decoded(file, texts))


def decoded(file: File, texts: list[bytes]) -> list[str]:
    """All at once; none holds a line break."""
    try:
        return b"\n".join(texts).decode().split("\n") if texts else []
    except UnicodeDecodeError:
        refuse_other_than_utf8(file.path, file)
        raise


def _wrong_count(fields: list[bytes], layout: Layout, where: str) -> InputError:
    shown = (layout.between or b" ").join(fields).decode(errors="replace")
    allowed = f"It was read as a {layout}"
    return InputError(f"there are {len(fields)} fields in '{shown:.80}'", where=where, allowed=allowed)
