"""How large the package is: `python -m tests.report` prints files and lines beside those of the last release.

Printed are the files and lines of code of each floor, the files whose functions one number passes, and the modules and
lines that an evaluation loads. `.ci/run` prints it; no number in it fails a build. `--write` records it for a release.
"""

import ast
import io
import subprocess
import sys
import tokenize
import tomllib
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import polars as pl
import yaml

import rankconv as rc

ROOT = Path(__file__).parents[1]
SOURCE = Path(rc.__file__).parent
LAST = ROOT / "tests/last_release.yaml"
LABELS = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
RUN = {"ada": ["a", "x", "b"], "bob": ["y", "c"]}
METRICS = ("precision@3", "recall@3", "map@3", "mrr", "ndcg@3")
Sizes = dict[str, dict[str, int]]
"""Numbers by what they are of, under a heading."""


def code_lines(text: str) -> int:
    """Count the lines that hold code other than imports and docstrings."""
    lines: set[int] = set()
    ignored = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in ignored:
            lines |= {*range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(text)):
        docstring = (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        )
        if docstring or isinstance(node, ast.Import | ast.ImportFrom):
            lines -= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return len(lines)


def floors() -> dict[str, list[Path]]:
    """The files of each floor: a folder of the package, or its top."""
    found: dict[str, list[Path]] = {}
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).parts
        found.setdefault(parts[0] if len(parts) > 1 else "top", []).append(path)
    return dict(sorted(found.items()))


def frames(users: int = 2000) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Labels and a run of these users, with different scores."""
    draw = np.random.default_rng(0)
    user, item = np.repeat(np.arange(users), 10), draw.integers(0, 200, 10 * users)
    run = pl.DataFrame({"user": user, "item": item, "score": draw.random(10 * users)}).unique(["user", "item"])
    return run.gather_every(2).select("user", "item", grade=pl.lit(1)), run


def walk(labels: Any, run: Any, metric: str) -> list[str]:
    """The files whose functions are called for one number, in the order in which they are reached."""
    files: dict[str, None] = {}

    def note(frame: FrameType, event: str, arg: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(SOURCE):
            files[str(path.relative_to(SOURCE))] = None

    rc.evaluate(labels, run, metric)
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        rc.evaluate(labels, run, metric)
    finally:
        sys.setprofile(before)
    return list(files)


def loaded() -> list[Path]:
    """The modules of the package that an evaluation loads."""
    code = f"import sys, rankconv as rc; rc.evaluate({LABELS}, {RUN}, 'ndcg@3')\n"
    code += "print(*(one.__file__ for name, one in sys.modules.items() if name.partition('.')[0] == 'rankconv'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [Path(one) for one in done.stdout.split()]


def sizes() -> Sizes:
    """All that is printed."""
    files = {floor: len(paths) for floor, paths in floors().items()}
    lines = {floor: sum(code_lines(path.read_text("utf-8")) for path in paths) for floor, paths in floors().items()}
    modules = loaded()
    walks = {metric: len(walk(LABELS, RUN, metric)) for metric in METRICS}
    return {
        "files": {**files, "all": sum(files.values())},
        "lines of code": {**lines, "all": sum(lines.values())},
        "files that one number passes": {**walks, "ndcg@10 of frames": len(walk(*frames(), "ndcg@10"))},
        "an evaluation loads": {
            "modules": len(modules),
            "lines": sum(len(one.read_text("utf-8").splitlines()) for one in modules),
        },
    }


def printed(now: Sizes, version: str, before: Sizes) -> str:
    """The numbers, beside those of a version."""
    rows = [f"{'':32}{'now':>8}{version:>10}{'change':>8}"]
    for heading, numbers in now.items():
        rows.append(heading)
        for name, number in numbers.items():
            old = before.get(heading, {}).get(name)
            then, change = ("–", "") if old is None else (f"{old:,}", f"{number - old:+,}" if number != old else "")
            rows.append(f"  {name:30}{number:8,}{then:>10}{change:>8}".rstrip())
    return "\n".join(rows)


def main(words: list[str]) -> None:
    now = sizes()
    if words == ["--write"]:
        version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
        text = yaml.safe_dump({"version": version, "sizes": now}, sort_keys=False)
        LAST.write_text(f"# Written by python -m tests.report --write at a release.\n{text}", "utf-8")
    last = yaml.safe_load(LAST.read_text("utf-8"))
    print(printed(now, last["version"], last["sizes"]))


if __name__ == "__main__":
    main(sys.argv[1:])
