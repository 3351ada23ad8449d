"""What a finding moves: worked out by hand, or evaluated by hand on corrected data."""

import math
import re
from typing import Any

import polars as pl
import pytest

import rankconv as rc
from rankconv.evaluation.findings.finding import Move
from rankconv.evaluation.findings.moves import places, warned
from rankconv.typing import CheckResult
from tests.analysis.check.data import as_lists, clean_labels, clean_run

LOG3 = 1 / math.log2(3)
TIED = {"u": {"b": 1}}, {"u": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.5}}
WITHOUT_LIST = {"u": ["a"], "v": ["a"]}, {"u": ["x", "a"]}
SHORT = {"u": ["a"], "v": ["a"]}, {"u": ["a"], "v": ["x", "a", "y"]}
NONE_RELEVANT = {"u": {"a": 1}, "v": {"a": 0}}, {"u": ["a"], "v": ["a"]}
REPEATED = {"u": {"a": 1, "b": 1}}, {"u": ["a", "a", "b"]}
TRAINED = {"u": ["a", "b"], "v": ["c"]}, {"u": ["a", "b"], "v": ["x", "c"]}, {"u": ["a"], "v": ["x"]}
BY_HAND: list[tuple[str, str, str, tuple[Any, ...], float, float, float]] = [
    # one relevant item of three that are tied at ranks 1 to 3
    ("ties", "mrr", "trec_eval", TIED, 1 / 2, 1 / 3, 1),
    ("ties", "ndcg@2", "trec_eval", TIED, LOG3, 0, 1),
    ("users-without-list", "mrr", "rankconv", WITHOUT_LIST, 1 / 4, 1 / 4, 1 / 2),
    ("users-without-list", "mrr", "trec_eval@9.0.8", WITHOUT_LIST, 1 / 2, 1 / 4, 1 / 2),
    ("users-without-labels", "mrr@2", "rankconv", ({"u": ["a"]}, {"u": ["x", "a"], "v": ["a"]}), 1 / 2, 1 / 4, 1 / 2),
    ("no-relevant", "precision@1", "rankconv", NONE_RELEVANT, 1, 1 / 2, 1),
    ("no-relevant", "precision@1", "mllib", NONE_RELEVANT, 1 / 2, 1 / 2, 1),
    # w has no label at all: mllib counts v and w 0, and w stays in the mean
    ("no-relevant", "precision@1", "mllib", (NONE_RELEVANT[0], {user: ["a"] for user in "uvw"}), 1 / 3, 1 / 3, 1 / 2),
    ("short-lists", "precision@2", "rankconv", SHORT, 1 / 2, 1 / 2, 3 / 4),
    ("short-lists", "precision@2", "rs_metrics", SHORT, 3 / 4, 1 / 2, 3 / 4),
    ("duplicates", "recall@2", "rankconv", REPEATED, 1 / 2, 1 / 2, 1),
    ("duplicates", "recall@2", "mllib", REPEATED, 1, 1 / 2, 1),
    ("negative-grades", "dcg@2", "rankconv", ({"u": {"a": 1, "b": -1}}, {"u": ["a", "b"]}), 1, 1 - LOG3, 1),
    ("fractional-grades", "precision@1", "rankconv", ({"u": {"a": 0.5, "b": 1}}, {"u": ["a", "b"]}), 1, 0, 1),
    (
        *("duplicate-labels", "recall", "rankconv"),
        ([("u", "a", 1), ("u", "a", 1), ("u", "b", 1)], {"u": ["a"]}),
        *(1 / 2, 1 / 3, 1 / 2),
    ),
    (  # grades 3, 1 and 2 of a: the last counts; the first or the highest would be 3, and each label 2
        *("duplicate-labels", "cg(gain=linear)@2", "rankconv"),
        ([("u", "a", 3), ("u", "a", 1), ("u", "a", 2), ("u", "b", 1)], {"u": ["a"]}),
        *(2, 2, 3),
    ),
    ("unjudged", "mrr", "rankconv", ({"u": {"a": 1, "b": 0}}, {"u": ["x", "b", "a"]}), 1 / 3, 1 / 3, 1 / 2),
    ("labels-in-training", "precision@1", "rankconv", TRAINED, 1 / 2, 0, 1 / 2),
    ("lists-from-training", "precision@1", "rankconv", TRAINED, 1 / 2, 1 / 2, 1),
]


def moved(checked: CheckResult, name: str, metric: str, preset: str) -> Move:
    [move] = [move for move in checked[name].moves if (move.metric, move.preset) == (metric, preset)]
    return move


@pytest.mark.parametrize(("name", "metric", "preset", "data", "mean", "low", "high"), BY_HAND)
def test_moves_by_hand(
    name: str, metric: str, preset: str, data: tuple[Any, ...], mean: float, low: float, high: float
) -> None:
    labels, run, *train = data
    move = moved(rc.check(labels, run, metric, preset, train=train[0] if train else None), name, metric, preset)
    assert (move.mean, move.low, move.high) == pytest.approx((mean, low, high), rel=1e-12)
    assert move.by == pytest.approx(max(mean - low, high - mean))


def test_ties_move_where_no_other_order_decides() -> None:
    """Not under expected values, for a preset that reads the given order, or ranks of rows with equal scores."""
    by_rank = rc.preset("rankconv").replace(ties="item-descending")
    ranked = pl.DataFrame({"user": ["u", "u"], "item": ["a", "b"], "score": [1.0, 1.0], "rank": [1, 2]})
    for run, preset in ((TIED[1], "sklearn"), ({"u": [("a", 1.0), ("b", 1.0)]}, "mllib"), (ranked, by_rank)):
        checked = rc.check(TIED[0], run, "mrr", [preset, "trec_eval"])
        assert {move.preset for move in checked["ties"].moves} == {"trec_eval"}


def test_a_refused_number_moves_between_those_of_other_ways() -> None:
    refused = moved(rc.check(*WITHOUT_LIST, "mrr", "trec_eval"), "users-without-list", "mrr", "trec_eval")
    assert math.isnan(refused.mean)
    assert (refused.low, refused.high) == (1 / 4, 1 / 2)
    assert "topic 'v' has no ranked row" in refused.refused


def test_grades_that_are_not_read_are_not_moved() -> None:
    """To the blog every label above 0 is a 1, and nothing is ever cut to a whole number."""
    labels = {"u": {"a": 2, "b": 0.5}}
    assert rc.check(labels, {"u": ["b", "a"]}, "ndcg@2", "blog")["fractional-grades"].moves == []


def test_reversed_lists_are_evaluated_so() -> None:
    labels = {f"u{user}": ["i10", "i11"] for user in range(20)}
    run = {f"u{user}": {f"i{place}": -float(place) for place in range(12)} for user in range(20)}
    other = {user: {item: -score for item, score in items.items()} for user, items in run.items()}
    move = moved(rc.check(labels, run, "map", "rankconv"), "upside-down", "map", "rankconv")
    assert (move.mean, move.high) == tuple(rc.evaluate(labels, one, "map")["map"] for one in (run, other))


def test_ranks_that_were_taken_for_scores() -> None:
    labels, run = clean_labels(), as_lists(clean_run())
    ranked = {user: [(item, place) for place, (item, _) in enumerate(items)] for user, items in run.items()}
    move = moved(rc.check(labels, ranked, "mrr", "trec_eval"), "ascending-scores", "mrr", "trec_eval")
    assert move.high == rc.evaluate(labels, clean_run(), "mrr", "trec_eval")["mrr"] > move.mean == move.low


@pytest.mark.filterwarnings("ignore::rankconv.basics.errors.RespelledIds")
def test_ids_in_two_spellings_are_evaluated_as_one() -> None:
    labels, run = clean_labels(), clean_run()
    other = {("0" + user[1:] if user >= "u3" else user): items for user, items in run.items()}
    known = {(user[1:] if user >= "u3" else user): items for user, items in labels.items()}
    move = moved(rc.check(known, other, "mrr", "rankconv"), "respelled-ids", "mrr", "rankconv")
    assert move.mean == rc.evaluate(known, other, "mrr")["mrr"]
    assert move.high == rc.evaluate(labels, run, "mrr")["mrr"] > move.mean


def test_findings_that_nothing_can_be_tried_for_come_first() -> None:
    labels = clean_labels()
    run = {user: {item: labels[user].get(item, 0) for item in items} for user, items in clean_run().items()}
    first, *others = rc.check(labels, run)
    assert (first.name, first.moves) == ("scores-are-labels", [])
    order = [(other.wrong, other.weight) for other in others]
    assert order == sorted(order, reverse=True)
    checked = rc.check({"u": ["a"]}, {"u": ["a", "b"]}, "mrr", "rankconv", train={"u": ["a"]})
    assert checked["labels-in-training"].moves == [], "no label would be left"
    assert "No effect" not in checked.to_text().split("\n\n")[2]


def test_conflicting_labels_are_tried_with_the_first_and_the_highest_grade() -> None:
    """A law: data that keep the first, or the highest, label of each item give a number between those of the move."""
    rows = [(f"u{u}", f"i{i}", (3 * u + i) % 4) for u in range(12) for i in range(5)]
    rows += [(user, item, 3 - grade) for user, item, grade in rows[::2]]
    run = {f"u{u}": [f"i{(u + 2 * rank) % 7}" for rank in range(7)] for u in range(12)}
    checked = rc.check(rows, run, "ndcg@3", "rankconv")
    move = moved(checked, "duplicate-labels", "ndcg@3", "rankconv")
    first = {(user, item): grade for user, item, grade in reversed(rows)}
    highest = {(user, item): grade for user, item, grade in sorted(rows, key=lambda row: row[2])}
    values = [
        rc.evaluate([(*pair, grade) for pair, grade in kept.items()], run, "ndcg@3")["ndcg@3"]
        for kept in (first, highest)
    ]
    assert move.low <= min(values) <= max(values) <= move.high
    assert "with another grade; by default the last counts" in checked.to_text(200)


def test_the_warning_of_evaluate_names_a_mean_and_not_a_count() -> None:
    """A count moves by 1 where the mean of shares moves by two thirds, and says less of the values compared."""
    count, mean = "hit_count(ties=given)@2", "mrr(ties=given)"
    for asked, named in (([count, mean], mean), ([count], count)):
        found = rc.evaluate(*TIED, asked)
        [ties] = [one for one in warned(rc.join(*TIED), places(found.by_spec)) if one.finding.name == "ties"]
        assert ties.move.metric == named


INFINITE = {"u": {"a": -1, "b": 0, "c": 0}, "v": {"a": 1}}, {"u": ["a", "b", "c"], "v": ["a", "b"]}
"""The ideal list of u has no gain, and theirs is below zero: -1/0."""


def test_an_infinite_mean_is_moved_to_values_and_not_by_an_infinite_step() -> None:
    spec = "ndcg(negative=grade, on-no-relevant=as-computed)@2"
    checked = rc.check(*INFINITE, spec, "rankconv")
    move = moved(checked, "negative-grades", spec, "rankconv")
    assert (move.mean, move.low, move.high, move.steps) == (-math.inf, -math.inf, 0.5, (0.0, math.inf))
    assert "minus infinity to 0.5000 instead of minus infinity" in str(checked)
    assert all(finding.name != "unjudged" or not finding.moves for finding in checked)  # -inf under each reading
    warned_of = rc.evaluate(*INFINITE, spec).warning
    assert f"would make {spec} minus infinity to 0.5000 instead of minus infinity" in warned_of
    for text in (str(checked), checked.to_markdown(), warned_of):
        assert not re.search(r"\binf\b|instead of none", text), text


@pytest.mark.parametrize(
    ("mean", "low", "high", "effect", "moves"),
    [
        (0.5, 0.25, math.inf, "0.2500 to infinity instead of 0.5000", True),
        (math.inf, 0.0, math.inf, "0.0000 to infinity instead of infinity", True),
        (math.inf, math.inf, math.inf, "by 0e+00", False),
        (math.nan, 0.0, 0.5, "0.0000 to 0.5000 instead of none", True),
        (0.5, 0.25, 0.5, "by 0.2500", True),
    ],
)
def test_effects_in_words(mean: float, low: float, high: float, effect: str, moves: bool) -> None:
    move = Move("rankconv", "ndcg", mean, low, high)
    assert (move.effect, move.moved) == (effect, moves)
    assert "by inf" not in move.effect
