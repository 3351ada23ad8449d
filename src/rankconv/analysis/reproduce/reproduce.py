"""The reproduction of printed values: what a file claims, what its preset gives, and the verdict on each number."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankconv.analysis.reproduce.reproduction import (
    ERRATUM,
    EXACT,
    UNEXPLAINED,
    NumberRow,
    Printed,
    Reproduction,
    read_printed,
    reproduced,
)
from rankconv.analysis.reproduce.sources import (
    Erratum,
    Source,
    SourceNumber,
    left_out,
    published,
    source,
    sources_named,
    unpacked,
)
from rankconv.basics.errors import ConventionError, InputError, RankconvError, unknown
from rankconv.conventions.spec import preset_and_rest
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.presets import folders
from rankconv.presets.definition import Definition
from rankconv.presets.preset_registry import preset as find_preset

OTHERS_COME_OUT = "all else of its table comes out"


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
    mark: bool | Erratum
    note: str

    @property
    def requested(self) -> tuple[object, ...]:
        """What is measured once: a definition on inputs, of all users and their mean."""
        return self.inputs, self.preset, self.settings, self.spec

    @property
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
                    who = None if user == "all" else user
                    yield _printed_number(source, place, SourceNumber(metric=metric), metric, who, value, line)
        for row, number in enumerate(table.numbers):
            line = source.document.place(("tables", place, "numbers", row))
            yield from (_printed_number(source, place, number, *cell, line) for cell in _cells(number, line))


def _cells(number: SourceNumber, line: str) -> list[tuple[str, str | int | None, str]]:
    """The spec, the user and the text of each number in a row."""
    given = [number.printed is not None, bool(number.at), bool(number.by_user)]
    if sum(given) != 1:
        raise ConventionError("a number has exactly one of printed, at, by-user", where=line)
    if number.at:
        return [(f"{number.metric}@{k}", number.user, text) for k, text in number.at.items()]
    if number.by_user:
        return [(number.metric, user, text) for user, text in number.by_user.items()]
    return [(number.metric, number.user, number.printed or "")]


def _printed_number(
    source: Source, place: int, number: SourceNumber, spec: str, user: str | int | None, text: str, line: str
) -> PrintedNumber:
    """Inputs and preset are as the number says, or its table, or the file."""
    table, names = source.file.tables[place], list(source.file.inputs)
    name = number.inputs or table.inputs or (names[0] if len(names) == 1 else "")
    if name not in names:
        raise unknown("name of inputs", name, names, where=line)
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
        mark=number.erratum,
        note=number.note or table.note,
    )


@dataclass(frozen=True)
class NumberOutcome:
    """A number, or why there is none."""

    value: float | None
    why: str = ""


def outcomes(source: Source, numbers: Sequence[PrintedNumber]) -> list[NumberOutcome]:
    """What gives each number; each definition is measured once."""
    first: dict[str, dict[tuple[object, ...], PrintedNumber]] = {}
    for one in numbers:
        first.setdefault(one.inputs, {}).setdefault(one.requested, one)
    measured = dict[tuple[object, ...], Measured]()
    for inputs, group in first.items():
        found = measure(source.joined[inputs], [one.definition for one in group.values()], None)
        measured |= zip(group, found, strict=True)
    return [_outcome(source.joined[one.inputs], measured[one.requested], one) for one in numbers]


def _outcome(joined: Joined, measured: Measured, number: PrintedNumber) -> NumberOutcome:
    refusals = measured.refusals
    if any(refusal.policy == "needs" for refusal in refusals):
        raise InputError(refusals[0].why, where=number.line)
    if number.user is None:
        return NumberOutcome(None, refusals[0].why) if refusals else NumberOutcome(measured.mean)
    users = [str(user) for user in joined.users.values]
    if str(number.user) not in users:
        raise unknown("known user", str(number.user), users, where=number.line)
    place = users.index(str(number.user))
    state, settings = measured.state_names[measured.states[place]], measured.definition.aggregation.settings
    policy = state.partition(": ")[0]
    refused = policy in settings and settings[policy].traits.refuses
    return NumberOutcome(None, state) if refused else NumberOutcome(float(measured.values[place]))


def numbers_with_verdicts(source: Source) -> list[NumberRow]:
    """All numbers of a source, in the order of its file."""
    numbers = list(printed_numbers(source))
    given = outcomes(source, numbers)
    verdicts = [reproduced(one.printed, outcome.value) for one, outcome in zip(numbers, given, strict=True)]
    rows = []
    for place, (number, outcome, verdict) in enumerate(zip(numbers, given, verdicts, strict=True)):
        fault = ""
        if verdict is None and not number.mark:
            fault = "it does not come out"
        elif verdict is None:
            table = [at for at, other in enumerate(numbers) if other.table == number.table and at != place]
            same_preset = any(numbers[at].preset == number.preset for at in table)
            others = [verdicts[at] for at in table] if same_preset else []
            fault = not_borne_out(number.mark, number.printed, outcome.value, others)
        rows.append(_row(source, number, verdict, fault, outcome))
    return rows


def not_borne_out(mark: bool | Erratum, printed: Printed, ours: float | None, others: Sequence[str | None]) -> str:
    """Why the source does not bear out that a number is an erratum; empty where it does.

    `others` are the verdicts on all other numbers of its table.
    """
    if isinstance(mark, Erratum):
        return _not_given(read_printed(mark.gives), printed, ours)
    if not others:
        return "marked as an erratum without a contradicting sentence: name that sentence"
    wrong = sum(verdict is None for verdict in others)
    return f"marked as an erratum, but {wrong} more of its table do not come out" if wrong else ""


def _not_given(gives: Printed, printed: Printed, ours: float | None) -> str:
    if gives.unit is not None and (printed.unit is None or gives.unit > printed.unit):
        return f"marked as an erratum, but {gives.text} has fewer digits than the number itself"
    if reproduced(gives, ours) == EXACT:
        return ""
    return f"marked as an erratum, but what the source says gives {gives.text}, and the preset does not"


def _row(source: Source, number: PrintedNumber, verdict: str | None, fault: str, outcome: NumberOutcome) -> NumberRow:
    verdict_text = verdict or (UNEXPLAINED if fault else ERRATUM)
    wrongly = verdict is not None and bool(number.mark)
    note = "marked as an erratum, and the preset gives it" if wrongly else fault
    if verdict_text == ERRATUM:
        shows = f'the source says "{number.mark.says}"' if isinstance(number.mark, Erratum) else OTHERS_COME_OUT
        note = "; ".join(filter(None, (shows, number.note)))
    return NumberRow(
        source=source.file.name,
        where=number.where,
        preset=number.preset,
        metric=number.spec,
        user=number.user,
        printed=number.printed.text,
        ours=outcome.value,
        shown=shown(outcome.value, number.printed, differs=verdict is None),
        verdict=verdict_text,
        note=note or outcome.why or number.note,
        wrongly_marked=wrongly,
        computed=source.file.tables[number.table].computed,
    )


def shown(ours: float | None, printed: Printed, differs: bool = False) -> str:
    """Our number to the digits printed, or to more where that distinguishes the two."""
    if ours is None:
        return "refused"
    decimals = printed.decimals
    if decimals is None or not math.isfinite(ours):
        return f"{ours:.6g}"
    if not differs:
        return f"{ours:.{min(decimals, 16)}f}"
    whole, _, digits = f"{ours:.{decimals + 2}f}".partition(".")
    return f"{whole}.{digits[:decimals]}{digits[decimals:].rstrip('0')}"


def reproduce(*sources: str | Path) -> Reproduction:
    """Reproduce the printed values of sources with the presets that their files name.

    Parameters
    ----------
    *sources : str or path
        Names of shipped files (`conventions/published/`), presets, or paths of your own; by default all shipped files.

    Returns
    -------
    Reproduction
        `rows`, `summary` and `ok`. The verdict on a number is computed: exact, truncated, float32, an erratum that the
        source itself shows, or unexplained. A number must be that of the preset that the file names; `rc.identify`
        finds others.

    Raises
    ------
    ConventionError
        If a source is unknown, or a file is not valid, with file and line.

    Examples
    --------
    >>> import rankconv as rc
    >>> found = rc.reproduce("ndcg-video")
    >>> found.summary
    '3 numbers, 2 exact, 0 truncated, 0 float32, 1 errata, 0 unexplained, 0 left out'
    >>> [(row.metric, row.printed, row.shown) for row in found if row.verdict == "erratum"]
    [('ndcg@3', '0.94', '0.9501')]
    """
    for one in sources:
        if not isinstance(one, (str, Path)):
            allowed = "A source is a name or a path; pass several one after another, reproduce('a', 'b')"
            raise ConventionError(f"{one!r:.100} is not a source", allowed=allowed)
    known = published()
    chosen = [source(name) for name in dict.fromkeys(one for given in sources or known for one in sources_named(given))]
    names = {one.file.name for one in chosen}
    return Reproduction(
        {one.file.name: one.file.title for one in chosen},
        tuple(row for one in chosen for row in numbers_with_verdicts(one)),
        tuple(entry for entry in left_out() if not sources or entry.source in names & known.keys()),
        tuple(f"{one.file.name}, {remark}" for one in chosen for remark in one.file.remarks),
    )
