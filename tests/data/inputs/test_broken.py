"""Files that are broken, or made to break a reader: an error of ours that says where, soon, and in little room."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rankconv.basics.errors import InputError
from rankconv.data.inputs import labels, rankings
from rankconv.data.inputs.files import SAVE_AS_UTF8

TEXTS = {
    "a.csv": "user,item,grade\nq1,a,2\nq1,b,1\n",
    "a.tsv": "user\titem\tgrade\nq1\ta\t2\nq1\tb\t1\n",
    "a.qrels": "q1 0 a 2\nq1 0 b 1\n",
    "a.json": '{"q1": {"a": 2,\n "b": 1}}',
    "a.jsonl": '{"user": "q1", "item": "a", "grade": 2}\n{"user": "q1", "item": "b", "grade": 1}\n',
    "a.dat": "q1::a::2::978300760\nq1::b::1::978300760\n",
}
LINE_OF_B = {name: text[: text.index("b")].count("\n") + 1 for name, text in TEXTS.items()}
each_reader = pytest.mark.parametrize("name", TEXTS)


def message_of(path: Path) -> str:
    with pytest.raises(InputError) as error:
        labels(path)
    return str(error.value).replace(str(path), path.name)


@each_reader
def test_byte_order_marks_and_line_ends(tmp_path: Path, name: str) -> None:
    for start, end in ((b"", b"\r\n"), (b"\xef\xbb\xbf", b"\n"), (b"\xef\xbb\xbf", b"\r\n")):
        (tmp_path / name).write_bytes(start + TEXTS[name].encode().replace(b"\n", end))
        assert labels(tmp_path / name).rows_of("q1") == {"a": 2, "b": 1}


@each_reader
def test_other_encodings(tmp_path: Path, name: str) -> None:
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        (tmp_path / name).write_bytes(TEXTS[name].encode(encoding))
        assert message_of(tmp_path / name) == (
            f"{name}: this is UTF-16 or UTF-32, and only UTF-8 is read. "
            "Save it as UTF-8 text: iconv -f UTF-16 -t UTF-8 OLD > NEW."
        )
    (tmp_path / name).write_bytes(TEXTS[name].replace("b", "caf\xe9").encode("latin-1"))
    assert message_of(tmp_path / name) == f"{name}, line {LINE_OF_B[name]}: the line is not UTF-8. {SAVE_AS_UTF8}."


@each_reader
def test_nul_bytes(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(TEXTS[name].replace("b", "b\0").encode())
    assert message_of(tmp_path / name) == (
        f"{name}, line {LINE_OF_B[name]}: the line has a NUL byte, and text has none. "
        "Fetch or write the file again: it is damaged, or no text."
    )


NUMBERS = ["1e400", "nan", "inf", "0x1A", "1_0", "1/2", "٣", "2e", "", "NA", "9" * 400]


@each_reader
def test_what_is_no_finite_number(tmp_path: Path, name: str) -> None:
    head, _, tail = TEXTS[name].rpartition("1" if "978" not in TEXTS[name] else "1::")
    for number in NUMBERS:
        text = f"{head}{number}{'::' if name == 'a.dat' else ''}{tail}"
        (tmp_path / name).write_text(text, encoding="utf-8")
        said = message_of(tmp_path / name)
        assert said.startswith((f"{name}, line {LINE_OF_B[name]}: ", f"{name}, user 'q1', item 'b': "))


@pytest.mark.parametrize(("name", "text"), [("a.csv", TEXTS["a.csv"]), ("a.tsv", TEXTS["a.tsv"])])
def test_tables_with_the_line_ends_of_old_machines(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_bytes(text.encode().replace(b"\n", b"\r"))
    assert labels(tmp_path / name).rows_of("q1") == {"a": 2, "b": 1}


@pytest.mark.parametrize("name", ["a.qrels", "a.dat"])
def test_other_files_with_such_line_ends_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(TEXTS[name].encode().replace(b"\n", b"\r"))
    assert message_of(tmp_path / name).startswith(f"{name}, line 1: ")


def test_quotes_in_the_first_line_hide_no_rows(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('user,item,5" disk\nq1,a,x\nq1,b,x\n')
    assert labels(tmp_path / "a.csv").rows_of("q1") == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", "[" * 100_000),
        ("b.json", '{"a":' * 100_000),
        ("a.jsonl", '{"user":' + "[" * 100_000),
        ("a", "[" * 9999),
    ],
)
def test_nesting(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert "this is not JSON: it nests too deep" in message_of(tmp_path / name)


def test_integers_that_python_does_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"q1": {"a": %s}}' % ("9" * 5000))
    assert message_of(tmp_path / "a.json").startswith("a.json: this is not JSON: Exceeds the limit")


@pytest.mark.parametrize("before", [0, 2000])
def test_half_a_character(tmp_path: Path, before: int) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"q1": {**{str(item): 1 for item in range(before)}, "\ud800": 1}}))
    assert message_of(tmp_path / "a.json") == (
        r"a.json, user 'q1': the item id '\ud800' holds half a character. Read it as UTF-8."
    )


def test_a_file_made_to_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankconv.data.inputs.files._LARGE", 1 << 20)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"user,item\n" + b"q1,a\n" * 4_000_000))
    assert message_of(tmp_path / "a.csv.gz") == (
        "a.csv.gz: it unpacks to over 500 times its size. Unpack it yourself if that is right."
    )


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (b"\x28\xb5\x2f\xfd", "Zstandard"),
        (b"BZh91AY&SY", "bzip2"),
        (b"\xfd7zXZ\x00", "xz"),
        (b"PK\x03\x04", "zip, as spreadsheets are too"),
    ],
)
def test_other_packers(tmp_path: Path, start: bytes, said: str) -> None:
    (tmp_path / "a.csv").write_bytes(start + b"x" * 50)
    assert message_of(tmp_path / "a.csv") == (
        f"a.csv: this is packed ({said}), and not read. Unpack it first; .gz is unpacked here."
    )


def test_a_million_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("user,item," + ",".join(map(str, range(1_000_000))) + "\n")
    assert message_of(tmp_path / "a.csv") == (
        "a.csv: there are over 100000 columns. Leave out all but the user, the item, and the grade or score."
    )
    (tmp_path / "a.csv").write_text("thing,item," + ",".join(f"c{place}" for place in range(50_000)) + "\n")
    assert "c17 and 49982 more. Name it: user=…" in message_of(tmp_path / "a.csv")


def test_a_line_of_fields_without_end(tmp_path: Path) -> None:
    (tmp_path / "a.qrels").write_text("q1 0 a 1\n" + "x " * 1_000_000)
    assert message_of(tmp_path / "a.qrels").startswith("a.qrels, line 2: there are over 50 fields in 'x x x")


SLOW = {
    "a.qrels": ("", "{user}  0 {item} 1\n"),
    "a.csv": ('user,item,grade\nq,a"b,1\n', "{user},{item},1\n"),
    "a.jsonl": ("", '{{"user": "{user}", "item": "{item}", "grade": 1}}\n'),
}


def test_the_slow_ways_need_little_room(tmp_path: Path) -> None:
    """At most ten times the file; the interpreter and its libraries take their room before."""
    pytest.importorskip("polars")
    for name, (head, line) in SLOW.items():
        rows = (line.format(user=f"q{row // 100}", item=f"doc{row * 7919 % 50_000}") for row in range(60_000))
        (tmp_path / name).write_text(head + "".join(rows))
    (tmp_path / "b.csv").write_text("user,item\nq,a\n")
    code = (
        "import resource, rankconv as rc\n"
        "room = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "rc.Labels('b.csv')\n"
        f"for name in {list(SLOW)}:\n    before = room()\n    print(len(rc.Labels(name).item), room() - before)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    for name, told in zip(SLOW, run.stdout.splitlines(), strict=True):
        rows_read, room = map(int, told.split())
        assert rows_read >= 60_000
        assert room * (1024 if sys.platform != "darwin" else 1) < 10 * (tmp_path / name).stat().st_size


class OnlyDlpack:
    """An array of a library that shares nothing but DLPack."""

    def __init__(self, array: np.ndarray) -> None:
        self.array, self.shape = array, array.shape

    def __dlpack__(self, **setting_types: object) -> object:
        return self.array.__dlpack__(**setting_types)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


def test_arrays_that_share_only_dlpack() -> None:
    ids = np.array([[3, 1], [2, -1]])
    assert rankings(OnlyDlpack(ids)).rows_of(0) == ([3, 1], None)
    assert rankings(OnlyDlpack(ids)).rows_of(1) == ([2], None)
