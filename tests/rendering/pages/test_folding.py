"""Folding: whatever the table and the width, nothing is cut or lost, and no line is longer than it must be."""

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from rankconv.rendering.pages.table import GAP, PROSE, Table, drawn, fold
from rankconv.rendering.pages.wrapping import longest, prose, wrapped

signs = st.sampled_from("abcXYZ0189.,-@()=_:é日本語\u0301\t")
words = st.text(signs, min_size=1, max_size=12)
texts = st.lists(words, max_size=6).map(" ".join)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    columns = draw(st.integers(1, 6))
    prose = draw(st.frozensets(st.integers(0, columns - 1)))
    cells = [texts if place in prose else words | st.just("") for place in range(columns)]
    rows = draw(st.lists(st.tuples(*cells), max_size=5))
    heads = draw(st.tuples(*([words] * columns)))
    return Table(heads, rows, draw(st.integers(0, columns)), prose=prose)


def plain(cell: str) -> str:
    """A cell without its line ends and blanks, as it is printed."""
    return re.sub(r"\s", "", cell.replace("\t", r"\t"))


def columns_of(table: Table) -> list[list[str]]:
    return [[plain(cell) for cell in column] for column in zip(table.headers, *table.rows, strict=True)]


def dealt(parts: list[Table], keys: int) -> list[list[str]]:
    """The columns of all parts, the keys once; they are the same in each."""
    first, *others = [columns_of(part) for part in parts]
    same = all(columns[:keys] == first[:keys] for columns in others)
    return [*first, *(column for columns in others for column in columns[keys:])] if same else []


@settings(derandomize=True, deadline=None)
@given(tables(), st.integers(1, 120))
@example(Table(["a", "b"], [], 1), 1)
def test_every_cell_stands_once_and_whole(table: Table, width: int) -> None:
    parts, whole = fold(table, width), columns_of(table)
    numbers = ["row", *(str(place + 1) for place in range(len(table.rows)))]
    ways = [
        dealt(parts, table.keys) == whole,
        *(dealt(parts, keys) == [numbers, *whole] for keys in (1, table.keys + 1)),
    ]
    assert any(ways), parts


@settings(derandomize=True, deadline=None)
@given(tables(), st.integers(1, 120))
def test_lines_fit_where_the_widest_cell_fits_beside_a_number(table: Table, width: int) -> None:
    """Prose is as wide as its widest word, or as `PROSE` where it is longer; all else as its widest cell."""
    safe = fold(table, None)[0]
    rooms = []
    for at, column in enumerate(zip(safe.headers, *safe.rows, strict=True)):
        widest = max(map(cell_len, column))
        rooms.append(max(min(widest, PROSE), *map(longest, column)) if at in table.prose else widest)
    needed = len("row") + GAP + max(rooms)
    assert all(cell_len(line) <= max(width, needed) for line in drawn(table, width))


@settings(derandomize=True, deadline=None)
@given(tables(), st.integers(1, 120))
def test_words_and_numbers_stand_on_one_line(table: Table, width: int) -> None:
    lines = drawn(table, width)
    for at, column in enumerate(zip(*table.rows, strict=True)):
        for cell in column:
            for whole in cell.replace("\t", r"\t").split() if at in table.prose else [cell.replace("\t", r"\t")]:
                assert any(whole in line for line in lines)


@settings(derandomize=True, deadline=None)
@given(tables())
def test_without_a_width_a_row_is_a_line(table: Table) -> None:
    assert len(drawn(table, None)) == 2 + len(table.rows)


def test_a_table_that_fits_is_left_alone() -> None:
    table = Table(["metric", "mean"], [["ndcg@10", "0.1234"]])
    assert drawn(table, 80) == ["metric     mean", "───────  ──────", "ndcg@10  0.1234"]


def test_columns_are_dealt_out_with_their_keys() -> None:
    table = Table(["metric", "one", "two"], [["ndcg@10", "0.1234", "0.5678"]])
    assert drawn(table, 15) == [
        *("metric      one", "───────  ──────", "ndcg@10  0.1234", ""),
        *("metric      two", "───────  ──────", "ndcg@10  0.5678"),
    ]


def test_rows_that_their_keys_do_not_tell_apart_are_numbered() -> None:
    table = Table(["run", "a", "b"], [["x", "0.10", "0.20"], ["x", "0.30", "0.40"]])
    assert [list(part.headers) for part in fold(table, 14)] == [["row", "run", "a"], ["row", "run", "b"]]


def test_rows_are_numbered_where_a_key_leaves_no_room_for_its_cells() -> None:
    table = Table(["metric", "mean"], [["ndcg(ideal=all-labels)@10", "0.1234"]])
    assert drawn(table, 32) == [
        *("row  metric", "───  ─────────────────────────", "1    ndcg(ideal=all-labels)@10", ""),
        *("row    mean", "───  ──────", "1    0.1234"),
    ]


@settings(derandomize=True, deadline=None)
@given(texts, st.integers(1, 60), st.text(" ", max_size=5))
def test_wrapped_words_are_whole_and_in_order(text: str, width: int, rest: str) -> None:
    lines = wrapped(text, width, "", rest)
    assert "".join(lines).replace(" ", "") == text.replace("\t", r"\t").replace(" ", "")
    shown = text.replace("\t", r"\t")
    assert all(cell_len(line) <= max(width, len(rest) + longest(shown)) for line in lines)


def test_the_brackets_of_a_spec_hold_together() -> None:
    text = "the mean of map(ap-denominator=min(k, relevant), ties=expected)@5 (if any is asked for)"
    assert wrapped(text, 60) == [
        "the mean of",
        "map(ap-denominator=min(k, relevant), ties=expected)@5 (if",
        "any is asked for)",
    ]
    assert len(wrapped(text, 30)) == 4  # the brackets are wider than a line


def test_prose_is_no_wider_than_can_be_read() -> None:
    assert max(map(len, prose("word " * 100, 200).split("\n"))) <= 100
