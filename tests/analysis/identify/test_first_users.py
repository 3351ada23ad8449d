"""For how many first users a definition gives a printed number, and which number of them is likely."""

import numpy as np
import pytest

from rankconv.analysis.identify.first_users import FirstUsersFits, fitting_counts
from rankconv.analysis.identify.printed_value import sought
from rankconv.analysis.identify.slips import OtherSetting, Slip

REVERSED = OtherSetting("order", "reversed")


@pytest.mark.parametrize(
    ("text", "counts"),
    [("0.500", [2, 4]), ("1.000", [1]), ("0.667", [3]), ("0.400", [5]), ("0.900", []), ("0.333", [])],
)
def test_the_mean_of_the_first_users_by_hand(text: str, counts: list[int]) -> None:
    """Of 1, 0, 1, 0, 0 the means are 1, 1/2, 2/3, 1/2, 2/5."""
    assert fitting_counts(np.array([1.0, 0, 1, 0, 0]), sought(text)) == counts


def test_a_user_who_is_left_out_is_one_of_the_first() -> None:
    assert fitting_counts(np.array([np.nan, 1.0, np.nan, 0.0]), sought("0.500")) == [4]


def test_three_numbers_of_one_preset_make_a_number_of_users_likely() -> None:
    fits, slips = FirstUsersFits(), (REVERSED,)
    presets = {("map", 0): ["a", "b"], ("map", 1): ["c"], ("P@5", 0): ["a"], ("P@5", 1): ["c"]}
    none: tuple[Slip, ...] = ()
    fits.add(slips, ("map", 0), [7, 9])
    fits.add(slips, ("map", 0), [7])
    fits.add(slips, ("map", 1), [9])
    fits.add(none, ("map", 1), [7])
    assert list(fits.likely(presets, frozenset())) == []
    fits.add(slips, ("P@5", 1), [9, 9])
    assert list(fits.likely(presets, frozenset())) == [(slips, 9, [("map", 0), ("map", 1), ("P@5", 1)])]
    fits.add(slips, ("P@5", 0), [7, 7])
    assert list(fits.likely(presets, frozenset())) == [(slips, 7, [("map", 0), ("P@5", 0)])]
    known = {(one, n): places for one, n, places in fits.likely(presets, {9})}
    assert known == {
        (slips, 7): [("map", 0), ("P@5", 0)],
        (slips, 9): [("map", 0), ("map", 1), ("P@5", 1)],
    }
