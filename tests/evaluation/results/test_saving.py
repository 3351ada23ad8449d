"""A result in a file, and back in the kind of frame that came in."""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankconv as rc
from rankconv.typing import Partial

LABELS, RUN = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}, "eve": {"d": 0}}, {"ada": ["a", "x"], "bob": ["y", "c"]}


@pytest.fixture
def result() -> rc.Result:
    return rc.evaluate(LABELS, RUN, ["ndcg@2", "trec_eval:map", "mrr"], preset="rankconv", on_error="collect")


def test_a_saved_result_says_the_same(result: rc.Result, tmp_path: Path) -> None:
    result.save(tmp_path / "a.json")
    loaded = rc.Result.load(tmp_path / "a.json")
    assert loaded.to_dict() == result.to_dict()
    for spec in result:
        np.testing.assert_array_equal(loaded.per_user[spec], result.per_user[spec])
        assert loaded.state[spec].tolist() == result.state[spec].tolist()
        assert loaded.definition(spec).settings == result.definition(spec).settings
    assert loaded.to_markdown() == result.to_markdown().partition("\n\nWarning")[0], "the data are not saved"
    assert loaded["rankconv:ndcg@2"] == result["ndcg@2"]
    loaded.save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_text() == (tmp_path / "b.json").read_text()


def test_what_the_file_holds(result: rc.Result, tmp_path: Path) -> None:
    result.save(tmp_path / "a.json")
    saved = json.loads((tmp_path / "a.json").read_text())
    number = saved["numbers"]["ndcg@2"]
    assert (saved["users"], number["definition"]) == (["ada", "bob", "eve"], "rankconv:ndcg@2")
    assert len(number["fingerprint"]) == 16
    assert number["counts"] == result.counts["ndcg@2"]
    assert "rankconv" in saved


def test_nothing_is_overwritten_unasked(result: rc.Result, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("mine")
    with pytest.raises(rc.InputError) as error:
        result.save(file)
    assert str(error.value) == (
        f"{file}: there is such a file already. Choose another name, or overwrite it with force=True."
    )
    assert error.value.on_command_line.endswith("Choose another name, or overwrite it with --force.")
    result.save(file, force=True)
    assert rc.Result.load(file).specs == result.specs
    assert list(tmp_path.iterdir()) == [file]


def test_a_write_that_fails_leaves_nothing(result: rc.Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(rc.InputError, match=r"a\.json: cannot be written: No space left on device\.$"):
        result.save(tmp_path / "a.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"form": 3, "numbers": {}}'])
def test_what_is_no_saved_result(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(rc.InputError, match=r"this is not a saved result\. Load what result\.save\(path\) wrote\.$"):
        rc.Result.load(tmp_path / "a.json")


def test_a_result_of_an_older_version_is_refused_by_its_form(tmp_path: Path) -> None:
    rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "mrr").save(tmp_path / "a.json")
    (tmp_path / "a.json").write_text((tmp_path / "a.json").read_text().replace('"form": 3', '"form": 2'))
    with pytest.raises(rc.InputError, match=r"has form 2, and this version of rankconv reads form 3\. Evaluate again"):
        rc.Result.load(tmp_path / "a.json")


def test_what_was_saved_before_modules_moved_is_read_or_refused_in_a_line(tmp_path: Path) -> None:
    """Recorded when the module of definitions was `rankconv.specs`."""
    recorded = json.loads((Path(__file__).parent / "saved_before_floors.json").read_text())
    (tmp_path / "a.json").write_text(json.dumps(recorded["result"]))
    code = "import sys, rankconv as rc; print(*map(float, rc.Result.load(sys.argv[1]).values()))"
    alone = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.json")], capture_output=True, text=True)
    ndcg = ((3 + 0.5) / (3 + 1 / math.log2(3)) + 1 / math.log2(3)) / 2
    assert [float(word) for word in alone.stdout.split()] == pytest.approx([ndcg, 3 / 4], abs=1e-15), alone.stderr
    with pytest.raises(rc.InputError, match=r"^the part is of form 1, and this version reads form 2\. Write and read"):
        Partial.from_bytes(recorded["partial"].encode())


def test_no_file_at_all(tmp_path: Path) -> None:
    with pytest.raises(rc.InputError, match="the file cannot be opened: No such file"):
        rc.Result.load(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("make", "kind"), [(pd.DataFrame, pd.DataFrame), (pl.DataFrame, pl.DataFrame), (pa.table, pa.Table)]
)
def test_frames_go_back_as_they_came(make: Any, kind: type) -> None:
    run = make({"user": ["ada", "bob"], "item": ["a", "c"], "score": [1.0, 2.0]})
    frame = rc.evaluate(LABELS, run, "mrr").to_frame()
    assert isinstance(frame, kind)
    assert isinstance(rc.evaluate(LABELS, RUN, "mrr").to_frame(), pl.DataFrame)
