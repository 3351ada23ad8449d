"""The reproduction of printed values: what a file claims, what its preset gives, and the verdict on each number."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rankconv.analysis.reproduce.number_row import (
    NOT_RECOMPUTED,
    UNEXPLAINED,
    NumberRow,
)
from rankconv.analysis.reproduce.printed_numbers import PrintedNumber, printed_numbers
from rankconv.analysis.reproduce.reproduction import (
    ERRATUM,
    EXACT,
    Printed,
    Reproduction,
    read_printed,
    reproduced,
)
from rankconv.analysis.reproduce.sources import (
    ALL,
    Erratum,
    Source,
    left_out,
    published,
    source,
    sources_named,
)
from rankconv.basics.errors import ConventionError, InputError, unknown
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured

NOTHING = "–"
OTHERS_COME_OUT = "all else of its table comes out"


@dataclass(frozen=True)
class NumberOutcome:
    """A number, or why there is none."""

    value: float | None
    why: str = ""
    absent: bool = False
    """Whether nothing was computed, as the data are not there."""


def outcomes(source: Source, numbers: Sequence[PrintedNumber]) -> list[NumberOutcome]:
    """What gives each number; each definition is measured once, and one of the inputs is in memory at a time."""
    found: dict[int, NumberOutcome] = {}
    places: dict[str, list[int]] = {}
    for place, one in enumerate(numbers):
        places.setdefault(one.inputs, []).append(place)
    for inputs, here in places.items():
        if absent := _absent(source, inputs):
            found |= dict.fromkeys(here, absent)
            continue
        first: dict[tuple[object, ...], PrintedNumber] = {}
        for place in here:
            first.setdefault(numbers[place].requested, numbers[place])
        joined = source.joined(inputs)
        measured = dict(zip(first, measure(joined, [one.definition for one in first.values()], None), strict=True))
        found |= {place: _outcome(joined, measured[numbers[place].requested], numbers[place]) for place in here}
    return [found[place] for place in range(len(numbers))]


def _absent(source: Source, inputs: str) -> NumberOutcome | None:
    """Why nothing is computed on these inputs; None where their files are there."""
    if source.recorded(inputs):
        return NumberOutcome(None, "entered without its data", absent=True)
    lacking = source.lacking(inputs)
    why = "the data are not given" if source.data.path is None else f"{', '.join(lacking)} not in {source.data.path}"
    return NumberOutcome(None, why, absent=True) if lacking else None


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
    claims = [one.claimed for one in numbers if one.claimed is not None]
    given = outcomes(source, [*numbers, *claims])
    of_claims = iter(given[len(numbers) :])
    verdicts = [reproduced(one.printed, outcome.value) for one, outcome in zip(numbers, given, strict=False)]
    rows = []
    for place, (number, outcome, verdict) in enumerate(zip(numbers, given, verdicts, strict=False)):
        of_claim = next(of_claims) if number.claimed is not None else None
        if outcome.absent:
            rows.append(_row(source, number, NOT_RECOMPUTED, "", outcome))
            continue
        doubted = verdict is None and number.entry.erratum
        others = [verdicts[at] for at in of_same_table(numbers, place)] if doubted else []
        fault = _claim_fault(number, of_claim) or _fault(number, outcome, verdict, others)
        rows.append(_row(source, number, verdict, fault, outcome))
    return rows


def of_same_table(numbers: Sequence[PrintedNumber], place: int) -> list[int]:
    """The other numbers of its table, where one of them is of its preset."""
    one = numbers[place]
    table = [at for at, other in enumerate(numbers) if other.table == one.table and at != place]
    return table if any(numbers[at].preset == one.preset for at in table) else []


def _claim_fault(number: PrintedNumber, outcome: NumberOutcome | None) -> str:
    """Why the claimed definition is not one that gives something else; empty where it is."""
    claim = number.entry.claim
    if claim is None or outcome is None or outcome.absent:
        return ""
    if reproduced(number.printed, outcome.value) is not None:
        return "what the source claims gives it too"
    same = claim.gives is None or reproduced(read_printed(claim.gives), outcome.value) is not None
    return "" if same else f"the file says that the claimed definition gives {claim.gives}"


def _fault(number: PrintedNumber, outcome: NumberOutcome, verdict: str | None, others: Sequence[str | None]) -> str:
    """Why a number is not as its file states; empty where it is."""
    entry = number.entry
    if entry.gives is not None:
        same = reproduced(read_printed(entry.gives), outcome.value) is not None
        return "" if same else f"the file says that the definition gives {entry.gives}"
    if verdict is not None:
        return ""
    return (
        not_borne_out(entry.erratum, number.printed, outcome.value, others) if entry.erratum else "it does not come out"
    )


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
    entry = number.entry
    verdict_text = verdict or (UNEXPLAINED if fault or entry.unexplained else ERRATUM)
    wrongly = verdict not in (None, NOT_RECOMPUTED) and bool(entry.erratum or entry.gives)
    note = "marked as one that does not come out, and the preset gives it" if wrongly else fault
    if verdict_text == ERRATUM:
        shows = f'the source says "{entry.erratum.says}"' if isinstance(entry.erratum, Erratum) else OTHERS_COME_OUT
        note = "; ".join(filter(None, (entry.contradicts or shows, number.note)))
    claimed = number.claimed
    return NumberRow(
        source=source.file.name,
        where=number.where,
        preset=number.preset,
        metric=number.spec,
        user=number.user,
        printed=number.printed.text,
        ours=outcome.value,
        shown=NOTHING if outcome.absent else shown(outcome.value, number.printed, differs=verdict is None),
        verdict=verdict_text,
        note=note or entry.contradicts or entry.unexplained or number.note or outcome.why,
        wrongly_marked=wrongly,
        computed=source.file.tables[number.table].computed,
        called=entry.called,
        inputs=number.inputs,
        recorded=number.recorded,
        claimed="" if claimed is None else f"{claimed.preset}:{claimed.spec}",
        differs="" if claimed is None else _difference(number, claimed),
        checked="recorded" if source.recorded(number.inputs) else "data",
        as_recorded=not fault and not wrongly,
        fingerprint=number.definition.fingerprint if source.file.data else "",
        signature=number.definition.signature if source.file.data else "",
    )


def _difference(number: PrintedNumber, claimed: PrintedNumber) -> str:
    """The settings and inputs in which what gives a number differs from what is claimed."""
    pairs = claimed.definition.diff(number.definition)
    parts = [f"{name} is {ours or 'none'}, claimed {theirs or 'none'}" for name, (theirs, ours) in pairs.items()]
    moved = f"inputs are {number.inputs}, claimed {claimed.inputs}" if number.inputs != claimed.inputs else ""
    return "; ".join(filter(None, (*parts, moved)))


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


def reproduce(*sources: str | Path, data: str | Path | None = None) -> Reproduction:
    """Reproduce the printed values of sources with the presets that their files name.

    Parameters
    ----------
    *sources : str or path
        Names of shipped files (`conventions/published/`, `conventions/registry/`), presets, or paths of your own; `all`
        for all shipped files. By default those that have their data with them, and all where `data` is given.
    data : str or path, optional
        The folder with the files of sources whose data are not shipped: those of one source, or a folder for each
        under its name. Numbers without their files are not recomputed; `fetch` of the result has the commands that
        fetch the files, as rankconv opens no connection.

    Returns
    -------
    Reproduction
        `rows`, `summary` and `ok`. The verdict on a number is computed: exact, truncated, float32, an erratum that the
        source itself shows, or unexplained. A number must be that of the preset that the file names; `rc.identify`
        finds others. `recorded` of a row is what the file states of the number: as claimed, other definition than the
        source claims, contradiction inside the source, or unexplained.

    Raises
    ------
    ConventionError
        If a source is unknown, or a file is not valid, with file and line.
    InputError
        If a file of `data` does not have the digest that is recorded.

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
    if not isinstance(data, str | os.PathLike | None):
        raise InputError(f"data={data!r:.100} is not a folder", do="Pass its path.")
    folder = None if data is None else Path(data)
    if folder is not None and not folder.is_dir():
        raise InputError("there is no such folder", where=str(folder))
    known = published()
    wanted: Sequence[str | Path] = sources or ([ALL] if folder else list(known))
    names_given = dict.fromkeys(one for given in wanted for one in sources_named(given))
    chosen = [source(name, folder) for name in names_given]
    names = {one.file.name for one in chosen}
    return Reproduction(
        {one.file.name: one.file.title for one in chosen},
        tuple(row for one in chosen for row in numbers_with_verdicts(one)),
        tuple(entry for entry in left_out() if not sources or entry.source in names & known.keys()),
        tuple(f"{one.file.name}, {remark}" for one in chosen for remark in one.file.remarks),
        tuple(command for one in chosen for command in one.data.commands()),
    )
