"""What a finding moves: worked out by hand, or evaluated by hand on mended data."""

import math

import polars as pl
import pytest

import rankconv as rc
from rankconv.analysis.findings.finding import Move
from rankconv.typing import CheckResult
from tests.analysis.check.data import as_lists, clean_labels, clean_run


def moved(checked: CheckResult, name: str, metric: str, preset: str) -> Move:
    [move] = [move for move in checked[name].moves if (move.metric, move.preset) == (metric, preset)]
    return move


def test_tie_orders_by_hand() -> None:
    """One relevant item of three that are tied at ranks 1 to 3: 1/rank is 1, 1/2 or 1/3."""
    labels, run = {"u": {"b": 1}}, {"u": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.5}}
    checked = rc.check(labels, run, ["mrr", "ndcg@2"], ["rankconv", "trec_eval", "sklearn"])
    reciprocal = moved(checked, "ties", "mrr", "trec_eval")
    assert (reciprocal.mean, reciprocal.low, reciprocal.high) == (1 / 2, pytest.approx(1 / 3), 1)
    assert reciprocal.by == 1 / 2
    gain = moved(checked, "ties", "ndcg@2", "trec_eval")
    assert (gain.mean, gain.low, gain.high) == (pytest.approx(1 / math.log2(3)), 0, 1)
    assert {move.preset for move in checked["ties"].moves} == {"trec_eval"}, "the others have expected values"


def test_an_explicit_order_leaves_no_tie_to_who_reads_it() -> None:
    labels, run = {"u": {"b": 1}}, {"u": [("a", 1.0), ("b", 1.0)]}
    checked = rc.check(labels, run, "mrr", ["mllib", "trec_eval"])
    assert {move.preset for move in checked["ties"].moves} == {"trec_eval"}


def test_ranks_that_order_rows_of_equal_score_leave_no_tie() -> None:
    rows = pl.DataFrame({"user": ["u", "u"], "item": ["a", "b"], "score": [1.0, 1.0], "rank": [1, 2]})
    by_rank = rc.preset("rankconv").replace(ties="item-descending")
    checked = rc.check({"u": {"b": 1}}, rows, "mrr", [by_rank, "trec_eval"])
    assert {move.preset for move in checked["ties"].moves} == {"trec_eval"}


def test_users_without_a_list_by_hand() -> None:
    labels, run = {"u": ["a"], "v": ["a"]}, {"u": ["x", "a"]}
    checked = rc.check(labels, run, "mrr", ["rankconv", "trec_eval", "trec_eval-9"])
    counted_0 = moved(checked, "users-without-list", "mrr", "rankconv")
    assert (counted_0.mean, counted_0.low, counted_0.high) == (1 / 4, 1 / 4, 1 / 2)
    left_out = moved(checked, "users-without-list", "mrr", "trec_eval-9")
    assert (left_out.mean, left_out.low, left_out.high) == (1 / 2, 1 / 4, 1 / 2)
    refused = moved(checked, "users-without-list", "mrr", "trec_eval")
    assert math.isnan(refused.mean)
    assert (refused.low, refused.high) == (1 / 4, 1 / 2)
    assert "user 'v' has no ranked row" in refused.refused


def test_users_without_labels_by_hand() -> None:
    labels, run = {"u": ["a"]}, {"u": ["x", "a"], "v": ["a"]}
    checked = rc.check(labels, run, "mrr@2", ["rankconv", "replay_rec"])
    assert moved(checked, "users-without-labels", "mrr@2", "rankconv").low == 1 / 4


def test_no_relevant_label_by_hand() -> None:
    labels, run = {"u": {"a": 1}, "v": {"a": 0}}, {"u": ["a"], "v": ["a"]}
    checked = rc.check(labels, run, "precision@1", ["rankconv", "mllib"])
    left_out, counted_0 = (moved(checked, "no-relevant", "precision@1", name) for name in ("rankconv", "mllib"))
    assert (left_out.mean, left_out.low, left_out.high) == (1, 1 / 2, 1)
    assert (counted_0.mean, counted_0.low, counted_0.high) == (1 / 2, 1 / 2, 1)


def test_users_without_any_label_are_no_users_without_a_relevant_one() -> None:
    """mllib counts both 0; only the second is looked at, so the third stays in the mean."""
    labels, run = {"u": {"a": 1}, "v": {"a": 0}}, {"u": ["a"], "v": ["a"], "w": ["a"]}
    move = moved(rc.check(labels, run, "precision@1", "mllib"), "no-relevant", "precision@1", "mllib")
    assert (move.mean, move.low, move.high) == (pytest.approx(1 / 3), pytest.approx(1 / 3), 1 / 2)


def test_grades_that_are_not_read_are_not_moved() -> None:
    """To the blog every label above 0 is a 1, and nothing is ever cut to a whole number."""
    labels = {"u": {"a": 2, "b": 0.5}}
    assert rc.check(labels, {"u": ["b", "a"]}, "ndcg@2", "blog")["fractional-grades"].moves == []


def test_short_lists_by_hand() -> None:
    labels, run = {"u": ["a"], "v": ["a"]}, {"u": ["a"], "v": ["x", "a", "y"]}
    checked = rc.check(labels, run, "precision@2", ["rankconv", "rs_metrics"])
    by_k, by_length = (moved(checked, "short-lists", "precision@2", name) for name in ("rankconv", "rs_metrics"))
    assert (by_k.mean, by_k.low, by_k.high) == (1 / 2, 1 / 2, 3 / 4)
    assert (by_length.mean, by_length.low, by_length.high) == (3 / 4, 1 / 2, 3 / 4)


def test_duplicates_by_hand() -> None:
    labels, run = {"u": {"a": 1, "b": 1}}, {"u": ["a", "a", "b"]}
    checked = rc.check(labels, run, "recall@2", ["rankconv", "mllib"])
    once, each = (moved(checked, "duplicates", "recall@2", preset) for preset in ("rankconv", "mllib"))
    assert (once.mean, once.low, once.high) == (1 / 2, 1 / 2, 1)
    assert (each.mean, each.low, each.high) == (1, 1 / 2, 1)


@pytest.mark.parametrize(
    ("grades", "name", "metric", "low", "high"),
    [
        ({"a": 1, "b": -1}, "negative-grades", "dcg@2", 1 - 1 / math.log2(3), 1),
        ({"a": 0.5, "b": 1}, "fractional-grades", "precision@1", 0, 1),
    ],
)
def test_grades_by_hand(grades: dict[str, float], name: str, metric: str, low: float, high: float) -> None:
    checked = rc.check({"u": grades}, {"u": ["a", "b"]}, metric, "rankconv")
    move = moved(checked, name, metric, "rankconv")
    assert (move.low, move.high) == (pytest.approx(low), pytest.approx(high))


def test_duplicate_labels_by_hand() -> None:
    checked = rc.check([("u", "a", 1), ("u", "a", 1), ("u", "b", 1)], {"u": ["a"]}, "recall", "rankconv")
    move = moved(checked, "duplicate-labels", "recall", "rankconv")
    assert (move.mean, move.low, move.high) == (1 / 2, pytest.approx(1 / 3), 1 / 2)


def test_unjudged_items_by_hand() -> None:
    checked = rc.check({"u": {"a": 1, "b": 0}}, {"u": ["x", "b", "a"]}, "mrr", "rankconv")
    move = moved(checked, "unjudged", "mrr", "rankconv")
    assert (move.mean, move.low, move.high) == (pytest.approx(1 / 3), pytest.approx(1 / 3), 1 / 2)


def test_lists_turned_round_are_evaluated_so() -> None:
    labels = {f"u{user}": ["i10", "i11"] for user in range(20)}
    run = {f"u{user}": {f"i{place}": -float(place) for place in range(12)} for user in range(20)}
    other = {user: {item: -score for item, score in items.items()} for user, items in run.items()}
    move = moved(rc.check(labels, run, "map", "rankconv"), "upside-down", "map", "rankconv")
    assert (move.mean, move.high) == tuple(rc.evaluate(labels, one, "map")["map"] for one in (run, other))


def test_ranks_that_were_taken_for_scores() -> None:
    labels, run = clean_labels(), as_lists(clean_run())
    ranked = {user: [(item, place) for place, (item, _) in enumerate(items)] for user, items in run.items()}
    move = moved(rc.check(labels, ranked, "mrr", "trec_eval"), "scores-are-ranks", "mrr", "trec_eval")
    assert move.high == rc.evaluate(labels, clean_run(), "mrr", "trec_eval")["mrr"] > move.mean == move.low


def test_ids_in_two_spellings_are_evaluated_as_one() -> None:
    labels, run = clean_labels(), clean_run()
    other = {("0" + user[1:] if user == "u3" else user): items for user, items in run.items()}
    known = {("3" if user == "u3" else user): items for user, items in labels.items()}
    move = moved(rc.check(known, other, "mrr", "rankconv"), "respelled-ids", "mrr", "rankconv")
    assert move.mean == rc.evaluate(known, other, "mrr")["mrr"]
    assert move.high == rc.evaluate(labels, run, "mrr")["mrr"] > move.mean


def test_what_was_learned_is_taken_out() -> None:
    labels, run = {"u": ["a", "b"], "v": ["c"]}, {"u": ["a", "b"], "v": ["x", "c"]}
    checked = rc.check(labels, run, "precision@1", "rankconv", train={"u": ["a"], "v": ["x"]})
    assert moved(checked, "labels-in-training", "precision@1", "rankconv").low == 0
    move = moved(checked, "lists-from-training", "precision@1", "rankconv")
    assert (move.mean, move.low, move.high) == (1 / 2, 1 / 2, 1)


def test_values_above_1_are_counted_1() -> None:
    labels, run = {"u": {"a": 1}, "v": {"a": 1}}, {"u": ["a", "a"], "v": ["x"]}
    move = moved(rc.check(labels, run, "recall@2", "mllib"), "above-one", "recall@2", "mllib")
    assert (move.mean, move.low, move.high) == (1, 1 / 2, 1)


def test_where_nothing_can_be_tried_nothing_moves_and_it_is_told_first() -> None:
    labels = clean_labels()
    run = {user: {item: labels[user].get(item, 0) for item in items} for user, items in clean_run().items()}
    first, *others = rc.check(labels, run)
    assert (first.name, first.moves) == ("scores-are-labels", [])
    order = [(other.wrong, other.weight) for other in others]
    assert order == sorted(order, reverse=True)


def test_where_no_label_is_left_nothing_can_be_tried() -> None:
    checked = rc.check({"u": ["a"]}, {"u": ["a", "b"]}, "mrr", "rankconv", train={"u": ["a"]})
    assert checked["labels-in-training"].moves == []
    assert "It moves none" not in checked.to_text().split("\n\n")[2]
