"""What a user calls a file, and where its bytes stand: unpacked, and saved where they came through a pipe."""

import gzip
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from rankconv.errors import InputError
from rankconv.inputs.paths import check, first_line, plain_errors
from rankconv.inputs.wanting import needed

STDIN = "-"
PACKED_ENDINGS = (".gz", ".zst")
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
def as_file(given: str) -> Iterator[File]:
    """The file of this path, of `-` the standard input; copies are gone afterwards."""
    _refuse_web(given)
    with tempfile.TemporaryDirectory(prefix="rankconv-") as folder:
        said, path = (given, Path(given)) if given != STDIN else ("standard input", _saved_input(Path(folder)))
        yield File(said, check(_unpacked(path, said, Path(folder)), said))


def _refuse_web(given: str) -> None:
    if _WEB.match(given):
        do = "Fetch the file first, and pass its path"
        raise InputError("this is a web address, and only files are read", where=given, do=do)


def _saved_input(folder: Path) -> Path:
    path = folder / "input"
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    if not path.stat().st_size:
        raise InputError("nothing came through it", where="standard input", do="Only one of the files can be -")
    return path


def _unpacked(path: Path, said: str, folder: Path) -> Path:
    """The same file, or a copy of what is packed in it; known by its first bytes."""
    with plain_errors(path):
        if not path.is_file():
            return path
        with path.open("rb") as file:
            start = file.read(4)
    opener = next((opener for magic, opener in _PACKED.items() if start.startswith(magic)), None)
    if opener is None:
        return path
    copy = folder / "unpacked"
    try:
        with opener(path, said) as packed, copy.open("wb") as plain:
            shutil.copyfileobj(packed, plain, 1 << 20)
    except (OSError, EOFError, zlib.error) as problem:
        raise InputError(f"the file cannot be unpacked: {problem}", where=said, do="Fetch or pack it again") from None
    return copy


@contextmanager
def _gzip(path: Path, _said: str) -> Iterator[BinaryIO]:
    with gzip.open(path, "rb") as file:
        yield cast(BinaryIO, file)


@contextmanager
def _zstandard(path: Path, said: str) -> Iterator[BinaryIO]:
    zstandard = needed("zstandard", "zstandard", f"{said}: a .zst file")
    with path.open("rb") as file:
        try:
            yield zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
        except zstandard.ZstdError as problem:
            raise OSError(problem) from None


_PACKED: dict[bytes, Callable[[Path, str], AbstractContextManager[BinaryIO]]] = {
    b"\x1f\x8b": _gzip,
    b"\x28\xb5\x2f\xfd": _zstandard,
}
