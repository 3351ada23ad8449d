"""A result in a file, and back in the kind of frame that came in."""

import json
import math
import pickle
import re
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
    shown = [re.sub(r"\n+Warning: [^\n]*", "", one.to_markdown()) for one in (loaded, result)]  # data are not saved
    assert shown[0] == shown[1]
    assert (loaded.signatures, loaded.digests) == (result.signatures, result.digests)
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


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"form": 3, "numbers": {}}', '{"form": 4, "numbers": {}}'])
def test_what_is_no_saved_result(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(rc.InputError, match=r"this is not a saved result\. Load what result\.save\(path\) wrote\.$"):
        rc.Result.load(tmp_path / "a.json")


def test_a_result_of_an_older_version_is_refused_by_its_form(tmp_path: Path) -> None:
    rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "mrr").save(tmp_path / "a.json")
    (tmp_path / "a.json").write_text((tmp_path / "a.json").read_text().replace('"form": 4', '"form": 2'))
    with pytest.raises(rc.InputError, match=r"has form 2, and this version of rankconv reads form 4\. Evaluate again"):
        rc.Result.load(tmp_path / "a.json")


def test_what_was_saved_before_modules_moved_is_read_or_refused_in_a_line(tmp_path: Path) -> None:
    """Recorded when the module of definitions was `rankconv.specs`."""
    recorded = json.loads((Path(__file__).parent / "saved_before_floors.json").read_text())
    (tmp_path / "a.json").write_text(json.dumps(recorded["result"]))
    code = "import sys, rankconv as rc; print(*map(float, rc.Result.load(sys.argv[1]).values()))"
    alone = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.json")], capture_output=True, text=True)
    ndcg = ((3 + 0.5) / (3 + 1 / math.log2(3)) + 1 / math.log2(3)) / 2
    assert [float(word) for word in alone.stdout.split()] == pytest.approx([ndcg, 3 / 4], abs=1e-15), alone.stderr
    signature = rc.Result.load(tmp_path / "a.json")["ndcg@3"].signature
    assert signature.startswith(
        rc.metric("trec_eval:ndcg(duplicate-labels=one)@3").signature + "||labels:not-made|run:not-made|"
    )
    with pytest.raises(rc.InputError, match=r"^the part is of form 1, and this version reads form 4\. Write and read"):
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


def saved_and_loaded(result: rc.Result, folder: Path) -> rc.Result:
    result.save(folder / "saved.json", force=True)
    return rc.Result.load(folder / "saved.json")


def test_a_loaded_number_does_what_a_fresh_one_does(tmp_path: Path) -> None:
    """Its definition evaluates, and its interval is drawn from the same users."""
    labels = {f"u{n}": {"a": 1, "b": n % 3} for n in range(30)}
    run = {f"u{n}": ["a", "b", "x"] if n % 4 else ["x", "b", "a"] for n in range(30)}
    specs = ["ndcg@3", "recall(aggregate=median(middle=lower))", "precision(aggregate=geometric-mean(floor=0.1))@2"]
    result = rc.evaluate(labels, run, specs, "trec_eval")
    loaded = saved_and_loaded(result, tmp_path)
    for spec, number in result.items():
        other = loaded[spec]
        assert other.definition == number.definition
        assert other.definition(labels, run) == number
        assert other.definition.replace(k=2).signature == number.definition.replace(k=2).signature
        assert str(other.interval(n_resamples=200)) == str(number.interval(n_resamples=200))
    clusters = {user: user[-1] for user in labels}
    assert str(loaded.intervals(cluster=clusters)) == str(result.intervals(cluster=clusters))
    assert loaded.methods().to_dict() == result.methods().to_dict()
    assert str(pickle.loads(pickle.dumps(result["ndcg@3"])).interval()) == str(result["ndcg@3"].interval())


def test_what_must_be_computed_before_saving(tmp_path: Path) -> None:
    spec = "recall(aggregate=micro, on-zero-division=as-computed)@2"
    loaded = saved_and_loaded(rc.evaluate(LABELS, RUN, spec), tmp_path)
    with pytest.raises(
        rc.MetricError, match=r"more than the values of users, which alone are saved: compute it before"
    ):
        loaded[spec].interval()
    square = rc.metric("ndcg@2").replace(gain=lambda grade: grade**2)
    unnamed = saved_and_loaded(rc.evaluate(LABELS, RUN, square), tmp_path)
    number = next(iter(unnamed.values()))
    assert "custom(" in number.signature
    with pytest.raises(rc.MetricError, match=r"the text of the definition alone: a file does not hold the functions"):
        number.interval()


def test_results_without_users_are_saved(tmp_path: Path) -> None:
    evaluator = rc.Evaluator("mrr", per_user=False, repeated_users="unchecked")
    evaluator.update(LABELS, RUN)
    for result in (evaluator.compute(), rc.evaluate(LABELS, RUN, "mrr", per_user=False)):
        loaded = saved_and_loaded(result, tmp_path)
        assert loaded.to_dict() == result.to_dict()
        assert loaded.signatures == result.signatures


def test_another_signature_in_the_file_is_refused(tmp_path: Path) -> None:
    rc.evaluate(LABELS, RUN, "ndcg@2").save(tmp_path / "a.json")
    text = (tmp_path / "a.json").read_text()
    (tmp_path / "a.json").write_text(text.replace("ndcg@2|gain:linear", "ndcg@2|gain:binary"))
    with pytest.raises(rc.InputError, match="The file was changed after it was saved"):
        rc.Result.load(tmp_path / "a.json")
