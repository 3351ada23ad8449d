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
    with pytest.raises(InputError, match=r"holds labels and features, and no scores\. Pass the scores of its lines"):
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
