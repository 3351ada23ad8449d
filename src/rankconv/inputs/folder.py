"""A folder of runs: each file is one, called by its name."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rankconv.errors import InputError
from rankconv.inputs.packed import PACKED_ENDINGS


def runs_in(folder: Path) -> dict[str, Path]:
    """The files of a folder by their names, in the order of these; hidden ones are left out."""
    if not folder.is_dir():
        do = "Pass one file as rc.Run(path), or under a name: rc.Runs(bm25=path)"
        raise InputError("this is no folder", where=str(folder), do=do)
    files = sorted(file for file in folder.iterdir() if _is_run(file) and not file.name.startswith("."))
    if not files:
        raise InputError("there is no file in this folder", where=str(folder))
    return named_by_file(files)


def _is_run(file: Path) -> bool:
    """Files; and links that lead nowhere, which reading tells of."""
    return file.is_file() or (file.is_symlink() and not file.exists())


def named_by_file(files: Sequence[Path]) -> dict[str, Path]:
    """Each file under its name without endings; under its whole path where two have the same."""
    times = Counter(map(_short, files))
    return {_short(file) if times[_short(file)] == 1 else str(file): file for file in files}


def _short(file: Path) -> str:
    return Path(file.stem).stem if file.suffix.lower() in PACKED_ENDINGS else file.stem
