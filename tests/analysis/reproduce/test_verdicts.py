"""The verdict on a printed number: laws over all numbers, and the cases that papers print."""

import math
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rankconv.analysis.reproduce.reproduce import not_borne_out
from rankconv.analysis.reproduce.reproduction import read_printed, reproduced
from rankconv.analysis.reproduce.sources import Erratum
from rankconv.basics.errors import ConventionError

NUMBERS = st.floats(-1000, 1000)
DIGITS = st.integers(1, 8)


def written(value: float, digits: int, rounding: str) -> str:
    return str(Decimal(value).quantize(Decimal(1).scaleb(-digits), rounding))


@given(NUMBERS, DIGITS)
def test_a_rounded_number_is_exact_and_a_cut_one_exact_or_truncated(value: float, digits: int) -> None:
    cut, rounded = (written(value, digits, rounding) for rounding in (ROUND_DOWN, ROUND_HALF_EVEN))
    assert reproduced(read_printed(rounded), value) == "exact"
    assume(abs(Decimal(value) - Decimal(cut)) != Decimal(5).scaleb(-digits - 1))
    rest = abs(Decimal(value) - Decimal(cut)).scaleb(digits)
    assume(abs(rest - Decimal("0.5")) > Decimal("1e-4"))  # so near to a tie, doubles do not tell
    away = abs(Decimal(value) - Decimal(rounded))
    assume(not 0 < away <= 5 * Decimal(math.ulp(value)))  # so near to a decimal, a double is that one and is not cut
    expected = "exact" if Decimal(cut) == Decimal(rounded) else "truncated"
    assert reproduced(read_printed(cut), value) == expected


@given(st.floats(0, 1000), st.integers(1, 5), st.integers(1, 1000))
def test_any_higher_last_digit_is_not_reproduced(value: float, digits: int, away: int) -> None:
    further = Decimal(written(value, digits, ROUND_HALF_EVEN)) + Decimal(away).scaleb(-digits)
    assume(abs(further - Decimal(value)).scaleb(digits) > Decimal("0.6"))  # of a half, either neighbour is exact
    assert reproduced(read_printed(str(further)), value) in (None, "float32")


@given(st.floats(0.01, 1))
def test_a_single_is_told_from_a_double(value: float) -> None:
    single = float(np.float32(value))
    assume(abs(single - value) > 1e-12)
    assert reproduced(read_printed(repr(single)), value) == "float32"


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("1/3", 1 / 3, "exact"),
        ("1/3", 0.333, None),
        ("0.125", 0.125, "exact"),
        ("0.12", 0.125, "exact"),
        ("0.13", 0.125, "exact"),
        ("83.3%", 5 / 6, "exact"),
        ("83%", 5 / 6, "exact"),
        ("83.4%", 5 / 6, None),
        ("0.26...", 4 / 15, "exact"),
        ("0.27…", 4 / 15, None),
        ("1.", 1.0, "exact"),
        ("1", 0.8, None),  # a whole number stands for itself
        ("1,500", 1500.0, "exact"),
        ("-412.6667", -412.0 - 2 / 3, "exact"),
        ("−412.6666", -412.0 - 2 / 3, "truncated"),
        ("1/ln(3) + 1/ln(5)", 1 / math.log(3) + 1 / math.log(5), "exact"),
        ("1e-05", 0.00001, "exact"),
        ("NaN", math.nan, "exact"),
        ("None", math.nan, "exact"),
        ("NaN", 0.0, None),
        ("0.0", math.nan, None),
        ("0.0", None, None),
        ("division by zero", None, "exact"),
        ("error", 0.0, None),
        ("0.6309297535714574", 0.6309297535714575, "exact"),  # another order of adding
        ("0.6309297535714", 0.6309297535714575, "truncated"),
    ],
)
def test_what_papers_print(printed: str, ours: float | None, verdict: str | None) -> None:
    assert reproduced(read_printed(printed), ours) == verdict


@pytest.mark.parametrize(
    "text", ["", "…", "about 0.5", "0,94", "1/0", "__import__('os')", "2**9", "0.5 or 0.6", "%", "0..."]
)
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(
        ConventionError,
        match=r"(is not a number as one prints it|leaves all digits open|has a comma for a point)\. Write 0\.94",
    ):
        read_printed(text)


@pytest.mark.parametrize(
    ("mark", "others", "fault"),
    [
        (True, ["exact", "truncated"], ""),
        (True, [], "without a contradicting sentence"),
        (True, ["exact", None], "1 more of its table do not come out"),
        (Erratum(says="(1+1/2+0)/3", gives="1/2"), [None], ""),
        (Erratum(says="(1+1/2+0)/3", gives="0.500"), [], ""),
        (Erratum(says="whatever", gives="1/4"), ["exact"], "gives 1/4, and the preset does not"),
        (Erratum(says="whatever", gives="0.5"), ["exact"], "fewer digits than the number itself"),
    ],
)
def test_when_a_source_bears_out_an_erratum(mark: bool | Erratum, others: list[str | None], fault: str) -> None:
    found = not_borne_out(mark, read_printed("0.333"), 0.5, others)
    assert fault in found
    assert bool(fault) == bool(found)
