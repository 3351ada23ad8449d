"""The ranges in the README are what the command above them prints."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rankconv.cli import app

ROOT = Path(__file__).parents[2]
PASTED = re.compile(
    r"```\nrankconv (sensitivity [^\n]*)\n```\n\n"
    r"<!-- sensitivity: [^\n]* -->\n```text\n(.*?)```\n<!-- end -->",
    re.DOTALL,
)


def test_the_pasted_ranges_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    found = PASTED.search((ROOT / "README.md").read_text("utf-8"))
    assert found is not None
    monkeypatch.chdir(ROOT)
    printed = CliRunner().invoke(app, shlex.split(found[1]), catch_exceptions=False).stdout
    assert printed == found[2], f"the README's ranges are old; write there:\n{printed}"
