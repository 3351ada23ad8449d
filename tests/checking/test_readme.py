"""The parts of a check in the README are parts of what the command above them prints."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rankconv.cli import app

ROOT = Path(__file__).parents[2]
PASTED = re.compile(
    r"```\nrankconv (check [^\n]*)\n```\n\n<!-- check: [^\n]* -->\n```text\n(.*?)```\n<!-- end -->", re.DOTALL
)


def test_the_pasted_check_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    found = PASTED.search((ROOT / "README.md").read_text("utf-8"))
    assert found is not None
    monkeypatch.chdir(ROOT)
    printed = CliRunner().invoke(app, shlex.split(found[1]), catch_exceptions=False).stdout
    parts = printed.rstrip("\n").split("\n\n")
    for part in found[2].rstrip("\n").split("\n\n"):
        assert part in parts, f"the README's check is old; write there:\n{printed}"
