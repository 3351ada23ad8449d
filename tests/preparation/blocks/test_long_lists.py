"""Lists of hundreds of rows with many repeats and ties, against what Python's dicts and stable sort make of them."""

from functools import reduce
from operator import add
from random import Random

import pytest

import rankconv as rc
from tests.metrics.worked import neutral

NEUTRAL = neutral()
USERS = ["u", "v", "w"]
FEW, MANY = [f"i{place}" for place in range(9)], [f"i{place}" for place in range(400)]
GRADES = {user: {item: float(Random(f"{user}{item}").randint(0, 3)) for item in MANY} for user in USERS}
REPEATED = {user: [Random(user + str(row)).choice(FEW) for row in range(250)] for user in USERS}


def gain_by_rank(user: str, items: list[str]) -> float:
    """Sum of grade by rank."""
    return sum(GRADES[user][item] / rank for rank, item in enumerate(items, 1))


def per_user(metric: str, labels: object, run: object) -> list[float]:
    found: list[float] = rc.evaluate(labels, run, metric, preset=NEUTRAL).per_user[metric].tolist()
    return found


DISTINCT = {
    "each": list,
    "first-row": lambda items: list(dict.fromkeys(items)),
    "set": lambda items: list(dict.fromkeys(items)),
    "last-row": lambda items: list(dict.fromkeys(reversed(items)))[::-1],
    "once": lambda items: [item if item not in items[:place] else None for place, item in enumerate(items)],
}


@pytest.mark.parametrize("rule", DISTINCT)
def test_repeated_items_of_a_long_list(rule: str) -> None:
    def by_hand(user: str) -> float:
        left = enumerate(DISTINCT[rule](REPEATED[user]), 1)
        return sum(GRADES[user][item] / rank for rank, item in left if item is not None)

    found = per_user(f"dcg(duplicates={rule}, discount=reciprocal)", GRADES, REPEATED)
    assert found == pytest.approx([by_hand(user) for user in USERS], rel=1e-12)


def test_of_many_labels_of_an_item_the_last_counts() -> None:
    random = Random(8)
    labels = {user: [(random.choice(FEW), random.randint(0, 3)) for _ in range(250)] for user in USERS}
    last = [sorted(dict(labels[user]).values(), reverse=True) for user in USERS]
    ideal = per_user("ideal_dcg(duplicate-labels=one, discount=reciprocal)", labels, REPEATED)
    assert ideal == pytest.approx([sum(g / rank for rank, g in enumerate(one, 1)) for one in last], rel=1e-12)
    listed = per_user("cg(duplicate-labels=one)", labels, dict.fromkeys(USERS, FEW))
    assert listed == [sum(one) for one in last]


KEYS = {
    "given": lambda place, item: place,
    "reversed": lambda place, item: -place,
    "item-ascending": lambda place, item: item,
}


@pytest.mark.parametrize("rule", KEYS)
def test_ties_of_a_long_list(rule: str) -> None:
    random = Random(rule)
    run = {user: [(item, random.choice([0.0, 1.0, 2.0])) for item in random.sample(MANY, 300)] for user in USERS}

    def by_hand(user: str) -> float:
        rows = sorted(enumerate(run[user]), key=lambda row: (-row[1][1], KEYS[rule](row[0], row[1][0])))
        return gain_by_rank(user, [item for _, (item, _) in rows])

    found = per_user(f"dcg(order=score, ties={rule}, discount=reciprocal)", GRADES, run)
    assert found == pytest.approx([by_hand(user) for user in USERS], rel=1e-12)


@pytest.mark.parametrize(("gap", "rank"), [(2.0**-40, 2), (2.0**-46, 1)])
def test_scores_that_are_shifted_far_may_tie(gap: float, rank: int) -> None:
    """998 labels follow, each 1 lower, and 1 is the lowest score: 1000 and 1000 + 2^-46 are one double."""
    labels = {"u": {"b": 1} | {f"x{place}": 0 for place in range(998)}}
    run = {"u": [("a", 1.0 + gap), ("b", 1.0)]}
    spec = "mrr(candidates=with-unretrieved(lowest=1), order=score, ties=item-descending)@2"
    assert per_user(spec, labels, run) == [1 / rank]


@pytest.mark.parametrize("beside", ["", ", unjudged=condensed-after-depth"])
def test_fractions_are_summed_from_the_least_in_whatever_order_the_labels_stand(beside: str) -> None:
    """To the last bit: 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 in doubles."""
    random = Random(3)
    labels = {user: {item: random.choice([0.1, 0.2, 0.3, 0.7, 1.7]) for item in MANY[:50]} for user in USERS}
    sums = [reduce(add, sorted(labels[user].values())) for user in USERS]
    spec = f"precision(precision-denominator=relevant-grades{beside})@1"
    assert per_user(spec, labels, dict.fromkeys(USERS, MANY)) == [1 / one for one in sums]


def test_rows_without_a_label_gain_nothing_in_an_ideal_of_rows_as_given() -> None:
    """The ideal of aligned arrays that are not sorted is the list itself, so whoever has a hit has 1; no grade is 0."""
    labels = {f"u{user}": {f"i{(user + place) % 7}": 1 + place % 3 for place in range(3)} for user in range(9)}
    run = {f"u{user}": [f"i{(2 * user + place) % 7}" for place in range(3)] for user in range(9)}
    spec = "ndcg(labels-used=aligned-arrays, candidates=with-unretrieved, ideal=all-labels-unsorted)@3"
    with_hit = [any(item in labels[user] for item in items) for user, items in run.items()]
    assert rc.evaluate(labels, run, spec).per_user[spec].tolist() == [float(one) for one in with_hit]
    assert 0 < sum(with_hit) < len(run)
