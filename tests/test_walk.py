"""How far a reader must walk who follows one number from the call to the formula and back, and what the call loads."""

import subprocess
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankconv as rc

FILES, FILES_OF_FRAMES = 47, 52
"""So many files of the package one number of two users passes, and one of frames of 2,000; the goal is 40."""
MODULES, LINES = 96, 22_350
"""So many modules of the package, and lines of them, an evaluation loads; the goals are 120 and 20,000."""
ROOT = Path(rc.__file__).parent
LABELS = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
RUN = {"ada": ["a", "x", "b"], "bob": ["y", "c"]}


def frames(users: int = 2000) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Labels and a run of these users, with different scores."""
    draw = np.random.default_rng(0)
    user, item = np.repeat(np.arange(users), 10), draw.integers(0, 200, 10 * users)
    run = pl.DataFrame({"user": user, "item": item, "score": draw.random(10 * users)}).unique(["user", "item"])
    return run.gather_every(2).select("user", "item", grade=pl.lit(1)), run


def passed(labels: Any, run: Any, metric: str) -> list[str]:
    """The files whose functions are called for one number, in the order in which they are reached."""
    files: dict[str, None] = {}

    def note(frame: FrameType, event: str, arg: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            files[str(path.relative_to(ROOT))] = None

    rc.evaluate(labels, run, metric)
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        rc.evaluate(labels, run, metric)
    finally:
        sys.setprofile(before)
    return list(files)


@pytest.mark.parametrize("metric", ["precision@3", "recall@3", "map@3", "mrr", "ndcg@3"])
def test_one_number_passes_few_files(metric: str) -> None:
    walk = passed(LABELS, RUN, metric)
    assert len(walk) <= FILES, f"{len(walk)} files:\n" + "\n".join(walk)
    assert walk[:2] == ["evaluation/joining.py", "evaluation/evaluate.py"]
    assert "engine/plan.py" in walk


def test_one_number_of_frames_passes_few_files() -> None:
    walk = passed(*frames(), "ndcg@10")
    assert len(walk) <= FILES_OF_FRAMES, f"{len(walk)} files:\n" + "\n".join(walk)


def test_an_evaluation_loads_few_modules() -> None:
    code = f"import sys, rankconv as rc; rc.evaluate({LABELS}, {RUN}, 'ndcg@3')\n"
    code += "print(*(one.__file__ for name, one in sys.modules.items() if name.partition('.')[0] == 'rankconv'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    files = [Path(one) for one in done.stdout.split()]
    lines = sum(len(one.read_text().splitlines()) for one in files)
    assert len(files) <= MODULES, f"{len(files)} modules"
    assert lines <= LINES, f"{lines:,} lines"
