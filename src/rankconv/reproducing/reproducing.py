"""The question: does every number that a source prints come out of its preset?"""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rankconv.reproducing.claims import Asked, Claim, claims, of_contradiction
from rankconv.reproducing.hints import hints
from rankconv.reproducing.model import Contradiction, Erratum
from rankconv.reproducing.outcomes import Outcome, outcomes
from rankconv.reproducing.printed import Printed, read_printed
from rankconv.reproducing.reproduction import Disagreement, Reproduction, Row
from rankconv.reproducing.sources import Source, left_out, published, source
from rankconv.reproducing.verdicts import ERRATUM, EXACT, UNEXPLAINED, not_borne_out, reproduced


def reproduce(*sources: str | Path) -> Reproduction:
    """Does every number that a source prints come out of the preset that its file names?

    `sources` are names of shipped files of published numbers (`conventions/published/`) or paths of your own; without
    any, all shipped ones. The verdicts are computed: a number is exact, truncated, float32, an erratum that the source
    itself bears out, or unexplained. A number must come out of the preset that the file names; if only another one
    gives it, it is unexplained, and the note says which one would.

    Returns a `Reproduction`: `rows`, `summary`, `ok`.
    Raises ConventionError for a source that is unknown or a file that does not hold together, with file and line.

    >>> import rankconv as rc
    >>> found = rc.reproduce("ndcg-video")
    >>> found.summary
    '3 numbers, 2 exact, 0 truncated, 0 float32, 1 errata, 0 unexplained, 0 left out'
    >>> [(row.metric, row.printed, row.shown) for row in found if row.verdict == "erratum"]
    [('ndcg@3', '0.94', '0.9501')]
    """
    known = published()
    chosen = [source(name) for name in dict.fromkeys(sources or known)]
    names = {one.file.name for one in chosen}
    return Reproduction(
        {one.file.name: one.file.title for one in chosen},
        tuple(row for one in chosen for row in _rows(one)),
        tuple(found for one in chosen for found in _disagreements(one)),
        tuple(entry for entry in left_out() if not sources or entry.source in names & known.keys()),
    )


def _rows(source: Source) -> Iterator[Row]:
    found = list(claims(source))
    values = outcomes(source, [claim.asked for claim in found])
    verdicts = [reproduced(claim.printed, values[claim.asked].value) for claim in found]
    faults = {
        claim: _fault(claim, found, verdicts, values) for claim, one in zip(found, verdicts, strict=True) if not one
    }
    hinted = hints(source, [claim for claim, fault in faults.items() if fault])
    for claim, verdict in zip(found, verdicts, strict=True):
        fault = faults.get(claim, "")
        given = verdict or (UNEXPLAINED if fault else ERRATUM)
        wrongly = bool(verdict and claim.mark)
        note = _note(claim, given, fault, hinted.get(claim, ""), wrongly) or values[claim.asked].why
        yield _row(source, claim, values[claim.asked], given, note, wrongly)


def _fault(
    claim: Claim, all_of_them: Sequence[Claim], verdicts: Sequence[str | None], values: Mapping[Asked, Outcome]
) -> str:
    """Why a number that does not come out is no erratum either; empty where it is one."""
    if not claim.mark:
        return "it does not come out"
    others = [
        verdict
        for other, verdict in zip(all_of_them, verdicts, strict=True)
        if other is not claim and (other.table, other.asked.preset) == (claim.table, claim.asked.preset)
    ]
    return not_borne_out(claim.mark, claim.printed, values[claim.asked].value, others)


def _note(claim: Claim, verdict: str, fault: str, hint: str, wrongly: bool) -> str:
    if wrongly:
        return "marked as an erratum, and the preset gives it"
    if verdict == UNEXPLAINED:
        return f"{fault}; {hint}"
    if verdict == ERRATUM and isinstance(claim.mark, Erratum):
        return f'the source says "{claim.mark.says}"'
    return claim.note


def _row(source: Source, claim: Claim, outcome: Outcome, verdict: str, note: str, wrongly: bool) -> Row:
    asked = claim.asked
    return Row(
        source.file.name,
        claim.where,
        asked.preset,
        asked.spec,
        asked.user,
        claim.printed.text,
        outcome.value,
        shown(outcome.value, claim.printed, apart=verdict in (ERRATUM, UNEXPLAINED)),
        verdict,
        note,
        wrongly,
    )


def shown(ours: float | None, printed: Printed, apart: bool = False) -> str:
    """Our number to the digits printed, or to more where that tells the two apart."""
    if ours is None:
        return "refused"
    decimals = printed.decimals
    if decimals is None or not math.isfinite(ours):
        return f"{ours:.6g}"
    if not apart:
        return f"{ours:.{min(decimals, 16)}f}"
    whole, _, digits = f"{ours:.{decimals + 2}f}".partition(".")
    return f"{whole}.{digits[:decimals]}{digits[decimals:].rstrip('0')}"


def _disagreements(source: Source) -> Iterator[Disagreement]:
    for place, one in enumerate(source.file.contradictions):
        reading, against = of_contradiction(source, place, one)
        found = outcomes(source, [reading, against])
        yield _disagreement(source, one, reading, found[reading].value, found[against].value)


def _disagreement(
    source: Source, one: Contradiction, reading: Asked, gives: float | None, ours: float | None
) -> Disagreement:
    printed = read_printed(one.printed)
    agree = reproduced(printed, gives) is not None or reproduced(printed, ours) != EXACT
    number = shown(gives, printed)
    return Disagreement(
        source.file.name, one.where, one.says, reading.spec, gives, one.against, one.printed, ours, agree, number
    )
