"""Every setting that no preset has, worked out: the numbers that other tests work out by hand.

The settings of presets are compared with the engine by the second opinion of `test_law`.
"""

from collections.abc import Iterator
from typing import Any

import pytest

import rankconv as rc
from rankconv.typing import Explanation
from tests.laws.test_laws import parts
from tests.metrics import test_families, test_parts
from tests.preparation import test_pipeline as test_preparation

Case = tuple[Any, str, str, str, float]
"""A module with its data, a user, a metric, settings, and the value."""


def cases() -> Iterator[Case]:
    of_presets = {pair for one in parts() for pair in one.settings.items()}
    for module in (test_families, test_parts, test_preparation):
        for row in module.ROWS:
            for setting, value in row.values.items():
                if (row.convention_name, setting) not in of_presets:
                    yield module, row.user, row.metric, f"{row.convention_name}={setting}, {row.beside}", value
    for user, metric, settings, value in test_families.VALUES:
        yield test_families, user, metric, settings, value


def explained(case: Case) -> Explanation:
    module, user, metric, settings, _ = case
    name, at, k = metric.partition("@")
    given = {name: getattr(module, name.upper(), None) for name in ("catalogue", "seen", "train", "parents")}
    return rc.explain(
        module.LABELS, module.RUN, f"{name}({settings}){at}{k}", user=user, preset=module.NEUTRAL, **given
    )


def test_the_value_under_every_setting() -> None:
    for case in cases():
        found, value = explained(case), case[-1]
        assert found.worked_out
        assert found.agrees
        assert found.value == pytest.approx(value, rel=1e-12, abs=1e-15, nan_ok=True), case
        assert "{" not in found.to_text(), found.to_text()
