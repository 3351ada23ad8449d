"""Each printed number of a source next to what comes out, with its verdict."""

import math
from collections.abc import Mapping

from rankconv.analysis.reproduce.hints import hints
from rankconv.analysis.reproduce.model import Erratum
from rankconv.analysis.reproduce.outcomes import Outcome, outcomes
from rankconv.analysis.reproduce.printed_numbers import Asked, Printed, PrintedNumber, claims
from rankconv.analysis.reproduce.reproduction import Row
from rankconv.analysis.reproduce.sources import Source
from rankconv.analysis.reproduce.verdicts import ERRATUM, UNEXPLAINED, not_borne_out, reproduced

Verdicts = Mapping[PrintedNumber, str | None]
"""How each number is reproduced, if it is."""


def judged(source: Source) -> list[Row]:
    """All numbers of a source, in the order of its file."""
    found = list(claims(source))
    given = outcomes(source, [claim.asked for claim in found])
    verdicts = {claim: reproduced(claim.printed, given[claim.asked].value) for claim in found}
    faults = {claim: _fault(claim, verdicts, given) for claim, verdict in verdicts.items() if verdict is None}
    hinted = hints(source, [claim for claim, fault in faults.items() if fault])
    notes = {claim: f"{faults[claim]}; {hint}" for claim, hint in hinted.items()}
    return [_row(source, claim, verdicts[claim], notes.get(claim, ""), given[claim.asked]) for claim in found]


def _fault(claim: PrintedNumber, verdicts: Verdicts, given: Mapping[Asked, Outcome]) -> str:
    """Why a number that does not come out is no erratum either; empty where it is one."""
    if not claim.mark:
        return "it does not come out"
    table = [other for other in verdicts if other.table == claim.table and other is not claim]
    same_preset = any(other.asked.preset == claim.asked.preset for other in table)
    others = [verdicts[other] for other in table] if same_preset else []
    return not_borne_out(claim.mark, claim.printed, given[claim.asked].value, others)


def _row(source: Source, claim: PrintedNumber, verdict: str | None, fault: str, outcome: Outcome) -> Row:
    told = verdict or (UNEXPLAINED if fault else ERRATUM)
    wrongly = verdict is not None and bool(claim.mark)
    note = "marked as an erratum, and the preset gives it" if wrongly else fault
    if told == ERRATUM:
        note = "; ".join(filter(None, (_borne_out(claim.mark), claim.note)))
    return Row(
        source=source.file.name,
        where=claim.where,
        preset=claim.asked.preset,
        metric=claim.asked.spec,
        user=claim.asked.user,
        printed=claim.printed.text,
        ours=outcome.value,
        shown=shown(outcome.value, claim.printed, apart=verdict is None),
        verdict=told,
        note=note or outcome.why or claim.note,
        wrongly_marked=wrongly,
        computed=source.file.tables[claim.table].computed,
    )


def _borne_out(mark: bool | Erratum) -> str:
    return f'the source says "{mark.says}"' if isinstance(mark, Erratum) else "all else of its table comes out"


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
