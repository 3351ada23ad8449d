"""Text files of one row per line: TREC and MovieLens."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rankconv.basics.errors import InputError
from rankconv.data.inputs import files, labels, rankings
from rankconv.data.inputs.line_files import well_formed

QRELS, RUN = "301 0 d1 2\n301 0 d2 -1\n302 0 d1 0\n", "301 Q0 d1 2 9.5 tag\n301 Q0 d2 1 8.5 tag\n"


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
        ("301 Q0 d3 3 high tag", "the score 'high' is not a number. Give every score as a number."),
        ("301 Q0 d3 first 7.5 tag", "the rank 'first' is not a number. Give every rank as a number."),
        ("301 Q0 d3 3 inf tag", "the score is infinite or too large for a float."),
    ],
)
def test_lines_of_runs_that_cannot_be_read(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "bm25.run"
    file.write_text(f"{RUN}\n{line}\n")
    with pytest.raises(InputError) as error:
        rankings(file)
    assert str(error.value).startswith(f"{file}, line 4: {message}")


def test_comments_as_trec_eval_takes_them(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text(f"# judged by hand\n{QRELS} # 301 0 d9 1\n")
    assert len(labels(file).item) == 3


LAYOUT = ("user", "iteration", "item", "grade")


def fast(text: bytes, roles: tuple[str, ...]) -> dict[str, list] | None:
    """The columns of these roles, read fast; None where the text is left to the tolerant reader."""
    found = well_formed(text, LAYOUT, roles)
    if found is None:
        return None
    numbers = {role: one.tolist() for role, one in found.numbers.items()}
    return {role: one.to_list() for role, one in found.ids.items()} | numbers


READ = ("user", "item", "grade")


@pytest.mark.parametrize("between", [" ", "\t"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_files_as_programs_write_them_are_read_fast(between: str, end: str) -> None:
    text = "\n".join(between.join(["007", "0", 'a"b', "1"]) for _ in range(3)) + end
    assert fast(text.encode(), ("user", "item")) == {"user": ["007"] * 3, "item": ['a"b'] * 3}


@pytest.mark.parametrize("number", ["1", "+1", ".5", "1.", "1e3", "-0", "1E-400", "0x1", "1_0", "١", "1d0", "12e"])
def test_numbers_are_the_same_on_both_ways(tmp_path: Path, number: str) -> None:
    plain, odd = tmp_path / "a.qrels", tmp_path / "b.qrels"
    plain.write_text(f"q 0 d {number}\n")
    odd.write_text(f"q 0  d {number}\n")
    assert read_or_refused(plain) == read_or_refused(odd)


def read_or_refused(path: Path) -> object:
    try:
        return labels(path).grade.tolist()
    except InputError as error:
        return error.wrong


@pytest.mark.parametrize("size", [1, 7, 40])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_files_are_read_in_pieces_of_whole_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, end: str
) -> None:
    monkeypatch.setattr(files, "BLOCK", size)
    file, lines = tmp_path / "a.qrels", [f"q{row} 0 d{row} {row}" for row in range(9)]
    for last in ("", end):
        file.write_bytes((end.join(lines) + last).encode())
        known = labels(file)
        assert [known.rows_of(f"q{row}") for row in range(9)] == [{f"d{row}": row} for row in range(9)]
        assert fast((end.join(lines) + last).encode(), ("item", "grade"))
    file.write_bytes(end.join([*lines[:5], "\ufeffq 0 d 1", *lines[5:]]).encode())
    assert labels(file).rows_of("\ufeffq") == {"d": 1}  # a mark in the middle is none
    for odd in ("#5 0 d5 5", "q 0 d", "q 0 d 1 1", "q 0 d x", ""):
        assert fast(end.join([*lines[:5], odd, *lines[5:]]).encode(), ("item", "grade")) is None


@settings(deadline=None)
@given(
    rows=st.lists(st.lists(st.sampled_from(["a", "1", "", "é"]), min_size=1, max_size=6), min_size=1, max_size=5),
    end=st.sampled_from(["", "\n"]),
)
@example(rows=[["a"] * 3 + ["1"], ["a"] * 3, ["a"] * 3 + ["1", "1"]], end="\n")
@example(rows=[["a", "", "a", "1"]], end="\n")
def test_fields_that_nobody_wants_count_all_the_same(rows: list[list[str]], end: str) -> None:
    text = ("\n".join(map(" ".join, rows)) + end).encode()
    some, whole = fast(text, ("user", "item")), fast(text, READ)
    if whole is not None:
        assert all(len(row) == len(LAYOUT) and all(row) for row in rows)
        assert some == {role: whole[role] for role in ("user", "item")}
    elif some is not None:
        assert any(row[-1] != "1" for row in rows)


def test_letor_is_refused_with_what_reads_it(tmp_path: Path) -> None:
    for name in ("test.letor", "test.txt"):
        (tmp_path / name).write_text("# made by hand\n2 qid:10 1:0.5 2:0.25 # docid = GX1\n")
        for read in (labels, rankings):
            with pytest.raises(InputError, match=r"this is a LETOR file: .* Read it with scikit-learn"):
                read(tmp_path / name)


@pytest.mark.parametrize("name", ["ratings.dat", "ratings.txt"])
def test_colons(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("1::1193::5::978300760\n1::0661::3.5::978302109\n\n2::1193::4::978298413\n")
    assert labels(tmp_path / name).rows_of("1") == {"1193": 5, "0661": 3.5}


def test_tabs_and_a_time_are_no_qrels(tmp_path: Path) -> None:
    (tmp_path / "u.data").write_text("196\t242\t3\t881250949\n186\t302\t3\t891717742\n")
    assert labels(tmp_path / "u.data").rows_of("196") == {"242": 3}


def test_four_tabs_without_a_time_are_qrels(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("196\t0\t242\t3\n")
    assert labels(tmp_path / "qrels").rows_of("196") == {"242": 3}


def test_a_wrong_number_of_fields(tmp_path: Path) -> None:
    file = tmp_path / "ratings.dat"
    file.write_text("1::1193::5::978300760\n1::Toy Story::x\n")
    with pytest.raises(InputError) as error:
        labels(file)
    assert str(error.value) == (
        f"{file}, line 2: there are 3 fields in '1::Toy Story::x'. "
        "It was read as a MovieLens '::' file (4 fields: user, item, rating, time)."
    )
