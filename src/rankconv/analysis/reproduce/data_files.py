"""Files of a source that its user fetches: where they are in public, and whether what was fetched is what was read."""

import gzip
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shlex import quote as shell_quote
from typing import Annotated
from urllib.parse import quote

from pydantic import Field

from rankconv.basics.errors import ConventionError, InputError, nearest
from rankconv.presets.checked_file import Strict

Commit = Annotated[str, Field(pattern=r"^[0-9a-f]{7,40}$")]
FileName = Annotated[str, Field(pattern=r"^[\w@][\w.+@-]*$")]
"""Of a file in the folder that a user fills, so without a folder of its own."""
HOST, RAW = "https://github.com/", "https://raw.githubusercontent.com/"
DATA_FOLDER = "FOLDER"
"""What the commands have for the folder of the user, where none is given."""
_BLOCK = 1 << 20


class FetchedFile(Strict):
    """A file of the repository, and what it must hold."""

    path: str = ""
    """In the repository; the name of the file, where that is all."""
    revision: Commit | None = None
    """Its commit, where that is another than the repository's."""
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    """Of what the file holds, unpacked. Without it no number was recomputed from the file."""


class Repository(Strict):
    """A public repository, and those of its files that hold labels and runs."""

    repository: Annotated[str, Field(pattern=rf"^{HOST}[\w.-]+/[\w.-]+$")]
    revision: Commit
    licence: str = ""
    """What it states; empty where it states none."""
    files: dict[FileName, FetchedFile]
    """By the names that they have in the user's folder."""


@dataclass(frozen=True)
class DataFolder:
    """The folder that a user filled for a source, and what must be in it."""

    repositories: tuple[Repository, ...]
    path: Path | None
    """None where the user gave no folder."""

    def __contains__(self, name: str) -> bool:
        return any(name in one.files for one in self.repositories)

    def digest(self, name: str) -> str | None:
        """What the file must hold; None where it was not at hand when the numbers were entered."""
        return next(one.files[name].sha256 for one in self.repositories if name in one.files)

    def find(self, name: str) -> Path | None:
        """The file, plain or gzipped; None where it is not in the folder."""
        if self.path is None:
            return None
        return next((path for path in (self.path / name, self.path / f"{name}.gz") if path.is_file()), None)

    def verified(self, name: str) -> Path:
        """The file, if its digest is the one recorded; else an InputError with the command that fetches it.

        ConventionError for a file that the source does not name under `data`.
        """
        if name not in self:
            known = [one for repository in self.repositories for one in repository.files]
            wrong = f"'{name}' is not a file of 'data:'"
            raise ConventionError(wrong, nearest=nearest(name, known), do="Name it there, under 'files:'.")
        path, wanted = self.find(name), self.digest(name)
        if path is None:
            raise InputError("there is no such file", where=name, do=f"Fetch it: {self._command(name)}")
        found = _sha256(path)
        if found != wanted:
            wrong = f"the file holds something else than what was read: its SHA-256 is {found}, not {wanted}"
            raise InputError(wrong, where=str(path), do=f"Remove it, and fetch it again: {self._command(name)}")
        return path

    def missing(self) -> Iterator[str]:
        """The files with a digest that are not in the folder."""
        for one in self.repositories:
            yield from (name for name, file in one.files.items() if file.sha256 and self.find(name) is None)

    def commands(self) -> list[str]:
        """The commands that fetch what is missing, each in two lines of which the first is short."""
        return [f" \\\n    {RAW}".join(self._command(name).split(f" {RAW}")) for name in self.missing()]

    def _command(self, name: str) -> str:
        """The command that fetches a file, with the ending of packed files where the repository holds it packed."""
        owner = next(one for one in self.repositories if name in one.files)
        file = owner.files[name]
        path = file.path or name
        packed = ".gz" if path.endswith(".gz") and not name.endswith(".gz") else ""
        target = f"{DATA_FOLDER if self.path is None else self.path}/{name}{packed}"
        place = f"{owner.repository.removeprefix(HOST)}/{file.revision or owner.revision}/{quote(path)}"
        return f"curl -fsSL --create-dirs -o {shell_quote(target)} {RAW}{place}"


def _sha256(path: Path) -> str:
    """Of what a file holds, unpacked if it is gzipped."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else path.open("rb") as opened:
            while block := opened.read(_BLOCK):
                digest.update(block)
    except (OSError, EOFError) as problem:
        raise InputError(f"the file cannot be read: {problem}", where=str(path)) from None
    return digest.hexdigest()
