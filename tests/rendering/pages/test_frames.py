"""Frames of results are of the library whose tables were given, with the rows of the result."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

import rankconv as rc
from rankconv.basics.optional import frame_of

USERS = "uvwxyz"
LABELS = {"user": list("uuvwxyz"), "item": list("abaaaaa"), "grade": [3, 1, 1, 1, 1, 1, 1]}
ITEMS = {"good": "ab", "bad": "bx"}
Made = Callable[[Mapping[str, Any]], Any]


def table_of(items: str) -> dict[str, list[Any]]:
    """The same list for each user, as columns."""
    users = [user for user in USERS for _ in items]
    return {"user": users, "item": list(items * len(USERS)), "score": [2.0, 1.0] * len(USERS)}


def results(make: Made) -> dict[str, Any]:
    """A result of each verb that has rows, of tables that `make` makes of columns."""
    labels, runs = make(LABELS), {name: make(table_of(items)) for name, items in ITEMS.items()}
    run = runs["good"]
    return {
        "evaluate": rc.evaluate(labels, run, "mrr"),
        "compare": rc.compare(labels, runs, "ndcg@3", ["blog", "kaggle"]),
        "test": rc.test(labels, runs, "mrr"),
        "leaderboard": rc.leaderboard(labels, runs, "mrr"),
        "segments": rc.segments(labels, runs, "mrr", n_resamples=100),
        "sensitivity": rc.sensitivity(labels, runs, "ndcg@3", ["blog", "mllib"]),
        "why": rc.why(labels, runs["bad"], "ndcg@3", a="blog", b="mllib"),
        "identify": rc.identify(labels, run, "mrr", "1.0"),
        "several numbers": rc.identify(labels, run, {"mrr": "1.0", "map@2": "1.0"}),
        "identify_table": rc.identify_table({"good": {"mrr": "1.0"}}, labels, rc.Runs(runs)),
        "check": rc.check(labels, run),
        "explain": rc.explain(labels, run, "ndcg@3", user="u"),
        "curve": rc.curve(labels, runs, "ndcg", max_k=2),
        "gate": rc.gate(labels, run, "mrr", at_least=0.5),
        "similarity": rc.similarity(*runs.values()),
    }


def columns_of(frame: Any) -> dict[str, list[Any]]:
    """The columns of a frame of any library."""
    import narwhals.stable.v2 as nw

    return nw.from_native(frame, eager_only=True).to_dict(as_series=False)


def without_gaps(values: list[Any]) -> list[Any]:
    """The values that are there: pandas has NaN for a missing text, which is not itself."""
    return [value for value in values if value is not None and value == value]


@pytest.fixture(scope="module")
def of_polars() -> dict[str, Any]:
    pytest.importorskip("scipy")
    return results(pytest.importorskip("polars").DataFrame)


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_frames_are_of_the_library_that_was_given(library: str, of_polars: dict[str, Any]) -> None:
    module = pytest.importorskip(library)
    make: Made = module.DataFrame if library == "pandas" else module.table
    for verb, found in results(make).items():
        frame, other = found.to_frame(), of_polars[verb].to_frame()
        assert type(frame).__module__.partition(".")[0] == library, verb
        assert type(other).__module__.partition(".")[0] == "polars", verb
        columns, expected = columns_of(frame), columns_of(other)
        assert list(columns) == list(expected), verb
        for name in columns:
            assert without_gaps(columns[name]) == without_gaps(expected[name]), (verb, name)


def test_frames_of_what_came_in_no_table_are_of_polars() -> None:
    polars = pytest.importorskip("polars")
    found = rc.compare({"u": ["a"]}, {"u": ["a"]}, "mrr", "blog")
    assert isinstance(found.to_frame(), polars.DataFrame)


def test_columns_without_values_have_their_types() -> None:
    arrow = pytest.importorskip("pyarrow")
    labels, run = (arrow.table({"user": ["u"], "item": ["a"], **more}) for more in ({"grade": [1]}, {"score": [1.0]}))
    frame = rc.compare(labels, run, "mrr", "blog").to_frame()
    assert str(frame.schema.field("missing").type) in ("string", "large_string")


def test_texts_among_numbers_are_texts_in_pyarrow_as_in_polars() -> None:
    pytest.importorskip("pyarrow")
    rows = [{"gain": 1.5}, {"gain": "none"}, {"gain": None}]
    expected = columns_of(frame_of(rows))
    assert columns_of(frame_of(rows, library="pyarrow")) == expected == {"gain": ["1.5", "none", None]}
