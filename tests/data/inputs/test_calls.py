"""Several searches for one task: every form of the same calls is read as the same run."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankconv as rc
from rankconv import InputError

CALLS = {"t": [["a", "b"], ["c", "a"]], "u": [["x"]]}
ROWS = [("t", 1, "a"), ("t", 1, "b"), ("t", 2, "c"), ("t", 2, "a"), ("u", 1, "x")]
FRAME = pd.DataFrame(ROWS, columns=["user", "call", "item"])
RECORDS = [{"task": user, "calls": lists} for user, lists in CALLS.items()]
LABELS = {"t": ["a", "c"], "u": ["x"]}


def lists(run: Any) -> dict[Any, list[list[Any]]]:
    """The items of each call."""
    calls, found = run.calls, {}
    for code, user in enumerate(run.users.values.tolist()):
        rows = [
            (int(calls.rows[at]), int(calls.rows[at + 1])) for at in range(calls.starts[code], calls.starts[code + 1])
        ]
        found[user] = [run.items.values[run.item[first:end]].tolist() for first, end in rows]
    return found


@pytest.mark.parametrize(
    "given",
    [
        CALLS,
        FRAME,
        FRAME.iloc[[4, 2, 0, 3, 1]].reset_index(drop=True).sort_values("item", key=lambda items: items == "a"),
        FRAME.rename(columns={"call": "tool_call_id"}),
        FRAME.assign(call=FRAME["call"].map({1: "first", 2: "second"})),
        pl.from_pandas(FRAME),
        RECORDS,
        [{"query": one["task"], "searches": one["calls"]} for one in RECORDS],
        [
            {"query": one["task"], "results": [[{"id": item} for item in items] for items in one["calls"]]}
            for one in RECORDS
        ],
    ],
    ids=["dict", "frame", "shuffled", "usual name", "names", "polars", "records", "searches", "objects"],
)
def test_forms_in_memory(given: Any) -> None:
    found = lists(rc.Run(given))
    assert {user: list(map(sorted, calls)) for user, calls in found.items()} == {
        user: list(map(sorted, calls)) for user, calls in CALLS.items()
    }


def test_files(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "run.csv", index=False)
    FRAME.to_parquet(tmp_path / "run.parquet")
    (tmp_path / "run.jsonl").write_text("\n".join(map(json.dumps, RECORDS)))
    (tmp_path / "run.json").write_text(json.dumps(CALLS))
    for name in ("run.csv", "run.parquet", "run.jsonl", "run.json"):
        assert lists(rc.Run(tmp_path / name)) == CALLS, name
    FRAME.rename(columns={"call": "turn"}).to_csv(tmp_path / "turns.csv", index=False)
    assert lists(rc.Run(tmp_path / "turns.csv", call="turn")) == CALLS


@pytest.mark.parametrize("field", ["Q0", "tag"])
def test_a_field_of_a_trec_run(tmp_path: Path, field: str) -> None:
    rows = [f"{u} {{}} {item} {rank} {9 - rank} {{}}" for rank, (u, _, item) in enumerate(ROWS)]
    fields = [(call, "run") if field == "Q0" else ("Q0", call) for _, call, _ in ROWS]
    file = tmp_path / "run.trec"
    file.write_text("\n".join(row.format(*both) for row, both in zip(rows, fields, strict=True)))
    found = rc.Run(file, call=field)
    assert lists(found) == CALLS
    assert found.calls is not None
    assert found.calls.score is not None
    assert rc.Run(file).calls is None
    with pytest.raises(InputError, match="'turn' is not a field of a TREC run"):
        rc.Run(file, call="turn")


def test_calls_are_in_the_order_of_their_numbers_and_names_in_that_of_their_rows() -> None:
    rows = [("t", "a", 10), ("t", "b", 9), ("t", "c", 1)]
    frame = pd.DataFrame(rows, columns=["user", "item", "call"])
    assert lists(rc.Run(frame)) == {"t": [["c"], ["b"], ["a"]]}
    assert lists(rc.Run(frame.astype({"call": str}))) == {"t": [["c"], ["b"], ["a"]]}
    assert lists(rc.Run(frame.assign(call=["z", "y", "x"]))) == {"t": [["a"], ["b"], ["c"]]}


def test_scores_order_the_rows_of_one_call() -> None:
    frame = FRAME.assign(score=[0.1, 0.9, 0.5, 0.6, 0.3])
    found = rc.Run(frame)
    assert lists(found) == {"t": [["b", "a"], ["a", "c"]], "u": [["x"]]}
    assert found.score is None
    assert lists(rc.Run({"t": [[("b", 0.9), ("a", 0.1)], [("c", 0.5)]]})) == {"t": [["b", "a"], ["c"]]}
    with pytest.raises(InputError, match="contradict"):
        rc.Run(frame.assign(rank=[1, 2, 1, 2, 1]))


@pytest.mark.parametrize("form", ["dict", "records"])
def test_empty_calls_are_calls(form: str) -> None:
    given = {"t": [[], ["a"], []], "u": [], "v": [["x"]]}
    found = rc.Run(given if form == "dict" else [{"task": user, "calls": calls} for user, calls in given.items()])
    assert lists(found) == given


def test_a_column_of_calls_may_be_left_out() -> None:
    assert rc.Run(FRAME, call="none").calls is None


def test_lists_of_two_numbers_are_pairs() -> None:
    """As JSON writes pairs; next to a list of another length they are the lists of searches."""
    assert rc.Run({"t": [[1, 2], [3, 4]]}).calls is None
    assert lists(rc.Run({"t": [[1, 2], [3, 4, 5]]})) == {"t": [[1, 2], [3, 4, 5]]}
    with pytest.raises(InputError, match="may be pairs of an item and a score, or the lists of searches"):
        rc.Run([{"query": "t", "results": [[1, 2], [3, 4]]}])


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"t": [["a"], ["b", "c"]], "u": ["x"]}, "user 'u': this is not a list of lists, as other users have it"),
        ({"t": [["a"], [["b"], ["c"]]]}, "user 't, call 2'"),
        ([{"task": "t", "calls": [["a"], "b"]}, {"task": "u", "calls": [["a"]]}], "record 0"),
        (
            [{"task": "t", "calls": [["a"]]}, {"task": "u", "calls": {"b": 1}}],
            "in the first record it is a list of lists",
        ),
    ],
)
def test_what_cannot_be_read(given: Any, wrong: str) -> None:
    with pytest.raises(InputError) as error:
        rc.Run(given)
    assert wrong in str(error.value)


@pytest.mark.parametrize("name", ["run.csv", "run.jsonl"])
def test_runs_in_batches_have_one_list(tmp_path: Path, name: str) -> None:
    pd.DataFrame([("t", "a"), ("t", "c"), ("u", "x")], columns=["user", "item"]).to_csv(
        tmp_path / "labels.csv", index=False
    )
    FRAME.to_csv(tmp_path / "run.csv", index=False)
    (tmp_path / "run.jsonl").write_text("\n".join(map(json.dumps, RECORDS)))
    with pytest.raises(InputError, match="runs in batches have one list for each user"):
        rc.evaluate(str(tmp_path / "labels.csv"), str(tmp_path / name), "mrr(calls=last)", memory="2GB")


def test_arrays_of_a_run_with_calls_are_read_only() -> None:
    calls = rc.Run(CALLS).calls
    assert calls is not None
    assert not any(one.flags.writeable for one in vars(calls).values() if isinstance(one, np.ndarray))
