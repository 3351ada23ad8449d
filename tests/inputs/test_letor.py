"""LETOR and SVMrank text."""

from pathlib import Path

import pytest

from rankconv.errors import InputError
from rankconv.inputs import labels, rankings

TEXT = "# made by hand\n2 qid:10 1:0.5 2:0.25 # docid = GX1 inc = 1\n\n0 qid:10 1:0.1 #docid=GX2\n1 qid:11 1:0.3\n"


@pytest.mark.parametrize("name", ["test.letor", "test.svmrank", "test.txt", "vali"])
def test_documents_are_named_by_the_comment_else_by_the_line(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(TEXT)
    known = labels(tmp_path / name)
    assert known.rows_of("10") == {"GX1": 2, "GX2": 0}
    assert known.rows_of("11") == {"5": 1}


def test_a_file_of_labels_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "a.letor").write_text(TEXT)
    with pytest.raises(InputError, match=r"holds labels and features, and no scores\. Pass a file with the scores of"):
        rankings(tmp_path / "a.letor")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "2 1:0.5",
            ", line 6: '2 1:0.5' has no grade with a qid:. A line is: grade qid:… feature:value … # docid = ….",
        ),
        ("x qid:1 1:2", ", line 6: the grade 'x' is not a number. Give every grade as a number."),
    ],
)
def test_lines_that_cannot_be_read(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "a.letor"
    file.write_text(f"{TEXT}{line}\n")
    with pytest.raises(InputError) as error:
        labels(file)
    assert str(error.value) == f"{file}{message}"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_the_scores_of_its_lines(tmp_path: Path, end: str) -> None:
    (tmp_path / "test.letor").write_text(TEXT)
    (tmp_path / "scores").write_bytes(end.join(["-0.5", "1.5e-1", "3", ""]).encode())
    returned = rankings(tmp_path / "scores", letor=tmp_path / "test.letor")
    assert returned.rows_of("10") == (["GX2", "GX1"], [0.15, -0.5])
    assert returned.rows_of("11") == (["5"], [3])
    assert returned.source == "scores"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\n2\n", ": there are 2 scores, and 3 lines in {letor}. Give each line one score."),
        ("1\nx\n3\n", ", line 2: the score 'x' is not a number. Give every score as a number."),
        ("1\n2 3\n3\n", ", line 2: there are 2 fields in '2 3'. It was read as a scores file (1 fields: score)."),
    ],
)
def test_scores_that_do_not_fit(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "test.letor").write_text(TEXT)
    (tmp_path / "scores").write_text(text)
    with pytest.raises(InputError) as error:
        rankings(tmp_path / "scores", letor=tmp_path / "test.letor")
    assert str(error.value) == f"{tmp_path / 'scores'}{message.format(letor=tmp_path / 'test.letor')}"


def test_scores_alone(tmp_path: Path) -> None:
    (tmp_path / "scores").write_text("0.5\n1\n")
    with pytest.raises(InputError, match=r"scores: each line is a score, without user and item\."):
        rankings(tmp_path / "scores")
