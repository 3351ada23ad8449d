"""Files that are not there, packed files, the standard input, folders of runs, and addresses, which are refused."""

import gzip
import io
import os
from pathlib import Path

import pytest

from rankconv.basics.errors import InputError
from rankconv.data.inputs import labels, rankings, runs
from rankconv.data.inputs.input_rows import InputReader
from rankconv.data.inputs.reading import FORMATS
from rankconv.data.inputs.run_files import named_by_file


def refusal_of(path: Path | str) -> str:
    with pytest.raises(InputError) as error:
        rankings(path)
    return str(error.value)


def test_a_missing_file_and_its_nearest_neighbour(tmp_path: Path) -> None:
    (tmp_path / "bm25.run").write_text("")
    (tmp_path / "other").write_text("")
    assert (
        refusal_of(tmp_path / "bm52.run") == f"{tmp_path / 'bm52.run'}: there is no such file. Did you mean 'bm25.run'?"
    )
    assert refusal_of(tmp_path / "zzz") == f"{tmp_path / 'zzz'}: there is no such file."


def test_a_missing_folder(tmp_path: Path) -> None:
    assert refusal_of(tmp_path / "runs" / "a.run") == f"{tmp_path / 'runs'}: there is no such folder."


def test_a_folder(tmp_path: Path) -> None:
    assert refusal_of(tmp_path) == (
        f"{tmp_path}: this is a folder. Pass the path of one file in it, or rc.Runs(folder) for all of them."
    )


@pytest.mark.parametrize("name", ["a.run", "a.csv", "a"])
@pytest.mark.parametrize("text", ["", "\n \t\r\n", "\ufeff"])
def test_an_empty_file(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert refusal_of(tmp_path / name) == f"{tmp_path / name}: the file is empty."


def test_an_unknown_kind(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("Some words about this run\n")
    assert refusal_of(tmp_path / "notes.md") == (
        f"{tmp_path / 'notes.md'}: unknown kind of file: its first line is 'Some words about this run', "
        "5 fields between blanks. These can be read: "
        "Parquet and Arrow files (.parquet, .pq, .arrow, .feather, .ipc, .arrows); "
        "MovieLens ratings (user::item::rating::time, u.data); NTCIR qrels (topic document L0 … L3); "
        "JSON lines (.jsonl, .ndjson); "
        "JSON (.json): {user: {item: number}}, lists, records, files of search engines; CSV files of Quepid; "
        "CSV and TSV files with all items of a user in a row (Kaggle, the Million Playlist Dataset); "
        "CSV and TSV files (.csv, .tsv, or usual names in the first line); "
        "TREC files (.trec, .qrels, .qrel, .run, or lines of 4 fields, labels, or of 6, runs)."
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert (
        refusal_of(tmp_path / "pipe")
        == f"{tmp_path / 'pipe'}: this is no ordinary file. Save the data to a file first, or pass - and pipe it in."
    )


def test_the_text_of_a_file_in_place_of_its_path() -> None:
    assert refusal_of("user,item\nq1,a\n") == (
        "user,item: there is no such file. A text is taken as the path of a file."
    )
    assert refusal_of("q1 0 d1 1 " * 1000).endswith("…: the file cannot be opened: File name too long.")


def test_a_file_that_may_not_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 1 t\n")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert refusal_of(tmp_path / "a.run") == f"{tmp_path / 'a.run'}: the file cannot be opened: Permission denied."


def test_any_path_object(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_text("q1 0 d1 1\n")
    [entry] = os.scandir(tmp_path)
    assert labels(entry).rows_of("q1") == {"d1": 1}


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_links_that_lead_nowhere(tmp_path: Path) -> None:
    for name, target in (("a.csv", "b.csv"), ("b.csv", "a.csv"), ("lost.csv", "gone.csv")):
        (tmp_path / name).symlink_to(target)
    with pytest.raises(InputError, match=r"a\.csv: the link leads to b\.csv, and there is no such file"):
        labels(tmp_path / "a.csv")
    with pytest.raises(InputError, match=r"lost\.csv: the link leads to gone\.csv, and there is no such file"):
        labels(tmp_path / "lost.csv")


@pytest.mark.skipif(os.name != "posix", reason="links")
@pytest.mark.parametrize("target", ["run.csv", "gone.csv"])
def test_a_link_in_a_folder_of_runs_is_not_left_out_in_silence(tmp_path: Path, target: str) -> None:
    (tmp_path / "good.csv").write_text("user,item\nu,a\n")
    (tmp_path / "run.csv").symlink_to(target)
    with pytest.raises(InputError, match=r"run 'run', .*run\.csv: the link"):
        runs(tmp_path)


CSV = b"user,item,grade\nq1,a,2\nq1,b,x\n"


def test_packed_files_and_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "Labels.CSV.gz"
    file.write_bytes(gzip.compress(CSV.replace(b"x", b"1")))
    known = labels(file)
    assert known.rows_of("q1") == {"a": 2, "b": 1}
    assert known.source == file.name
    file.write_bytes(gzip.compress(CSV))
    with pytest.raises(InputError) as error:
        labels(file)
    assert str(error.value).startswith(f"{file}, line 3: the grade 'x' is not a number")


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
    (tmp_path / "more").mkdir()
    for name in ("a.run", "a.trec", "b.run", "more/a.run"):
        (tmp_path / name).write_text("q1 Q0 a 1 2 t\n")
    assert list(runs(tmp_path).by_name) == ["a.run", "a.trec", "b"]
    every = [tmp_path / "a.trec", tmp_path / "a.run", tmp_path / "more" / "a.run"]
    assert list(runs(every).by_name) == ["a.trec", str(tmp_path / "a.run"), str(tmp_path / "more" / "a.run")]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("bm25.run", "bm25"),
        ("BM25.CSV.gz", "BM25"),
        ("dense.txt", "dense"),
        ("input.pircRBa1", "input.pircRBa1"),
        ("input.uic0301.gz", "input.uic0301"),
        ("fused.w0.3", "fused.w0.3"),
        ("fused.w0.3.trec", "fused.w0.3"),
        ("bm25", "bm25"),
    ],
)
def test_the_name_of_a_run_is_the_same_alone_and_among_others(file: str, name: str) -> None:
    others = [Path("input.other"), Path("fused.w0.5"), Path("dense2.parquet")]
    assert [*named_by_file([Path(file)])] == [name]
    assert [*named_by_file([*others, Path(file)])] == ["input.other", "fused.w0.5", "dense2", name]


def test_the_ending_of_a_plugin_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [*named_by_file([Path("bm25.odd")])] == ["bm25.odd"]
    odd = InputReader("odd", lambda data: False, rankings, endings=(".odd",))
    monkeypatch.setitem(FORMATS, "odd", odd)
    assert [*named_by_file([Path("bm25.odd")])] == ["bm25"]


def test_runs_of_a_list_of_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("bm25.run", "dense.run", "other"):
        Path(name).write_text(f"q1 Q0 {name} 1 2 t\n")
    found = runs([Path("dense.run"), "bm25.run"])
    assert list(found.by_name) == ["dense", "bm25"]
    assert found.by_name["bm25"].rows_of("q1")[0] == ["bm25.run"]
    assert list(runs((Path("other"),), more="dense.run").by_name) == ["other", "more"]
    with pytest.raises(InputError, match="there is no such file"):
        runs([Path("none.run")])
    with pytest.raises(InputError, match="neither a folder nor a dict of runs"):
        runs(["bm25.run", "none.run"])


def test_what_is_no_folder_of_runs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no file in this folder\.$"):
        runs(tmp_path)
    with pytest.raises(InputError, match=r"this is no folder\. Pass one file as rc\.Run"):
        runs(tmp_path / "none")
    with pytest.raises(InputError, match=r"^\['a'\] is neither a folder nor a dict of runs"):
        runs(["a"])
