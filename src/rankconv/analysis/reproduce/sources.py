"""Where files of published numbers are found, and how they are read."""

from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path, PureWindowsPath
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from rankconv.analysis.reproduce import model
from rankconv.analysis.reproduce.load_inputs import taken
from rankconv.analysis.reproduce.model import LeftOut, LeftOutFile, PublishedFile
from rankconv.data.joined import Joined
from rankconv.errors import ConventionError, RankconvError, likely, not_among, unknown
from rankconv.presets import folders
from rankconv.presets.model import Citation
from rankconv.presets.yaml_file import Document, read_document, read_text, said

LEFT_OUT = "left-out"
KINDS: dict[str, type[BaseModel]] = {
    "inputs": model.Inputs,
    "tables": model.Table,
    "numbers": model.Number,
    "rows": model.Aligned,
}
KINDS |= {
    "contradictions": model.Contradiction,
    "slips": model.Slip,
    "erratum": model.Erratum,
    "cite": Citation,
    "left-out": LeftOut,
}
File = TypeVar("File", bound=BaseModel)


@dataclass
class Source:
    """A file of published numbers, and the lines of its parts."""

    file: PublishedFile
    document: Document
    folder: Traversable

    @cached_property
    def joined(self) -> dict[str, Joined]:
        """Its inputs by name."""
        found = {}
        for name, inputs in self.file.inputs.items():
            try:
                found[name] = taken(inputs, self.read)
            except RankconvError as error:
                raise error.at(self.document.place(("inputs", name))) from None
        return found

    def read(self, name: str) -> bytes:
        """A file next to it or in a folder there, and nowhere else."""
        file = self.folder.joinpath(name)
        if _leads_out(name) or (isinstance(file, Path) and not file.resolve().is_relative_to(_resolved(self.folder))):
            raise ConventionError(f"'{name}' leads out of the folder", allowed="Only files next to this one are read")
        if not file.is_file():
            raise ConventionError(f"there is no file {name} next to it")
        return file.read_bytes()


def _leads_out(name: str) -> bool:
    """Whether a path goes up, or begins at the top; on any system."""
    path = PureWindowsPath(name)
    return bool(path.anchor) or ".." in path.parts


def _resolved(folder: Traversable) -> Path:
    return Path(str(folder)).resolve()


def published() -> dict[str, Traversable]:
    """The package's own files of published numbers, by name."""
    files = (folders.conventions() / "published").iterdir()
    found = {file.name.rsplit(".", 1)[0]: file for file in files if file.name.endswith(folders.ENDINGS)}
    return {name: found[name] for name in sorted(found) if name != LEFT_OUT}


def source(name: str | Path) -> Source:
    """The source of that name, or of that file; an unknown name is a ConventionError with the nearest."""
    if isinstance(name, Path) or folders.is_path(name):
        if not Path(name).is_file():
            raise ConventionError(f"there is no file {name}")
        return _source(Path(name), Path(name).parent)
    known = published()
    if name not in known:
        raise not_among("source", name, likely(name, known), ("rc.reproduce().titles", "rankconv reproduce"))
    return _source(known[name], folders.conventions() / "published")


def named(name: str | Path) -> list[str | Path]:
    """The sources that a word represents: one, or all whose numbers a preset of that name gives.

    >>> named("blog"), named("mllib")
    (['bellei2017'], ['pyspark', 'spark'])
    """
    known = published()
    if isinstance(name, Path) or folders.is_path(name) or name in known:
        return [name]
    heads = {one: read_text(file, str(file)).partition("\nabout:")[0] for one, file in known.items()}
    return [one for one, head in heads.items() if f"\npreset: {name}\n" in f"{head}\n"] or [name]


def _source(file: Any, folder: Any) -> Source:
    document = _document(file)
    found = _validated(PublishedFile, document)
    stem = file.name.rsplit(".", 1)[0]
    if found.name != stem:
        wrong = f"the file is called '{stem}' and names its source '{found.name}'"
        raise ConventionError(wrong, where=document.place(("name",)))
    return Source(found, document, folder)


def left_out() -> list[LeftOut]:
    """What of the shipped sources is not reproduced, and why."""
    file = folders.conventions() / "published" / f"{LEFT_OUT}.yaml"
    return _validated(LeftOutFile, _document(file)).left_out


def _document(file: Any) -> Document:
    parts = str(file).replace("\\", "/").rsplit("conventions/", 1)
    said = f"conventions/{parts[1]}" if len(parts) == 2 else str(file)
    return read_document(read_text(file, said), said)


def _validated(kind: type[File], document: Document) -> File:
    if not isinstance(document.data, dict):
        raise ConventionError("a file of published numbers is a mapping of keys", where=document.place(()))
    try:
        return kind.model_validate(document.data)
    except ValidationError as problem:
        raise _shape_error(problem, kind, document) from None


def _shape_error(problem: ValidationError, kind: type[BaseModel], document: Document) -> RankconvError:
    errors = problem.errors()
    error = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
    path = error["loc"]
    if error["type"] == "extra_forbidden":
        around = next((KINDS[part] for part in reversed(path[:-1]) if isinstance(part, str) and part in KINDS), kind)
        keys = [info.alias or name for name, info in around.model_fields.items()]
        return unknown("key here", str(path[-1]), keys, where=document.place(path))
    wrong = f"'{'.'.join(map(str, path))}': {said(error)}"
    quoted = isinstance(error["input"], (int, float)) and error["type"] == "string_type"
    do = "Put the number in quotes, so that all its digits stay." if quoted else ""
    return ConventionError(wrong, where=document.place(path), do=do)
