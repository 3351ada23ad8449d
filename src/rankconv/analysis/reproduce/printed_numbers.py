"""The numbers of a source one by one: each with its inputs, its definition, and what its file says of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from rankconv.analysis.reproduce.number_row import AS_CLAIMED, CONTRADICTION, OTHER, UNEXPLAINED, Recorded
from rankconv.analysis.reproduce.reproduction import Printed, read_printed
from rankconv.analysis.reproduce.source_inputs import unpacked
from rankconv.analysis.reproduce.sources import Erratum, Source, SourceNumber
from rankconv.basics.errors import ConventionError, RankconvError, unknown
from rankconv.conventions.spec import preset_and_rest
from rankconv.presets import folders
from rankconv.presets.definition import Definition
from rankconv.presets.preset_registry import preset as find_preset


@dataclass(frozen=True)
class PrintedNumber:
    """A number in print, and what must give it: a spec under a preset, on inputs, for one user or the mean."""

    inputs: str
    preset: str
    settings: tuple[tuple[str, Any], ...]
    """Options of the run."""
    spec: str
    user: str | int | None
    line: str
    """File and line, for messages."""
    where: str
    table: int
    """The place of its table in the file."""
    printed: Printed
    entry: SourceNumber
    """The row of the file, with what it says of the number."""
    note: str

    @property
    def requested(self) -> tuple[str, str, tuple[tuple[str, Any], ...], str]:
        """What is measured once: a definition on inputs, of all users and their mean."""
        return self.inputs, self.preset, self.settings, self.spec

    @property
    def recorded(self) -> Recorded:
        """The verdict that the file states."""
        entry = self.entry
        if entry.erratum or entry.contradicts:
            return CONTRADICTION
        return OTHER if entry.claim is not None else UNEXPLAINED if entry.unexplained else AS_CLAIMED

    @cached_property
    def claimed(self) -> "PrintedNumber | None":
        """The same number of the definition and the inputs that the source claims, where these do not give it."""
        claim = self.entry.claim
        if claim is None:
            return None
        preset, spec = preset_and_rest(claim.metric) if claim.metric else (self.preset, self.spec)
        return replace(self, inputs=claim.inputs or self.inputs, preset=preset or self.preset, spec=spec)

    @cached_property
    def definition(self) -> Definition:
        """What the spec asks for; errors get the line."""
        try:
            (found,) = find_preset(self.preset).replace(**dict(self.settings)).define(self.spec)
        except RankconvError as error:
            raise error.at(self.line) from None
        except ValueError:
            raise ConventionError(f"'{self.spec}' has several cutoffs", where=self.line) from None
        return found


def printed_numbers(source: Source) -> Iterator[PrintedNumber]:
    """All numbers of a source."""
    for place, table in enumerate(source.file.tables):
        if not table.numbers and not table.output:
            raise ConventionError("the table has no numbers", where=source.document.place(("tables", place)))
        if table.output:
            line = source.document.place(("tables", place))
            for text in unpacked(source.read, table.output).splitlines():
                metric, user, value = (*text.split(), "", "", "")[:3]
                if metric and metric != "runid" and not metric.startswith("relstring"):  # these two print words
                    cell = NumberCell(metric, None if user == "all" else user, value)
                    yield _printed_number(source, place, SourceNumber(metric=metric), cell, line)
        for row, number in enumerate(table.numbers):
            line = source.document.place(("tables", place, "numbers", row))
            yield from (_printed_number(source, place, number, cell, line) for cell in _cells(number, line))


class NumberCell(NamedTuple):
    """One number of a row."""

    spec: str
    user: str | int | None
    text: str
    inputs: str = ""


def _cells(number: SourceNumber, line: str) -> list[NumberCell]:
    """Each number in a row."""
    _check_verdict(number, line)
    given = [number.printed is not None, bool(number.at), bool(number.by_user), bool(number.by_inputs)]
    if sum(given) != 1:
        raise ConventionError("a number has exactly one of printed, at, by-user, by-inputs", where=line)
    if number.at:
        return [NumberCell(f"{number.metric}@{k}", number.user, text, number.inputs) for k, text in number.at.items()]
    if number.by_user:
        return [NumberCell(number.metric, user, text, number.inputs) for user, text in number.by_user.items()]
    if number.by_inputs:
        return [NumberCell(number.metric, number.user, text, inputs) for inputs, text in number.by_inputs.items()]
    return [NumberCell(number.metric, number.user, number.printed or "", number.inputs)]


def _check_verdict(number: SourceNumber, line: str) -> None:
    """Refuse two verdicts on one number, and a value that agrees with the number where it should not."""
    said = {"erratum": number.erratum, "claim": number.claim, "contradicts": number.contradicts}
    given = [name for name, one in {**said, "unexplained": number.unexplained}.items() if one]
    if len(given) > 1 and given != ["claim", "contradicts"]:
        raise ConventionError(f"a number has one verdict, and this has {' and '.join(given)}", where=line)
    if number.gives is not None and given not in (["contradicts"], ["unexplained"]):
        do = "Say why under 'contradicts:' or 'unexplained:'"
        raise ConventionError("'gives:' is what comes out in place of the number", where=line, do=do)
    if number.unexplained and number.gives is None:
        raise ConventionError("an unexplained number has no 'gives:'", where=line, do="Say what the definition gives.")
    contradicting = number.erratum.gives if isinstance(number.erratum, Erratum) else None
    for text in (number.gives, number.claim and number.claim.gives, contradicting):
        try:
            read_printed(text or "0")
        except ConventionError as error:
            raise error.at(line) from None
    if number.claim is not None and not (number.claim.metric or number.claim.inputs):
        raise ConventionError("a claim has a metric or inputs", where=line)


def _printed_number(source: Source, place: int, number: SourceNumber, cell: NumberCell, line: str) -> PrintedNumber:
    """Inputs and preset are as the number says, or its table, or the file."""
    table, names = source.file.tables[place], list(source.file.inputs)
    spec, user, text, inputs = cell
    name = inputs or table.inputs or (names[0] if len(names) == 1 else "")
    for one in (name, *([number.claim.inputs] if number.claim and number.claim.inputs else [])):
        if one not in names:
            raise unknown("name of inputs", one, names, where=line)
    named, rest = preset_and_rest(spec)
    preset = named or number.preset or table.preset or source.file.preset
    if not preset:
        raise ConventionError("no preset is named", where=line, do="Add 'preset:' to the number, table or file.")
    if folders.is_path(preset) and isinstance(source.folder, Path):
        preset = str(source.folder / preset)
    try:
        printed = read_printed(text)
    except ConventionError as error:
        raise error.at(line) from None
    return PrintedNumber(
        inputs=name,
        preset=preset,
        settings=tuple(table.settings.items()),
        spec=rest,
        user=user,
        line=line,
        where=", ".join(filter(None, (table.where, number.where))),
        table=place,
        printed=printed,
        entry=number,
        note=number.note or table.note,
    )
