"""The law: rows that nobody has looked at give the numbers, ids and codes of rows that were read at once."""

import pickle
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.data.ids import coded_texts
from rankconv.data.inputs.values import owners

FIRST = ["ndcg@3", "mrr@1", "precision(duplicates=once)@2"]
WHOLE = ["map", "ndcg(order=score, ties=expected)@2", "recall(order=score, ties=item-descending)@3"]
numbers = st.sampled_from([-7, 0, 1, 2, 300_001, 2**31, 2**61])
row = st.tuples(st.integers(0, 3), numbers, st.sampled_from([0.5, 1.0, 2.0]))


def table(rows: list[tuple[int, int, float]], number: str) -> pl.DataFrame:
    columns = {"user": pl.Int64, "item": pl.Int64, number: pl.Float32}
    return pl.DataFrame(rows, schema=columns, orient="row")


def texts(rows: list[tuple[int, int, float]], number: str) -> pl.DataFrame:
    return table(rows, number).with_columns(
        pl.format("u{}", "user").alias("user"), pl.format("i{}", "item").alias("item")
    )


def bits(labels: Any, run: Any, specs: list[str]) -> list[bytes]:
    result = rc.evaluate(labels, run, specs, on_error="collect")
    return [result.per_user[spec].tobytes() for spec in specs]


@settings(max_examples=30, deadline=None)
@given(known=st.lists(row, min_size=1, max_size=60), returned=st.lists(row, min_size=1, max_size=120))
@example(known=[(0, 1, 0.5), (0, 2**61, 0.5)], returned=[(1, 0, 0.5)])  # narrow ids of lists, wide ones of labels
def test_unread_rows_give_the_numbers_of_read_ones(
    known: list[tuple[int, int, float]], returned: list[tuple[int, int, float]]
) -> None:
    known, returned = [(9, 5, 1.0), *known], [(9, 5, 1.0), *returned]
    labels, run = rc.Labels(table(known, "grade")), rc.Run(table(returned, "score"))
    first = bits(labels, run, FIRST)
    read = labels.replace(), run.replace()
    assert [type(side) for side in read] == [rc.Labels, rc.Run]
    assert first == bits(*read, FIRST)
    assert bits(labels, run, FIRST + WHOLE) == bits(*read, FIRST + WHOLE)
    as_tuples = rc.Run(returned)
    assert run.items.values.tolist() == as_tuples.items.values.tolist()
    assert run.item.tolist() == as_tuples.item.tolist()
    assert run.score is not None
    assert as_tuples.score is not None
    assert run.score.tolist() == as_tuples.score.tolist()


def colliding(hashes: list[int]) -> Any:
    """A hash by the length of a text, so that some or all texts have one."""
    return lambda column, *seeds: pl.Series([hashes[len(text) % len(hashes)] for text in column], dtype=pl.UInt64)


@settings(max_examples=20, deadline=None)
@given(
    known=st.lists(row, min_size=1, max_size=60),
    returned=st.lists(row, min_size=1, max_size=120),
    hashes=st.none() | st.sampled_from([[0], [2**63], [0, 1 << 60, 2**64 - 1]]),
)
def test_a_hash_is_never_trusted(
    known: list[tuple[int, int, float]], returned: list[tuple[int, int, float]], hashes: list[int] | None
) -> None:
    known, returned = [(9, 5, 1.0), *known], [(9, 5, 1.0), *returned]
    with pytest.MonkeyPatch.context() as patch:
        if hashes is not None:
            patch.setattr(pl.Series, "hash", colliding(hashes))
        labels, run = rc.Labels(texts(known, "grade")), rc.Run(texts(returned, "score"))
        first, both = bits(labels, run, FIRST), bits(labels, run, FIRST + WHOLE)
    as_integers = rc.Labels(table(known, "grade")), rc.Run(table(returned, "score"))
    assert first == bits(*as_integers, FIRST)
    assert both == bits(*as_integers, FIRST + WHOLE)
    assert run.items.values.tolist() == [f"i{item}" for item in as_integers[1].items.values]
    assert run.item.tolist() == as_integers[1].item.tolist()
    assert bits(labels.replace(), run, FIRST) == bits(labels, run.replace(), FIRST) == first


@pytest.mark.parametrize("of_ids", [table, texts])
@pytest.mark.parametrize("specs", [["precision@5"], ["map", "mrr"]])
def test_texts_of_one_user_with_many_labels(of_ids: Any, specs: list[str]) -> None:
    """More labels than tables of few places take, beside users with few."""
    known = [(1, item, 1.0) for item in range(0, 2000, 3)] + [(user, user * 7, 1.0) for user in range(2, 30)]
    returned = [(user, item, 1 / (1 + item)) for user in range(1, 30) for item in range(1000)]
    made, plain = of_ids(known, "grade"), {}
    for user, item, score in returned:
        plain.setdefault(user, {})[item] = score
    wanted = rc.evaluate({u: [i for v, i, _ in known if v == u] for u in range(1, 30)}, plain, specs)
    found = rc.evaluate(made, of_ids(returned, "score"), specs)
    assert [found.per_user[spec].tolist() for spec in specs] == [wanted.per_user[spec].tolist() for spec in specs]


@pytest.mark.parametrize("of_ids", [table, texts])
def test_one_who_reads_first_ranks_leaves_the_others_unread(of_ids: Any) -> None:
    run = rc.Run(of_ids([(1, item, item / 50) for item in range(150)], "score"))
    labels = rc.Labels(of_ids([(1, item, 1.0) for item in range(60)], "grade"))
    rc.evaluate(labels, run, "precision@5")
    assert "_coded" not in vars(run)
    assert "_coded" not in vars(labels)
    assert pickle.loads(pickle.dumps(run)).items.values.tolist() == run.items.values.tolist()


def test_ids_that_lie_too_far_apart_are_told_apart() -> None:
    labels = rc.Labels(table([(1, -(2**62), 1.0)], "grade"))
    run = rc.Run(table([(1, 2**62, 1.0)], "score"))
    assert rc.evaluate(labels, run, "precision@1")["precision@1"] == 0


LIBRARIES = {
    "polars": lambda frame: frame,
    "several pieces": lambda frame: pl.concat([frame[:1], frame[1:]], rechunk=False),
    "pyarrow": lambda frame: frame.to_arrow(),
    "pandas": lambda frame: frame.to_pandas(),
    "pandas objects": lambda frame: frame.to_pandas().astype({"user": object, "item": object}),
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_texts_of_any_library_stay_unread(library: str) -> None:
    rows = [(user, (7 * user + item) % 40, float(item % 13)) for user in range(5) for item in range(40)]
    known, returned = texts(rows[::3], "grade"), texts(rows, "score")
    labels, run = rc.Labels(LIBRARIES[library](known)), rc.Run(LIBRARIES[library](returned))
    assert bits(labels, run, ["ndcg@3", "precision@5"]) == bits(
        rc.Labels(known.rows()), rc.Run(returned.rows()), ["ndcg@3", "precision@5"]
    )
    assert "_coded" not in vars(run)
    assert "_coded" not in vars(labels)
    assert run.rows_of("u3") == rc.Run(returned.rows()).rows_of("u3")


lists_of_texts = st.lists(
    st.sampled_from(["", "a", "b", "item 1", "item 10", "a text of more than twelve bytes", "é"]) | st.text()
)


@settings(max_examples=50, deadline=None)
@given(
    values=lists_of_texts,
    longer=st.integers(1, 3),
    hashes=st.none() | st.sampled_from([[7], [7, 2**63], [0, 1, 2**64 - 1]]),
)
def test_texts_are_coded_by_first_appearance(values: list[str], longer: int, hashes: list[int] | None) -> None:
    given = [value for value in values for _ in range(longer)]
    distinct = list(dict.fromkeys(given))
    with pytest.MonkeyPatch.context() as patch:
        if hashes is not None:
            patch.setattr(pl.Series, "hash", colliding(hashes))
        column = pl.Series(given, dtype=pl.String)
        ids, codes = coded_texts(column)
        users, user, starts = owners([column], str)
    expected = [distinct.index(value) for value in given]
    assert codes.tolist() == expected
    for one in (ids, users):
        assert one.values.tolist() == distinct
        assert one.kind == ("text" if given else "none")
    assert expected == (np.repeat(np.arange(len(users)), np.diff(starts)) if user is None else user).tolist()
