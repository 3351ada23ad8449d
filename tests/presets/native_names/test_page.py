"""The table of names of other systems on the page about metrics."""

import re
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.presets.native_names.grammar import GRAMMARS

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "use.md"
ROWS = re.findall(r"^\| `([\w.]+)` \| `([^|]+)` \| ((?:`[^`]+`(?:, )?)+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(("preset", "name", "here"), ROWS)
def test_a_name_of_the_page_is_what_the_page_says(preset: str, name: str, here: str) -> None:
    meant = [rc.metric(text, preset=preset) for text in re.findall(r"`([^`]+)`", here)]
    asked = rc.preset(preset)
    assert [one for text in asked.members(name) for one in asked.define(text)] == meant


def test_the_page_has_a_name_of_each_system() -> None:
    assert {*GRAMMARS, "quepid"} == {preset for preset, _, _ in ROWS}
