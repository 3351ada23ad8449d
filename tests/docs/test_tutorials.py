"""Each tutorial runs from its first cell to its last, in short time, and shows what is stored in it."""

import json
import re
import time
import warnings
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.laws import examples
from tests.readme import DOCS

TUTORIALS = sorted((DOCS / "tutorial").glob("*.ipynb"))
SECONDS = 120
"""A tutorial takes a few seconds on a machine of its own; tests share theirs."""


def shown(notebook: Any) -> list[Any]:
    """What each cell put out, without pictures, which depend on the version of matplotlib."""
    outputs = []
    for cell in notebook.cells:
        each = cell.get("outputs", [])
        printed = "".join(one.get("text", "") for one in each)  # in one or several parts, as the kernel sends it
        outputs.append([printed, *(one["data"] for one in each if "data" in one)])
    return json.loads(re.sub(r"svg\+xml;base64,[\w+/=]+", "", json.dumps(outputs)))  # type: ignore[no-any-return]


@pytest.mark.parametrize("file", TUTORIALS[examples.of(quick=1, ci=0) :], ids=lambda file: file.stem)
def test_a_tutorial_shows_what_is_stored(file: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jupyter's own, of its machinery
        from nbclient import NotebookClient

        stored, again = (nbformat.read(file, as_version=4) for _ in range(2))
        began = time.monotonic()
        NotebookClient(again, timeout=300, resources={"metadata": {"path": str(file.parent)}}).execute()
    assert time.monotonic() - began < SECONDS
    assert shown(again) == shown(stored)
    assert sum('<div class="rankconv">' in str(cell) for cell in shown(again)) >= 3


def test_the_values_of_the_search_engine_are_those_of_trec_eval() -> None:
    """The last digits that `trec_eval` prints for its own test files: map 0.1785, recip_rank 0.4064, P_10 0.3000."""
    text = (DOCS / "tutorial/search.ipynb").read_text("utf-8")
    assert all(
        f"{name}: {value}" in text
        for name, value in (("map", "0.178545"), ("mrr", "0.406433"), ("precision@10", "0.3,"))
    )


def test_there_are_two_of_them() -> None:
    assert [file.stem for file in TUTORIALS] == ["recommender", "search"]
