"""Every answer to every question, worked out: the numbers that other tests work out by hand, and no word too much."""

from collections.abc import Iterator
from typing import Any

import pytest

import rankconv as rc
from rankconv.typing import Explanation
from tests.judging import test_pipeline as test_judging
from tests.metrics import test_families, test_parts

Case = tuple[Any, str, str, str, float]
"""A module with its data, a user, a metric, answers, and the value."""


def cases() -> Iterator[Case]:
    for module in (test_families, test_parts, test_judging):
        for row in module.ROWS:
            for answer, value in row.values.items():
                yield module, row.user, row.metric, f"{row.question}={answer}, {row.beside}", value
    for user, metric, answers, value in test_families.VALUES:
        yield test_families, user, metric, answers, value


def explained(case: Case) -> Explanation:
    module, user, metric, answers, _ = case
    name, at, k = metric.partition("@")
    given = {"catalogue": getattr(module, "CATALOGUE", None), "seen": getattr(module, "SEEN", None)}
    return rc.explain(module.LABELS, module.RUN, f"{name}({answers}){at}{k}", user=user, preset=module.NEUTRAL, **given)


@pytest.mark.parametrize("module", [test_families, test_parts, test_judging], ids=lambda module: module.__name__)
def test_the_value_under_every_answer(module: Any) -> None:
    for case in cases():
        if case[0] is module:
            found, value = explained(case), case[-1]
            assert found.worked_out
            assert found.agrees
            assert found.value == pytest.approx(value, rel=1e-12, abs=1e-15, nan_ok=True), case
            assert "{" not in found.text(), found.text()
