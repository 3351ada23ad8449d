"""A user who is shown as NaN and counts as a number: `nan-as`, as RankerEval's zerofill and trectools have it."""

from math import isnan, nan
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.evaluation.results.trec_lines import trec_lines

LABELS = {"u": {"a": 1}, "v": {"b": 1}, "w": {"c": 1, "d": 1}, "x": {"a": 0}, "y": {"a": 1}, "z": {"a": 1}}
RUN = {"u": ["a"], "v": ["x", "b"], "w": ["d"], "x": ["a"], "y": ["b"], "z": ["a"]}
OTHER = {**RUN, "v": ["b"], "w": ["c", "d"], "y": ["a"], "z": ["c"]}
SHOWN, AS_0 = "recall(on-no-relevant=nan-as(0))@2", "recall(on-no-relevant=0)@2"
VALUES = [1, 1, 0.5, nan, 0, 1]


@pytest.fixture
def result() -> rc.Result:
    return rc.evaluate(LABELS, RUN, [SHOWN, AS_0])


def test_the_mean_counts_what_is_not_shown(result: rc.Result) -> None:
    assert result[SHOWN] == result[AS_0] == pytest.approx(3.5 / 6)
    assert result.per_user[SHOWN].tolist() == pytest.approx(VALUES, nan_ok=True)
    assert result.state[SHOWN].tolist()[3] == "on-no-relevant: nan-as(0)"
    each = [rc.metric(spec)(LABELS, RUN).interval() for spec in (SHOWN, AS_0)]
    assert (each[0].low, each[0].high) == (each[1].low, each[1].high)


def test_tables_show_nan_and_trec_eval_has_no_line(result: rc.Result) -> None:
    assert isnan(result.to_frame()[SHOWN][3])
    assert result.user_table().rows[3][1:] == ["NaN", "0.0000"]
    lines = [line.split() for line in trec_lines(result, each_user=True)]
    assert sum(user == "x" for _, user, _ in lines) == 1


def test_a_saved_result_shows_the_same(result: rc.Result, tmp_path: Path) -> None:
    result.save(tmp_path / "result.json")
    again = rc.Result.load(tmp_path / "result.json")
    assert again.per_user[SHOWN].tolist() == pytest.approx(VALUES, nan_ok=True)
    assert again.measured(SHOWN).values.tolist() == pytest.approx(result.per_user[AS_0].tolist())


def test_a_file_of_users_shows_the_same(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    run = {user: {item: -rank for rank, item in enumerate(items)} for user, items in RUN.items()}
    for name, value, data in (("labels", "grade", LABELS), ("run", "score", run)):
        rows = [f"{user},{item},{one}\n" for user, items in data.items() for item, one in items.items()]
        (tmp_path / f"{name}.csv").write_text("".join([f"user,item,{value}\n", *rows]))
    files = [tmp_path / "labels.csv", tmp_path / "run.csv"]
    found = rc.evaluate(*files, [SHOWN], memory="4GB", per_user=tmp_path / "users.parquet", temp_dir=tmp_path)
    assert found[SHOWN] == pytest.approx(3.5 / 6)
    assert pl.read_parquet(tmp_path / "users.parquet")[SHOWN].to_list() == pytest.approx(VALUES, nan_ok=True)


def test_a_test_and_a_gate_read_what_counts() -> None:
    tests = [rc.test(LABELS, {"one": RUN, "two": OTHER}, spec).to_dict() for spec in (SHOWN, AS_0)]
    assert all(tests[0]["tests"][0][name] == tests[1]["tests"][0][name] for name in ("users", "means", "effect", "p"))
    gates = [rc.gate(LABELS, RUN, spec, baseline=OTHER, not_worse_by=0.5).decisions[0] for spec in (SHOWN, AS_0)]
    assert (gates[0].value, gates[0].low, gates[0].users) == (gates[1].value, gates[1].low, gates[1].users)


def test_a_mean_that_sums_ratios_has_no_place_for_it() -> None:
    with pytest.raises(rc.MetricError, match="a user has no value of their own"):
        rc.evaluate(LABELS, RUN, "recall(on-no-relevant=nan-as(0), aggregate=micro)@2")
