"""Small files are read without polars, and what comes out is what polars reads."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.inputs import delimited

field = st.text(st.sampled_from('ab01.,-+e "\tä\r'), max_size=3)
number = st.one_of(field, st.floats(-1e9, 1e9, width=32).map(repr), st.integers(-9, 9).map(str))
lines = st.lists(st.tuples(field, field, number).map(",".join), max_size=5)


def read(file: Path) -> str:
    try:
        found = rc.rankings(str(file))
    except rc.InputError as error:
        return str(error)
    scores = None if found.score is None else found.score.tobytes()
    return repr((found.users.values.tolist(), [found.rows_of(user)[0] for user in found.users.values], scores))


@settings(max_examples=150, deadline=None)
@given(lines=lines, end=st.sampled_from(["", "\n", "\r\n"]))
def test_small_files_are_read_as_large_ones_are(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], end: str
) -> None:
    file = tmp_path_factory.mktemp("few") / "run.csv"
    file.write_bytes("\n".join(["user,item,score", *lines]).encode() + end.encode())
    small = read(file)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(delimited, "rows_of_few", lambda *_: None)
        assert small == read(file)


def test_polars_is_not_loaded_for_a_small_file(tmp_path: Path) -> None:
    for name, column in (("labels", "grade"), ("run", "score")):
        (tmp_path / f"{name}.csv").write_text(f"user,item,{column}\nada,a,2\nada,b,1.5\n")
    code = "import sys, rankconv as rc; print(rc.evaluate('labels.csv', 'run.csv', 'mrr')['mrr'], "
    code += "*{'polars', 'numpy.ma'} & {*sys.modules})"
    told = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["1.0"]


def test_a_file_of_many_lines_is_for_polars(tmp_path: Path) -> None:
    rows = [f"u{row % 7},i{row},{row / 8}" for row in range(3000)]
    (tmp_path / "run.csv").write_text("\n".join(["user,item,score", *rows]))
    found = rc.rankings(str(tmp_path / "run.csv"))
    assert found.row_count == 3000
    assert found.score is not None
    assert np.array_equal(np.sort(found.score), np.arange(3000) / 8)
