"""Disputes about a value, from issue trackers, settled by commands.

python examples/disputes/settle.py > docs/explanation/disputes.md
"""

import os
import shlex
from pathlib import Path
from textwrap import fill
from typing import Any

import yaml
from typer.testing import CliRunner

HERE = Path(__file__).parent
PAGE = """# Disputes

Threads of issue trackers in which two values of one metric disagree, with their data and the commands that explain the
difference. Each section has a folder in `examples/disputes`; run its commands there.

{disputes}
## Threads without data

These threads discuss a definition, but have no data to compute it on.

{without}

Printed by `python examples/disputes/settle.py > docs/explanation/disputes.md` from `disputes.yaml`.
"""
DISPUTE = """## {title}

{text} ({thread})

{commands}

{settled}
"""


def disputes(kind: str = "settled") -> list[dict[str, Any]]:
    """What is in `disputes.yaml`: those that are settled, or those `without-data`."""
    found: dict[str, list[dict[str, Any]]] = yaml.safe_load((HERE / "disputes.yaml").read_text("utf-8"))
    return found[kind]


def ran(command: str, folder: str) -> str:
    """A command and what it prints in this folder."""
    from rankconv.cli.app import app

    before = Path.cwd()
    os.chdir(HERE / folder)
    try:
        result = CliRunner().invoke(app, shlex.split(command), env={"COLUMNS": "100"})
    finally:
        os.chdir(before)
    if result.exit_code:
        raise RuntimeError(f"rankconv {command}: {result.output}")
    lines = [line.rstrip() for line in result.stdout.strip().splitlines()]
    return "\n".join(["```text", f"$ rankconv {command}", *lines, "```"])


def _filled(words: str, indent: str = "") -> str:
    return fill(words.strip(), 120, break_on_hyphens=False, break_long_words=False, subsequent_indent=indent)


def page() -> str:
    """All disputes."""
    texts_of = []
    for one in disputes():
        commands = "\n\n".join(ran(command, one["folder"]) for command in one["commands"])
        texts = {name: _filled(one[name]) for name in ("text", "settled")}
        texts_of.append(DISPUTE.format(title=one["title"], thread=one["thread"], commands=commands, **texts))
    without = [_filled(f"- {one['thread']}: {one['about']}", "  ") for one in disputes("without-data")]
    return PAGE.format(disputes="\n".join(texts_of), without="\n".join(without))


if __name__ == "__main__":
    print(page(), end="")
