"""The divided difference in the README is what the command above it prints."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rankconv.cli import app

ROOT = Path(__file__).parents[2]
PASTED = re.compile(
    r"```\nrankconv (why [^\n]*)\n```\n\n<!-- why: [^\n]* -->\n```text\n(.*?)```\n<!-- end -->", re.DOTALL
)


def test_the_pasted_waterfall_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    found = PASTED.search((ROOT / "README.md").read_text("utf-8"))
    assert found is not None
    monkeypatch.chdir(ROOT)
    printed = CliRunner().invoke(app, shlex.split(found[1]), catch_exceptions=False).stdout
    assert printed == found[2], f"the README's waterfall is old; write there:\n{printed}"
