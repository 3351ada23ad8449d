"""What a command loads: starting takes longer than the numbers of a small file, so nothing is loaded for others."""

import subprocess
import sys
from pathlib import Path

import pytest

RAGGED = Path(__file__).parents[2] / "examples" / "ragged"
FILES = [str(RAGGED / "labels.csv"), str(RAGGED / "run.csv")]
COMMANDS = {
    "evaluate": ["evaluate", *FILES, "-m", "ndcg@5"],
    "compare": ["compare"],
    "compare files": ["compare", *FILES, "-m", "map@5", "-p", "blog", "-p", "mllib"],
}
LATER = {
    *("polars", "narwhals", "pyarrow", "pandas", "scipy", "matplotlib", "tabulate", "latex2mathml", "numpy.ma"),
    *("rich.console", "rich.table", "rich.text", "rich.progress", "pygments", "markdown_it", "typer.rich_utils"),
}
"""Modules of libraries that one of their results needs, or tables."""
WITH_FILES = {"polars", "numpy.ma"}
"""What text of any length is read with."""
ROOMS = {"citing", "compat", "numbers", "protocols", "playground", "verification", "spark"}
OTHERS = {*("pages.web", "pages.latex", "pages.markdown", "presets.preset_page", "presets.schema")}
"""What is rankconv's own and does other work."""


def loaded(arguments: list[str]) -> set[str]:
    """The modules that are there when a command has ended."""
    code = "import atexit, sys; atexit.register(lambda: print('', *sys.modules, file=sys.stderr)); "
    code += "from rankconv.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return {*done.stderr.splitlines()[-1].split()}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_loads_what_it_uses(name: str) -> None:
    found = loaded(COMMANDS[name])
    assert {"numpy", "rankconv.engine.plan"} <= found
    assert not found & (LATER - WITH_FILES if name in ("evaluate", "compare files") else LATER)
    assert not found & {f"rankconv.{one}" for one in ROOMS | OTHERS}


@pytest.mark.parametrize("name", COMMANDS)
def test_it_loads_no_other_analysis(name: str) -> None:
    found = {one.split(".")[2] for one in loaded(COMMANDS[name]) if one.startswith("rankconv.analysis.")}
    assert found == ({"findings"} if name == "evaluate" else set())
