"""Laws: clean data are clean, what is planted is counted, and a move is a number that really comes out."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from tests.analysis.check.data import Labels, Run

USERS = [f"u{user}" for user in range(1, 6)]
ITEMS = [f"i{item}" for item in range(1, 16)]
lawful = settings(derandomize=True, deadline=None, max_examples=15)


@st.composite
def clean(draw: st.DrawFn, rows: int = 4) -> tuple[Labels, Run]:
    """One to four relevant items for each user, and a list of `rows` rows at least, by falling score."""
    users = draw(st.lists(st.sampled_from(USERS), min_size=1, unique=True))
    labels: Labels = {}
    run: Run = {}
    for user in users:
        items = draw(st.permutations(ITEMS))
        labels[user] = {item: draw(st.integers(1, 3)) for item in items[: draw(st.integers(1, 4))]}
        listed = draw(st.permutations(ITEMS))[: draw(st.integers(rows, 10))]
        run[user] = {item: 0.95 - place / 20 for place, item in enumerate(listed)}
    return labels, run


@lawful
@given(data=clean())
def test_clean_data_are_clean(data: tuple[Labels, Run]) -> None:
    checked = rc.check(*data, ["ndcg@3", "map@3", "precision@3", "recall@3", "mrr"], ["rankconv", "trec_eval", "mllib"])
    assert checked.clean, checked.to_text()


@lawful
@given(data=clean(), random=st.randoms(use_true_random=False))
def test_planted_counts_are_the_counts(data: tuple[Labels, Run], random: Any) -> None:
    labels, run = data
    silent, unknown, twice, bad = (
        {user for user in labels if random.random() < 0.5} - {next(iter(labels))} for _ in range(4)
    )
    ranked = [(user, item, score) for user, items in run.items() if user not in silent for item, score in items.items()]
    ranked += [(user, next(iter(run[user])), 0.01) for user in twice - silent]
    known = [
        (user, item, grade) for user, items in labels.items() if user not in unknown for item, grade in items.items()
    ]
    known += [(user, "bad", -1) for user in bad]
    checked = rc.check(known, ranked, "ndcg@3", "rankconv")
    found = {name: checked[name].count if name in checked else 0 for name in COUNTED}
    assert found == {
        "users-without-list": len(silent - (unknown - bad)),
        "users-without-labels": len((unknown - bad) - silent),
        "duplicates": len(twice - silent),
        "negative-grades": len(bad),
        "no-relevant": len(bad & unknown),
    }


BY_ID = rc.preset("rankconv").replace(ties="item-ascending")
COUNTED = ("users-without-list", "users-without-labels", "duplicates", "negative-grades", "no-relevant")


@lawful
@given(
    grades=st.lists(st.integers(0, 2), min_size=2, max_size=5),
    scores=st.data(),
    metric=st.sampled_from(["ndcg@2", "mrr", "map@3", "precision@2"]),
)
def test_moves_of_ties_are_the_extremes_of_all_orders(grades: list[int], scores: st.DataObject, metric: str) -> None:
    """Every order of the rows that the scores allow is evaluated as an explicit one."""
    items = [f"i{place}" for place in range(len(grades))]
    given_scores = [scores.draw(st.sampled_from([2.0, 1.0])) for _ in items]
    labels = {"u": {"sure": 1, **dict(zip(items, grades, strict=True))}}
    orders = {
        tuple(item for item, _ in sorted(order, key=lambda row: -row[1]))
        for order in permutations(zip(items, given_scores, strict=True))
    }
    means = [rc.evaluate(labels, {"u": list(order)}, metric)[metric] for order in orders]
    checked = rc.check(labels, {"u": dict(zip(items, given_scores, strict=True))}, metric, BY_ID)
    moves = checked["ties"].moves if "ties" in checked else []
    if moves:
        assert (moves[0].low, moves[0].high) == (pytest.approx(min(means)), pytest.approx(max(means)))
    else:
        assert np.ptp(means) == pytest.approx(0, abs=1e-12)


@lawful
@given(data=clean(), random=st.randoms(use_true_random=False))
@pytest.mark.filterwarnings("ignore::rankconv.basics.errors.RespelledIds")
def test_a_respelled_id_is_found_and_its_hits_come_back(data: tuple[Labels, Run], random: Any) -> None:
    labels, run = data
    labels["other"], run["other"] = {"i1": 1}, {"i1": 0.9, "i2": 0.8}
    user = random.choice(USERS)
    labels.setdefault(user, {"i3": 1})
    run[user] = {next(iter(labels[user])): 0.99, **run.get(user, {})}
    spelled = random.choice([f" {user}", f"{user} "])
    respelled = {(spelled if name == user else name): items for name, items in run.items()}
    found = rc.check(labels, respelled, "recall", "rankconv")["respelled-ids"]
    assert found.count == 1
    assert found.examples[0].note == f"user {spelled!r} in the run, {user!r} in the labels"
    assert found.moves[0].high == pytest.approx(rc.evaluate(labels, run, "recall")["recall"])
