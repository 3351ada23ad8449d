"""What holds of every split: nothing is in two parts, and a part hangs on the seed and the user alone."""

from typing import Any

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings

import rankconv as rc
from rankconv import protocols

USERS, ITEMS = [f"u{at}" for at in range(8)], [f"i{at}" for at in range(9)]
ROWS = st.dictionaries(
    st.tuples(st.sampled_from(USERS), st.sampled_from(ITEMS)),
    st.tuples(st.integers(1, 5), st.integers(0, 20)),
    min_size=12,
)
PROTOCOLS = st.sampled_from(
    [
        rc.protocol("base", order="shuffled", held_out="last(2)", validation="last(1)"),
        rc.protocol("base", order="by-time", held_out="share(0.3)", tested="share(0.5)"),
        rc.protocol("base", held_out="by-chance(0.4)", generalization="strong", tested="share(0.5)"),
        rc.protocol("fastml", tested="share(0.5)", given="nested(4)"),
        rc.protocol("recbole-default"),
        rc.protocol("lenskit-crossfold", held_out="last(2)"),
        rc.protocol("koren2008", candidates="held-out-and-sampled(3, of=any)", held_out="by-chance(0.5)"),
        rc.protocol("leave-one-out", candidates="held-out-and-sampled(3)"),
    ]
)
Rows = dict[tuple[str, str], tuple[int, int]]


def splits(protocol: protocols.Protocol, rows: Rows, seed: int) -> protocols.Split | None:
    """None where nothing can be divided so: nobody is tested, or nothing left to learn from."""
    try:
        return protocol.split([(*pair, *told) for pair, told in rows.items()], seed)
    except rc.InputError:
        return None


def told(split: protocols.Split) -> dict[Any, tuple[list[Any], dict[Any, float]]]:
    """What each point is given, in order, and what is to be found."""
    keys = split.keys.values.tolist()
    return {key: (list(split.seen.rows_of(key)), split.labels.rows_of(key)) for key in keys}


def user_of(key: Any) -> str:
    return key[0] if isinstance(key, tuple) else key


@settings(max_examples=60, deadline=None)
@given(ROWS, PROTOCOLS, st.integers(0, 5))
def test_no_rating_is_in_two_parts(rows: Rows, protocol: protocols.Protocol, seed: int) -> None:
    split = splits(protocol, rows, seed)
    if split is None:
        return
    assert not (split.trains & split.tunes).any()
    assert not (split.trains & split.hidden).any() or split.protocol.settings.given("generalization") != "weak"
    for point in range(len(split.points)):
        given_rows, targets = set(split.points.inputs_of(point)), set(split.points.targets_of(point))
        assert targets
        assert not given_rows & targets
        assert not targets & set(np.flatnonzero(split.trains | split.tunes))


@settings(max_examples=40, deadline=None)
@given(ROWS, st.integers(0, 5))
def test_what_is_given_is_nested_and_the_rest_is_to_be_found(rows: Rows, seed: int) -> None:
    split = splits(rc.protocol("fastml", tested="share(0.5)", given="nested(4)"), rows, seed)
    for (user, count), (items, labels) in (told(split) if split else {}).items():
        assert len(items) == count
        assert {*items} | {*labels} == {item for owner, item in rows if owner == user}
        if count > 1:
            assert items[:-1] == told(split)[user, count - 1][0]
    if split:
        assert not {user_of(key) for key in told(split)} & {*split.train.to_frame()["user"].to_list()}


@settings(max_examples=60, deadline=None)
@given(ROWS, PROTOCOLS, st.integers(0, 5))
def test_a_user_is_divided_alike_whoever_else_there_is(rows: Rows, protocol: protocols.Protocol, seed: int) -> None:
    some = {pair: told for pair, told in rows.items() if pair[0] in ("u0", "u1", "u2", "u3")}
    ours, other = splits(protocol, rows, seed), splits(protocol, some, seed)
    if ours and other:
        known = told(ours)
        assert {key: told(other)[key] for key in told(other)} == {key: known[key] for key in told(other)}


def test_ids_as_text_and_as_numbers_are_divided_alike() -> None:
    numbers = [(user, item, 1 + (user * item) % 5) for user in range(30) for item in range(12)]
    texts = [(str(user), str(item), rating) for user, item, rating in numbers]
    ours, other = (rc.protocol("fastml").split(rows, 3) for rows in (numbers, texts))
    assert [str(user) for user, _ in ours.keys.values.tolist()] == [user for user, _ in other.keys.values.tolist()]
    assert ours.fingerprint == other.fingerprint
    assert ours.fingerprint != rc.protocol("fastml").split(numbers, 4).fingerprint


def test_draws_are_spread_evenly() -> None:
    ratings = protocols.Ratings([(user, item) for user in range(200) for item in range(50)])
    from rankconv.addons.protocols.draws import Draws

    drawn = Draws(1).of_ratings(ratings, "order")
    counts = np.histogram(drawn, 20, (0, 1))[0]
    assert ((counts - 500) ** 2 / 500).sum() < 43.8, "chi squared of 19 degrees, one in a thousand"
    assert len(np.unique(drawn)) == len(drawn)
