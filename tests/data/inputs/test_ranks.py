"""Ranks that contradict the scores of their user are refused; those of a TREC run do not count then."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from tests.laws import examples
from tests.laws.test_in_files import write_trec

Row = tuple[str, str, float, int]
"""User, item, score and rank."""
COLUMNS = {"user": pl.String, "item": pl.String, "score": pl.Float64, "rank": pl.Int64}
ROWS = st.lists(
    st.tuples(
        st.sampled_from("uv"), st.sampled_from("abcd"), st.sampled_from([0.5, 1.0, 2.0]), st.sampled_from([1, 2, 3])
    ),
    min_size=1,
    max_size=5,
)


def frame(rows: Sequence[Row]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), COLUMNS, orient="row")


def _csv(rows: Sequence[Row], folder: Path) -> str:
    frame(rows).write_csv(folder / "run.csv")
    return str(folder / "run.csv")


def _records(rows: Sequence[Row], folder: Path) -> str:
    frame(rows).write_ndjson(folder / "run.jsonl")
    return str(folder / "run.jsonl")


def _trec(rows: Sequence[Row], folder: Path) -> str:
    write_trec(frame(rows), folder / "run.trec")
    return str(folder / "run.trec")


FORMS: dict[str, Callable[[Sequence[Row], Path], Any]] = {
    "polars": lambda rows, folder: frame(rows),
    "pandas": lambda rows, folder: frame(rows).to_pandas(),
    "integer ids": lambda rows, folder: frame(rows).with_columns(pl.col("user").replace_strict({"u": 1, "v": 2})),
    "CSV": _csv,
    "JSON lines": _records,
}


def contradicts(rows: Sequence[Row]) -> bool:
    """Whether two rows of a user stand otherwise by rank than by score."""
    return any(
        one[0] == other[0]
        and ((one[3] < other[3] and one[2] < other[2]) or (one[3] == other[3] and one[2] != other[2]))
        for one in rows
        for other in rows
    )


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=examples.of(quick=15, ci=60, long=2000), deadline=None)
@given(rows=ROWS)
def test_a_table_is_refused_where_and_only_where_ranks_contradict_scores(form: str, rows: list[Row]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = FORMS[form](rows, Path(folder))
        if contradicts(rows):
            with pytest.raises(
                rc.InputError, match=r"the ranks \('rank'\) and the scores \('score'\) contradict: item"
            ):
                rc.Run(data)
        else:
            found = rc.Run(data)
            assert found.rank is not None
            assert sorted(found.rank.tolist()) == sorted(row[3] for row in rows)


@settings(max_examples=examples.of(quick=15, ci=60, long=2000), deadline=None)
@given(rows=ROWS)
def test_contradicting_ranks_of_a_trec_run_tell_no_rows_of_their_user_apart(rows: list[Row]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = rc.Run(_trec(rows, Path(folder)))
    assert found.rank is not None
    for at, user in enumerate(found.users.values.tolist()):
        mine = [row for row in rows if row[0] == user]
        ranks = sorted([row[3] for row in mine])
        kept = found.rank[found.starts[at] : found.starts[at + 1]].tolist()
        assert sorted(kept) == ([0] * len(mine) if contradicts(mine) else ranks)


def test_the_message_names_both_rows_both_readings_and_the_way_out() -> None:
    run = pl.DataFrame({"uid": ["u", "u"], "item": ["a", "b"], "sim": [0.1, 0.9], "position": [1, 2]})
    with pytest.raises(rc.InputError) as raised:
        rc.Run(run, user="uid")
    assert str(raised.value) == (
        "a polars frame, user 'u': the ranks ('position') and the scores ('sim') contradict: item 'a' has rank 1 and "
        "score 0.1 and item 'b' has rank 2 and score 0.9. By rank item 'a' is first, by score item 'b'. Pass "
        "score='none' if the ranks are right, rank='none' if the scores are."
    )
    assert "--column score=none if the ranks are right" in raised.value.on_command_line


def test_files_read_in_parts_are_refused_too_but_not_trec_runs(tmp_path: Path) -> None:
    rows = [("u", "a", 0.1, 1), ("u", "b", 0.9, 2), ("v", "a", 0.5, 1), ("v", "b", 0.5, 2)]
    labels = tmp_path / "labels.csv"
    labels.write_text("user,item,grade\nu,b,1\nv,b,1\n")
    with pytest.raises(rc.InputError, match=r"user 'u': the ranks .* and the scores .* contradict: item 'a'"):
        rc.evaluate(str(labels), _csv(rows, tmp_path), "mrr", memory="4GB", temp_dir=tmp_path)
    run = _trec(rows, tmp_path)
    for preset, expected in (("rankconv", 0.75), ("trec_eval", 1.0), ("mllib", 0.5)):
        metric = "map" if preset == "mllib" else "mrr"
        found = [rc.evaluate(str(labels), run, metric, preset, **how) for how in ({}, {"memory": "4GB"})]
        assert [one[metric] for one in found] == [expected, expected]


def test_what_ordered_the_lists_is_noted() -> None:
    tied = pl.DataFrame({"user": ["u", "u"], "item": ["a", "b"], "score": [1.0, 1.0], "rank": [1, 2]})
    by_rank = rc.evaluate({"u": ["b"]}, tied, "mrr")
    assert by_rank["mrr"] == 0.5
    assert by_rank.notes == ("Rows of equal score are ordered by the ranks of the run, which agree with its scores.",)
    assert by_rank.notes[0] in str(by_rank)
    assert rc.evaluate({"u": ["b"]}, tied.drop("rank"), "mrr").notes == ()
    assert rc.evaluate({"u": ["b"]}, tied, "mrr", "trec_eval").notes == ()
    pairs = rc.evaluate({"u": ["b"]}, {"u": [("a", 0.1), ("b", 0.9)]}, "mrr, mllib:map")
    assert dict(pairs) == {"mrr": 1, "mllib:map": 0.5}
    assert pairs.notes == (
        "The order of the rows of the run contradicts its scores. Used: the order of the rows (order=given), "
        "the scores (order=score-then-rank).",
    )
    numbers = rc.Evaluator("mrr", per_user=False, repeated_users="unchecked")
    numbers.update({"u": ["b"]}, tied)
    assert numbers.compute().notes == by_rank.notes


RISING = [("u", "a", 1), ("u", "b", 2), ("u", "c", 3), ("v", "a", 1)]


@pytest.mark.parametrize(
    ("run", "are_like_ranks"),
    [
        (RISING, True),
        ({"u": {"a": 0, "b": 1, "c": 2}, "v": {"a": 0}}, True),
        (pl.DataFrame(RISING, ["user", "item", "score"], orient="row"), True),
        ([("u", 5, 1.0), ("u", 6, 2.0), ("u", 7, 3.0)], True),
        ([*RISING, ("v", "b", 3)], False),
        (RISING[:2], False),  # of two scores, 1 and 2 are as likely as any
        ({"u": {"a": 3, "b": 2, "c": 1}}, False),
        (pl.DataFrame(RISING, ["user", "item", "rank"], orient="row"), False),
        ({"u": ["a", "b", "c"]}, False),
        (np.array([[0.0, 1.0, 2.5]]), False),
        ([("u", "a", 1), ("v", "a", 1), ("u", "b", 2), ("u", "c", 3)], False),
    ],
)
def test_scores_that_count_the_rows_may_be_ranks(run: Any, are_like_ranks: bool) -> None:
    assert ("if they are ranks" in rc.Run(run).assumed) is are_like_ranks


def test_what_is_assumed_of_such_scores_stands_below_the_numbers() -> None:
    found = rc.evaluate({"u": {"a": 1}}, {"u": {"a": 1, "b": 2, "c": 3}}, "mrr")
    assert found["mrr"] == pytest.approx(1 / 3)
    assert "the highest is first; if they are ranks," in found.to_text()


@pytest.mark.parametrize("scale", [1, 2])
def test_a_matrix_of_ranks_as_scores_is_noted(scale: int) -> None:
    ranks = np.argsort(np.argsort(np.random.default_rng(0).random((4, 6)), axis=1), axis=1)
    for first in (0, 1):
        found = rc.evaluate(np.eye(4, 6), scale * (ranks + first).astype(float), "mrr")
        assert any("if they are ranks, pass -scores" in one for one in found.notes) is (scale == 1)
