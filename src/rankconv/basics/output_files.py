"""Files that are written whole or not at all, and never over another one unasked."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rankconv.basics.errors import InputError, nearest

if TYPE_CHECKING:
    import polars as pl

_WRITERS: dict[str, Callable[["pl.LazyFrame", Path], None]] = {
    ".csv": lambda frame, path: frame.sink_csv(path),
    ".parquet": lambda frame, path: frame.sink_parquet(path),
    ".jsonl": lambda frame, path: frame.sink_ndjson(path),
}


def check_table(path: Path, *, force: bool) -> None:
    """Refuses a table that could not be written, before anything is computed for it."""
    if path.suffix.lower() not in _WRITERS:
        allowed = f"The ending says the form: {', '.join(_WRITERS)}"
        raise InputError(
            "no table is written with this ending",
            where=str(path),
            allowed=allowed,
            nearest=nearest(path.suffix.lower(), _WRITERS),
        )
    _check_free(path, force=force)


def write_table(frame: "pl.DataFrame | pl.LazyFrame", path: Path, *, force: bool) -> None:
    """The frame as CSV, Parquet or JSON lines, as the ending says; a lazy one is never whole in memory.

    These are tables that rankconv reads again: ids are written as they are, also where a spreadsheet would take them
    for a formula.
    """
    import polars as pl

    check_table(path, force=force)
    with draft_of(path, force=force) as draft:
        try:
            _WRITERS[path.suffix.lower()](frame.lazy(), draft)
        except pl.exceptions.PolarsError as problem:
            raise OSError(problem) from None


def check_text(path: Path, ending: str, *, force: bool) -> None:
    """Refuses a file of text that could not be written, before anything is computed for it."""
    if path.suffix.lower() != ending:
        raise InputError(f"the file would end in '{path.suffix}'", where=str(path), allowed=f"It ends in {ending}")
    _check_free(path, force=force)


def write_text(text: str, path: Path, *, force: bool) -> None:
    """The text as UTF-8."""
    with draft_of(path, force=force) as draft:
        draft.write_text(text, "utf-8")


@contextmanager
def draft_of(path: Path, *, force: bool) -> Iterator[Path]:
    """A file in the same folder, which takes the place of this one if all goes well, and is gone otherwise.

    A link stays a link: the file that it leads to is the one that is written.
    """
    _check_free(path, force=force)
    target = Path(os.path.realpath(path))
    try:
        with tempfile.TemporaryDirectory(prefix=".rankconv-", dir=target.parent) as folder:
            draft = Path(folder) / path.name
            yield draft
            os.replace(draft, target)
    except OSError as problem:
        raise InputError(f"cannot be written: {problem.strerror or problem}", where=str(path)) from None


def _check_free(path: Path, *, force: bool) -> None:
    if Path(os.path.realpath(path)).is_symlink():  # what leads nowhere is resolved as far as possible
        raise InputError("this link leads in a circle", where=str(path), do="Choose another name, or repair the link")
    if path.is_dir():
        raise InputError("this is a folder", where=str(path), do="Name a file in it")
    if path.exists() and not path.is_file():
        raise InputError("this is not a file that can be replaced", where=str(path), do="Choose another name")
    if path.exists() and not force:
        do, shell = (f"Choose another name, or overwrite it with {force}" for force in ("force=True", "--force"))
        raise InputError("there is such a file already", where=str(path), do=do, shell=shell)
