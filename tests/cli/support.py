"""Commands, run in the process of the tests."""

import csv
import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

import pytest
from typer.testing import CliRunner, Result

from rankconv.cli import main
from rankconv.cli.app import app


def run(words: str, *more: str) -> Result:
    """Run a command: words with blanks between them, then words that hold some."""
    return CliRunner().invoke(app, [*words.split(), *more], catch_exceptions=False)


def refused(words: str, *more: str) -> str:
    """Return the message of an error: the exit code is 2, nothing else is printed, and the message is one line."""
    out, err = io.StringIO(), io.StringIO()
    argv = patch.object(sys, "argv", ["rankconv", *words.split(), *more])
    with argv, redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as stop:
        main()
    lines = [line for line in err.getvalue().splitlines() if not line.startswith("No files given")]
    assert (stop.value.code, out.getvalue(), len(lines)) == (2, "", 1), err.getvalue()
    return lines[0]


def rows(words: str, *more: str) -> list[dict[str, str]]:
    """Return the rows that a command prints as CSV."""
    return list(csv.DictReader(io.StringIO(run(words, *more, "--format", "csv").stdout)))
