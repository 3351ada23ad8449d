"""The law of `memory=`: any file, whole or broken, gives the numbers or the refusal that it gives in memory."""

import gzip
import itertools
import json
import re
import tempfile
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.basics.errors import RespelledIds
from rankconv.data.inputs import row_batches
from tests.laws import examples
from tests.laws.test_in_files import cut
from tests.laws.test_laws import lawful

SPECS = ["ndcg@2", "map", "precision@2", "trec_eval:ndcg@3"]
SPECS += [
    "recall(on-no-ranking=refuse-user, on-undetermined=refuse-user, on-no-relevant=refuse-user)",
    "map(duplicates=invalid, negative=invalid)",
]
SIDES = "labels", "run"
Rows = list[tuple[Any, ...]]


LINES = re.compile(r" \([^()]*, lines? [\d, and]+\)$")
"""The lines of a file that a refusal names where the file is held."""


def told(of: Any) -> Any:
    """The numbers with their counts and whom a preset refuses; or the class of a refusal, and the place it names.

    Ids that are numbers in one file and texts in the other match by their texts, which both ways say.
    """
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", RespelledIds)
            found = of()
    except rc.InputError as error:
        where = error.where
        if "is not JSON" in str(error) or "is read as a whole" in str(error):
            where = where.partition(", line ")[0]  # JSON, by its first character: broken, or not for batches
        return type(error).__name__, where
    refused = {
        spec: [(why.policy, why.user, LINES.sub("", why.what)) for why in one.refusals]
        for spec, one in found.by_spec.items()
    }
    assert all(one.category is RespelledIds for one in said)
    numbers = {spec: (float(one.mean).hex(), one.counts, refused[spec]) for spec, one in found.by_spec.items()}
    return numbers, {re.sub(r"in \S+,", "", str(one.message)) for one in said}


def alike(whole: Any, parts: Any) -> bool:
    """Whether memory and batches say the same.

    Of several faults each may name another: columns are read whole, and users come in batches.
    """
    refused = isinstance(whole[0], str) and isinstance(parts[0], str)
    return bool(whole[0] == parts[0] if refused else whole == parts)


def both_ways(files: list[Any], size: int, rows: int, number: int) -> tuple[Any, Any]:
    """What is told in memory and in small blocks, batches and parts."""
    whole = told(lambda: rc.evaluate(*files, SPECS, per_user=False, on_error="collect"))
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as temp:
        cut(patch, rows, number)
        patch.setattr("rankconv.data.inputs.files.BLOCK", size)
        patch.setattr(row_batches, "ROWS", rows)
        patch.setattr("rankconv.data.inputs.json_files.ROWS", rows)
        patch.setattr("rankconv.data.inputs.columnar_files.ROWS", rows)
        patch.setattr("rankconv.data.inputs.sides.ROWS", rows)
        parts = told(lambda: rc.evaluate(*files, SPECS, memory="4GB", temp_dir=temp, on_error="collect"))
        assert not list(Path(temp).iterdir())
    return whole, parts


# how each format writes rows (user, item, number); text is written as it is, so that anything may stand there


def _table(separator: str, header: bool, end: str, quoted: bool) -> Any:
    def written(what: str, rows: Rows) -> bytes:
        names = [("user", "item", "grade" if what == "labels" else "score")] if header else []
        quote = lambda field: '"' + str(field).replace('"', '""') + '"' if quoted else str(field)
        return "".join(separator.join(map(quote, row)) + end for row in [*names, *rows]).encode(
            "utf-8", "surrogatepass"
        )

    return written


def _trec(what: str, rows: Rows) -> bytes:
    form = "{} 0 {} {}\n" if what == "labels" else "{} Q0 {} 1 {} me\n"
    return "".join(form.format(*row) for row in rows).encode()


def _records(what: str, rows: Rows) -> bytes:
    names = "user", "item", "grade" if what == "labels" else "score"
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows).encode()


def _lists(what: str, rows: Rows) -> bytes:
    of: dict[Any, Rows] = {}
    for user, *row in rows:
        of.setdefault(user, []).append(tuple(row))
    number = "grade" if what == "labels" else "score"
    each = ({"user": user, "item": [i for i, _ in own], number: [n for _, n in own]} for user, own in of.items())
    return "".join(json.dumps(one) + "\n" for one in [*each, {"user": "nobody", "item": [], number: []}]).encode()


def _movielens(what: str, rows: Rows) -> bytes:
    return "".join("::".join(map(str, row)) + "::978300760\n" for row in rows).encode()


FORMS: dict[str, tuple[str, Any]] = {
    "csv": ("csv", _table(",", True, "\n", False)),
    "csv without names": ("csv", _table(",", False, "\n", False)),
    "quoted csv": ("csv", _table(",", True, "\r\n", True)),
    "old csv": ("csv", _table(",", True, "\r", False)),
    "tsv": ("tsv", _table("\t", True, "\n", False)),
    "known by its names": ("txt", _table(",", True, "\n", False)),
    "trec": ("trec", _trec),
    "json lines": ("jsonl", _records),
    "json lines of lists": ("jsonl", _lists),
    "movielens": ("dat", _movielens),
}
USERS = st.sampled_from(["u", "v", "w", "#x", "ü", "7"])
ITEMS = st.sampled_from(["a", "b", "c", "d", "e", "é", "#"])
NUMBERS = st.sampled_from([0, 1, 2, 3, 0.5, 2**53, 2**53 + 1, -1, "8.0000000000000011", "8.0000000000000012"])
ODD = [b"\0", b"\xff", b'"', b"\r", b"\n", b"\r\n", b"#", b",", b" ", b"\t", b"\n\n", b"\xef\xbb\xbf", b"\n#q 0 a 1\n"]
ODD += [
    b"nan",
    b"1e400",
    b"9007199254740993",
    b"{}",
    b"[",
    b"null",
    b"::",
    b'"x\ny"',
    b"u,,1\n",
    b"\n,,\n",
    b'""',
    b"\xc3",
]


@st.composite
def in_text(draw: st.DrawFn) -> list[tuple[bytes, str]]:
    """Both sides as text of some format, with anything put somewhere at times, and the endings of their names."""
    written = []
    for what in SIDES:
        pairs = draw(st.lists(st.tuples(USERS, ITEMS), min_size=1, max_size=9, unique=True))
        rows = [(*pair, draw(NUMBERS)) for pair in (sorted(pairs) if draw(st.booleans()) else pairs)]
        form = draw(st.sampled_from([*FORMS]))  # labels and runs need not have the same
        text = FORMS[form][1](what, rows)
        for _ in range(draw(st.sampled_from([0, 0, 0, 1, 1, 2]))):
            at, odd = draw(st.integers(0, len(text))), draw(st.sampled_from(ODD))
            text = text[:at] + odd + text[at + draw(st.sampled_from([0, 0, 1, 3])) :]
        text = text[: len(text) - draw(st.sampled_from([0, 0, 0, 1, 4]))]
        packed = draw(st.sampled_from([False, False, False, True]))
        written.append((gzip.compress(text, mtime=0) if packed else text, FORMS[form][0] + ".gz" * packed))
    return written


@settings(lawful, max_examples=examples.of(quick=60, ci=300, long=3000))
@given(
    files=in_text(),
    size=st.sampled_from([1, 5, 16, 40, 10**6]),
    rows=st.sampled_from([2, 5, 10**5]),
    number=st.sampled_from([1, 3]),
)
@pytest.mark.filterwarnings("ignore::rankconv.basics.errors.RespelledIds")
def test_text_is_read_in_blocks_as_it_is_in_memory(files: Any, size: int, rows: int, number: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{what}.{ending}" for what, (_, ending) in zip(SIDES, files, strict=True)]
        for path, (text, _) in zip(paths, files, strict=True):
            path.write_bytes(text)
        whole, parts = both_ways(paths, size, rows, number)
    assert alike(whole, parts)


# tables: Parquet, Arrow, DuckDB


KINDS: dict[str, pl.DataType | type[pl.DataType]] = {
    "int": pl.Int64,
    "small": pl.Int8,
    "unsigned": pl.UInt64,
    "float": pl.Float64,
    "single": pl.Float32,
    "text": pl.String,
    "category": pl.Categorical,
    "truth": pl.Boolean,
    "decimal": pl.Decimal(38, 20),
    "date": pl.Date,
}
SCORES: dict[str, list[Any]] = {
    "int": [0, 1, 2**53, 2**53 + 1, 3],
    "small": [0, 1, 2, 3],
    "unsigned": [0, 1, 2**64 - 1, 2**64 - 2],
    "float": [0.5, 1.0, 2.0, float("nan"), float("inf"), 3.0, 4.0, 5.0],
    "single": [0.5, 0.25, 2.0],
    "text": ["1", "2", "x"],
    "category": ["1", "2"],
    "truth": [True, False],
    "decimal": [Decimal("1"), Decimal("1.00000000000000000001"), Decimal("2.5")],
    "date": [None],
}
IDS: dict[str, list[Any]] = {
    "int": [1, 2, 3, 4],
    "small": [1, 2, 3],
    "unsigned": [1, 2, 2**64 - 1],
    "float": [1.0, 2.0, 3.0, 1.5],
    "text": ["1", "2", "3", "ü", "#"],
    "category": ["1", "2", "3"],
    "truth": [True, False],
    "date": [None],
}


@st.composite
def in_table(draw: st.DrawFn) -> pl.DataFrame:
    """One side as a table of any types, with gaps at times."""
    rows, columns = draw(st.sampled_from([0, 1, 6, 6, 9, 9])), {}
    usual = draw(st.booleans())
    for name, values in (("user", IDS), ("item", IDS), ("number", SCORES)):
        kind = draw(st.sampled_from(["int", "text"] if usual and name != "number" else [*values]))
        given = values[kind] + [None] * draw(st.sampled_from([0, 0, 0, 1]))
        column = draw(st.lists(st.sampled_from(given), min_size=rows, max_size=rows))
        columns[name] = pl.Series(column, dtype=pl.String if kind == "category" else KINDS[kind], strict=False)
        if kind == "category":
            columns[name] = columns[name].cast(pl.Categorical)
    return pl.DataFrame(columns)


@settings(lawful, max_examples=examples.of(quick=40, ci=150, long=2000))
@given(
    sides=st.tuples(in_table(), in_table()),
    form=st.sampled_from(["parquet", "arrow", "arrows"]),
    rows=st.sampled_from([2, 3, 10**5]),
    number=st.sampled_from([1, 3]),
    lost=st.sampled_from([0, 0, 0, 0, 1, 30]),
)
def test_tables_are_read_in_batches_as_they_are_in_memory(
    sides: Any, form: str, rows: int, number: int, lost: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for what, column, side in zip(SIDES, ("grade", "score"), sides, strict=True):
            table, path = side.rename({"number": column}), Path(folder) / f"{what}.{form}"
            {"parquet": table.write_parquet, "arrow": table.write_ipc, "arrows": table.write_ipc_stream}[form](path)
            paths.append(path)
        paths[0].write_bytes(paths[0].read_bytes()[: -lost or None])
        whole, parts = both_ways(paths, 10, rows, number)
    assert alike(whole, parts)


WRITTEN: dict[str, Any] = {
    "parquet": pl.DataFrame.write_parquet,
    "arrow": pl.DataFrame.write_ipc,
    "arrows": pl.DataFrame.write_ipc_stream,
    "csv": pl.DataFrame.write_csv,
}


def in_folder(table: pl.DataFrame, folder: Path, form: str, cuts: list[int]) -> Path:
    """The rows in part files, of which some may have none."""
    folder.mkdir()
    places = [0, *sorted(min(cut, len(table)) for cut in cuts), len(table)]
    for part, (first, end) in enumerate(itertools.pairwise(places)):
        WRITTEN[form](table[first:end], folder / f"part-{part}.{form}")
    return folder


def without_files(found: Any) -> Any:
    """What is told, but for the file and the number of a row, which are others in a part."""
    if not isinstance(found[0], str):
        return found
    return found[0], re.sub(r"row \d+ |line \d+|^.*?(part-\d|labels|run)\.\w+", "", found[1])


@settings(lawful, max_examples=examples.of(quick=30, ci=150, long=1000))
@given(
    sides=st.tuples(in_table(), in_table()),
    form=st.sampled_from([*WRITTEN]),
    cuts=st.tuples(*[st.lists(st.integers(0, 9), max_size=3)] * 2),
    rows=st.sampled_from([2, 3, 10**5]),
    number=st.sampled_from([1, 3]),
)
def test_folders_of_parts_are_read_as_the_whole_table_is(
    sides: Any, form: str, cuts: Any, rows: int, number: int
) -> None:
    with tempfile.TemporaryDirectory() as home:
        files, folders = [], []
        for what, column, side, own in zip(SIDES, ("grade", "score"), sides, cuts, strict=True):
            table = side.rename({"number": column})
            files.append(Path(home) / f"{what}.{form}")
            WRITTEN[form](table, files[-1])
            folders.append(in_folder(table, Path(home) / what, form, own))
        whole, _ = both_ways(files, 10, rows, number)
        with pytest.MonkeyPatch.context() as patch:
            cut(patch, rows, number)
            parts = told(lambda: rc.evaluate(*folders, SPECS, memory="4GB", temp_dir=home, on_error="collect"))
    assert alike(without_files(whole), without_files(parts))


@settings(lawful, max_examples=examples.of(quick=20, ci=150, long=1000))
@given(
    sides=st.tuples(in_table().filter(len), in_table().filter(len)),
    rows=st.sampled_from([2, 3, 10**5]),
    number=st.sampled_from([1, 3]),
)
def test_tables_of_duckdb_are_read_in_batches_as_they_are_in_memory(sides: Any, rows: int, number: int) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as home:
        tables = []
        for what, column, side in zip(SIDES, ("grade", "score"), sides, strict=True):
            home.register(what, side.rename({"number": column}).to_arrow())
            tables.append(home.table(what))
        whole, parts = both_ways(tables, 10, rows, number)
    assert alike(whole, parts)


# what all users together tell


@pytest.mark.parametrize("names", ["user,item,x\n", ""])
def test_exchanged_files_are_called_so(names: str, tmp_path: Path) -> None:
    scores, grades = tmp_path / "scores.csv", tmp_path / "grades.csv"
    scores.write_text(names + "".join(f"{user},{item},0.{user}{item}37\n" for user in range(9) for item in range(9)))
    grades.write_text(names + "".join(f"{user},{item},{(user + item) % 2}\n" for user in range(9) for item in range(9)))
    columns = {"labels.grade": "x", "run.score": "x"} if names else None
    for more in ({}, {"memory": "4GB", "temp_dir": tmp_path}):
        rc.evaluate(grades, scores, "mrr", columns=columns, **more)  # type: ignore[call-overload]
        if not names:
            with pytest.raises(rc.InputError, match="Are the labels and the rankings exchanged"):
                rc.evaluate(scores, grades, "mrr", **more)  # type: ignore[call-overload]
