"""What a user calls a file, and where its bytes stand: unpacked, and saved where they came through a pipe."""

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from rankconv.errors import InputError
from rankconv.inputs.packed import PACKED_ENDINGS, unpacked
from rankconv.inputs.paths import check, first_line

STDIN = "-"
_WEB = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")


@dataclass(frozen=True)
class File:
    """A file with something in it, ready to be read."""

    said: str
    """As the user called it."""
    path: Path
    """Where its bytes stand; a copy where they were packed or came through a pipe."""

    def __str__(self) -> str:
        return self.said

    @property
    def name(self) -> str:
        """Without its folders."""
        return Path(self.said).name

    @property
    def ending(self) -> str:
        """`.csv` of `run.csv` and of `Run.CSV.gz`."""
        path = Path(self.name.lower())
        return Path(path.stem).suffix if path.suffix in PACKED_ENDINGS else path.suffix

    @property
    def first_line(self) -> bytes:
        """The first line that is neither blank nor a comment of TREC or LETOR; it tells the kind of file."""
        return first_line(self.path, comment=b"#")


@contextmanager
def as_file(given: str, temp: Callable[[], Path] | None = None) -> Iterator[File]:
    """The file of this path, of `-` the standard input; copies are gone afterwards, or stay in what `temp` makes."""
    _refuse_web(given)
    with ExitStack() as copies:

        def own_folder() -> Path:
            return Path(copies.enter_context(tempfile.TemporaryDirectory(prefix="rankconv-")))

        folder = temp or own_folder
        said, path = (given, Path(given)) if given != STDIN else ("standard input", _saved_input(folder()))
        yield File(said, check(unpacked(path, said, folder), said))


def _refuse_web(given: str) -> None:
    if _WEB.match(given):
        do = "Fetch the file first, and pass its path"
        raise InputError("this is a web address, and only files are read", where=given, do=do)


def _saved_input(folder: Path) -> Path:
    path = folder / "input"
    try:
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
    except OSError as problem:
        raise InputError(f"it cannot be kept: {problem.strerror}", where="standard input") from None
    if not path.stat().st_size:
        raise InputError("nothing came through it", where="standard input", do="Only one of the files can be -")
    return path
