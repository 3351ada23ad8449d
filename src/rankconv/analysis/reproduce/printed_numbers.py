"""Each printed number by itself: where it stands, and what must give it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from rankconv.analysis.reproduce.load_inputs import unpacked
from rankconv.analysis.reproduce.model import Contradiction, Erratum, Number, Table
from rankconv.analysis.reproduce.printed import Printed, read_printed
from rankconv.analysis.reproduce.sources import Source
from rankconv.errors import ConventionError, RankconvError, unknown
from rankconv.presets import folders
from rankconv.presets.definition import Definition
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.yaml_file import Path
from rankconv.specs.spec import preset_and_rest


@dataclass(frozen=True)
class Asked:
    """A spec under a preset, on inputs, for one user or the mean."""

    inputs: str
    preset: str
    settings: tuple[tuple[str, Any], ...]
    """Options of the run."""
    spec: str
    user: str | int | None
    line: str
    """File and line, for messages."""

    @property
    def definition(self) -> Definition:
        """What the spec asks for; errors get the line."""
        try:
            (found,) = find_preset(self.preset).replace(**dict(self.settings)).define(self.spec)
        except RankconvError as error:
            raise error.at(self.line) from None
        except ValueError:
            raise ConventionError(f"'{self.spec}' asks for several numbers", where=self.line) from None
        return found


@dataclass(frozen=True)
class PrintedNumber:
    """A number in print, and what must give it."""

    asked: Asked
    where: str
    table: int
    """The place of its table in the file."""
    printed: Printed
    mark: bool | Erratum
    note: str


def claims(source: Source) -> Iterator[PrintedNumber]:
    """All numbers of a source."""
    for place, table in enumerate(source.file.tables):
        if not table.numbers and not table.output:
            raise ConventionError("the table has no numbers", where=source.document.place(("tables", place)))
        if table.output:
            yield from _of_output(source, place, table)
        for row, number in enumerate(table.numbers):
            yield from _of_number(source, place, ("tables", place, "numbers", row), number)


def _of_number(source: Source, place: int, path: Path, number: Number) -> Iterator[PrintedNumber]:
    line = source.document.place(path)
    given = [number.printed is not None, bool(number.at), bool(number.by_user)]
    if sum(given) != 1:
        raise ConventionError("a number has exactly one of printed, at, by-user", where=line)
    table = source.file.tables[place]
    cells = [(number.metric, number.user, number.printed or "")]
    if number.at:
        cells = [(f"{number.metric}@{k}", number.user, text) for k, text in number.at.items()]
    elif number.by_user:
        cells = [(number.metric, user, text) for user, text in number.by_user.items()]
    where = ", ".join(filter(None, (table.where, number.where)))
    for spec, user, text in cells:
        asked = _asked(source, (number, table), spec, user, line)
        yield PrintedNumber(asked, where, place, _printed(text, line), number.erratum, number.note or table.note)


def _of_output(source: Source, place: int, table: Table) -> Iterator[PrintedNumber]:
    line = source.document.place(("tables", place))
    for text in unpacked(source.read, table.output).splitlines():
        metric, user, number = (*text.split(), "", "", "")[:3]
        if not metric or metric == "runid" or metric.startswith("relstring"):
            continue  # these two print words
        who = None if user == "all" else user
        asked = _asked(source, (table,), metric, who, line)
        yield PrintedNumber(asked, table.where, place, _printed(number, line), False, table.note)


def of_contradiction(source: Source, place: int, one: Contradiction) -> tuple[Asked, Asked]:
    """What the two statements ask for."""
    line = source.document.place(("contradictions", place))
    reading, against = (_asked(source, (one,), spec, one.user, line) for spec in (one.reading, one.against))
    return reading, against


def _asked(
    source: Source,
    told_by: tuple[Number | Table | Contradiction, ...],
    spec: str,
    user: str | int | None,
    line: str,
) -> Asked:
    """Inputs and preset as the innermost of them tells, or as the file does."""
    names = list(source.file.inputs)
    name = next((one.inputs for one in told_by if one.inputs), names[0] if len(names) == 1 else "")
    if name not in names:
        raise unknown("name of inputs", name, names, where=line)
    named, rest = preset_and_rest(spec)
    preset = named or next((one.preset for one in (*told_by, source.file) if one.preset), "")
    if not preset:
        raise ConventionError("no preset is named", where=line, do="Add 'preset:' to the number, table or file.")
    if folders.is_path(preset) and isinstance(source.beside, FilePath):
        preset = str(source.beside / preset)
    settings = [setting for one in told_by if isinstance(one, Table) for setting in one.settings.items()]
    return Asked(name, preset, tuple(settings), rest, user, line)


def _printed(text: str, line: str) -> Printed:
    try:
        return read_printed(text)
    except ConventionError as error:
        raise error.at(line) from None
