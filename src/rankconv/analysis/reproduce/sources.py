"""Published sources: the model of their YAML files, their inputs, and how they are found."""

from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path, PureWindowsPath
from typing import Annotated, Any, Literal

from pydantic import Field

from rankconv.analysis.reproduce.data_files import DataFolder, FetchedFile, Repository
from rankconv.analysis.reproduce.source_inputs import Aligned, Inputs, QuotedNumber, SourceUser, taken
from rankconv.basics.errors import ConventionError, RankconvError, likely, not_among
from rankconv.data.joined import Joined
from rankconv.presets import folders
from rankconv.presets.checked_file import Strict, validated
from rankconv.presets.preset_file import Citation, Name
from rankconv.presets.yaml_file import Document, read_document, read_text


class Erratum(Strict):
    """A sentence or a sum of the source that contradicts the number."""

    says: Annotated[str, Field(min_length=1)]
    """The words, as short as will do."""
    gives: QuotedNumber
    """The number that follows from them by hand, such as 2/4. It must be what the preset gives."""


class ClaimedDefinition(Strict):
    """What the source says or lets one believe that a number is, where that does not give it."""

    metric: str = ""
    """A spec, under the preset of the number where it names none; empty where it is the one that gives the number."""
    inputs: str = ""
    """Names of inputs; empty where they are those of the number."""
    gives: QuotedNumber | None = None
    """What comes out so."""


class SourceNumber(Strict):
    """One printed number, or a row by cutoff, user or inputs: exactly one of printed, at, by-user, by-inputs."""

    metric: str
    """A spec, such as ndcg@3: the definition that gives the number, or the nearest known one."""
    called: str = ""
    """The name in print, where it says another thing than the spec."""
    printed: QuotedNumber | None = None
    """0.94, 1/3, 83.3%, 0.33… (a prefix), NaN, error, or a sum such as 1/ln(3) + 1/ln(5)."""
    at: dict[int, QuotedNumber] = {}
    """Cutoff to number, for a metric without its @k."""
    by_user: dict[SourceUser, QuotedNumber] = {}
    """User to number."""
    by_inputs: dict[Name, QuotedNumber] = {}
    """Name of inputs to number."""
    user: SourceUser | None = None
    """The number is this user's; without it, the mean."""
    where: str = ""
    """The row, where the table alone does not say it."""
    inputs: str = ""
    preset: str = ""
    erratum: bool | Erratum = False
    """It is wrong in print: `true` where all else in the table comes out, or what contradicts it."""
    claim: ClaimedDefinition | None = None
    """It is of another definition than the source says: the one that the source says, also with `contradicts`."""
    contradicts: str = ""
    """What else the source says that does not agree with the number."""
    unexplained: str = ""
    """Why no definition that is known here gives it."""
    gives: QuotedNumber | None = None
    """What the definition gives, where it does not give the number."""
    note: str = ""


class SourceTable(Strict):
    """Numbers that stand together in the source."""

    where: str
    inputs: str = ""
    """Which of the inputs; not needed where there is one."""
    preset: str = ""
    """In place of the file's."""
    settings: dict[str, Any] = {}
    """Options of the run: convention to setting, in place of what the preset says."""
    numbers: list[SourceNumber] = []
    output: str = ""
    """A file in the folder of this one in the form that trec_eval prints, in place of numbers."""
    computed: bool = False
    """The source does not print these numbers: its own program returns them. They are counted separately."""
    note: str = ""


class PublishedFile(Strict):
    """The numbers that one source prints, with their inputs and the preset that must give them."""

    name: Name
    """The name that users type; equal to the file's stem."""
    title: str
    """The source, in one line."""
    kind: Literal["publication", "tool", "text"] = "text"
    """Numbers published about runs; those of the tests and samples of a tool; examples of a text."""
    preset: str = ""
    """The preset that must give the numbers, where a table or a number names no other."""
    cite: list[Citation] = []
    about: str = ""
    """How the inputs were taken from the source."""
    inputs: dict[str, Inputs] = {}
    data: list[Repository] = []
    """Where labels and runs are that the package does not hold; the user fetches them."""
    tables: Annotated[list[SourceTable], Field(min_length=1)]
    remarks: list[Annotated[str, Field(min_length=1)]] = []
    """What the source says that its own numbers or formulas contradict, a sentence each: where, what, what is meant."""


class NotReproduced(Strict):
    """Printed numbers that are not reproduced."""

    source: str
    where: str
    reason: str
    printed: dict[str, QuotedNumber]
    """What they are, and the numbers."""


class LeftOutFile(Strict):
    """All that is left out, and why."""

    left_out: list[NotReproduced]


PARTS = (Aligned, Citation, ClaimedDefinition, FetchedFile, Erratum, Inputs, Repository, SourceNumber, SourceTable)


def published_schema() -> dict[str, Any]:
    """What an editor checks a file of published numbers against."""
    schema = PublishedFile.model_json_schema(by_alias=True)
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Numbers that rankconv reproduces"}
    return {**schema, **about, "description": (PublishedFile.__doc__ or "").strip()}


PUBLISHED, REGISTRY, ALL = "published", "registry", "all"
LEFT_OUT = "left-out"
CALLED = "a file of published numbers"


@dataclass
class Source:
    """A file of published numbers, and the lines of its parts."""

    file: PublishedFile
    document: Document
    folder: Traversable
    data_folder: Path | None = None
    """What the user fetched."""

    @cached_property
    def data(self) -> DataFolder:
        """The files that the user fetched: those of this source alone, or in a folder of its name."""
        own = self.data_folder and self.data_folder / self.file.name
        return DataFolder(tuple(self.file.data), own if own and own.is_dir() else self.data_folder)

    def joined(self, name: str) -> Joined:
        """The inputs of this name."""
        try:
            return taken(self.file.inputs[name], self.read, self.data)
        except RankconvError as error:
            raise error.at(self.document.place(("inputs", name))) from None

    def fetched(self, name: str) -> list[str]:
        """The files of these inputs that a user fetches."""
        inputs = self.file.inputs[name]
        return [one for one in (inputs.qrels, inputs.run, inputs.seen, inputs.train) if one in self.data]

    def recorded(self, name: str) -> bool:
        """Whether numbers of these inputs were entered without their files."""
        return any(self.data.digest(one) is None for one in self.fetched(name))

    def lacking(self, name: str) -> list[str]:
        """The files of these inputs that are not there."""
        return [one for one in self.fetched(name) if self.data.find(one) is None]

    def read(self, name: str) -> bytes:
        """A file next to it or in a folder there, and nowhere else."""
        file, path = self.folder.joinpath(name), PureWindowsPath(name)  # which goes up, or begins at the top anywhere
        inside = not isinstance(file, Path) or file.resolve().is_relative_to(Path(str(self.folder)).resolve())
        if path.anchor or ".." in path.parts or not inside:
            raise ConventionError(f"'{name}' leads out of the folder", allowed="Only files next to this one are read")
        if not file.is_file():
            raise ConventionError(f"there is no file {name} next to it")
        return file.read_bytes()


def published() -> dict[str, Traversable]:
    """The package's own files of published numbers that have their data with them, by name."""
    return _files(PUBLISHED)


def registry() -> dict[str, Traversable]:
    """Those whose data a user fetches, by name."""
    return _files(REGISTRY)


def _files(folder: str) -> dict[str, Traversable]:
    files = folders.packed_folder(folder).iterdir()
    found = {file.name.rsplit(".", 1)[0]: file for file in files if file.name.endswith(folders.ENDINGS)}
    return {name: found[name] for name in sorted(found) if name != LEFT_OUT}


def source(name: str | Path, data: Path | None = None) -> Source:
    """The source of that name, or of that file; an unknown name is a ConventionError with the nearest."""
    if isinstance(name, Path) or folders.is_path(name):
        if not Path(name).is_file():
            raise ConventionError(f"there is no file {name}")
        return _source(Path(name), Path(name).parent, data)
    for folder in (PUBLISHED, REGISTRY):
        if name in (known := _files(folder)):
            return _source(known[name], folders.packed_folder(folder), data)
    every = [*published(), *registry(), ALL]
    raise not_among("source", name, likely(name, every), ("rc.reproduce('all').titles", "rankconv reproduce --list"))


def sources_named(name: str | Path) -> list[str | Path]:
    """The sources that a word represents: one, all whose numbers a preset of that name gives, or `all`.

    >>> sources_named("blog"), sources_named("mllib")
    (['bellei2017'], ['pyspark', 'spark'])
    """
    known = published()
    if name == ALL:
        return [*known, *registry()]
    if isinstance(name, Path) or folders.is_path(name) or name in known or name in registry():
        return [name]
    heads = {one: read_text(file, str(file)).partition("\nabout:")[0] for one, file in known.items()}
    return [one for one, head in heads.items() if f"\npreset: {name}\n" in f"{head}\n"] or [name]


def _source(file: Any, folder: Any, data: Path | None) -> Source:
    document = _document(file)
    found = validated(PublishedFile, document, CALLED)
    stem = file.name.rsplit(".", 1)[0]
    if found.name != stem:
        wrong = f"the file is called '{stem}' and names its source '{found.name}'"
        raise ConventionError(wrong, where=document.place(("name",)))
    return Source(found, document, folder, data)


def left_out() -> list[NotReproduced]:
    """What of the shipped sources is not reproduced, and why."""
    file = folders.packed_folder(PUBLISHED) / f"{LEFT_OUT}.yaml"
    return validated(LeftOutFile, _document(file), CALLED).left_out


def _document(file: Any) -> Document:
    parts = str(file).replace("\\", "/").rsplit("conventions/", 1)
    said = f"conventions/{parts[1]}" if len(parts) == 2 else str(file)
    return read_document(read_text(file, said), said)
