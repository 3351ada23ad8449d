"""Files as users name them: found, unpacked, saved where they came through a pipe, and read as blocks of UTF-8 lines.

The first bytes of a file decide whether it is packed. Damaged text is an InputError that names the first wrong line.
"""

import gzip
import io
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from rankconv.basics.errors import InputError, nearest
from rankconv.basics.optional import require

STDIN = "-"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BLOCK = 4 << 20
"""Bytes of text that are read at a time."""
PACKED = ".gz"
SAVE_AS_UTF8 = "Save the file as UTF-8 text; if it is Latin-1: iconv -f LATIN1 -t UTF-8 OLD > NEW"
_WEB = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_GZIP = b"\x1f\x8b"
_OTHER_PACKED = {
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"BZh91AY&SY": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"PK\x03\x04": "zip, as spreadsheets are too",
}
_BYTES = 1 << 20
_LARGE, _MOST = 1 << 28, 500
"""A file larger than this, and this many times what was packed, was made to fill the disk."""
_NUL, _FETCH = "the line has a NUL byte, and text has none", "Fetch or write the file again: it is damaged, or no text"
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class File:
    """A file that is not empty, ready to be read."""

    given_name: str
    """As the user called it."""
    path: Path
    """Where its bytes are; a copy where they were packed or came through a pipe."""

    def __str__(self) -> str:
        return self.given_name

    @property
    def name(self) -> str:
        """Without its folders."""
        return Path(self.given_name).name

    @property
    def ending(self) -> str:
        """`.csv` of `run.csv` and of `Run.CSV.gz`."""
        path = Path(self.name.lower())
        return Path(path.stem).suffix if path.suffix == PACKED else path.suffix

    @property
    def first_line(self) -> bytes:
        """The first line that is neither blank nor a comment of TREC; it shows the kind of file."""
        return first_line(self.path, comment=b"#")


@contextmanager
def as_file(given: str, temp: Callable[[], Path] | None = None) -> Iterator[File]:
    """Give the file of this path, of `-` the standard input; copies are deleted afterwards, or stay in `temp()`."""
    require("polars", "rankconv[files]", f"{given}: a file")
    if _WEB.match(given):
        do = "Fetch the file first, and pass its path"
        raise InputError("this is a web address, and only files are read", where=given, do=do)
    with ExitStack() as copies:
        folder = temp or (lambda: Path(copies.enter_context(tempfile.TemporaryDirectory(prefix="rankconv-"))))
        said, path = (given, Path(given)) if given != STDIN else ("standard input", _saved_input(folder()))
        yield File(said, check(unpacked(path, said, folder), said))


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


# paths


def check(path: Path, said: str) -> Path:
    """Return the path if it leads to a file that is not empty, else raise InputError; `said` is the user's name."""
    with plain_errors(path):
        if not path.exists():
            raise _missing(path, said)
        if path.is_dir():
            do = "Pass the path of one file in it, or rc.Runs(folder) for all of them"
            raise InputError("this is a folder", where=said, do=do, shell="Pass the path of one file in it")
        if not path.is_file():
            do = "Save the data to a file first, or pass - and pipe it in"
            raise InputError("this is no ordinary file", where=said, do=do)
    if not first_line(path):
        raise InputError("the file is empty", where=said)
    return path


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open the file as bytes, after the mark that some editors put first."""
    with plain_errors(path), path.open("rb") as file:
        if file.read(3) != BYTE_ORDER_MARK:
            file.seek(0)
        yield file


def first_line(path: Path, *, comment: bytes = b"\n") -> bytes:
    """Return the first line that is neither blank nor a comment, or nothing."""
    with opened(path) as file:
        return next((line for line in file if line.strip() and not line.lstrip().startswith(comment)), b"")


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn errors of the system into InputErrors."""
    try:
        yield
    except OSError as error:
        raise InputError(f"the file cannot be opened: {error.strerror}", where=_short(path)) from None


def _missing(path: Path, said: str) -> InputError:
    if path.is_symlink():
        return InputError(f"the link leads to {path.readlink()}, and there is no such file", where=said)
    if not path.parent.is_dir():
        return InputError("there is no such folder", where=_short(path.parent))
    neighbours = [file.name for file in path.parent.iterdir()]
    do = "A text is taken as the path of a file" if "\n" in str(path) else ""
    return InputError("there is no such file", where=_short(path), nearest=nearest(path.name, neighbours), do=do)


def _short(path: Path) -> str:
    """Enough of a path to know it by, should someone pass the text of a file as its path."""
    [text] = str(path).splitlines()[:1]
    return text if len(text) <= 200 else f"{text[:200]}…"


# packed files


def unpacked(path: Path, said: str, folder: Callable[[], Path]) -> Path:
    """Return the path, or that of an unpacked copy in a new folder; the first bytes decide."""
    with plain_errors(path):
        if not path.is_file():
            return path
        with path.open("rb") as file:
            start = file.read(10)
    for name in (name for magic, name in _OTHER_PACKED.items() if start.startswith(magic)):
        do = f"Unpack it first; {PACKED} is unpacked here"
        raise InputError(f"this is packed ({name}), and not read", where=said, do=do)
    if not start.startswith(_GZIP):
        return path
    copy, size, most = folder() / "unpacked", 0, max(_LARGE, _MOST * path.stat().st_size)
    try:
        with copy.open("wb") as plain, gzip.open(path, "rb") as packed:
            while piece := packed.read(_BYTES):
                size += len(piece)
                if size > most:
                    wrong = f"it unpacks to over {_MOST} times its size"
                    raise InputError(wrong, where=said, do="Unpack it yourself if that is right")
                plain.write(piece)
    except (OSError, EOFError, zlib.error) as problem:
        raise InputError(f"the file cannot be unpacked: {problem}", where=said, do="Fetch or pack it again") from None
    return copy


# text


@dataclass(frozen=True)
class Damage:
    """The first byte that no text in UTF-8 has."""

    at: int
    wrong: str
    do: str

    def error(self, where: str) -> InputError:
        """Return the error for the line of this place."""
        return InputError(self.wrong, where=where, do=self.do)


def damage(text: bytes) -> Damage | None:
    """Return the first damage of whole lines; None where there is none."""
    odd = -1
    if not text.isascii():
        try:
            text.decode()
        except UnicodeDecodeError as problem:
            odd = problem.start
    nul = text.find(b"\0", 0, odd if odd >= 0 else len(text))
    if nul >= 0:
        return Damage(nul, _NUL, _FETCH)
    return Damage(odd, "the line is not UTF-8", SAVE_AS_UTF8) if odd >= 0 else None


def refuse_nul(file: File) -> None:
    """Raise InputError for the first line with a NUL byte, which no text has, in whatever encoding."""
    with opened(file.path) as lines:
        if any(b"\0" in piece for piece in iter(lambda: lines.read(_BYTES), b"")):
            lines.seek(0)
            line, found = next((number, one) for number, one in enumerate(lines, 1) if b"\0" in one)
            raise Damage(found.index(b"\0"), _NUL, _FETCH).error(f"{file}, line {line}")


def refuse_wide(file: File) -> None:
    """Raise InputError for UTF-16 and UTF-32: they have a mark, or some bytes of every letter are zero."""
    with opened(file.path) as text:
        start = text.read(1000)
    if start.startswith(_WIDE_MARKS) or 0.25 < start.count(0) / len(start) < 0.9:
        do = "Save it as UTF-8 text: iconv -f UTF-16 -t UTF-8 OLD > NEW"
        raise InputError("this is UTF-16 or UTF-32, and only UTF-8 is read", where=str(file), do=do)


@dataclass(frozen=True)
class LineBlock:
    """Whole lines of a file."""

    text: bytes
    first: int
    """The number of the first of them."""

    @property
    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Each line with its number."""
        return enumerate(io.BytesIO(self.text), self.first)


def blocks(file: File) -> Iterator[LineBlock]:
    """Read the lines of a file some at a time; InputError for the first that is damaged."""
    line = 1
    with opened(file.path) as lines:
        while text := lines.read(BLOCK) + lines.readline():
            if (found := damage(text)) is not None:
                line += text.count(b"\n", 0, found.at)
                raise found.error(f"{file}, line {line}")
            yield LineBlock(text, line)
            line += text.count(b"\n")
