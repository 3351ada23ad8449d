"""A request, as it travels to workers: definitions by their settings, plugins by their text."""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from rankconv.errors import InputError
from rankconv.evaluation.partial import Partial, nobody
from rankconv.plugins import load_copy
from rankconv.presets.definition import Definition

_LOADED: dict[Path, str] = {}
"""The plugins that this process has run, each with the checksum of its text."""


@dataclass(frozen=True)
class Request:
    """A request, as it travels to workers: definitions by their settings, plugins by their text."""

    preset: str
    definitions: bytes
    plugins: tuple[tuple[Path, str], ...]

    @classmethod
    def of(cls, empty: Partial, plugins: Sequence[str | Path]) -> "Request":
        """The request of a part without users, with the texts of these files."""
        files = [Path(one).resolve() for one in plugins]
        texts = tuple((file, file.read_text(encoding="utf-8")) for file in files)
        return cls(empty.preset, pickle.dumps(empty.definitions), texts)

    def empty(self) -> Partial:
        """The part without a user, made in this process; InputError for a plugin that is not here."""
        return _made(self)

    def read(self) -> dict[str, Definition]:
        """The definitions; InputError for a plugin that is not here."""
        try:
            found: dict[str, Definition] = pickle.loads(self.definitions)  # of the driver, as all that Spark sends
        except InputError as problem:
            do = "Name it: plugins=[…], and its text travels to all workers."
            raise InputError(problem.wrong, where="a worker of Spark", do=do) from None
        return found


@lru_cache(maxsize=1)
def _made(request: Request) -> Partial:
    """Made once in a process, which takes one task after another."""
    for file, text in request.plugins:
        _run(file, text)
    return nobody(request.preset, request.read(), labelled=True)  # the driver sees to the items that are labelled


def _run(file: Path, text: str) -> None:
    """Run the text of a plugin, once in this process."""
    mark = sha256(text.encode()).hexdigest()
    if _LOADED.get(file) == mark:
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder) / file.name
        copy.write_text(text, encoding="utf-8")
        load_copy(copy, file)
    _LOADED[file] = mark
