"""The runs of files and folders, each under the name of its file."""

from collections import Counter
from collections.abc import Collection, Sequence
from operator import attrgetter
from pathlib import Path

from rankconv.basics.errors import InputError
from rankconv.data.inputs.files import PACKED
from rankconv.data.inputs.reading import FORMATS, readers_of_files

_TEXT = (".txt", ".res", ".result", ".results", ".top", ".out", ".eval")
"""Endings of files of runs whose content alone says how they are read."""


def runs_in(folder: Path) -> dict[str, Path]:
    """Return the files of a folder by their names, sorted; hidden ones are left out, and links to nothing are not."""
    if not folder.is_dir():
        do = "Pass one file as rc.Run(path), or under a name: rc.Runs(bm25=path)"
        raise InputError("this is no folder", where=str(folder), do=do)
    found = (one for one in folder.iterdir() if one.is_file() or (one.is_symlink() and not one.exists()))
    files = sorted(file for file in found if not file.name.startswith("."))
    if not files:
        raise InputError("there is no file in this folder", where=str(folder))
    return named_by_file(files)


def named_by_file(files: Sequence[Path]) -> dict[str, Path]:
    """Return each file under its name without endings; where two have the same, with them, or under its whole path.

    What follows the last point is no ending but a part of the name where no kind of file is called so.

    >>> list(named_by_file([Path("runs/bm25.trec.gz"), Path("input.one.gz"), Path("fused.w0.3.txt")]))
    ['bm25', 'input.one', 'fused.w0.3']
    """
    known = _endings()
    names = [_without_ending(_unpacked_name(file), known) for file in files]
    for longer in (_unpacked_name, attrgetter("name"), str):
        times = Counter(names)
        names = [name if times[name] == 1 else longer(file) for name, file in zip(names, files, strict=True)]
    return dict(zip(names, files, strict=True))


def _endings() -> set[str]:
    """All endings of files that are read."""
    return {*_TEXT, *(ending for reader in (*FORMATS.values(), *readers_of_files()) for ending in reader.endings)}


def _without_ending(name: str, known: Collection[str]) -> str:
    path = Path(name)
    return path.stem if path.suffix.lower() in known else name


def _unpacked_name(file: Path) -> str:
    return file.stem if file.suffix.lower() == PACKED else file.name
