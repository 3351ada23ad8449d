"""Disputes about a number, from the threads where they were fought, settled by commands.

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

Two numbers for one list, and nobody knows which is right: it happens every month in some issue tracker. Here are some,
with the data and numbers of the threads, and the commands that settle them. Run them in the folder of each.

{disputes}
## Read, and not to be settled here

These threads dispute a definition too, and give no data with which it could be shown.

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
