"""The table of who is first, on made-up ratings of which one model is bound to know more."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest


@pytest.fixture(scope="module")
def script(examples: Path) -> Iterator[ModuleType]:
    folder = str(examples / "learning_curves")
    sys.path.insert(0, folder)
    yield import_module("who_is_first")
    sys.path.remove(folder)
    del sys.modules["who_is_first"]


def test_who_knows_the_taste_is_first_and_told_apart(script: ModuleType) -> None:
    """Half of the users like the even items, half the odd ones: only what the like-minded rated tells."""
    rows = [(user, item, 5, 0) for user in range(80) for item in range(user % 2, 40, 2) if (user + item) % 5]
    ratings = pl.DataFrame(rows, schema=["user", "item", "rating", "time"], orient="row")
    told = {"crossfold": "lenskit-crossfold", "recbole": "recbole-default"}
    cells = script.worked_out(ratings, {name: name for name in ("popularity", "item-item")}, told)
    assert len(cells) == 12
    assert {found[0][0] for found in cells.values()} == {"item-item"}
    assert all(found[1][2] for found in cells.values())
    assert script.table(cells).count("item-item*") == 12
    assert "another order in 0 of 6 pairs" in script.moved(cells)
