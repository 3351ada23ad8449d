"""Texts gathered line by line, and kept as polars keeps them: Python's take ten times the room of the file."""

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankconv.inputs.encoding import refuse_other_than_utf8
from rankconv.inputs.file import File

if TYPE_CHECKING:
    import polars as pl

_PIECE = 1 << 18
"""So many texts are kept as Python's."""


class Gathered:
    """The columns of these names, and the line of each row."""

    def __init__(self, file: File, names: Sequence[str]) -> None:
        self.file, self.names = file, names
        self._lines = array("q")
        self._texts: list[bytes] = []
        self._pieces: list[pl.DataFrame] = []

    def add(self, line: int, texts: Sequence[bytes]) -> None:
        """One row: a text for each column, without NUL bytes."""
        self._lines.append(line)
        self._texts += texts
        if len(self._texts) >= _PIECE:
            self._finish_piece()

    def columns(self) -> dict[str, "pl.Series"]:
        """All rows so far, by the names of the columns."""
        import polars as pl

        self._finish_piece()
        return pl.concat(self._pieces).to_dict()

    def place(self, row: int) -> str:
        """Where a row stands."""
        return f"{self.file}, line {self._lines[row]}"

    def _finish_piece(self) -> None:
        import polars as pl

        texts, count = self._decoded(), len(self.names)
        columns = {name: texts[at::count] for at, name in enumerate(self.names)}
        self._pieces.append(pl.DataFrame(columns, schema=dict.fromkeys(self.names, pl.String)))
        self._texts.clear()

    def _decoded(self) -> list[str]:
        """The columns as text; an InputError names the first line that is not UTF-8."""
        try:
            return b"\0".join(self._texts).decode().split("\0") if self._texts else []
        except UnicodeDecodeError:
            refuse_other_than_utf8(self.file.path, self.file)
            raise
