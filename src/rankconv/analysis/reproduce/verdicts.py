"""The verdict on a printed number. It is computed from the number and the preset's, never read from a file.

exact        correctly rounded to the digits printed; of an exact half, either neighbour
truncated    cut off instead of rounded
float32      the single-precision value, correctly rounded
erratum      the preset does not give it, the file marks it, and the source itself bears the mark out
unexplained  anything else
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from rankconv.analysis.reproduce.model import Erratum
from rankconv.analysis.reproduce.printed_numbers import Printed, read_printed

EXACT, TRUNCATED, FLOAT32, ERRATUM, UNEXPLAINED = "exact", "truncated", "float32", "erratum", "unexplained"
VERDICTS = (EXACT, TRUNCATED, FLOAT32, ERRATUM, UNEXPLAINED)
ULPS = 4
"""How far two orders of adding the same doubles may differ; it shows where all sixteen digits are printed."""


def reproduced(printed: Printed, ours: float | None) -> str | None:
    """How the preset's number gives the printed one, if it does; `ours` is None where the preset refuses.

    >>> reproduced(read_printed("0.666"), 2 / 3), reproduced(read_printed("0.667"), 2 / 3)
    ('truncated', 'exact')
    """
    if printed.value is None:
        same = ours is None if printed.refused else ours is not None and math.isnan(ours)
        return EXACT if same else None
    if ours is None or not math.isfinite(ours):
        return None
    if _is_rounded(printed, ours):
        return EXACT
    if printed.unit is not None and not printed.prefix and _is_cut(printed, ours):
        return TRUNCATED
    return FLOAT32 if _is_rounded(printed, float(np.float32(ours))) else None


def _is_rounded(printed: Printed, ours: float) -> bool:
    assert printed.value is not None
    if printed.unit is None:
        return math.isclose(ours, printed.value, rel_tol=1e-12, abs_tol=1e-15)
    if printed.prefix:
        return _is_cut(printed, ours)
    return abs(Fraction(ours) - printed.value) <= printed.unit / 2 + _noise(ours)


def _is_cut(printed: Printed, ours: float) -> bool:
    assert printed.value is not None
    assert printed.unit is not None
    if ours * printed.value < 0:
        return False
    rest = abs(Fraction(ours)) - abs(printed.value)
    return -_noise(ours) <= rest < printed.unit


def _noise(ours: float) -> Fraction:
    return ULPS * Fraction(math.ulp(ours))


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
