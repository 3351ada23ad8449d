"""One mutant, and where all of them come from: the files of metrics, preparation and aggregation."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from tests.mutants.changes import changes

SOURCE = Path(__file__).parents[2] / "src"
ROOMS = ("metrics", "preparation", "preparation/blocks", "aggregation")


@dataclass(frozen=True)
class Mutant:
    """A file of the source with one place changed."""

    file: str
    """Below `src/rankconv`: `metrics/gain.py`."""
    line: int
    text: str
    """The line as it stands, without its indentation."""
    column: int
    """The place in that text, from 0."""
    before: str
    after: str
    start: int
    end: int
    """Where the place is in the file, in bytes."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}  {self.text}  |  {self.change}"

    @property
    def change(self) -> str:
        """What is changed in the line, and at which of its places: `14: 1  ->  2`."""
        return f"{self.column}: {self.before}  ->  {self.after}"

    def source(self) -> bytes:
        """The whole file, broken."""
        whole = self.path.read_bytes()
        lines = whole[self.start : self.end].count(b"\n")  # as many as before, so that all others keep their numbers
        return whole[: self.start] + self.after.encode() + b" \\\n" * lines + whole[self.end :]

    @property
    def path(self) -> Path:
        """The file as it should be."""
        return SOURCE / "rankconv" / self.file


def files() -> list[str]:
    """The files that are broken."""
    folder = SOURCE / "rankconv"
    return [path.relative_to(folder).as_posix() for room in ROOMS for path in sorted((folder / room).glob("*.py"))]


@cache
def mutants_of(file: str) -> tuple[Mutant, ...]:
    """All that can be made of a file."""
    return tuple(_mutants_of(file))


def _mutants_of(file: str) -> Iterator[Mutant]:
    whole = (SOURCE / "rankconv" / file).read_bytes()
    lines = whole.splitlines(keepends=True)
    starts = [sum(map(len, lines[:line])) for line in range(len(lines) + 1)]
    for node, after in changes(ast.parse(whole)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        before, line = " ".join(whole[start:end].decode().split()), lines[node.lineno - 1]
        column = node.col_offset - (len(line) - len(line.lstrip()))
        yield Mutant(file, node.lineno, line.decode().strip(), column, before, after, start, end)


def drawn(names: Sequence[str], seed: int, count: int) -> list[Mutant]:
    """So many mutants, one of each file in turn while it has any."""
    random = Random(seed)
    left = [list(mutants_of(name)) for name in names]
    for mutants in left:
        random.shuffle(mutants)
    taken: list[Mutant] = []
    while any(left) and len(taken) < count:
        taken += [mutants.pop() for mutants in left if mutants][: count - len(taken)]
    return taken
