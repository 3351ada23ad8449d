"""Tables that name users and items, and tables that have rows and columns: what is refused, said, and silent."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import rankconv as rc

N, M = 20, 30
RANDOM = np.random.default_rng(5)
SCORES = RANDOM.random((N, M))
HITS = (RANDOM.random((N, M)) < 0.2) * 1.0
HITS[0, 0] = HITS[N - 1, M - 1] = 1
SPEC, EXCLUDED = "ndcg@5", "ndcg(exclude=seen)@5"
SEEN = (SCORES > 0.9) * (1 - HITS)
USERS, ITEMS = [f"u{row}" for row in range(N)], [f"i{column}" for column in range(M)]


def frame(matrix: Any, users: Any = range(N), items: Any = range(M)) -> pd.DataFrame:
    user, item = matrix.nonzero()
    return pd.DataFrame({"user": [users[one] for one in user], "item": [items[one] for one in item]})


NAMED_SCORES = {user: dict(zip(ITEMS, row, strict=True)) for user, row in zip(USERS, SCORES.tolist(), strict=True)}
TOP = np.argsort(-SCORES, axis=1)[:, :10]
RIGHT = float(rc.evaluate(sparse.csr_matrix(HITS), SCORES, SPEC)[SPEC])
MASKED = float(rc.evaluate(sparse.csr_matrix(HITS), SCORES, EXCLUDED, seen=SEEN)[EXCLUDED])


def refused(call: Callable[[], Any]) -> str:
    with pytest.raises(rc.InputError) as error:
        call()
    return str(error.value)


def advised(said: str, which: int = 0) -> str:
    """The call that a message advises, with names in the places that it leaves open."""
    call = re.findall(r"rc\.(?:Run|Labels)\((?:[^()]|\([^()]*\))*\)", said)[which]
    return call.replace("user_ids=…", "user_ids=users").replace("item_ids=…", "item_ids=items")


def followed(call: str, **given: Any) -> Any:
    return eval(call, {"rc": rc, "range": range, **given})


@pytest.mark.parametrize(
    ("labels", "run", "spec"),
    [
        (frame(HITS, USERS, ITEMS), SCORES, SPEC),
        (frame(HITS, USERS, ITEMS), sparse.csr_matrix(SCORES), SPEC),
        (frame(HITS, range(N), ITEMS), SCORES, SPEC),
        (sparse.csr_matrix(HITS), NAMED_SCORES, SPEC),
    ],
    ids=["scores", "CSR", "items", "labels"],
)  # fmt: skip
def test_texts_beside_places_are_refused_and_the_advice_gives_the_number(labels: Any, run: Any, spec: str) -> None:
    said = refused(lambda: rc.evaluate(labels, run, spec))
    assert re.match(
        r"(users|items) have names in the (labels|run) \('[ui]\d+', .*\), and are the (rows|columns) 0 to ", said
    )
    call = advised(said)
    users = range(N) if isinstance(labels, pd.DataFrame) and labels["user"].dtype.kind == "i" else USERS
    named = followed(call, run=run, labels=labels, users=users, items=ITEMS)
    pair = (labels, named) if call.startswith("rc.Run") else (named, run)
    assert rc.evaluate(*pair, spec)[spec] == pytest.approx(RIGHT, abs=1e-15)


def test_rows_of_ids_and_lists_in_turn_have_no_names() -> None:
    labels = frame(HITS, USERS)
    right = rc.evaluate(frame(HITS), TOP, SPEC)[SPEC]
    for run in (TOP, TOP.tolist()):
        said = refused(lambda run=run: rc.evaluate(labels, run, SPEC))  # type: ignore[misc]
        assert "users have names in the labels ('u0', 'u1', 'u2', …), and are the rows 0 to 19 in the run" in said
        assert rc.evaluate(labels, followed(advised(said), run=run, users=USERS), SPEC)[SPEC] == right


@pytest.mark.parametrize("cut", [(slice(3, None), slice(None)), (slice(None), slice(25)), (slice(18), slice(9))])
def test_sparse_matrices_of_another_shape_are_refused_unless_rows_and_columns_are_named(cut: Any) -> None:
    labels = sparse.csr_matrix(HITS)[cut]
    said = refused(lambda: rc.evaluate(labels, SCORES, SPEC))
    assert f"the labels: a sparse matrix of shape {labels.shape}; the run: an array of shape ({N}, {M})" in said
    named = followed(advised(said), labels=labels, users=range(N)[cut[0]], items=range(M)[cut[1]])
    kept = np.zeros((N, M))
    kept[cut] = HITS[cut]
    found = rc.evaluate(named, SCORES, SPEC)
    assert found[SPEC] == rc.evaluate(sparse.csr_matrix(kept), SCORES, SPEC)[SPEC]
    assert not found.notes


NOTE = "are whole numbers, and are taken for the {} of the run, counted from 0. If they are ids, say which"


def test_whole_numbers_beside_places_are_said_and_item_ids_silence_it() -> None:
    labels = frame(HITS)
    (note,) = rc.evaluate(labels, SCORES, SPEC).notes
    assert note.startswith(f"The users and items of the labels {NOTE.format('rows and columns')}")
    assert note.endswith("item_ids=range(n) says that they are numbers of columns.")
    (note,) = rc.evaluate(labels, TOP, SPEC).notes
    assert note.startswith(f"The users of the labels {NOTE.format('rows')}")
    for run in (SCORES, TOP):
        for named in ({"item_ids": range(M)}, {"user_ids": range(N), "item_ids": range(M)}):
            silent = rc.evaluate(labels, rc.Run(run, **named), SPEC)
            assert (silent[SPEC], silent.notes) == (RIGHT, ())
    (note,) = rc.evaluate(labels, rc.Run(SCORES, user_ids=range(N)), SPEC).notes
    assert note.startswith("The items of the labels")
    assert not rc.evaluate(sparse.csr_matrix(HITS), SCORES, SPEC).notes
    named = {user: row.tolist() for user, row in enumerate(TOP)}
    assert not rc.evaluate(labels, named, "recall@5").notes


def test_large_matrices_say_it_too() -> None:
    scores = np.random.default_rng(1).random((600, 500))
    found = rc.evaluate({0: [1, 2], 7: [4]}, scores, SPEC)
    assert [note[:40] for note in found.notes] == ["The users and items of the labels are wh"]


def test_numbers_from_1_are_refused_and_both_readings_give_their_number() -> None:
    users, items = range(1, N + 1), range(1, M + 1)
    raw = frame(HITS, users, items)
    assert f"user {N} of the labels is none of the {N} rows of the run" in refused(lambda: rc.evaluate(raw, TOP, SPEC))
    inside = np.zeros((N, M))
    inside[: N - 1, : M - 1] = HITS[: N - 1, : M - 1]
    inside[N - 2, M - 2] = 1
    raw = frame(inside, users, items)
    assert raw["user"].max() == N - 1
    said = refused(lambda: rc.evaluate(raw, SCORES, SPEC))
    assert f"look counted from 1: 0 is neither a user nor an item there, and item {M - 1} is one" in said
    from_1, from_0 = (followed(advised(said, which), run=SCORES) for which in (0, 1))
    assert rc.evaluate(raw, from_1, SPEC)[SPEC] == rc.evaluate(frame(inside), SCORES, SPEC)[SPEC]
    shifted = np.roll(inside, (1, 1), axis=(0, 1))
    assert rc.evaluate(raw, from_0, SPEC)[SPEC] == rc.evaluate(sparse.csr_matrix(shifted), SCORES, SPEC)[SPEC]


def test_gaps_are_allowed_and_0_on_either_side_is_enough() -> None:
    for labels in ({5: [3, 7]}, {0: [M - 1]}, {N - 1: [0]}, {3: [2], 8: [M - 2]}):
        assert rc.evaluate(labels, SCORES, SPEC).notes
    for outside in ({-1: [0]}, {0: [-1]}, {N: [0]}, {0: [M]}):
        said = refused(lambda outside=outside: rc.evaluate(outside, SCORES, SPEC))  # type: ignore[misc]
        assert re.search(r"is none of the \d\d (rows|columns) of the run\. Number (user|item)s by", said)
    assert "counted from 1" in refused(lambda: rc.evaluate({1: [2], N - 1: [3]}, SCORES, SPEC))


SHUFFLED = RANDOM.permutation(3 * N)[:N].tolist(), RANDOM.permutation(3 * M)[:M].tolist()


@pytest.mark.parametrize("name", ["seen", "train"])
def test_side_data_by_place_beside_names(name: str) -> None:
    spec = {"seen": EXCLUDED, "train": "novelty@5"}[name]
    right = float(rc.evaluate(sparse.csr_matrix(HITS), SCORES, spec, **{name: SEEN})[spec])
    by_row = sparse.csr_matrix(HITS), SCORES
    for users, items in ((USERS, ITEMS), SHUFFLED):
        named = rc.Labels(SEEN, user_ids=users, item_ids=items)
        pair = frame(HITS, users, items), rc.Run(SCORES, user_ids=users, item_ids=items)
        assert rc.evaluate(*pair, spec, **{name: named})[spec] == pytest.approx(right, abs=1e-15)
        for side in (sparse.csr_matrix(SEEN), SEEN):
            said = refused(partial(rc.evaluate, *pair, spec, **{name: side}))
            read = followed(advised(said), **{name: side}, users=users, items=items)
            assert rc.evaluate(*pair, spec, **{name: read})[spec] == pytest.approx(right, abs=1e-15)
        said = refused(partial(rc.evaluate, *by_row, spec, **{name: frame(SEEN, users, items)}))
        run, labels = (
            followed(advised(said, at), run=by_row[1], labels=by_row[0], users=users, items=items) for at in (0, 1)
        )
        found = rc.evaluate(labels, run, spec, **{name: frame(SEEN, users, items)})
        assert found[spec] == pytest.approx(right, abs=1e-15)


def test_a_permutation_of_places_is_said() -> None:
    """Encoded ids that cover all places may stand for others: nothing tells, so that it is said."""
    users, items = RANDOM.permutation(N), RANDOM.permutation(M)
    run = rc.Run(SCORES, user_ids=users, item_ids=items)
    (note,) = rc.evaluate(frame(HITS, users, items), run, EXCLUDED, seen=SEEN).notes
    assert note.startswith(
        "The users and items of the run are whole numbers, and are taken for the rows and columns of seen="
    )


OF_ITEMS: Mapping[str, Any] = {
    "catalogue": lambda items: [*items],
    "item_features": lambda items: {item: [1.0, 2.0] for item in items},
    "parents": lambda items: dict(zip(items, [items[0]] * len(items), strict=True)),
}


@pytest.mark.parametrize("name", OF_ITEMS)
def test_tables_of_items_beside_columns(name: str) -> None:
    made = OF_ITEMS[name]
    with_side = lambda items: rc.join(sparse.csr_matrix(HITS), SCORES, **{name: made(items)})
    assert "items have names in" in refused(lambda: with_side(ITEMS))
    assert f"item {M} of {name}= is none of the {M} columns" in refused(lambda: with_side(range(1, M + 1)))
    named = rc.Run(SCORES, user_ids=USERS, item_ids=ITEMS)
    assert rc.join(frame(HITS, USERS, ITEMS), named, **{name: made(ITEMS)}).aligned == ()
    notes = with_side(range(M)).aligned
    assert len(notes) == (name != "catalogue")  # a set of all columns is the same in any order


def test_listed_users_are_rows() -> None:
    assert "users have names in users=" in refused(lambda: rc.evaluate(HITS, SCORES, SPEC, users=["u1"]))
    assert f"user {N} of users= is none" in refused(lambda: rc.evaluate(HITS, SCORES, SPEC, users=[N]))
    (note,) = rc.evaluate(HITS, SCORES, SPEC, users=[1, 3]).notes
    assert note.startswith("The users of users= are whole numbers")


def test_what_matches_nothing_is_said_and_warned_of() -> None:
    labels, run = frame(HITS, USERS, ITEMS), rc.Run(SCORES, user_ids=USERS, item_ids=ITEMS)
    with pytest.warns(UserWarning, match="seen= has no item") as warned:
        found = rc.evaluate(labels, run, EXCLUDED, seen={"nobody": [f"x{item}" for item in range(9)]})
    assert str(warned[0].message) in found.notes
    with pytest.warns(UserWarning, match="train= has no item") as warned:
        found = rc.evaluate(labels, run, "novelty@5", train={"u1": [f"x{item}" for item in range(9)]})
    assert str(warned[0].message) in found.notes
    with pytest.warns(UserWarning, match=r"1 of the 20 users with labels have a list\. .* 5% of that"):
        found = rc.evaluate(labels, {"u3": ITEMS}, "recall@30")
    listed = rc.evaluate(labels, {"u3": ITEMS}, "recall@30", users=["u3"])
    assert found["recall@30"] == pytest.approx(0.05 * listed["recall@30"])
    prefixed = {user: [f"item_{item}" for item in row] for user, row in enumerate(TOP.tolist())}
    with pytest.warns(UserWarning, match="are on both sides but for 'item_' before them"):
        found = rc.evaluate(
            {user: [str(item) for item in row] for user, row in enumerate(TOP.tolist())}, prefixed, SPEC
        )
    assert any("item_" in note for note in found.notes)
