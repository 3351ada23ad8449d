"""The reproduction of printed values."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rankconv.analysis.reproduce.printed_numbers import (
    NumberSource,
    Printed,
    PrintedNumber,
    claims,
    of_contradiction,
    read_printed,
)
from rankconv.analysis.reproduce.reproduction import (
    ERRATUM,
    EXACT,
    UNEXPLAINED,
    Disagreement,
    Reproduction,
    Row,
    not_borne_out,
    reproduced,
)
from rankconv.analysis.reproduce.sources import Erratum, Source, left_out, named, published, source
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.errors import ConventionError, InputError, RankconvError, unknown
from rankconv.evaluation.result import Result
from rankconv.metrics.base import strategy_of
from rankconv.presets.definition import Definition
from rankconv.presets.registry import list_presets, readable
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import at_cutoff

SHOWN = 3
"""How many presets a hint names."""
Like = tuple[str, int | None]
"""The strategy of a metric, and its cutoff."""


def hints(source: Source, claims: Sequence[PrintedNumber]) -> dict[PrintedNumber, str]:
    """For each number, the presets whose entry of the same metric gives it."""
    like: dict[PrintedNumber, Like] = {}
    for claim in claims:
        definition = claim.number_source.definition
        like[claim] = definition.metric.name, definition.k
    found: dict[PrintedNumber, list[str]] = {claim: [] for claim in claims}
    for inputs in dict.fromkeys(claim.number_source.inputs for claim in claims):
        here = {claim: one for claim, one in like.items() if claim.number_source.inputs == inputs}
        for preset in readable(list_presets()):
            for claim in _given(preset, source.joined[inputs], here):
                found[claim].append(preset.name)
    return {claim: _said(names) for claim, names in found.items()}


def _said(names: list[str]) -> str:
    more = len(names) - SHOWN
    shown = ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
    return f"{shown} would give it" if names else "no preset gives it"


def _given(preset: Preset, joined: Joined, like: dict[PrintedNumber, Like]) -> list[PrintedNumber]:
    """The numbers that one of the preset's metrics of the same strategy and cutoff gives."""
    specs = {spec: one for one in dict.fromkeys(like.values()) for spec in _specs(preset, one)}
    try:
        definitions = [definition for spec in specs for definition in preset.define(spec)]
        measured = measure(joined, definitions, None)
    except RankconvError:
        return []
    result = Result(preset.name, joined.users.values, dict(zip(specs, measured, strict=True)))
    return [
        claim for claim, one in like.items() if any(_gives(result, s, claim) for s, of in specs.items() if of == one)
    ]


def _specs(preset: Preset, like: Like) -> Iterator[str]:
    strategy, k = like
    for key in preset.metrics:
        spec = at_cutoff(key, k)
        if strategy_of(preset.entry(key).is_ or key) == strategy and preset.offers(spec):
            yield spec


def _gives(result: Result, spec: str, claim: PrintedNumber) -> bool:
    if spec in result.errors:
        return False
    user = claim.number_source.user
    users = [str(one) for one in result.users]
    value = result[spec] if user is None else float(result.per_user[spec][users.index(str(user))])
    return reproduced(claim.printed, value) is not None


@dataclass(frozen=True)
class Outcome:
    """A number, or why there is none."""

    value: float | None
    why: str = ""


def outcomes(source: Source, number_source: Iterable[NumberSource]) -> dict[NumberSource, Outcome]:
    """What each of them gives."""
    by_inputs: dict[str, list[NumberSource]] = {}
    for one in dict.fromkeys(number_source):
        by_inputs.setdefault(one.inputs, []).append(one)
    return {
        one: found for name, group in by_inputs.items() for one, found in _measured(source.joined[name], group).items()
    }


def _measured(joined: Joined, group: list[NumberSource]) -> dict[NumberSource, Outcome]:
    definitions: dict[str, Definition] = {}
    for one in group:
        if _name(one) not in definitions:
            definitions[_name(one)] = one.definition
    measured = dict(zip(definitions, measure(joined, list(definitions.values()), None), strict=True))
    result = Result("", joined.users.values, measured)
    return {one: _outcome(result, one) for one in group}


def _name(number: NumberSource) -> str:
    return f"{number.preset} {number.settings}:{number.spec}"


def _outcome(result: Result, number: NumberSource) -> Outcome:
    name = _name(number)
    refusals = result.errors.get(name, [])
    if any(refusal.policy == "needs" for refusal in refusals):
        raise InputError(refusals[0].why, where=number.line)
    if number.user is None:
        return Outcome(None, refusals[0].why) if refusals else Outcome(result[name])
    place = _place(result, number)
    state = str(result.state[name][place])
    if ": refuse-" in state:
        return Outcome(None, state)
    return Outcome(float(result.per_user[name][place]))


def _place(result: Result, number: NumberSource) -> int:
    users = [str(user) for user in result.users]
    if str(number.user) not in users:
        raise unknown("known user", str(number.user), users, where=number.line)
    return users.index(str(number.user))


Verdicts = Mapping[PrintedNumber, str | None]
"""How each number is reproduced, if it is."""


def judged(source: Source) -> list[Row]:
    """All numbers of a source, in the order of its file."""
    found = list(claims(source))
    given = outcomes(source, [claim.number_source for claim in found])
    verdicts = {claim: reproduced(claim.printed, given[claim.number_source].value) for claim in found}
    faults = {claim: _fault(claim, verdicts, given) for claim, verdict in verdicts.items() if verdict is None}
    hinted = hints(source, [claim for claim, fault in faults.items() if fault])
    notes = {claim: f"{faults[claim]}; {hint}" for claim, hint in hinted.items()}
    return [_row(source, claim, verdicts[claim], notes.get(claim, ""), given[claim.number_source]) for claim in found]


def _fault(claim: PrintedNumber, verdicts: Verdicts, given: Mapping[NumberSource, Outcome]) -> str:
    """Why a number that does not come out is no erratum either; empty where it is one."""
    if not claim.mark:
        return "it does not come out"
    table = [other for other in verdicts if other.table == claim.table and other is not claim]
    same_preset = any(other.number_source.preset == claim.number_source.preset for other in table)
    others = [verdicts[other] for other in table] if same_preset else []
    return not_borne_out(claim.mark, claim.printed, given[claim.number_source].value, others)


def _row(source: Source, claim: PrintedNumber, verdict: str | None, fault: str, outcome: Outcome) -> Row:
    verdict_text = verdict or (UNEXPLAINED if fault else ERRATUM)
    wrongly = verdict is not None and bool(claim.mark)
    note = "marked as an erratum, and the preset gives it" if wrongly else fault
    if verdict_text == ERRATUM:
        note = "; ".join(filter(None, (_borne_out(claim.mark), claim.note)))
    return Row(
        source=source.file.name,
        where=claim.where,
        preset=claim.number_source.preset,
        metric=claim.number_source.spec,
        user=claim.number_source.user,
        printed=claim.printed.text,
        ours=outcome.value,
        shown=shown(outcome.value, claim.printed, differs=verdict is None),
        verdict=verdict_text,
        note=note or outcome.why or claim.note,
        wrongly_marked=wrongly,
        computed=source.file.tables[claim.table].computed,
    )


def _borne_out(mark: bool | Erratum) -> str:
    return f'the source says "{mark.says}"' if isinstance(mark, Erratum) else "all else of its table comes out"


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
        source itself shows, or unexplained. A number must be that of the preset that the file names; if only another
        preset gives it, it is unexplained, and the note names that preset.

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
    chosen = [source(name) for name in dict.fromkeys(one for given in sources or known for one in named(given))]
    names = {one.file.name for one in chosen}
    return Reproduction(
        {one.file.name: one.file.title for one in chosen},
        tuple(row for one in chosen for row in judged(one)),
        tuple(found for one in chosen for found in _disagreements(one)),
        tuple(entry for entry in left_out() if not sources or entry.source in names & known.keys()),
        tuple((one.file.name, slip) for one in chosen for slip in one.file.slips),
    )


def _disagreements(source: Source) -> Iterator[Disagreement]:
    for place, one in enumerate(source.file.contradictions):
        reading, against = of_contradiction(source, place, one)
        found = outcomes(source, [reading, against])
        gives, ours = found[reading].value, found[against].value
        printed = read_printed(one.printed)
        yield Disagreement(
            source=source.file.name,
            where=one.where,
            says=one.says,
            reading=one.reading,
            gives=gives,
            against=one.against,
            printed=one.printed,
            ours=ours,
            failed=reproduced(printed, gives) is not None or reproduced(printed, ours) != EXACT,
            shown=shown(gives, printed),
        )
