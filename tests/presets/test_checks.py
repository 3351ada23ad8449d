"""Every check of every preset: a number from an independent source, which the preset must give."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import rankconv as rc
from rankconv.presets.preset_file import Check
from tests.presets.test_eras import RECORDED
from tests.together import together

NAMES = rc.list_presets(eras=True)
READ = {"torchmetrics@1.4.3", "torchmetrics@1.0.3"}
"""Eras that were read in the source of the release, and not run."""


def checks() -> Iterator[Any]:
    for name in NAMES:
        for place, check in enumerate(rc.preset(name).checks):
            yield pytest.param(name, check, id=f"{name}::{check.metric}::{place}")


@together("name, check", checks(), by=lambda name, check: name)
def test_check(name: str, check: Check, expression: Callable[[str], float]) -> None:
    run = check.scores or check.rankings
    result = rc.evaluate(check.labels, run, check.metric, preset=name, catalogue=check.catalogue, on_error="collect")
    assert not result.errors, result.errors
    value = result[check.metric]
    if check.user is not None:
        place = [str(user) for user in result.users].index(str(check.user))
        value = result.per_user[check.metric][place]
    expected = expression(check.value)
    if check.printed:
        digits = len(check.value.partition(".")[2])
        assert round(value, digits) == expected
    elif math.isnan(expected):
        assert math.isnan(value)
    else:
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_has_at_least_three_checks_and_a_citation() -> None:
    for name in NAMES:
        preset = rc.preset(name)
        assert len(preset.checks) >= 3 or name in READ | {one["preset"] for one in RECORDED}, name
        assert preset.file.cite
