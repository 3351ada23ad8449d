"""A command in the README, and what is pasted below it."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rankconv.cli import app

ROOT = Path(__file__).parents[1]


def printed_and_pasted(command: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """What the README's line of this command prints now in a hundred columns, and what stands below it."""
    pasted = rf"```\nrankconv ({command} [^\n]*)\n```\n\n<!-- {command}: [^\n]* -->\n```text\n(.*?)```\n<!-- end -->"
    found = re.search(pasted, (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert found is not None
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    return CliRunner().invoke(app, shlex.split(found[1]), catch_exceptions=False).stdout, found[2]
