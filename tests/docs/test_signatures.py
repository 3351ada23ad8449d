"""Signatures that pages show, also of scripts that the suite cannot run: each is still that of its preset."""

import re
from pathlib import Path

import pytest

import rankconv as rc

ROOT = Path(__file__).parents[2]
SIGNATURE = re.compile(r"(?<![\w|])([a-z]\w*(?:@\d+)?\|[^`\"'\n…]+)\|\|[^`\"'\n…]*\|preset:([^|\s]+)\|rankconv:")
"""A whole signature, not one that a page cuts short."""
SHOWN = [
    (file.relative_to(ROOT), *found.groups())
    for file in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for found in SIGNATURE.finditer(file.read_text("utf-8"))
]


@pytest.mark.parametrize(("page", "definition", "preset"), SHOWN, ids=[f"{page}-{name}" for page, _, name in SHOWN])
def test_a_shown_signature_is_that_of_a_metric_of_its_preset(page: Path, definition: str, preset: str) -> None:
    k = definition.partition("|")[0].partition("@")[2]
    own = rc.preset(preset)
    specs = [f"{key}@{k}" if k else key for key in own.metrics]
    found = {one.signature for spec in specs if own.offers(spec) for one in own.define(spec)}
    assert definition in found


def test_there_are_some() -> None:
    assert len(SHOWN) >= 3
