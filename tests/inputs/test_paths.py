"""Files that are not there, or are no files."""

import os
from pathlib import Path

import pytest

from rankconv.errors import InputError
from rankconv.inputs import labels, rankings, runs


def message_of(path: Path | str) -> str:
    with pytest.raises(InputError) as error:
        rankings(path)
    return str(error.value)


def test_a_missing_file_and_its_nearest_neighbour(tmp_path: Path) -> None:
    (tmp_path / "bm25.run").write_text("")
    (tmp_path / "other").write_text("")
    assert (
        message_of(tmp_path / "bm52.run") == f"{tmp_path / 'bm52.run'}: there is no such file. Did you mean 'bm25.run'?"
    )
    assert message_of(tmp_path / "zzz") == f"{tmp_path / 'zzz'}: there is no such file."


def test_a_missing_folder(tmp_path: Path) -> None:
    assert message_of(tmp_path / "runs" / "a.run") == f"{tmp_path / 'runs'}: there is no such folder."


def test_a_folder(tmp_path: Path) -> None:
    assert message_of(tmp_path) == (
        f"{tmp_path}: this is a folder. Pass the path of one file in it, or rc.Runs(folder) for all of them."
    )


@pytest.mark.parametrize("name", ["a.run", "a.csv", "a"])
@pytest.mark.parametrize("text", ["", "\n \t\r\n", "\ufeff"])
def test_an_empty_file(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert message_of(tmp_path / name) == f"{tmp_path / name}: the file is empty."


def test_an_unknown_kind(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("Some words about this run\n")
    assert message_of(tmp_path / "notes.md") == (
        f"{tmp_path / 'notes.md'}: unknown kind of file. These can be read: "
        "Parquet and Arrow files (.parquet, .pq, .arrow, .feather, .ipc, .arrows); "
        "LETOR and SVMrank files (.letor, .svmrank, .svmlight, .libsvm, or lines with qid:); "
        "MovieLens ratings (user::item::rating::time, u.data); JSON lines (.jsonl, .ndjson); "
        "JSON (.json): {user: {item: number}}, lists, or records; "
        "CSV and TSV files (.csv, .tsv, or usual names in the first line); scores of the lines of a LETOR file; "
        "TREC files (.trec, .qrels, .qrel, .run, or the right number of fields)."
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert (
        message_of(tmp_path / "pipe")
        == f"{tmp_path / 'pipe'}: this is no ordinary file. Save the data to a file first, or pass - and pipe it in."
    )


def test_the_text_of_a_file_in_place_of_its_path() -> None:
    assert message_of("user,item\nq1,a\n") == (
        "user,item: there is no such file. A text is taken as the path of a file."
    )
    assert message_of("q1 0 d1 1 " * 1000).endswith("…: the file cannot be opened: File name too long.")


def test_a_file_that_may_not_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 1 t\n")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert message_of(tmp_path / "a.run") == f"{tmp_path / 'a.run'}: the file cannot be opened: Permission denied."


def test_any_path_object(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_text("q1 0 d1 1\n")
    [entry] = os.scandir(tmp_path)
    assert labels(entry).rows_of("q1") == {"d1": 1}


def test_columns_cannot_be_named_in_trec_files(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_text("q1 0 d1 1\n")
    with pytest.raises(
        InputError, match=r"^columns were named \('q' for the user\), and this data has no named columns"
    ):
        labels(tmp_path / "a.qrels", user="q")


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_links_that_lead_nowhere(tmp_path: Path) -> None:
    for name, target in (("a.csv", "b.csv"), ("b.csv", "a.csv"), ("folder", "folder"), ("lost.csv", "gone.csv")):
        (tmp_path / name).symlink_to(target)
    for given, link in (("a.csv", "a.csv"), ("folder/x.csv", "folder")):
        with pytest.raises(InputError) as error:
            labels(tmp_path / given)
        assert str(error.value) == (
            f"{tmp_path / given}: the link {tmp_path / link} leads back to itself. "
            "Remove the link, and pass the file itself."
        )
    with pytest.raises(InputError, match=r"lost\.csv: the link leads to gone\.csv, and there is no such file"):
        labels(tmp_path / "lost.csv")


@pytest.mark.skipif(os.name != "posix", reason="links")
@pytest.mark.parametrize("target", ["run.csv", "gone.csv"])
def test_a_link_in_a_folder_of_runs_is_not_left_out_in_silence(tmp_path: Path, target: str) -> None:
    (tmp_path / "good.csv").write_text("user,item\nu,a\n")
    (tmp_path / "run.csv").symlink_to(target)
    with pytest.raises(InputError, match=r"run 'run', .*run\.csv: the link"):
        runs(tmp_path)
