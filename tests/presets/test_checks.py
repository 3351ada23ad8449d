"""Every check of every preset: a number from an independent source, which the preset must give."""

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from rankconv.presets.preset_file import Check
from tests.presets.test_eras import RECORDED
from tests.together import together

ROOT = Path(__file__).parents[2]
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
    result = rc.evaluate(check.labels, run, check.metric, preset=name, on_error="collect", **check.side_data)
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
    recorded = {one["preset"] for one in RECORDED} | {name for name in NAMES if recording(name)}
    for name in NAMES:
        preset = rc.preset(name)
        assert len(preset.checks) >= 3 or name in READ | recorded, name
        assert preset.file.cite


def recording(name: str) -> bool:
    """Whether the proof of an era names a file of recorded numbers that is there."""
    newest, _, version = name.partition("@")
    proofs = [era.proof for era in rc.preset(newest).file.eras if era.version == version]
    files = [file for proof in proofs for file in re.findall(r"tests/\S+?\.json", proof)]
    return bool(files) and all((ROOT / file).is_file() for file in files)
