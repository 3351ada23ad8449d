"""How far a reader must walk who follows one number from the call to the formula and back."""

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import rankconv as rc
from rankconv.engine import plan
from rankconv.preparation import rows

FILES = 64
"""So many files of the package one number of two users passes."""
ROOT = Path(rc.__file__).parent
LABELS = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
RUN = {"ada": ["a", "x", "b"], "bob": ["y", "c"]}


@pytest.fixture(autouse=True)
def few_rows(fast_way_for_few_rows_too: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As outside of tests."""
    monkeypatch.setattr(plan, "FEW_ROWS", 100)
    monkeypatch.setattr(rows, "FEW_LABELS", 1000)


def passed(metric: str) -> list[str]:
    """The files whose functions are called for one number, in the order in which they are reached."""
    files: dict[str, None] = {}

    def note(frame: FrameType, event: str, arg: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            files[str(path.relative_to(ROOT))] = None

    rc.evaluate(LABELS, RUN, metric)
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        rc.evaluate(LABELS, RUN, metric)
    finally:
        sys.setprofile(before)
    return list(files)


@pytest.mark.parametrize("metric", ["precision@3", "recall@3", "map@3", "mrr", "ndcg@3"])
def test_one_number_passes_few_files(metric: str) -> None:
    walk = passed(metric)
    assert len(walk) <= FILES, f"{len(walk)} files:\n" + "\n".join(walk)
    assert walk[:2] == ["evaluation/joining.py", "evaluation/evaluate.py"]
    assert "engine/run.py" in walk
