"""CSV and TSV files."""

from pathlib import Path

import pytest

from rankconv.errors import InputError
from rankconv.inputs import labels, rankings
from rankconv.inputs.files import SAVE_AS_UTF8

HEADER = "user,item,score\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "run.csv"


def test_ids_are_text(file: Path) -> None:
    file.write_text(HEADER + "007,1,0.5\n7,01,1e-3\n")
    returned = rankings(file)
    assert returned.users.values.tolist() == ["007", "7"]
    assert returned.items.values.tolist() == ["1", "01"]
    assert returned.rows_of("7") == (["01"], [0.001])
    assert returned.source == "run.csv"


def test_rows_are_ordered_by_rank_else_by_score(file: Path) -> None:
    file.write_text("qid,docno,rank,sim\nq1,a,2,8\nq1,b,1,8\n")
    assert rankings(str(file)).rows_of("q1") == (["b", "a"], [8, 8])
    file.write_text(HEADER + "q1,a,1\nq1,b,2\nq1,c,2\n")
    assert rankings(str(file)).rows_of("q1") == (["b", "c", "a"], [2, 2, 1])


def test_tabs(tmp_path: Path) -> None:
    file = tmp_path / "labels.TSV"
    file.write_text("query\tdoc\trel\nq 1\ta,b\t2\n")
    assert labels(file).rows_of("q 1") == {"a,b": 2}


def test_columns_can_be_named(file: Path) -> None:
    file.write_text("a,b,c\nq1,d1,3\n")
    assert labels(file, user="a", item="b", grade="c").rows_of("q1") == {"d1": 3}


def test_labels_without_grades(file: Path) -> None:
    file.write_text("user,item\nq1,d1\n")
    assert labels(file).rows_of("q1") == {"d1": 1}


def test_what_spreadsheets_write(file: Path) -> None:
    file.write_bytes(b'\xef\xbb\xbf"user","item","score","",""\r\n"q1","a ""b"", c", 0.5 ,,\r\n\r\n,,,,\r\n')
    assert rankings(file).rows_of("q1") == (['a "b", c'], [0.5])


@pytest.mark.parametrize("text", [HEADER, HEADER + "\n,,\n"])
def test_a_header_alone_is_refused_as_an_empty_file_is(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(InputError) as error:
        rankings(file)
    assert str(error.value) == f"{file}: there is no row in it."


def test_a_name_that_looks_like_a_pattern(tmp_path: Path) -> None:
    file = tmp_path / "run[1]*.csv"
    file.write_text(HEADER + "q1,a,1\n")
    assert rankings(file).rows_of("q1") == (["a"], [1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q1,a,1\nq1,b,high\n", "line 3: the score 'high' is not a number. Give every score as a number."),
        ("\nq1,a,1\n\n\nq1,b,1_0\n", "line 6: the score '1_0' is not a number. Give every score as a number."),
        ('q1,"a\nb",1\nq1,c,x\n', "line 4: the score 'x' is not a number. Give every score as a number."),
        ('q1,a,1\nq1,"b\nc",x\n', "line 3: the score 'x' is not a number. Give every score as a number."),
        ("q1,a,\n", "line 2: there is no score. Give every row a score."),
        ("q1,a,1\nq1,b\n", "line 3: there is no score. Give every row a score."),
        ("q1,,1\n", "line 2: there is no item id. Give the row an id, or leave it out."),
        ('"",a,1\n', "line 2: there is no user id. Give the row an id, or leave it out."),
        (
            "q1,a,nan\n",
            "line 2: the score is missing or not a number (NaN). Give the row a finite score, or leave it out.",
        ),
        (
            "q1,a,1e400\n",
            "line 2: the score is infinite or too large for a float. Give the row a finite score, or leave it out.",
        ),
        (
            "q1,a,1\nq1,a,1,extra\n",
            "line 3: there are 4 fields ('q1, a, 1, extra'), and the first line has 3. "
            "The columns are: user, item, score.",
        ),
        (
            'q1,a,1\nq1,"b,1\n',
            "line 3: the quotes do not match. Put fields with quotes into quotes, and write each quote inside twice.",
        ),
    ],
)
def test_rows_that_cannot_be_read(file: Path, text: str, message: str) -> None:
    file.write_text(HEADER + text)
    with pytest.raises(InputError) as error:
        rankings(file)
    assert str(error.value) == f"{file}, {message}"


def test_quotes_inside_a_field(file: Path) -> None:
    text = 'q1,5" disk,3\n\nq1,"b ""c""",2\nq2,d",1\n'
    file.write_text(HEADER + text)
    assert rankings(file).rows_of("q1") == (['5" disk', 'b "c"'], [3, 2])
    assert rankings(file).rows_of("q2") == (['d"'], [1])
    file.write_text(HEADER + text + "q2,e\n")
    with pytest.raises(InputError, match=r"run\.csv, line 6: there is no score"):
        rankings(file)


def test_other_encodings(file: Path) -> None:
    file.write_bytes(HEADER.encode() + b"q1,a,1\nq1,caf\xe9,1\n")
    with pytest.raises(InputError) as error:
        rankings(file)
    assert str(error.value) == f"{file}, line 3: the line is not UTF-8. {SAVE_AS_UTF8}."


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (
            "user|item|score\nq1|a|1\n",
            ", line 1: 'user|item|score' is one field. Name the columns in the first line, with ',' between them.",
        ),
        ("user,item,user\nq1,a,q2\n", ", line 1: 2 columns are called 'user'. Rename all but one."),
        (
            "user,thing\nq1,a\n",
            ": no column has a usual name of the item (item, item_id, iid, doc, doc_id, docno, document, "
            "document_id, corpus_id, i_id, …). The columns are: user, thing. Name it: item=….",
        ),
    ],
)
def test_headers_that_cannot_be_read(file: Path, header: str, message: str) -> None:
    file.write_text(header)
    with pytest.raises(InputError) as error:
        rankings(file)
    assert str(error.value) == f"{file}{message}"


def test_without_a_header(file: Path) -> None:
    file.write_text("007,1,0.5\n007,2,0.75\n")
    assert rankings(file).rows_of("007") == (["2", "1"], [0.75, 0.5])
    file.write_text("7,1\n7,2\n")
    assert rankings(file).rows_of("7") == (["1", "2"], None)
    file.write_text("x,1,7,0.5\n")
    assert rankings(file, user="3", item="2", score="4").rows_of("7") == (["1"], [0.5])
    file.write_text("q,a\n")
    assert rankings(file, user="1", item="2").rows_of("q") == (["a"], None)


def test_errors_without_a_header(file: Path) -> None:
    file.write_text("7,1,0.5\n7,2,x\n")
    with pytest.raises(InputError) as error:
        rankings(file)
    assert str(error.value) == f"{file}, line 2: the score 'x' is not a number. Give every score as a number."
    file.write_text("7,1,2,3\n")
    with pytest.raises(InputError) as error:
        rankings(file)
    assert str(error.value) == (
        f"{file}: the first line names no columns, and there are 4. "
        "Without names, a file has a user, an item and, if any, a number in each line. "
        "Name the columns in the first line, or say their places: user='1', item='2'."
    )


def test_the_qrels_of_beir(tmp_path: Path) -> None:
    file = tmp_path / "test.tsv"
    file.write_text("query-id\tcorpus-id\tscore\n1\t31715818\t2\n")
    assert labels(file).rows_of("1") == {"31715818": 2}


@pytest.mark.parametrize("separator", [",", "\t"])
def test_tables_are_known_by_their_first_line(tmp_path: Path, separator: str) -> None:
    file = tmp_path / "labels.txt"
    file.write_text(separator.join(("user", "item", "grade", "x")) + "\n" + separator.join(("u", "a", "2", "")) + "\n")
    assert labels(file).rows_of("u") == {"a": 2}
