"""One mutant, and where all of them come from: the files of metrics, preparation and aggregation."""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

from tests.mutants.changes import Place, changes

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
    in_function: bool
    """Otherwise the code runs at import."""
    lines: tuple[range, range]
    """Lines that it concerns: of its statement down to the place, at import those of the class or function that it
    belongs to; and all of the file."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}  {self.text}  |  {self.change}"

    @property
    def change(self) -> str:
        """What is changed in the line, and at which of its places: `14: 1  ->  2`."""
        return f"{self.column}: {self.before}  ->  {self.after}"

    def source(self) -> bytes:
        """The whole file, broken."""
        whole = whole_source(self.file)
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
def whole_source(file: str) -> bytes:
    """A file as it is when it is first looked at."""
    return (SOURCE / "rankconv" / file).read_bytes()


@cache
def mutants_of(file: str) -> tuple[Mutant, ...]:
    """All that can be made of a file."""
    return tuple(_mutants_of(file))


def _mutants_of(file: str) -> Iterator[Mutant]:
    whole = whole_source(file)
    lines = whole.splitlines(keepends=True)
    starts = [sum(map(len, lines[:line])) for line in range(len(lines) + 1)]
    tree = ast.parse(whole)
    around = {inner: outer for outer in ast.walk(tree) for inner in ast.iter_child_nodes(outer)}
    for node, after in changes(tree):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        before, line = " ".join(whole[start:end].decode().split()), lines[node.lineno - 1]
        column = node.col_offset - (len(line) - len(line.lstrip()))
        every = range(1, len(lines) + 1)
        in_function, near = _concerned(node, around)
        text = line.decode().strip()
        yield Mutant(file, node.lineno, text, column, before, after, start, end, in_function, (near or every, every))


def _concerned(place: Place, around: dict[ast.AST, ast.AST]) -> tuple[bool, range | None]:
    """Whether the place is in a function, and the lines of its statement, or of its class or decorated function."""
    path: list[ast.AST] = [place]
    while outer := around.get(path[-1]):
        path.append(outer)
    body = next((inner for inner, outer in pairwise(path) if _is_body(inner, outer)), None)
    if body:
        statement = next((node for node in path[: path.index(body)] if isinstance(node, ast.stmt)), body)
        return True, range(_first_line(statement), (place.end_lineno or 0) + 1)
    owner = next((node for node in path if isinstance(node, ast.FunctionDef | ast.ClassDef)), None)
    return False, range(_first_line(owner), (owner.end_lineno or 0) + 1) if owner else None


def _is_body(inner: ast.AST, outer: ast.AST) -> bool:
    """Whether the inner is executed when the outer, a function, is called."""
    return (isinstance(outer, ast.FunctionDef) and inner in outer.body) or (
        isinstance(outer, ast.Lambda) and inner is outer.body
    )


def _first_line(node: ast.AST) -> int:
    return min(int(one.lineno) for one in [node, *getattr(node, "decorator_list", [])])


def drawn(names: Sequence[str], seed: int, count: int) -> list[Mutant]:
    """So many mutants, one of each file in turn while it has any; its text alone decides which come first."""
    left = []
    for name in names:
        same, places = Counter[str](), dict[Mutant, float]()
        for mutant in mutants_of(name):
            text = f"{mutant.text} {mutant.change}"
            same[text] += 1
            places[mutant] = Random(f"{seed} {name} {text} {same[text]}").random()
        left.append(sorted(places, key=places.__getitem__))
    taken: list[Mutant] = []
    while any(left) and len(taken) < count:
        taken += [mutants.pop() for mutants in left if mutants][: count - len(taken)]
    return taken
