"""The pages that a reader copies from: README.md and those of `docs/`.

Below a command in a block marked `console` is what it prints at 80 columns; lines in blocks marked `sh` are only
run. Both are run in the folder of the last `cd` above them. `python -m tests.generate pages` writes all of it anew,
with the pages that a script writes as a whole and the table of systems; what a script prints that needs a library which
is not installed stays as it is.
"""

import ast
import io
import os
import re
import runpy
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from rankconv.cli.app import app

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", EXAMPLES / "README.md", *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("*/*.md"))]
SCRIPTS = {
    DOCS / "how-to/coming-from.md": EXAMPLES / "coming_from/pairs.py",
    DOCS / "explanation/disputes.md": EXAMPLES / "disputes/settle.py",
    DOCS / "explanation/one-run.md": EXAMPLES / "ragged/values.py",
}
"""Pages that are all that a script prints."""
REFRESH = "python -m tests.generate pages"
WIDTH = 80
_BLOCK = re.compile(r"^```(?P<kind>console|sh)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Command:
    """A command on a page, the folder to run it in, and what is pasted below it: None where nothing is."""

    page: Path
    line: str
    folder: Path
    pasted: str | None

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.line}"

    @property
    def possible(self) -> bool:
        """Whether the libraries are here that a script imports."""
        if self.words[0] != "python":
            return True
        file = self.folder / self.words[1]
        parts = list(ast.walk(ast.parse(file.read_text("utf-8"))))
        names = [one.name for node in parts if isinstance(node, ast.Import) for one in node.names]
        names += [node.module or "" for node in parts if isinstance(node, ast.ImportFrom)]
        roots = {name.partition(".")[0] for name in names}
        return all(find_spec(root) or (file.parent / f"{root}.py").exists() for root in roots)

    @property
    def words(self) -> list[str]:
        """Without what the line is piped into, and without its comment."""
        return shlex.split(self.line.split(" | ")[0], comments=True)

    def _printed(self) -> str:
        """What it prints now, as one sees it in a terminal; of a pipe the last lines or the first."""
        if self.words[0] == "python":
            return run_script(self.folder / self.words[1])
        done = run_rankconv(tuple(self.words[1:]), self.folder.resolve())
        shown = as_shown(done.stdout if " | " in self.line else done.output)
        for program, _, number in map(str.split, self.line.split(" | ")[1:]):
            lines = shown.splitlines(keepends=True)
            shown = "".join({"head": lines[: int(number)], "tail": lines[-int(number) :]}[program])
        return shown


@cache
def run_rankconv(words: tuple[str, ...], folder: Path) -> Any:
    """What a command prints at 80 columns: `stdout`, which goes on in a pipe, and with stderr `output`."""
    with chdir(folder):
        done = CliRunner(env={"COLUMNS": str(WIDTH)}).invoke(app, words, catch_exceptions=False)
    assert done.exit_code in (0, 1), done.output
    return done


def as_shown(printed: str) -> str:
    """Without spaces at the ends of lines and empty lines at both ends."""
    return re.sub(r" +$", "", printed, flags=re.MULTILINE).strip("\n") + "\n"


def run_script(file: Path) -> str:
    """What a script prints, run in this process; the modules beside it are forgotten again."""
    file, before, printed = file.resolve(), set(sys.modules), io.StringIO()
    sys.path.insert(0, str(file.parent))
    try:
        with redirect_stdout(printed):
            runpy.run_path(str(file), run_name="__main__")
    finally:
        sys.path.remove(str(file.parent))
        for name in set(sys.modules) - before:
            if str(EXAMPLES) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]
    return printed.getvalue()


def commands(page: Path) -> Iterator[Command]:
    """All that a page tells its reader to run, in its order."""
    folder = ROOT
    for block in _BLOCK.finditer(page.read_text("utf-8")):
        if block["kind"] == "console":
            line, _, pasted = block["text"].removeprefix("$ ").partition("\n")
            yield Command(page, line, folder, pasted)
            continue
        for line in block["text"].splitlines():
            if line.startswith("cd "):
                folder = ROOT / line.removeprefix("cd ")
            elif line.startswith("rankconv "):
                yield Command(page, line, folder, None)


def of_pages(asked: Callable[[Command], bool]) -> list[Command]:
    """The commands of all pages that are not a script's, of the kind asked."""
    written = [page for page in PAGES if page not in SCRIPTS]
    return [command for page in written for command in commands(page) if asked(command)]


def refreshed(page: Path) -> str:
    """A page with what its commands print now."""
    if page in SCRIPTS:
        return run_script(SCRIPTS[page])
    text = page.read_text("utf-8")
    for command in commands(page):
        if command.pasted is not None and command.possible:
            old, new = (f"```console\n$ {command.line}\n{below}```" for below in (command.pasted, command._printed()))
            text = text.replace(old, new)
    return text


def refreshed_pages() -> dict[Path, str]:
    """All pages with what their commands print now."""
    os.environ["COLUMNS"] = str(WIDTH)
    return {page: refreshed(page) for page in PAGES}
