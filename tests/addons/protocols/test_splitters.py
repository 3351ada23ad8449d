"""The splits of LensKit, RecTools, recommenders, scikit-learn and RecBole, as they gave them, are ours too.

`splitters.json` holds the parts that each library made of 89 ratings (`record_splitters.py` writes it anew). Where it
drew, its own generator is asked here for the same numbers, which take the place of our draws; what then differs is
named by a test of its own.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv import protocols
from rankconv.addons.protocols.draws import Draws
from rankconv.addons.protocols.split import split

THEIRS = json.loads((Path(__file__).parent / "splitters.json").read_text())
RATINGS = [tuple(row) for row in THEIRS["ratings"]]
LENSKIT = THEIRS["lenskit"]
Pairs = list[tuple[int, int]]


class Told(Draws):
    """Draws that another program has made: by user, and by user and item."""

    def __init__(
        self, users: dict[int, float] | None = None, pairs: dict[tuple[int, int], float] | None = None
    ) -> None:
        super().__init__(0)
        self.users, self.pairs = users or {}, pairs or {}

    def of_users(self, ratings: protocols.Ratings, purpose: str) -> Any:
        return np.array([self.users.get(user, 0.0) for user in ratings.users.values.tolist()])

    def of_ratings(self, ratings: protocols.Ratings, purpose: str) -> Any:
        pairs = zip(
            ratings.users.values[ratings.user].tolist(), ratings.items.values[ratings.item].tolist(), strict=True
        )
        return np.array([self.pairs.get(pair, 0.0) for pair in pairs])


def pairs_of(ratings: protocols.Ratings) -> Pairs:
    frame = ratings.to_frame()
    return sorted(zip(frame["user"].to_list(), frame["item"].to_list(), strict=True))


def parts(protocol: protocols.Protocol, draws: Draws | None = None) -> dict[str, Pairs]:
    made = split(protocol, RATINGS, draws=draws)
    labels = made.labels
    test = [(user, item) for user in labels.users.values.tolist() for item in labels.rows_of(user)]
    return {"train": pairs_of(made.train), "test": sorted(test)}


def theirs(told: dict[str, Iterable[list[int]]]) -> dict[str, Pairs]:
    return {part: sorted((user, item) for user, item in told[part]) for part in ("train", "test")}


def folds_of(shuffled: list[Any], count: int) -> dict[Any, float]:
    """Draws that put each user into the fold in which they stand; folds of one size."""
    return {user: (place + 0.5) / len(shuffled) for place, user in enumerate(shuffled)}


def lenskit_order() -> list[int]:
    users = np.array(LENSKIT["users in their order"])
    rows = np.arange(len(users))
    np.random.default_rng(5).shuffle(rows)
    return users[rows].tolist()


@pytest.mark.parametrize("fold", range(1, 6))
def test_lenskit_crossfold_with_five_drawn(fold: int) -> None:
    generator, drawn = np.random.default_rng(6), {}
    for user in lenskit_order():
        items = LENSKIT["items of each user in their order"][str(user)]
        chosen = range(len(items)) if len(items) <= 5 else generator.choice(len(items), 5, replace=False)
        drawn |= {(user, items[at]): 1.0 for at in chosen}
    protocol = rc.protocol("lenskit-crossfold", tested=f"fold({fold}, 5)")
    found = parts(protocol, Told(folds_of(lenskit_order(), 5), drawn))
    assert found == theirs(LENSKIT["crossfold_users(5, SampleN(5))"][fold - 1])


@pytest.mark.parametrize("fold", range(1, 6))
def test_lenskit_crossfold_with_a_share_drawn(fold: int) -> None:
    generator, drawn = np.random.default_rng(6), {}
    for user in lenskit_order():
        items = LENSKIT["items of each user in their order"][str(user)]
        chosen = generator.choice(len(items), round(len(items) * 0.25), replace=False)
        drawn |= {(user, items[at]): 1.0 for at in chosen}
    protocol = rc.protocol("lenskit-crossfold", tested=f"fold({fold}, 5)", held_out="share(0.25)")
    found = parts(protocol, Told(folds_of(lenskit_order(), 5), drawn))
    assert found == theirs(LENSKIT["crossfold_users(5, SampleFrac(0.25))"][fold - 1])


@pytest.mark.parametrize("fold", range(1, 6))
def test_lenskit_crossfold_with_the_last_two(fold: int) -> None:
    protocol = rc.protocol("lenskit-crossfold", tested=f"fold({fold}, 5)", order="by-time", held_out="last(2)")
    assert parts(protocol, Told(folds_of(lenskit_order(), 5))) == theirs(
        LENSKIT["crossfold_users(5, LastN(2))"][fold - 1]
    )


def test_lenskit_last_share_holds_out_all_of_whom_it_rounds_to_nothing() -> None:
    changed = {"order": "by-time", "held_out": "share(0.3)"}
    ours, theirs_test = [], []
    for fold in range(1, 6):
        protocol = rc.protocol("lenskit-crossfold", tested=f"fold({fold}, 5)", **changed)
        ours += parts(protocol, Told(folds_of(lenskit_order(), 5)))["test"]
        theirs_test += theirs(LENSKIT["crossfold_users(5, LastFrac(0.3))"][fold - 1])["test"]
    alone = [(user, item) for user, item, *_ in RATINGS if user == 1]
    assert len(alone) == round(0.3 * 1) + 1
    assert sorted(theirs_test) == sorted(ours + alone)


def test_lenskit_by_one_moment() -> None:
    protocol = rc.protocol("base", order="by-time", held_out="from(1601500000)")
    assert parts(protocol) == theirs(LENSKIT["split_global_time(1601500000)"])
    protocol = rc.protocol("base", order="by-time", held_out="latest(0.2)")
    assert parts(protocol) == theirs(LENSKIT["split_temporal_fraction(0.2)"])


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("TimeRangeSplitter('7D')", {}),
        ("TimeRangeSplitter('7D', filter none)", {"cold_users": "kept", "cold_items": "kept", "again": "kept"}),
        ("LastNSplitter(2)", {"held_out": "last(2)"}),
        (
            "LastNSplitter(2, filter none)",
            {"held_out": "last(2)", "cold_users": "kept", "cold_items": "kept", "again": "kept"},
        ),
    ],
)
def test_rectools(name: str, changed: dict[str, str]) -> None:
    assert parts(rc.protocol("rectools-time", **changed)) == theirs(THEIRS["rectools"][name])


def test_recommenders_stratified() -> None:
    np.random.seed(42)
    drawn = {(user, item): draw for (user, item, *_), draw in zip(RATINGS, np.random.rand(len(RATINGS)), strict=True)}
    protocol = rc.protocol("base", order="shuffled", held_out="share(0.25, train-nearest)")
    told = THEIRS["recommenders"]["python_stratified_split(0.75, seed=42)"]
    assert parts(protocol, Told(pairs=drawn)) == theirs(told)


def test_recommenders_in_time() -> None:
    protocol = rc.protocol("base", order="by-time", held_out="share(0.25, train-nearest)")
    assert parts(protocol) == theirs(THEIRS["recommenders"]["python_chrono_split(0.75)"])


def test_scikit_learn_folds_of_users() -> None:
    folds = THEIRS["recommenders"]["GroupKFold(5, shuffle=True, random_state=3)"]
    order = np.random.RandomState(3).permutation(sorted({user for user, *_ in RATINGS})).tolist()
    changed = {"given": "nested(1)", "held_out": "rest", "generalization": "strong", "least_ratings": 2}
    for fold, users in enumerate(folds, 1):
        protocol = rc.protocol("base", tested=f"fold({fold}, 5)", **changed)
        made = split(protocol, RATINGS, draws=Told(folds_of(order, 5)))
        assert {user for user, _ in made.keys.values.tolist()} == {*users} - {1}, "who has one rating is not tested"


def test_scikit_learn_evens_out_folds_that_it_does_not_shuffle_by_their_rows() -> None:
    sizes = [sum(user in users for user, *_ in RATINGS) for users in THEIRS["recommenders"]["GroupKFold(5)"]]
    assert max(sizes) - min(sizes) <= 2, "which needs all users, and no part of ours does"


@pytest.mark.parametrize("count", range(1, 40))
def test_recbole_sizes(count: int) -> None:
    ratings = {"ada": {f"i{at}": 5 for at in range(count)}, "other": {"i0": 4, "x": 1}}
    made = rc.protocol("recbole-default").split(ratings)
    whose = lambda part: sum(user == "ada" for user in part.to_frame()["user"].to_list())
    train, until = THEIRS["recbole"]["split ids"][str(count)]
    assert (whose(made.train), whose(made.validation)) == (train, until - train)
    assert len(made.labels.rows_of("ada") if "ada" in made.keys.code_of else ()) == count - until
