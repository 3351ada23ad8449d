"""Features of items, and the catalogue, in every form in which they are read; and what is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankconv as rc
from rankconv.data.inputs.side_data import catalogue_of, features

NUMBERS = {"a": [1.0, 0.0], "b": [0.0, 2.5]}
CATEGORIES = {"a": {"jazz", "rock"}, "b": {"jazz"}}
COLUMNS = {"item": ["a", "b"], "long": [1.0, 0.0], "loud": [0.0, 2.5]}


def of_numbers(tmp_path: Path) -> list[Any]:
    """The same numbers in many forms."""
    table = pl.DataFrame(COLUMNS)
    table.write_csv(tmp_path / "a.csv")
    table.write_csv(tmp_path / "a.tsv", separator="\t")
    table.write_parquet(tmp_path / "a.parquet")
    (tmp_path / "a.json").write_text('{"a": [1.0, 0.0], "b": [0.0, 2.5]}', encoding="utf-8")
    files = [tmp_path / f"a.{ending}" for ending in ("csv", "tsv", "parquet", "json")]
    arrays = {item: np.array(one) for item, one in NUMBERS.items()}
    return [NUMBERS, arrays, table, pd.DataFrame(COLUMNS), table.lazy(), *files, *map(str, files)]


def test_numbers_in_any_form(tmp_path: Path) -> None:
    for given in of_numbers(tmp_path):
        found = features(given)
        assert found.items.values.tolist() == ["a", "b"]
        assert found.vectors.tolist() == [[1.0, 0.0], [0.0, 2.5]]
        assert features(found) is found


def test_categories_in_any_form(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("item,genre\na,rock|jazz\nb,jazz\n", encoding="utf-8")
    lists = pl.DataFrame({"item": ["a", "b"], "genre": [["jazz", "rock"], ["jazz"]]})
    texts = {"a": "jazz|rock", "b": "jazz"}
    for given in (CATEGORIES, {"a": ["jazz", "rock"], "b": ["jazz"]}, texts, lists, *tmp_path.iterdir()):
        found = features(given)
        assert [name.rpartition("=")[2] for name in found.names] == ["jazz", "rock"]
        assert found.vectors.tolist() == [[1, 1], [1, 0]]


def test_a_table_may_have_both_and_gaps() -> None:
    found = features(pl.DataFrame({"item": [1, 2], "year": [1999, None], "genre": ["jazz", None]}))
    assert np.array_equal(found.vectors, [[1999, 1], [np.nan, 0]], equal_nan=True)


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"a": [1.0], "b": [1.0, 2.0]}, r"different lengths: 1 \('a'\), 2 \('b'\)"),
        ({"a": [1.0], "b": {"jazz"}}, "some items have numbers and some have categories"),
        ({"a": object()}, "is neither numbers nor categories of an item"),
        (3, "the features cannot be read from"),
        (pl.DataFrame({"film": ["a"], "genre": ["jazz"]}), "not clear which column has the items"),
        (pl.DataFrame({"item": ["a", "a"], "x": [1, 2], "y": [1, 2]}), "an item has several rows"),
        (pl.DataFrame({"item": ["a"]}), "no column but that of the items"),
    ],
)
def test_what_is_refused(given: Any, wrong: str) -> None:
    with pytest.raises(rc.InputError, match=wrong):
        features(given)


def test_ids_of_another_type_are_refused() -> None:
    for name, given in (("item_features", {1: [1.0]}), ("train", {"u": [1]})):
        with pytest.raises(rc.InputError, match=rf"item ids are integer in {name}= \(1\) and text elsewhere"):
            rc.join({"u": ["a"]}, {"u": ["a"]}, **{name: given})


def test_the_catalogue_is_a_number_or_items(tmp_path: Path) -> None:
    file = tmp_path / "items.txt"
    file.write_text("a\nb\n\nc\n", encoding="utf-8")
    assert catalogue_of(3) == (3, None)
    for given in (["a", "b", "c"], file, str(file), pl.Series(["a", "b", "c"])):
        size, items = catalogue_of(given)
        assert (size, items and items.values.tolist()) == (3, ["a", "b", "c"])
