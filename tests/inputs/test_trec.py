"""TREC qrels and run files."""

from pathlib import Path

import pytest

from rankconv.errors import InputError
from rankconv.inputs import labels, rankings

QRELS, RUN = "301 0 d1 2\n301 0 d2 -1\n302 0 d1 0\n", "301 Q0 d1 2 9.5 tag\n301 Q0 d2 1 8.5 tag\n"


def test_qrels(tmp_path: Path) -> None:
    file = tmp_path / "robust.qrels"
    file.write_text(QRELS)
    known = labels(file)
    assert known.users.values.tolist() == ["301", "302"]
    assert known.rows_of("301") == {"d1": 2, "d2": -1}
    assert known.source == "robust.qrels"


def test_the_rank_column_is_the_position(tmp_path: Path) -> None:
    file = tmp_path / "bm25.run"
    file.write_text(RUN)
    assert rankings(str(file)).rows_of("301") == (["d2", "d1"], [8.5, 9.5])


def test_ranks_are_numbers_and_equal_ones_stand_as_they_came(tmp_path: Path) -> None:
    file = tmp_path / "bm25.run"
    file.write_text("".join(f"q Q0 d{rank}{tie} {rank} 1 t\n" for rank in (10, 9, 0) for tie in "ab"))
    assert rankings(file).rows_of("q")[0] == ["d0a", "d0b", "d9a", "d9b", "d10a", "d10b"]


def test_blanks_of_any_kind(tmp_path: Path) -> None:
    file = tmp_path / "odd.trec"
    file.write_bytes(b"\xef\xbb\xbf\n  q1\t0   d\xc2\xa01 \t 1\r\n\r\n\t\nq1 0 d2 1")
    assert labels(file).rows_of("q1") == {"d\xa01": 1, "d2": 1}


@pytest.mark.parametrize("name", ["labels.txt", "labels", "qrels.robust04", "labels.QREL"])
def test_files_are_known_by_their_first_line(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("\n" + QRELS)
    assert len(labels(file).item) == 3


def test_one_in_the_place_of_the_other(tmp_path: Path) -> None:
    qrels, run = tmp_path / "a.qrels", tmp_path / "a.txt"
    qrels.write_text(QRELS)
    run.write_text(RUN)
    with pytest.raises(InputError) as error:
        rankings(qrels)
    assert str(error.value) == (
        f"{qrels}: this is a TREC qrels file (4 fields: user, iteration, item, grade), and rankings are kept in a "
        "TREC run file (6 fields: user, Q0, item, rank, score, tag). Are the labels and the rankings exchanged?"
    )
    with pytest.raises(InputError, match=r"a\.txt: this is a TREC run file .*, and labels are kept in a TREC qrels"):
        labels(run)


READ_AS = "It was read as a TREC run file (6 fields: user, Q0, item, rank, score, tag)."


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("301 Q0 d3", f"there are 3 fields in '301 Q0 d3'. {READ_AS}"),
        ("301 Q0 d3 3 7.5 my tag", f"there are 7 fields in '301 Q0 d3 3 7.5 my tag'. {READ_AS}"),
        ("301 Q0 d3 3 high tag", "the score 'high' is not a number. Give every score as a number."),
        ("301 Q0 d3 first 7.5 tag", "the rank 'first' is not a number. Give every rank as a number."),
        (
            "301 Q0 d3 3 inf tag",
            "the score is infinite or too large for a float. Give the row a finite score, or leave it out.",
        ),
    ],
)
def test_lines_that_cannot_be_read(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "bm25.run"
    file.write_text(f"{RUN}\n{line}\n")
    with pytest.raises(InputError) as error:
        rankings(file)
    assert str(error.value) == f"{file}, line 4: {message}"


def test_other_encodings(tmp_path: Path) -> None:
    file = tmp_path / "latin.qrels"
    file.write_bytes(b"301 0 d1 1\n301 0 caf\xe9 1\n")
    with pytest.raises(InputError) as error:
        labels(file)
    assert str(error.value) == f"{file}, line 2: the line is not UTF-8. Save the file as UTF-8 text."
