"""Every setting of every convention that a metric asks, against numbers worked out by hand."""

import statistics
from math import exp, log, log2, log10, nan

import numpy as np
import pytest

import rankconv as rc
from rankconv.metrics import METRICS
from rankconv.presets.neutral import neutral_settings
from tests.metrics import test_credit, test_families, test_item_weights
from tests.metrics.beyond import test_worked
from tests.metrics.groups import test_worked as test_groups
from tests.metrics.worked import Row, cells, divided, neutral, value_of
from tests.together import together

LABELS: dict[str, dict[str, float]] = {
    "graded": {"a": 3, "b": 1, "c": 2, "d": 1},  # R = 4
    "short": {"a": 1, "b": 1, "c": 1},
    "none": {"a": 0},
    "minus": {"a": 2, "b": -1, "c": -2},
    "short-graded": {"a": 1, "b": 2},
}
RUN: dict[str, list[str]] = {
    "graded": ["b", "x", "a", "y", "d"],  # hits at 1, 3, 5; grades 1, 3, 1; c is missed
    "short": ["a"],
    "none": ["a", "x"],
    "minus": ["b", "x", "a"],
    "short-graded": ["a"],
}
NEUTRAL = neutral()
OF_PAIRS = {"competing-rows", "rank-value", "rank-statistic", "rank-adjustment", "pair-weight"}
"""Those of ranks of relevant items: `test_relevant_ranks`."""
SEEN_ELSEWHERE = {"k-accepted", "auc-weight", "subtopic-ideal"} | OF_PAIRS
"""Conventions whose settings do not change the value of one user, or only with groups of labels: `test_novelty`."""
ASKED_BY_METRICS = {convention_name for metric in METRICS.values() for convention_name in metric.conventions()}


def value(user: str, metric: str, settings: str) -> float:
    """One user's value under these settings, and the neutral ones for the rest."""
    return value_of(LABELS, RUN, NEUTRAL, user, metric, settings)


# graded@3: three ranks, five rows, four relevant labels, two hits within 3, two labels above 1
AT_3 = {
    "k": 3,
    "length": 5,
    "relevant": 4,
    "hits": 2,
    "hits(epsilon=0.5)": 2.5,
    "hits-in-ranking": 3,
    "labels-above(1)": 2,
    "nonzero-labels": 4,
    "relevant-grades": 3 + 1 + 2 + 1,
    "one": 1,
    "min(k, relevant)": 3,
    "min(length, relevant)": 4,
    "min(k, min(hits(epsilon=0.5), length))": 2.5,
}
# the same without a cutoff: k is the length, but no bound inside min(…)
UNCUT = AT_3 | {"k": 5, "hits": 3, "hits(epsilon=0.5)": 3.5, "min(k, relevant)": 4}
UNCUT |= {"min(k, min(hits(epsilon=0.5), length))": 3.5}
# short@3: one row, one hit, three labels, none above 1
SHORT = AT_3 | {
    "length": 1,
    "relevant": 3,
    "hits": 1,
    "hits(epsilon=0.5)": 1.5,
    "hits-in-ranking": 1,
    "nonzero-labels": 3,
    "min(length, relevant)": 1,
    "relevant-grades": 3,
}
SHORT = {setting: divisor for setting, divisor in SHORT.items() if "above" not in setting and "epsilon" not in setting}

P, R = 3 / 5, 3 / 4  # of graded, over the whole list

ROWS = [
    # cutoffs
    Row("k-applies-to", "graded", "precision@2", {"ranking-and-divisors": 1 / 2, "divisors-only": 3 / 2}),
    Row("k-applies-to", "graded", "recall@2", {"ranking-and-divisors": 1 / 4, "divisors-only": 3 / 4}),
    Row(
        "k-applies-to",
        "graded",
        "map@2",
        {"ranking-and-divisors": 1 / 2, "divisors-only": (1 + 2 / 3 + 3 / 5) / 2},
        "ap-denominator=min(k, relevant)",
    ),
    Row(
        "k-applies-to",
        "graded",
        "ndcg@2",
        {"ranking-and-divisors": 1 / (3 + 2 / 2), "divisors-only": (1 + 3 / 3 + 1 / 5) / (3 + 2 / 2)},
        "discount=reciprocal",
    ),
    # divisors
    Row("precision-denominator", "graded", "precision@3", divided(2, AT_3)),
    Row("precision-denominator", "graded", "precision", divided(3, UNCUT)),
    Row("precision-denominator", "short", "precision@3", divided(1, SHORT)),
    Row("recall-denominator", "graded", "recall@3", divided(2, AT_3)),
    Row("recall-denominator", "graded", "recall", divided(3, UNCUT)),
    Row("recall-denominator", "minus", "recall", {"relevant": 1, "nonzero-labels": 1 / 3}),
    Row("ap-denominator", "graded", "map@3", divided(1 + 2 / 3, AT_3)),
    Row("ap-denominator", "graded", "map", divided(1 + 2 / 3 + 3 / 5, UNCUT)),
    Row("ap-denominator", "short", "map@3", divided(1, SHORT)),
    Row("ap-denominator", "none", "map", {"relevant": nan, "hits": nan, "k": 0 / 2, "hits(epsilon=1)": 0}),
    Row("ap-denominator", "minus", "map", {"relevant": 1 / 3, "hits": 1 / 3, "nonzero-labels": 1 / 9}),
    Row(  # labels given; labels of the rows
        "ap-denominator",
        "minus",
        "map@2",
        {"nonzero-labels": 0, "relevant": 0, "hits-in-ranking": 0},
        "labels-used=aligned-arrays",
    ),
    Row(
        "ap-denominator", "graded", "map@1", {"relevant": 1 / 3, "nonzero-labels": 1 / 3}, "labels-used=aligned-arrays"
    ),
    Row("r-precision-denominator", "graded", "r_precision@3", divided(2, AT_3)),  # two hits in the first four
    Row(  # one relevant label, and no hit at rank 1; three labels, and one in the first three rows
        "r-precision-at", "minus", "r_precision", {"relevant": 0, "nonzero-labels": 1}
    ),
    Row(
        "r-precision-denominator", "minus", "r_precision", {"relevant": 1, "nonzero-labels": 1 / 3}, "r-precision-at=k"
    ),
    Row(  # three labels are relevant, and two of them in the list
        "r-precision-at", "minus", "r_precision", {"relevant": 2 / 3, "hits-in-ranking": 1 / 3}, "relevant=any-label"
    ),
    Row(  # hits in the first 4, 2, 5, 2, 3, 2, 4, 7, 1 and so on rows
        "r-precision-at",
        "graded",
        "r_precision@2",
        {
            "relevant": 2,
            "k": 1,
            "length": 3,
            "hits": 1,
            "hits-in-ranking": 2,
            "labels-above(1)": 1,
            "nonzero-labels": 2,
            "relevant-grades": 3,
            "one": 1,
            "min(k, length)": 1,
            "hits(epsilon=2.5)": 2,
            "last-hit": 3,
            "multiple(0.5)": 1,
            "multiple(0.28)": 1,
            "multiple(0.26)": 1,
        },
        "r-precision-denominator=one",
    ),
    Row(
        "r-precision-denominator",
        "graded",
        "r_precision",
        {"relevant": 3 / 4, "rank-read": 3 / 5},
        "r-precision-at=last-hit",
    ),
    Row(
        "r-precision-denominator", "none", "r_precision", {"relevant": nan, "rank-read": nan}, "r-precision-at=last-hit"
    ),
    # gains and discounts
    Row(
        "gain",
        "graded",
        "cg",
        {
            "linear": 1 + 3 + 1,
            "exponential": 1 + 7 + 1,
            "binary": 3,
            "exponential-over-own-highest": 1 / 8 + 7 / 8 + 1 / 8,
            "of-relevant(exponential)": 1 + 7 + 1,
            "table(1=10)": 10 + 3 + 10,
            "table(1=0, 3=-2)": -2,
            "linear-times(25)": 25 * (1 + 3 + 1),
            "square-less-one": 0 + 8 + 0,  # x and y have no label, and no gain
        },
    ),
    Row("gain", "graded", "cg@3", {"linear": 1 + 3, "exponential": 1 + 7, "binary": 1}, "relevant=at-least(3)"),
    Row(  # grades 1 and 3
        "gain",
        "graded",
        "cg@3",
        {
            "linear": 1 + 3,
            "exponential-above-level": (2**0 - 1) + (2**2 - 1),
            "linear-over(2)": 1 / 2 + 1,
            "exponential-over(4)": (2**1 - 1) / 2**4 + (2**3 - 1) / 2**4,
        },
        "relevant=at-least(2)",
    ),
    Row(  # grades 1 and 3, of 3 at most
        "gain",
        "graded",
        "cg@3",
        {
            "of-relevant(linear)": 3,
            "of-relevant(exponential)": 2**3 - 1,
            "of-relevant(linear-over(2))": 1,
            "of-relevant(table(3=-2))": -2,
            "of-relevant(exponential-over-own-highest)": 7 / 8,
            "exponential-over-own-highest": 1 / 8 + 7 / 8,
            "linear": 1 + 3,
        },
        "relevant=at-least(2)",
    ),
    Row("gain", "none", "cg", {"linear": 0, "exponential-over-own-highest": 0, "square-less-one": -1}),
    Row(
        "gain",
        "short-graded",
        "cg",
        {"linear": 1, "exponential-over-own-highest": 1 / 2},
        "labels-used=aligned-arrays",
    ),
    Row(  # also where the row of the highest grade is not read
        "gain",
        "graded",
        "cg@1",
        {"linear": 1, "exponential-over-own-highest": 1 / 8},
        "labels-used=aligned-arrays",
    ),
    Row(
        "gain",
        "minus",
        "cg@1",
        {"linear": -1, "exponential-over-own-highest": -1 / 2 / 4},
    ),
    Row(
        "gain",
        "graded",
        "ideal_dcg@2",
        {
            "exponential-over-own-highest": 7 / 8 + 3 / 8 / 2,
            "of-relevant(linear)": 3,
            "linear": 3 + 2 / 2,
        },
        "discount=reciprocal, relevant=at-least(3)",
    ),
    Row(
        "gain",
        "graded",
        "ideal_dcg@3",
        {"linear": 3.5, "exponential-over-own-highest": 7 / 8 + 1 / 8 / 2},
        "discount=reciprocal, ideal=retrieved-at-k",
    ),
    Row(
        "gain",
        "graded",
        "ideal_dcg@2",
        {"linear": 3.5, "exponential-over-own-highest": 7 / 8 + 1 / 8 / 2},
        "discount=reciprocal, ideal=all-labels-unsorted",
    ),
    Row("gain", "minus", "cg", {"linear": -1 + 2, "exponential": (1 / 2 - 1) + 3, "binary": 1, "table(-1=0)": 2}),
    Row(  # the ideal list is sorted by what the grades are worth: 5 5 2 0
        "gain",
        "graded",
        "ideal_dcg",
        {"linear": 3 + 2 / 2 + 1 / 3 + 1 / 4, "table(1=5, 3=0)": 5 + 5 / 2 + 2 / 3},
        "discount=reciprocal",
    ),
    Row(
        "discount",
        "graded",
        "dcg",
        {
            "log(base=2)": 1 + 3 / log2(4) + 1 / log2(6),
            "log(base=e)": 1 / log(2) + 3 / log(4) + 1 / log(6),
            "log(base=10, shift=9)": 1 + 3 / log10(12) + 1 / log10(14),
            "log-from-rank(base=2)": 1 + 3 / log2(3) + 1 / log2(5),
            "log-from-rank(base=4)": 1 + 3 + log(4) / log(5),
            "reciprocal": 1 + 3 / 3 + 1 / 5,
            "exponential-of-length(2)": exp(-2 / 5) + 3 * exp(-6 / 5) + exp(-10 / 5),
            "geometric(0.5)": 1 + 3 / 4 + 1 / 16,
            "geometric(0)": 1,
            "none": 1 + 3 + 1,
        },
    ),
    Row("discount", "graded", "ndcg@1", {"log(base=2)": 1 / 3, "log(base=e, shift=2)": 1 / 3, "reciprocal": 1 / 3}),
    Row(
        "discount", "graded", "ndcg@3", {"none": (1 + 3) / (3 + 2 + 1), "geometric(0.5)": (1 + 3 / 4) / (3 + 1 + 1 / 4)}
    ),
    # divisors of DCG
    Row(
        "dcg-denominator",
        "graded",
        "dcg@3",
        {
            "none": 2,
            "dcg-of-ones": 2 / (1 + 1 / 2 + 1 / 3),
            **divided(2, {f"by({setting})": divisor for setting, divisor in AT_3.items()}),
        },
        "discount=reciprocal",
    ),
    Row(
        "dcg-denominator",
        "graded",
        "ndcg@3",
        {"none": 2 / (3 + 1 + 1 / 3), "dcg-of-ones": 2 / (3 + 1 + 1 / 3)},
        "discount=reciprocal",
    ),
    Row(  # three labels are relevant, of which the best list down to rank 2 has two
        "dcg-denominator",
        "short",
        "dcg@2",
        {"none": 1, "dcg-of-ones": 1 / (1 + 1 / 2), "by(k)": 1 / 2, "by(relevant)": 1 / 3, "by(length)": 1},
        "discount=reciprocal",
    ),
    Row("dcg-denominator", "none", "dcg@2", {"none": 0, "dcg-of-ones": nan, "by(relevant)": nan, "by(k)": 0}),
    # ideal lists
    Row(
        "ideal",
        "graded",
        "ideal_dcg",
        {
            "all-labels": 3 + 2 / 2 + 1 / 3 + 1 / 4,
            "catalogue": 3 + 2 / 2 + 1 / 3 + 1 / 4,
            "all-labels-unsorted": 3 + 1 / 2 + 2 / 3 + 1 / 4,
            "retrieved-at-k": 3 + 1 / 2 + 1 / 3,
            "relevant-labels": 3 + 2 / 2 + 1 / 3 + 1 / 4,
            "all-labels-then-zeros": 3 + 2 / 2 + 1 / 3 + 1 / 4,
            "all-ones": 1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5,
            "expected-random": 1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5,  # the five rows have 5 in all
        },
        "discount=reciprocal",
    ),
    Row(
        "ideal",
        "graded",
        "ideal_dcg@2",
        {
            "all-labels": 3 + 2 / 2,
            "all-labels-unsorted": 3 + 1 / 2,
            "retrieved-at-k": 1,
            "retrieved-at(2)": 1,
            "retrieved-at(3)": 3 + 1 / 2,
            "retrieved": 3 + 1 / 2,
            "all-ones": 1 + 1 / 2,
        },
        "discount=reciprocal",
    ),
    Row(  # fewer rows than k
        "ideal",
        "short",
        "ideal_dcg@4",
        {"all-labels": 1 + 1 / 2 + 1 / 3, "retrieved-at-k": 1, "all-ones": 1 + 1 / 2 + 1 / 3 + 1 / 4},
        "discount=reciprocal",
    ),
    Row(  # 2, then items without a label: neither -1 nor -2
        "ideal",
        "minus",
        "ideal_dcg@3",
        {
            "all-labels": 2 - 1 / 2 - 2 / 3,
            "catalogue": 2,
            "all-labels-unsorted": 2 - 1 / 2 - 2 / 3,
            "relevant-labels": 2,
            "all-labels-then-zeros": 2 - 1 / 2 - 2 / 3,
        },
        "discount=reciprocal",
    ),
    Row(  # 3 and 2 are relevant, and 1 and 1 are not
        "ideal",
        "graded",
        "ideal_dcg",
        {"all-labels": 3 + 2 / 2 + 1 / 3 + 1 / 4, "relevant-labels": 3 + 2 / 2},
        "relevant=at-least(2), discount=reciprocal",
    ),
    Row(  # 2^2 - 1 and 1^2 - 1, and 0^2 - 1 at rank 3
        "ideal",
        "short-graded",
        "ideal_dcg@3",
        {"all-labels": 3, "relevant-labels": 3, "all-labels-then-zeros": 3 - 1 / 3},
        "gain=square-less-one, discount=reciprocal",
    ),
    Row(  # without a cutoff there is nothing to fill; the only label is of grade 0
        "ideal",
        "none",
        "ideal_dcg",
        {"all-labels": -1, "relevant-labels": 0, "all-labels-then-zeros": -1},
        "gain=square-less-one, discount=reciprocal",
    ),
    Row(
        "ideal",
        "minus",
        "ndcg@2",
        {"all-labels": -1 / (2 - 1 / 2), "catalogue": -1 / 2},
        "discount=reciprocal",
    ),
    Row(  # the best list is 2 and one of no label, the worst one is -2 -1
        "ideal",
        "minus",
        "ndcg@2",
        {"all-labels": (-1 + 2.5) / (2 - 1 / 2 + 2.5), "catalogue": (-1 + 2.5) / (2 + 2.5)},
        "normalization=min-max, discount=reciprocal",
    ),
    Row(  # 2^g - 1 of 2, -1 and -2 is 3, -1/2 and -3/4
        "ideal",
        "minus",
        "ideal_dcg",
        {"all-labels": 3 - (1 / 2) / 2 - (3 / 4) / 3, "catalogue": 3},
        "gain=exponential, discount=reciprocal",
    ),
    Row(
        "ideal-cutoff",
        "graded",
        "ideal_dcg@2",
        {"k": 3 + 2 / 2, "none": 3 + 2 / 2 + 1 / 3 + 1 / 4, "length": 3 + 2 / 2},
        "discount=reciprocal",
    ),
    Row(
        "ideal-cutoff",
        "short",
        "ideal_dcg@2",
        {"k": 1 + 1 / 2, "none": 1 + 1 / 2 + 1 / 3, "length": 1},
        "discount=reciprocal",
    ),
    Row(
        "ideal-cutoff",
        "short",
        "ideal_dcg",
        {"k": 1 + 1 / 2 + 1 / 3, "none": 1 + 1 / 2 + 1 / 3, "length": 1, "at(2)": 1 + 1 / 2},
        "discount=reciprocal",
    ),
    Row(  # best 2 -1 -2, worst -2 -1 0
        "normalization",
        "minus",
        "ndcg",
        {
            "max": (-1 + 2 / 3) / (2 - 1 / 2 - 2 / 3),
            "min-max": ((-1 + 2 / 3) - (-2 - 1 / 2)) / ((2 - 1 / 2 - 2 / 3) - (-2 - 1 / 2)),
        },
        "discount=reciprocal",
    ),
    Row(
        "normalization",
        "minus",
        "ndcg@2",
        {"max": -1 / (2 - 1 / 2), "min-max": (-1 + 2.5) / ((2 - 1 / 2) + 2.5)},
        "discount=reciprocal",
    ),
    Row(  # the rows themselves, -1 0 2, stand in the worst order
        "normalization",
        "minus",
        "ndcg",
        {"max": (-1 + 2 / 3) / (2 + 0 - 1 / 3), "min-max": 0},
        "labels-used=aligned-arrays, discount=reciprocal",
    ),
    # first hits, all hits, F
    Row(
        "rr-hits",
        "graded",
        "mrr",
        {
            "first-hit": 1,
            "hits": (1 + 1 / 3 + 1 / 5) / 3,
            "relevant": (1 + 1 / 3 + 1 / 5) / 4,
            "sum": 1 + 1 / 3 + 1 / 5,
            "last-label": 1 / 5,  # of d
            "grades": (1 + 3 / 3 + 1 / 5) / (3 + 1 + 2 + 1),
            "grades(epsilon=0.5)": (1 + 3 / 3 + 1 / 5) / 7.5,
        },
    ),
    Row(
        "rr-hits",
        "graded",
        "mrr@3",
        {"first-hit": 1, "hits": (1 + 1 / 3) / 2, "relevant": (1 + 1 / 3) / 4, "sum": 1 + 1 / 3, "grades": (1 + 1) / 7},
    ),
    Row(  # -1 at rank 1 and 2 at rank 3; -2 is missed
        "rr-hits",
        "minus",
        "mrr",
        {"first-hit": 1 / 3, "hits": 1 / 3, "relevant": 1 / 3, "sum": 1 / 3, "grades": (-1 + 2 / 3) / (2 - 1 - 2)},
    ),
    Row(
        "rr-hits", "minus", "mrr", {"first-hit": 1 / 3, "grades": (-1 + 2 / 3) / (2 - 1)}, "labels-used=aligned-arrays"
    ),
    Row(  # the hit is at rank 3, and 3 is the second of the cutoffs 1, 3, …
        "rr-hits",
        "minus",
        "mrr@3",
        {"first-hit": 1 / 3, "first-hit-by-place(1)": 1 / 3, "first-hit-by-place(2)": 0},
    ),
    Row(
        "rr-hits",
        "none",
        "mrr",
        {"first-hit": 0, "last-label": 0, "hits": nan, "relevant": nan, "sum": 0, "grades": nan},
    ),
    Row("hit-weight", "graded", "hit_count", {"one": 3, "grade": 1 + 3 + 1}),
    Row("hit-weight", "graded", "hit_count@1", {"one": 1, "grade": 1}),
    Row("hit-weight", "graded", "precision@3", {"one": 2 / 3, "grade": (1 + 3) / 3}),
    Row("hit-weight", "graded", "recall@3", {"one": 2 / 7, "grade": 4 / 7}, "recall-denominator=relevant-grades"),
    Row("hit-weight", "graded", "f1", {"one": 2 * P * R / (P + R), "grade": 2 * (5 / 5) * (5 / 4) / (5 / 5 + 5 / 4)}),
    Row("hit-weight", "minus", "hit_count", {"one": 2, "grade": 1}, "relevant=any-label"),
    Row("hit-rule", "minus", "hit_rate", {"hits": 1, "grade-sum": 1}),  # grades -1, none, 2
    Row("hit-rule", "minus", "hit_rate@2", {"hits": 0, "grade-sum": 0}),
    Row("hit-rule", "minus", "hit_rate@1", {"hits": 1, "grade-sum": 0}, "relevant=any-label"),
    Row("beta", "graded", "f1", {"1": 2 * P * R / (P + R), "2": 5 * P * R / (4 * P + R), "0": P}),
    Row("beta-form", "graded", "f1", {"squared": 5 * P * R / (4 * P + R), "plain": 3 * P * R / (2 * P + R)}, "beta=2"),
    Row(
        "f-recall",
        "graded",
        "f1@3",
        {"labels": 2 * 2 / (3 + 4), "subtopics": 2 * (2 / 3) / (2 / 3 + 1)},
        "no-subtopic=one",
    ),
    Row(
        "subtopic-alpha",
        "graded",
        "alpha_dcg",
        {"0.5": 1 + (1 / 2) / 3 + (1 / 4) / 5, "0": 1 + 1 / 3 + 1 / 5, "1": 1},
        "no-subtopic=one, discount=reciprocal",
    ),
    Row(
        "nrbp-patience",
        "graded",
        "nrbp@3",
        {"0.5": (1 + 1 / 8) / (1 + 1 / 4 + 1 / 16), "1": (1 + 1 / 2) / (1 + 1 / 2 + 1 / 4), "0": 1 / 1},
        "no-subtopic=one",
    ),
    Row("f-form", "graded", "f1", {"parts": 2 * P * R / (P + R), "counts": 2 * 3 / (5 + 4)}),
    Row("f-form", "graded", "f1", {"parts": 5 * P * R / (4 * P + R), "counts": 5 * 3 / (4 * 4 + 5)}, "beta=2"),
    Row("f-form", "none", "f1", {"parts": nan, "counts": 0 / (2 + 0)}),
    Row("f-zero-division", "none", "f1", {"as-computed": nan, "1": 0, "0": nan}),  # P = 0, R = 0/0
]
ALL_ROWS = [
    *ROWS,
    *test_families.ROWS,
    *test_worked.ROWS,
    *test_credit.ROWS,
    *test_groups.ROWS,
    *test_item_weights.ROWS,
]
CELLS = cells(ROWS)


@together("row, setting, expected", CELLS, by=lambda row, *_: row.convention_name)
def test_the_value_under_a_setting(row: Row, setting: str, expected: float) -> None:
    found = value(row.user, row.metric, f"{row.convention_name}={setting}, {row.beside}")
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15, nan_ok=True)


@pytest.mark.parametrize("convention_name", sorted(ASKED_BY_METRICS - SEEN_ELSEWHERE))
def test_no_setting_is_left_out_and_every_other_one_makes_a_difference(convention_name: str) -> None:
    convention, neutral = rc.convention(convention_name), neutral_settings()[convention_name]
    rows = [row for row in ALL_ROWS if row.convention_name == convention_name]
    told = {convention(setting).setting_type.name for row in rows for setting in row.values}
    of_spans = {"length"} if convention_name == "item-weight" else set[str]()  # see `test_spans.py`
    assert told | of_spans == set(convention.setting_types)
    if convention_name == "hit-rule":
        return
    plain = {(row.user, row.metric, row.beside): row.values[neutral] for row in rows if neutral in row.values}
    alone = {(user, metric): value for (user, metric, beside), value in plain.items() if not beside}
    differ = {
        setting
        for row in rows
        for setting, value in row.values.items()
        if str(value) != str(plain.get((row.user, row.metric, row.beside), alone.get((row.user, row.metric))))
    }
    assert {convention(setting).setting_type.name for setting in differ} | {
        convention(neutral).setting_type.name
    } | of_spans == set(convention.setting_types)


@pytest.mark.parametrize(
    ("cutoff", "offered"),
    [
        ("optional", ["recall", "recall@3"]),
        ("required", ["recall@3"]),
        ("at-least(2)", ["recall@3"]),
        ("at-least(4)", []),
        ("never", ["recall"]),
    ],
)
def test_where_a_cutoff_may_be_given(cutoff: str, offered: list[str]) -> None:
    preset = NEUTRAL.replace(metrics={"recall": {"k-accepted": cutoff}})
    assert [spec for spec in ("recall", "recall@3") if preset.offers(spec)] == offered
    assert {"optional", "required", "at-least", "never"} == set(rc.convention("k-accepted").setting_types)


# the parts together


@pytest.mark.parametrize("at", ["", "@1", "@2", "@9"])
def test_ndcg_is_dcg_by_ideal_dcg_and_f1_the_harmonic_mean(at: str) -> None:
    whole = [f"{metric}(gain=exponential){at}" for metric in ("dcg", "ideal_dcg", "ndcg")]
    sets = [f"{metric}{at}" for metric in ("precision", "recall", "f1")]
    found = rc.evaluate(LABELS, RUN, [*whole, *sets], NEUTRAL)
    for dcg, ideal, ndcg in zip(*map(found.per_user.__getitem__, whole), strict=True):
        assert ndcg == pytest.approx(dcg / ideal if ideal else nan, rel=1e-15, nan_ok=True)
    graded = found.users.tolist().index("graded")
    precision, recall, f1 = (found.per_user[spec][graded] for spec in sets)
    assert f1 == pytest.approx(statistics.harmonic_mean([precision, recall]), rel=1e-12)


def test_the_example_of_jarvelin_2002() -> None:
    """Section 2: the gain vector G', its CG and its DCG, as printed."""
    gains = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
    labels = {"q": {f"d{rank}": gain for rank, gain in enumerate(gains)}}
    run = {"q": [f"d{rank}" for rank in range(len(gains))]}
    printed = {
        "cg": [3, 5, 8, 8, 8, 9, 11, 13, 16, 16],
        "dcg": [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61],
    }
    for metric, numbers in printed.items():
        specs = [f"{metric}@{rank}" for rank in range(1, 11)]
        result = rc.evaluate(labels, run, specs, preset="jarvelin2002")
        assert [round(result[spec], 2) for spec in specs] == numbers


def test_the_example_of_wikipedia() -> None:
    """Article "Discounted cumulative gain": six documents of eight, and the ideal list of all eight."""
    labels = {"q": {"D1": 3, "D2": 2, "D3": 3, "D4": 0, "D5": 1, "D6": 2, "D7": 3, "D8": 2}}
    run = {"q": ["D1", "D2", "D3", "D4", "D5", "D6"]}
    result = rc.evaluate(labels, run, ["dcg@6", "ideal_dcg@6", "ndcg@6"], preset=NEUTRAL)
    assert [round(mean, 3) for mean in map(result.__getitem__, result.specs)] == [6.861, 8.740, 0.785]


def test_the_best_order_of_a_short_list_ends_with_its_negative_gains() -> None:
    """2 - 1/2, however long other lists are."""
    spec = "ideal_dcg(ideal=retrieved-at-k, discount=reciprocal)"
    labels = {"u": {"a": 2, "b": -1}, "v": {"a": 1}}
    for other in (["a"], ["a", "b", "c", "d", "e"]):
        result = rc.evaluate(labels, {"u": ["b", "a"], "v": other}, spec, preset=NEUTRAL)
        assert result.per_user[spec][0] == 2 - 1 / 2


def test_a_binary_logarithm_is_whole_at_powers_of_2() -> None:
    """Not so if it is a quotient of natural ones: log 2^29 / log 2 is 29.000000000000004 in doubles."""
    powers = np.arange(1.0, 50.0)
    shares = (1 / powers).tolist()
    assert rc.convention("discount")("log(base=2)")(ranks=2**powers - 1).tolist() == shares
    assert rc.convention("discount")("log-from-rank(base=2)")(ranks=2**powers).tolist() == shares
