"""Propensities of items, in every form in which they are read; and what is refused."""

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import rankconv as rc
from rankconv.data.inputs.side_data import propensities

TABLE = {"item": ["a", "b"], "propensity": [0.5, 1.0]}


def test_any_form(tmp_path: Path) -> None:
    pl.DataFrame(TABLE).write_csv(tmp_path / "p.csv")
    pl.DataFrame(TABLE).write_parquet(tmp_path / "p.parquet")
    (tmp_path / "p.json").write_text('{"a": 0.5, "b": 1}', encoding="utf-8")
    for given in ({"a": 0.5, "b": 1}, pl.DataFrame(TABLE), pd.DataFrame(TABLE), *sorted(tmp_path.iterdir())):
        found = propensities(given)
        assert found.items.values.tolist() == ["a", "b"]
        assert found.values.tolist() == [0.5, 1.0]
        assert propensities(found) is found


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ("4", r"p\.csv, line 3, item 'b': '4' is not a propensity.*pass their inverses: 0\.25 here"),
        ("0", r"p\.csv, line 3, item 'b': '0' is not a propensity.*above 0 and at most 1"),
        ("-0.5", r"line 3, item 'b'.*missing-weight"),
        ("x", r"line 3, item 'b': 'x' is not a propensity"),
    ],
)
def test_what_is_no_probability_is_refused_with_its_line(tmp_path: Path, value: str, wrong: str) -> None:
    file = tmp_path / "p.csv"
    file.write_text(f"item,propensity\na,0.5\nb,{value}\n", encoding="utf-8")
    with pytest.raises(rc.InputError, match=wrong):
        propensities(file)


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"a": True}, "entry 0 .*item 'a': True is not a propensity"),
        (3, "the propensities cannot be read from"),
        (pl.DataFrame({"item": ["a"], "x": [0.5], "y": [0.5]}), "not clear which column has the propensities"),
        (pl.DataFrame({"item": ["a", "a"], "p": [0.5, 0.5]}), "item 'a' has two propensities"),
    ],
)
def test_other_data_are_refused(given: Any, wrong: str) -> None:
    with pytest.raises(rc.InputError, match=wrong):
        propensities(given)


def test_ids_of_another_type_are_refused() -> None:
    for name, given in (("propensities", {1: 0.5}), ("shown", {"u": [1]})):
        with pytest.raises(rc.InputError, match=rf"item ids are integer in {name}= \(1\) and text elsewhere"):
            rc.join({"u": ["a"]}, {"u": ["a"]}, **{name: given})


def test_signatures_state_them() -> None:
    labels, run, spec = {"u": ["a"]}, {"u": ["a"]}, "recall(item-weight=inverse-propensity)@1"
    one, other = (
        rc.evaluate(labels, run, spec, propensities={"a": p}).signatures[spec].partition("propensities:")[2][:12]
        for p in (0.5, 0.25)
    )
    again = rc.evaluate(labels, run, spec, propensities=pl.DataFrame({"item": ["a"], "p": [0.5]})).signatures[spec]
    assert one != other
    assert f"propensities:{one}" in again
