"""Explanations against what a textbook would write."""

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.rendering.numbers.writing import text

LABELS = {"u": {"a": 3, "b": 1, "c": 0, "d": 2}}
RUN = {"u": [("x", 0.9), ("a", 0.8), ("b", 0.7), ("c", 0.5)]}
TIED = {"u": [("x", 0.9), ("a", 0.8), ("b", 0.8), ("c", 0.5)]}


def worked(spec: str, preset: str = "rankconv", **given: Any) -> str:
    found = rc.explain(LABELS, RUN, spec, user="u", preset=preset, **given)
    assert found.agrees
    return text(found.working.ratio)


@pytest.mark.parametrize(
    ("spec", "written"),
    [
        ("map", "(1/2 + 2/3)/3"),
        ("map(ap-denominator=hits)@2", "1/2"),
        ("mrr", "1/2"),
        ("precision@5", "2/5"),
        ("recall", "2/3"),
        ("hit_rate@1", "0"),
        ("cg", "3 + 1"),
        ("dcg", "3/log2(3) + 1/2"),
        ("dcg(gain=exponential)", "7/log2(3) + 1/2"),
        ("ndcg@3", "(3/log2(3) + 1/2)/(3 + 2/log2(3) + 1/2)"),
        ("ndcg(gain=table(1=1, 3=5))@2", "(5/log2(3))/(5 + 2/log2(3))"),
        ("rbp(rbp-persistence=0.8)", "1/5 · (0.8 + 0.8^2)"),
        ("bpref", "(1 + 1)/3"),
        ("err(gain=linear-over(4))@3", "3/4 · 1/2 + 1/4 · 1/4 · 1/3"),
        ("r_precision", "2/3"),
        ("eleven_point", "(2/3 + 2/3 + 2/3 + 2/3 + 2/3 + 2/3 + 2/3 + 2/3 + 2/3)/11"),
    ],
)
def test_the_way_to_the_number(spec: str, written: str) -> None:
    assert worked(spec) == written


def test_ties_are_averaged_over_the_whole_group() -> None:
    found = rc.explain(LABELS, TIED, "dcg(order=score, ties=expected)@2", user="u")
    assert text(found.working.ratio) == "2/log2(3)"
    page = found.to_text()
    assert "tie group of 2 by expected values, ranks 2 to 3: a, b" in page
    assert "3     b       0.8  2–3" in page  # the part of the tie below the cutoff is shown too


def test_rows_of_one_score_and_different_ranks_are_not_tied() -> None:
    """Only b and c share a rank, so b is second or third, each by a chance of 1/2."""
    rows = {"user": ["u"] * 4, "item": ["a", "b", "c", "d"], "score": [2.0, 2.0, 2.0, 1.0], "rank": [1, 2, 2, 4]}
    found = rc.explain({"u": ["b", "d"]}, pl.DataFrame(rows), "mrr", user="u")
    assert "tie group of 2 by expected values, ranks 2 to 3: b, c" in found.to_text()
    assert found.value == pytest.approx(1 / 2 * 1 / 2 + 1 / 2 * 1 / 3)


def test_lists_without_scores_are_shown_without_scores() -> None:
    for preset in ("rankconv", "trec_eval"):
        assert "score" not in rc.explain({"u": ["b"]}, {"u": ["a", "b"]}, "map", user="u", preset=preset).to_text()


def test_what_preparation_did_is_told_in_order() -> None:
    found = rc.explain(
        {"u": {"a": 2.5, "b": 1, "c": -1, "q": 3}},
        {"u": [("b", 1.0), ("x", 3.0), ("b", 1.0), ("a", 2.0), ("c", 0.5)]},
        "precision(grades=integer, negative=zero, relevant=at-least(2), exclude=seen, duplicates=first-row, "
        "order=score,"
        " max-depth=2)",
        user="u",
        seen={"u": ["x"]},
    )
    told = [f"{one.convention}: {one.words}" for one in found.changes]
    assert told == [
        "grades: grade changed: a from 2.5 to 2",
        "negative: grade changed: c from -1 to 0",
        "exclude: 1 item dropped: x",
        "duplicates: 1 item dropped: b",
        "relevant: not relevant: b (grade 1)",
        "order: re-ordered by falling score: a, b, c",
        "max-depth: 1 item dropped: c",
    ]


def test_what_changed_nothing_is_not_told() -> None:
    found = rc.explain({"u": ["a"]}, {"u": ["a"]}, "map", user="u", preset="trec_eval")
    assert found.changes == []
    assert "No changes: the list and its labels are used as given." in found.to_text()


@pytest.mark.parametrize(
    ("preset", "user", "value", "said"),
    [
        ("mllib", "none", 0.0, "on-no-relevant=0: the user has no relevant label: counts as 0."),
        ("blog", "none", math.nan, "left out of the mean"),
        ("trec_eval", "gone", math.nan, "on-no-ranking=refuse-all: the user has no ranked row in the input"),
        ("trec_eval", "both", math.nan, "The whole input is refused: topic 'gone' has no ranked row"),
        ("trec_eval@9.0.8", "alone", math.nan, "users=labelled: users with a label row; this user is not one of them."),
    ],
)
def test_who_is_special_is_told_why(preset: str, user: str, value: float, said: str) -> None:
    labels = {"both": {"a": 1}, "none": {"a": 0}, "gone": {"a": 1}}
    run = {"both": ["a"], "none": ["a"], "alone": ["a"]}
    found = rc.explain(labels, run, "map", user=user, preset=preset)
    assert said in " ".join(found.to_text().split())
    assert found.value == value or math.isnan(found.value)
    assert math.isnan(found.value) == math.isnan(value)
    assert found.agrees


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("map", "Adds 1/2 = 0.5 to the mean 0.75 over 2 users."),
        ("count(count-of=hits, aggregate=sum)", "Adds 2 to the sum 3 over 2 users."),
        (
            "precision(aggregate=micro, on-zero-division=as-computed)",
            "Adds 2 to the sum of numerators, 2 to that of denominators; the mean is",
        ),
        (
            "map(aggregate=median(lower))",
            "No share of its own under aggregate=median(lower) (the middle value): 0.5 over 2 users.",
        ),
        ("auc(scope=global)", "Its rows only: the lists of all users are merged into one list"),
        ("map(on-no-hits=refuse-user)", "1/2 = 0.5 to the mean 0.75"),
    ],
)
def test_what_the_user_adds_to_the_mean(spec: str, said: str) -> None:
    found = rc.explain({"u": ["a", "b"], "v": ["c"]}, {"u": ["a", "b"], "v": ["x", "c"]}, spec, user="u")
    assert said in " ".join(found.to_text().split())


def test_data_that_are_answered_as_a_whole() -> None:
    found = rc.explain({"u": ["a"]}, {"u": ["a"]}, "map(on-one-user=0.5)", user="u")
    assert found.value == 0.5
    assert found.agrees
    assert "on-one-user=0.5: there is only one user, for every user." in found.to_text()


def test_a_metric_of_a_plugin_is_worked_out_from_itself() -> None:
    class Hits3(plugin.Metric):
        """How many hits are there?"""

        name = "hits3"
        formula = "hits@3 / length"

        def per_user(self, block: plugin.Block) -> plugin.Ratio:
            return plugin.Ratio(block.hits_so_far.at(3), block.lengths)

    found = rc.explain({"u": ["a"]}, {"u": ["x", "a", "b"]}, "hits3", user="u")
    assert found.worked_out
    assert text(found.working.ratio) == "1/3"
    assert found.working.names == ("hits@3", "length")
    assert [one if isinstance(one, str) else text(one) for one in found.working.columns["hits"]] == ["0", "1", "1"]


def test_a_metric_that_reads_no_exact_numbers_shows_the_engines() -> None:
    class Finite(plugin.Metric):
        """How many hits are there?"""

        name = "finite"

        def per_user(self, block: plugin.Block) -> plugin.Ratio:
            found = block.hits_so_far.at(3)
            return plugin.Ratio(np.where(np.isfinite(found), found, 0.0), block.lengths)

    found = rc.explain({"u": ["a"]}, {"u": ["a", "b"]}, "finite", user="u")
    assert not found.worked_out
    told = " ".join(found.to_text().split())
    assert "Finite is not worked out, as it cannot compute with exact numbers" in told
    assert "numerator and denominator are the engine's." in told
    assert "finite = 1/2 = 0.5" in told


def test_settings_of_plugins_enter_as_the_numbers_that_they_give() -> None:
    @rc.convention("gain").setting("squared-gain", rule="g^2")
    def _(grades: Any) -> Any:
        """Squared."""
        return grades**2

    @rc.convention("precision-denominator").setting("twice-k", rule="2k")
    def _(k: int) -> float:
        """Twice."""
        return 2.0 * k

    for spec, written in (
        ("dcg(gain=squared-gain)", "9/log2(3)"),
        ("precision(precision-denominator=twice-k)@2", "1/4"),
    ):
        found = rc.explain({"u": {"a": 3}}, {"u": ["x", "a"]}, spec, user="u")
        assert (found.worked_out, found.agrees, text(found.working.ratio)) == (True, True, written)
