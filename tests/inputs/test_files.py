"""Packed files, the standard input, folders of runs, and addresses, which are refused."""

import gzip
import io
import sys
from pathlib import Path

import pytest
import zstandard

from rankconv.errors import InputError, LibraryError
from rankconv.inputs import labels, rankings, runs

CSV = b"user,item,grade\nq1,a,2\nq1,b,x\n"
PACKERS = {".gz": gzip.compress, ".zst": zstandard.compress}


@pytest.mark.parametrize("ending", PACKERS)
def test_packed_files_and_their_lines(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"Labels.CSV{ending}"
    file.write_bytes(PACKERS[ending](CSV.replace(b"x", b"1")))
    known = labels(file)
    assert known.rows_of("q1") == {"a": 2, "b": 1}
    assert known.source == file.name
    file.write_bytes(PACKERS[ending](CSV))
    with pytest.raises(InputError) as error:
        labels(file)
    assert str(error.value).startswith(f"{file}, line 3: the grade 'x' is not a number")


@pytest.mark.parametrize("ending", PACKERS)
def test_packed_files_that_are_cut_off(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"a.csv{ending}"
    file.write_bytes(PACKERS[ending](CSV * 9)[:-12])
    with pytest.raises(InputError) as error:
        labels(file)
    assert str(error.value).startswith(str(file))


def test_without_zstandard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.csv.zst"
    file.write_bytes(zstandard.compress(CSV))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(LibraryError) as error:
        labels(file)
    wrong = f"{file}: a .zst file needs zstandard, which is not installed"
    assert str(error.value) == f"{wrong}. Install it: pip install zstandard."


@pytest.mark.parametrize("packer", [bytes, gzip.compress])
@pytest.mark.parametrize(
    "text", [b"user,item\nq1,a\n", b"q1 0 a 1\n", b'{"q1": ["a"]}', b'{"user": "q1", "item": "a"}\n']
)
def test_the_standard_input(monkeypatch: pytest.MonkeyPatch, text: bytes, packer: type) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(packer(text))))
    known = labels("-")
    assert known.rows_of("q1") == {"a": 1}
    assert known.source == "standard input"


def test_an_empty_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(
        InputError, match=r"^standard input: nothing came through it\. Only one of the files can be -\.$"
    ):
        labels("-")


@pytest.mark.parametrize("address", ["http://example.org/qrels", "https:/example.org/a.csv", "s3://bucket/a.parquet"])
def test_addresses_are_refused(address: str) -> None:
    with pytest.raises(InputError) as error:
        rankings(address)
    assert str(error.value) == (
        f"{address}: this is a web address, and only files are read. Fetch the file first, and pass its path."
    )


def test_a_folder_of_runs(tmp_path: Path) -> None:
    (tmp_path / "dense.run").write_text("q1 Q0 a 1 2 t\n")
    (tmp_path / "bm25.run.gz").write_bytes(gzip.compress(b"q1 Q0 b 1 2 t\n"))
    (tmp_path / ".hidden").write_text("x")
    found = runs(tmp_path)
    assert list(found.by_name) == ["bm25", "dense"]
    assert found.by_name["bm25"].rows_of("q1") == (["b"], [2])


def test_runs_of_one_name(tmp_path: Path) -> None:
    for name in ("a.run", "a.trec"):
        (tmp_path / name).write_text("q1 Q0 a 1 2 t\n")
    assert list(runs(tmp_path).by_name) == [str(tmp_path / "a.run"), str(tmp_path / "a.trec")]


def test_what_is_no_folder_of_runs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no file in this folder\.$"):
        runs(tmp_path)
    with pytest.raises(InputError, match=r"this is no folder\. Pass one file as rc\.Run"):
        runs(tmp_path / "none")
    with pytest.raises(InputError, match=r"^\['a'\] is neither a folder nor a dict of runs"):
        runs(["a"])


def test_a_dict_of_runs() -> None:
    assert list(runs({"bm 25": {"q": ["a"]}}, dense={"q": ["b"]}).by_name) == ["bm 25", "dense"]
