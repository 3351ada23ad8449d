"""Parquet and Arrow files."""

import contextlib
from pathlib import Path

import polars as pl
import pytest

from rankconv.errors import InputError
from rankconv.inputs import labels, rankings

FRAME = pl.DataFrame({"user": ["q1", "q1"], "item": [7, 5], "grade": [2, 0], "other": [None, "x"]})


@pytest.mark.parametrize("name", ["a.parquet", "a.pq", "a"])
def test_parquet(tmp_path: Path, name: str) -> None:
    FRAME.write_parquet(tmp_path / name)
    known = labels(tmp_path / name)
    assert known.rows_of("q1") == {7: 2, 5: 0}
    assert known.source == name


@pytest.mark.parametrize("name", ["a.arrow", "a.feather", "a"])
def test_arrow(tmp_path: Path, name: str) -> None:
    FRAME.write_ipc(tmp_path / name)
    assert labels(tmp_path / name).rows_of("q1") == {7: 2, 5: 0}


def test_a_stream_as_datasets_keeps_it(tmp_path: Path) -> None:
    FRAME.write_ipc_stream(tmp_path / "a.arrow")
    assert labels(tmp_path / "a.arrow", grade="grade").rows_of("q1") == {7: 2, 5: 0}


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
@pytest.mark.parametrize("start", [b"PAR1", b"ARROW1", b"user,item"])
def test_files_that_are_not_whole(tmp_path: Path, name: str, start: bytes) -> None:
    (tmp_path / name).write_bytes(start + b" and then nothing that fits\n")
    with pytest.raises(InputError, match=r"this is no whole Parquet or Arrow file|cannot be computed") as error:
        rankings(tmp_path / name)
    assert str(tmp_path / name) in str(error.value)


def test_feather_1(tmp_path: Path) -> None:
    (tmp_path / "a.feather").write_bytes(b"FEA1 and more")
    with pytest.raises(InputError, match=r"this is Feather 1\. Write it anew as Feather 2 or Parquet\.$"):
        rankings(tmp_path / "a.feather")


def test_the_place_of_an_error_is_the_file(tmp_path: Path) -> None:
    pl.DataFrame({"user": [1.5], "item": [7]}).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(InputError) as error:
        rankings(tmp_path / "a.parquet")
    assert str(error.value).startswith(
        f"{tmp_path / 'a.parquet'}, row 0 (counted from 0): the user column 'user' is of type Float64."
    )


@pytest.mark.parametrize("at", range(0, 400, 7))
def test_a_byte_that_is_wrong_is_no_panic(tmp_path: Path, at: int) -> None:
    FRAME.write_parquet(tmp_path / "a.parquet")
    data = bytearray((tmp_path / "a.parquet").read_bytes())
    data[-at % len(data)] ^= 0xFF
    (tmp_path / "a.parquet").write_bytes(data)
    with contextlib.suppress(InputError):
        labels(tmp_path / "a.parquet")
