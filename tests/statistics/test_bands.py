"""Bands of curves: what redrawn users give, however many draws are held at a time."""

import numpy as np
import pytest

from rankconv.statistics import intervals as bands

RANDOM = np.random.default_rng(3)
VALUES, COUNTED = RANDOM.random((40, 3)), RANDOM.random((40, 3)) < 0.8


def test_it_is_what_drawing_whole_users_one_by_one_gives() -> None:
    low, high = bands.band(VALUES, COUNTED, draws=4000, seed=1)
    rows = np.random.default_rng(5).integers(0, 40, (4000, 40))
    means = np.nanmean(np.where(COUNTED, VALUES, np.nan)[rows], axis=1)
    assert np.allclose([low, high], np.quantile(means, [0.025, 0.975], axis=0), atol=0.01)


def test_how_many_draws_are_held_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = bands.band(VALUES, COUNTED, draws=50, seed=1)
    monkeypatch.setattr(bands, "_BAND_CELLS", 40 * 7)
    assert np.allclose(at_once, bands.band(VALUES, COUNTED, draws=50, seed=1), rtol=1e-14)


def test_users_who_are_alike_leave_no_doubt_and_nobody_no_number() -> None:
    low, high = bands.band(np.full((9, 2), 0.5), np.array([[True, False]] * 9), draws=20, seed=0)
    assert low[0] == high[0] == 0.5
    assert np.isnan(low[1])
    assert np.isnan(high[1])
