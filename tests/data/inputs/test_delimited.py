"""CSV and TSV files, and what separates their fields."""

import ast
import shlex
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.basics.errors import InputError
from rankconv.data.inputs import labels, rankings

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
        ('q1,a,1\nq1,b,"3,1"\n', "line 3: the score '3,1' is not a number. Write a point in place of the comma."),
        ("q1,a,1\nq1,b,high\n", "line 3: the score 'high' is not a number. Give every score as a number."),
        ("\nq1,a,1\n\n\nq1,b,1_0\n", "line 6: the score '1_0' is not a number. Give every score as a number."),
        ('q1,"a\nb",1\nq1,c,x\n', "line 4: the score 'x' is not a number. Give every score as a number."),
        ('q1,a,1\nq1,"b\nc",x\n', "line 3: the score 'x' is not a number. Give every score as a number."),
        ("q1,a,\n", "line 2: there is no score. Give every row a score."),
        ("q1,a,1\nq1,b\n", "line 3: there is no score. Give every row a score."),
        ("q1,,1\n", "line 2: there is no item id. Give the row an id, or leave it out."),
        ('"",a,1\n', "line 2: there is no user id. Give the row an id, or leave it out."),
        ("q1,a,nan\n", "line 2: the score is missing or not a number (NaN)."),
        ("q1,a,1e400\n", "line 2: the score is infinite or too large for a float."),
        ("q1,a,1\nq1,a,1,extra\n", "line 3: there are 4 fields ('q1, a, 1, extra'), and the first line has 3."),
        ('q1,a,1\nq1,"b,1\n', "line 3: the quotes do not match."),
    ],
)
def test_rows_that_cannot_be_read(file: Path, text: str, message: str) -> None:
    file.write_text(HEADER + text)
    with pytest.raises(InputError) as error:
        rankings(file)
    assert str(error.value).startswith(f"{file}, {message}")


def test_quotes_inside_a_field(file: Path) -> None:
    text = 'q1,5" disk,3\n\nq1,"b ""c""",2\nq2,d",1\n'
    file.write_text(HEADER + text)
    assert rankings(file).rows_of("q1") == (['5" disk', 'b "c"'], [3, 2])
    assert rankings(file).rows_of("q2") == (['d"'], [1])
    file.write_text(HEADER + text + "q2,e\n")
    with pytest.raises(InputError, match=r"run\.csv, line 6: there is no score"):
        rankings(file)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("user|item|score\nq1|a|1\n", ", line 1: 'user|item|score' is one field."),
        ("user,item,user\nq1,a,q2\n", ", line 1: 2 columns are called 'user'. Rename all but one."),
        ("user,thing\nq1,a\n", ": no column has a usual name of the item (item, item_id, iid, doc, doc_id,"),
    ],
)
def test_headers_that_cannot_be_read(file: Path, header: str, message: str) -> None:
    file.write_text(header)
    with pytest.raises(InputError) as error:
        rankings(file)
    assert str(error.value).startswith(f"{file}{message}")


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
        "Name the columns in the first line, or say their places: user='1', item='2', score='4'."
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


ROWS = [("user", "item", "score"), ("u", "a", "0.5"), ("u", "b", "1.5"), ("v", "a", "2")]
LABELS = {"u": ["a"], "v": ["b"]}


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("ending", ["csv", "tsv"])
@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_the_separator_of_the_first_line_is_used(tmp_path: Path, separator: str, ending: str, header: bool) -> None:
    file = tmp_path / f"run.{ending}"
    file.write_text("\n".join(separator.join(row) for row in ROWS[0 if header else 1 :]) + "\n")
    for memory in ({}, {"memory": "8GB"}):
        labels = tmp_path / "labels.csv"
        labels.write_text("user;item\nu;a\nv;b\n")
        assert rc.evaluate(labels, file, "mrr", **memory)["mrr"] == 0.25


def test_a_decimal_comma_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.csv"
    file.write_text("user;item;score\nu;a;0,5\nu;b;1,5\n")
    with pytest.raises(rc.InputError, match=r"line 2.*'0,5' is not a number"):
        rc.evaluate(LABELS, file, "mrr")


def test_a_comma_in_front_of_more_semicolons_is_the_separator_only_where_rows_agree(tmp_path: Path) -> None:
    file = tmp_path / "run.csv"
    file.write_text("user,item\nu,a;b;c\n")
    assert rc.Run(file).rows_of("u")[0] == ["a;b;c"]


def test_side_data_may_use_semicolons(tmp_path: Path) -> None:
    file = tmp_path / "users.csv"
    file.write_text("user;age\nu;young\nv;old\n")
    run = {"u": ["b", "a"], "v": ["a", "b"]}
    segments = rc.segments(LABELS, run, "mrr", by="age", user_features=file)
    assert "young" in str(segments)


def test_a_line_that_may_be_split_at_commas_or_semicolons_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    for text in ("u,a;1;2\nv,b;1;3\n", "user,name;item;grade\nu,a;b;1\n"):
        file.write_text(text)
        with pytest.raises(rc.InputError, match=r"may be separated by ';' or by ','\. Put fields"):
            rc.Labels(file)
    file.write_text('"Muster, Max";a;1\n')
    assert rc.Labels(file).rows_of("Muster, Max") == {"a": 1.0}


def test_columns_named_by_place_never_match_data(tmp_path: Path) -> None:
    """The first line has the very numbers of the places, in any number of columns; it is read all the same."""
    file = tmp_path / "run.tsv"
    for places in ((1, 2, 3), (3, 1, 2), (7, 2, 5)):
        rows = [[10 * row + column for column in range(1, 9)] for row in range(3)]
        assert rows[0] == [*range(1, 9)]
        file.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
        user, item, score = map(str, places)
        run = rc.Run(str(file), user=user, item=item, score=score)
        read = {run.users.id(code): run.rows_of(run.users.id(code)) for code in range(len(run.users))}
        expected = {str(row[places[0] - 1]): ([str(row[places[1] - 1])], [float(row[places[2] - 1])]) for row in rows}
        assert read == expected


def test_places_count_where_the_first_line_has_names_too(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("user,item,other\nu,a,3\n")
    assert rc.Labels(str(file), user="1", item="2", grade="3").rows_of("u") == {"a": 3.0}
    file.write_text("user,item,1\nu,a,3\n")
    assert rc.Labels(str(file), grade="1").rows_of("u") == {"a": 3.0}


@pytest.mark.parametrize("ending", [".tsv", ".csv"])
def test_four_fields_with_a_constant_second_are_qrels(tmp_path: Path, ending: str) -> None:
    file, between = tmp_path / f"qrels{ending}", {".tsv": "\t", ".csv": ","}[ending]
    file.write_text("".join(between.join(line) + "\n" for line in (["1", "0", "d7", "2"], ["9", "0", "d4", "1"])))
    labels = rc.Labels(str(file))
    assert (labels.rows_of("1"), labels.rows_of("9")) == ({"d7": 2.0}, {"d4": 1.0})
    for text in ("1,0,d7,2\n", "1,0,d7,2\n1,1,d4,1\n"):
        file.write_text(text.replace(",", between))
        with pytest.raises(rc.InputError, match="names no columns, and there are 4") as error:
            rc.Labels(str(file))
        assert "user='1', item='2', grade='4'" in str(error.value)
        assert rc.Labels(str(file), user="1", item="3", grade="4").rows_of("1")["d7"] == 2


def test_a_third_column_that_counts_rows_is_the_rank_and_the_other_reading_is_said(tmp_path: Path) -> None:
    file, labels = tmp_path / "run.tsv", {"1": ["b"], "2": ["a"]}
    file.write_text("1\tb\t1\n1\tx\t2\n1\ty\t3\n2\tz\t1\n2\ta\t2\n")
    found = rc.evaluate(labels, str(file), "mrr")
    assert found["mrr"] == 0.75
    (note,) = found.notes
    columns = ast.literal_eval(note.partition("columns=")[2].partition("}")[0] + "}")
    assert rc.evaluate(labels, str(file), "mrr", columns=columns)["mrr"] == pytest.approx((1 / 3 + 1) / 2)
    options = shlex.split(note.partition(", or ")[2].removesuffix("."))
    assert dict(word.split("=") for word in options if word != "--column") == columns
    for text in ("1\tb\t1\n2\ta\t1\n", "1\tb\t2\n1\tx\t1\n", "1\tb\t1\n1\tx\t3\n"):
        file.write_text(text)
        assert rc.Run(str(file)).scored


def test_batches_of_a_file_read_the_same_columns(tmp_path: Path) -> None:
    run, labels = tmp_path / "run.tsv", tmp_path / "qrels.tsv"
    run.write_text("".join(f"{user}\td{rank + user}\t{rank}\n" for user in range(9) for rank in range(1, 4)))
    labels.write_text("".join(f"{user}\t0\td{user + 2}\t1\n" for user in range(9)))
    whole = rc.evaluate(str(labels), str(run), "mrr@10")
    assert rc.evaluate(str(labels), str(run), "mrr@10", memory="4GB")["mrr@10"] == whole["mrr@10"] == 0.5
