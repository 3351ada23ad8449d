"""Whether a file can be read at all, before anyone asks what kind it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from rankconv.errors import InputError, nearest
from rankconv.links import leads_in_a_circle

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def check(path: Path, said: str) -> Path:
    """The path itself if it leads to a file with something in it, else an InputError.

    `said` is what the user calls it.
    """
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
    """The file as bytes, behind the mark that some editors put first."""
    with plain_errors(path), path.open("rb") as file:
        if file.read(3) != BYTE_ORDER_MARK:
            file.seek(0)
        yield file


def first_line(path: Path, *, comment: bytes = b"\n") -> bytes:
    """The first line that is neither blank nor a comment, or nothing."""
    with opened(path) as file:
        return next((line for line in file if line.strip() and not line.lstrip().startswith(comment)), b"")


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Errors of the system as ours."""
    try:
        yield
    except OSError as error:
        raise InputError(f"the file cannot be opened: {error.strerror}", where=_short(path)) from None


def _missing(path: Path, said: str) -> InputError:
    link = next((one for one in (path, *path.parents) if one.is_symlink()), None)
    if link is not None and leads_in_a_circle(link):
        do = "Remove the link, and pass the file itself"
        raise InputError(f"the link {_short(link)} leads back to itself", where=said, do=do)
    if link == path:
        raise InputError(f"the link leads to {path.readlink()}, and there is no such file", where=said)
    if not path.parent.is_dir():
        return InputError("there is no such folder", where=_short(path.parent))
    neighbours = [file.name for file in path.parent.iterdir()]
    do = "A text is taken as the path of a file" if "\n" in str(path) else ""
    return InputError("there is no such file", where=_short(path), nearest=nearest(path.name, neighbours), do=do)


def _short(path: Path) -> str:
    """Enough of a path to know it by, should someone pass the text of a file as its path."""
    [text] = str(path).splitlines()[:1]
    return text if len(text) <= 200 else f"{text[:200]}…"
