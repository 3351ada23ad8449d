"""Under `scope=global` the lists of all users are one list: that of a user who has all their rows and labels."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import rankconv as rc
from rankconv.metrics import METRICS
from tests.laws import examples
from tests.metrics.worked import neutral

NEUTRAL = neutral()
USERS, ITEMS = "uvwz", "abcdefxy"
APART = ["summed_over_table", "judged-scope=collection", "popularity=share", "popularity=quantile", "new_to_user"]
APART += ["serendipity-kind=unlike-history", "count-of=calls"]
"""What goes by the place of a row in the table, by labels of other users, by all items in training, by its users, or by
the searches of each user."""
Data = tuple[dict[str, Any], dict[str, list[tuple[str, float]]], dict[str, Any]]


def drawn(random: Random) -> Data:
    """Some users, whose lists repeat items, share them, and hold items without a label; no two scores are equal."""
    scores = random.sample(range(1, 100), 40)
    labels, run = {}, {}
    for user in USERS[: random.randint(2, 4)]:
        labels[user] = {item: float(random.choice([0, 0, 1, 2, 3])) for item in random.sample(ITEMS[:6], 4)}
        rows = [(item, float(scores.pop())) for item in random.choices(ITEMS, k=random.randint(1, 7))]
        run[user] = sorted(rows, key=lambda row: -row[1])
    train = {user: random.sample(ITEMS, random.randint(1, 5)) for user in ("t1", "t2", "t3")}
    features = {item: [float(len(labels)), float(place)] for place, item in enumerate(ITEMS)}
    return labels, run, {"train": train, "item_features": features, "catalogue": 40}


def merged(labels: dict[str, Any], run: dict[str, list[tuple[str, float]]], side: dict[str, Any]) -> Data:
    """The labels and rows of all as those of one user, who has an item of two users twice, under two names."""
    grades = {f"{user}/{item}": grade for user, known in labels.items() for item, grade in known.items()}
    rows = [(f"{user}/{item}", score) for user, ranked in run.items() for item, score in ranked]
    train = {user: [f"{owner}/{item}" for item in items for owner in labels] for user, items in side["train"].items()}
    features = {f"{owner}/{item}": known for item, known in side["item_features"].items() for owner in labels}
    ranked = sorted(rows, key=lambda row: -row[1])
    return {"all": grades}, {"all": ranked}, {"train": train, "item_features": features, "catalogue": 40}


def specs() -> Iterator[tuple[str, str]]:
    """Every setting of every metric that has a number for each user: pooled, and of one user."""
    for name, metric in METRICS.items():
        conventions = {} if metric.of_all_lists else metric.conventions()
        settings = [f"{asked}={one}" for asked, convention in conventions.items() for one in convention.setting_types]
        for setting in settings:
            if not {name, setting} & {*APART}:
                for at in ("", "@2", "@9"):
                    yield f"{name}({setting}, scope=global){at}", f"{name}({setting}){at}"


def number(data: Data, spec: str) -> Any:
    """The number, or the class of the error."""
    labels, run, side = data
    try:
        return rc.evaluate(labels, run, spec, NEUTRAL, **side)[spec]
    except rc.RankconvError as error:
        return type(error)


@pytest.mark.parametrize("seed", range(examples.of(quick=1, ci=3, long=50)))
def test_lists_put_together_are_the_list_of_one_user(seed: int) -> None:
    data = drawn(Random(seed))
    one_user, every, different = merged(*data), list(specs()), []
    for pooled, single in Random(seed).sample(every, examples.of(quick=700, ci=len(every))):
        found, expected = number(data, pooled), number(one_user, single)
        if found != pytest.approx(expected, abs=1e-12, nan_ok=True):
            different.append(f"{pooled}: {found}, {expected}")
    assert not different, f"{data}:\n" + "\n".join(different)


def test_what_training_says_of_each_user_is_not_that_of_the_list_of_all() -> None:
    labels, run, train = {"u": ["a"]}, {"u": ["a"], "v": ["b"]}, {"u": ["b"], "v": ["b"]}
    features = {"a": [1.0], "b": [2.0]}
    for spec in ("new_to_user(scope=global)", "serendipity(scope=global, serendipity-kind=unlike-history)"):
        with pytest.raises(rc.MetricError, match=r"training is that of each user, and .* Drop scope=global"):
            rc.evaluate(labels, run, spec, NEUTRAL, train=train, item_features=features)


def test_the_searches_of_users_are_not_those_of_the_list_of_all() -> None:
    labels, run = {"u": ["a"]}, {"u": [["a", "b", "c"], ["c"]], "v": [["b", "c", "d"]]}
    calls = "count-of=calls, calls=one-after-the-other"
    assert rc.evaluate(labels, run, f"count({calls})", NEUTRAL).per_user[f"count({calls})"][0] == 2
    with pytest.raises(rc.MetricError, match=r"searches are of each user, .* Drop scope=global"):
        rc.evaluate(labels, run, f"count({calls}, scope=global)", NEUTRAL)
