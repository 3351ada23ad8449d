"""The metrics beyond the seven, and every setting of their conventions, against numbers worked out by hand."""

from math import e, log, log2, nan, sqrt

import pytest

import rankconv as rc
from rankconv.metrics import METRICS
from tests.metrics.worked import Row, cells, divided, neutral, value_of
from tests.together import together

GRADES: dict[str, dict[str, float]] = {
    "mixed": {"a": 2, "x": 0, "b": 1, "c": 1, "y": 0},  # R = 3, and two judged items that are not relevant
    "other": {"q": 1},
    "levels": {"a": 1, "b": 1, "c": 1},
    "good": {"a": 1},
    "half": {"a": 0.5, "b": 0.25},
    "table": {"a": 1},
    "pool": {"p": -1, "a": 1},
    "sunk": {"a": 1, "c": 1},
    "twice": {"a": 1, "b": 1},
    "tied": {"a": 1, "b": 1, "c": 1},
    "near": {"a": 4, "b": 2},
    "even": {"a": 1},
}
LABELS = {user: [*grades.items()] for user, grades in GRADES.items()}
LABELS["counted"] = [("a", 1), ("a", 1), ("b", 1)]
RUN: dict[str, list[tuple[str, float]]] = {
    "mixed": [("x", 5), ("a", 4), ("q", 4), ("b", 3), ("y", 3)],  # hits at 2 and 4; q has no label of this user
    "levels": [("a", 3), ("x", 2), ("b", 1)],  # precision 1, 1/2, 2/3
    "good": [("a", 1)],
    "half": [("a", 2), ("b", 1)],
    "table": [("a", 1), ("b", 2)],  # by score b stands first
    "pool": [("p", 3), ("u", 2), ("a", 1)],
    "sunk": [("a", -1)],
    "twice": [("a", 3), ("a", 2), ("b", 1)],
    "near": [("a", 2), ("y", 1.8), ("z", 1), ("w", 0)],
    "tied": [("w", 2), ("a", 1), ("b", 1), ("c", 1), ("x", 1)],
    "even": [("a", 1), ("x", 1)],
    "counted": [("a", 2), ("x", 1)],
}
CATALOGUE = 10
NEUTRAL = neutral()


def value(user: str, metric: str, settings: str = "") -> float:
    """One user's value under these settings, and the neutral ones for the rest."""
    return value_of(LABELS, RUN, NEUTRAL, user, metric, settings, catalogue=CATALOGUE)


UNCUT = {"k": 5, "length": 5, "relevant": 3, "hits": 2, "hits(epsilon=0.5)": 2.5, "labels-above(1)": 1, "one": 1}
UNCUT |= {"relevant-grades": 2 + 1 + 1, "hits-in-ranking": 2, "nonzero-labels": 3}
AT_3 = UNCUT | {"k": 3, "hits": 1, "hits(epsilon=0.5)": 1.5}

P = 0.95  # of compat


def utility(first: float, second: float) -> float:
    """Of mixed down to rank 3, by the probabilities to go on from ranks 1 and 2; only a, at rank 2, has a gain: 1/2."""
    return (first / 2) / (1 + first + first * second)


UTILITIES = {
    "0.8": (0.8, 0.8),
    "discount": (1 / log2(3), log2(3) / 2),
    "discount(reciprocal)": (1 / 2, 2 / 3),
    "insq(1)": ((2 / 3) ** 2, (3 / 4) ** 2),
    "inst(1)": ((2 / 3) ** 2, (2.5 / 3.5) ** 2),
    "half-life(2)": (1 / sqrt(2), 1 / sqrt(2)),
    "line(2)": (1 / 2, 0),
    "all(unsatisfied, 0.5)": (1 / 2, 1 / 4),
    "unsatisfied": (1, 1 / 2),
    "no-gain-yet": (1, 0),
    "gain-left": (1, 0),
    "gain-to-come": (1, 0),
    "precision": ((1 / 2 / 2) / 1, (1 / 2 / 3) / (1 / 2 / 2)),
    "gain-below(0.6)": (1, 1),
    "gain-below(0.5)": (1, 0),
    "cost-below(2)": (1, 0),
    "gain-below-moving(1, 1, 0.5)": (1, 0),  # 1, then 1/2, which is not above 1/2
    "gain-below-moving(1, 0.9, 0.5)": (1, 1),
    "cost-below-moving(2, 1, 0.5)": (1, 0),
    "cost-below-moving(3, 2, 0.5)": (1, 0),
    "ift-goal(target=1, b=2, r=3)": (1 - 1 / (1 + 2 * e**3), 1 - 1 / (1 + 2 * e**1.5)),
    "ift-rate(rate=0.2, b=2, r=3)": (1 / (1 + 2 * e**0.6), 1 / (1 + 2 * e ** (3 * (0.2 - 0.25)))),
}
CWL_ROWS = [
    Row(
        "cwl-continuation",
        "mixed",
        "cwl@3",
        {setting: utility(*goes_on) for setting, goes_on in UTILITIES.items()},
        "gain=linear-over(4)",
    ),
    Row(  # of gains 1/4, 0, 1/4: arrives with 1, 1/4, 1/4, or with 1, 1/2, 1/2
        "cwl-continuation",
        "levels",
        "cwl@3",
        {"gain-left": (1 / 4 + 1 / 16) / 1.5, "gain-to-come": (1 / 4 + 1 / 8) / 2},
        "gain=linear-over(4)",
    ),
    Row(  # of gains 0, 2, 0: arrives with 1, 0.8, 0.64, and stops with 0.2, 0.16, 0.64
        "cwl-measure",
        "mixed",
        "cwl@3",
        {
            "expected-utility": 0.8 * 2 / 2.44,
            "expected-total-utility": 2 * (0.16 + 0.64),
            "expected-cost": 1,
            "expected-total-cost": 0.2 + 2 * 0.16 + 3 * 0.64,
            "expected-depth": 2.44,
        },
    ),
    Row("cwl-max-rank", "mixed", "cwl", {"1000": 0.2 * (0.8 * 2 + 0.8**3), "3": 0.8 * 2 / 2.44}),
    Row(
        "cwl-last-rank",
        "mixed",
        "cwl",
        {"unchanged": 2 * (0.16 + 0.128), "stop": 2 * (0.16 + 0.64)},
        "cwl-max-rank=3, cwl-measure=expected-total-utility",
    ),
    Row("cwl-weight-norm", "mixed", "cwl@3", {"sum": 0.8 * 2 / 2.44, "relevant": 0.8 * 2 / 3}),
    Row(
        "cwl-weight-norm",
        "half",
        "cwl@2",
        {"sum": (0.5 + 0.8 * 0.25) / 1.8, "relevant": (0.5 + 0.8 * 0.25) / (2 / 0.5)},
    ),
    Row(  # q, at rank 3, is not judged
        "cwl-unjudged-gain",
        "mixed",
        "cwl@3",
        {
            "nothing": 0.8 * 2 / 2.44,
            "highest": (0.8 * 2 + 0.64) / 2.44,
            "highest(gain=3)": (0.8 * 2 + 0.64 * 3) / 2.44,
            "residual": 0.64 / 2.44,
            "residual(gain=3)": 0.64 * 3 / 2.44,
        },
    ),
    Row(  # and so is every rank below the list
        "cwl-unjudged-gain",
        "good",
        "cwl",
        {"nothing": 1 / 2.44, "highest": 1, "residual": 1 - 1 / 2.44, "highest(gain=0)": 1 / 2.44},
        "cwl-max-rank=3",
    ),
]

ROWS = [
    # the pairs of mixed, by score: x, then a and q, then b and y
    Row("auc-pairs", "mixed", "auc", {"relevant": (0 + 1 / 2 + 3 / 2) / 6, "grades": 3 / 7, "all": 6 / 10}),
    Row(  # 1/2 and 1/4 positive: each row against itself, and b's negative part below a
        "auc-pairs",
        "half",
        "auc",
        {
            "relevant": nan,
            "fractional": ((0.5 * 0.5 + 0.25 * 0.75) / 2 + 0.5 * 0.75) / (0.75 * 1.25),
            "grades": 1,
            "all": 1,
        },
    ),
    Row("auc-pairs", "mixed", "auc@3", {"relevant": 0.5 / 2, "grades": 0.5 / 2, "all": (0 + 0.5 + 1) / 3}),
    Row("ap-weight", "levels", "map", {"one": (1 + 2 / 3) / 3, "score": (1 * 3 + 2 / 3 * 1) / 3}),
    Row("ap-weight", "sunk", "map", {"one": 1 / 2, "score": -1 / 2}),  # a hit with a score of -1, and c is missed
    Row("ap-precision", "twice", "map", {"hits": (1 + 2 / 2 + 3 / 3) / 2, "items": (1 + 1 / 2 + 2 / 3) / 2}),
    Row(  # the row of a is two hits of three
        "ap-precision",
        "counted",
        "map",
        {"hits": (2 + 2) / 3, "ranks-with-hits": 2 / 3, "hits-in-turn": (1 + 2) / 3},
        "duplicate-labels=counted, labels-used=outer-join",
    ),
    Row("auc-tied-pairs", "mixed", "auc", {"half": 2 / 6, "wrong": 1 / 6, "right": 3 / 6, "by-place": 3 / 6}),
    Row("auc-tied-pairs", "mixed", "auc", {"half": 3 / 7, "wrong": 2 / 7, "right": 4 / 7}, "auc-pairs=grades"),
    Row("auc-tied-pairs", "mixed", "auc", {"by-place": 4 / 7}, "auc-pairs=grades"),
    Row(  # the lowest grade is 2
        "distance-tolerance",
        "near",
        "distance_recall@3",
        {"absolute(0)": 1 / 3, "absolute(0.5)": 2 / 3, "absolute(1)": 1, "relative(0.5)": 1, "relative(0.1)": 2 / 3},
    ),
    Row("auc-direction", "mixed", "auc", {"higher": 2 / 6, "by-medians": 4 / 6}),  # 4 and 3, against 5, 4 and 3
    Row(  # points (1/3, 0), (2/3, 1/2), (1, 1)
        "roc-range",
        "mixed",
        "roc_range_auc",
        {
            "false-positive-rate": 2 / 6,
            "false-positive-rate(0, 0.5)": 1 / 6 * 1 / 8,
            "true-positive-rate(0.5)": 1 / 2 * 1 / 6,
        },
    ),
    Row(  # less than the 1/8 below the diagonal
        "roc-scale",
        "mixed",
        "roc_range_auc",
        {"area": 1 / 48, "standardized": (1 + (1 / 48 - 1 / 8) / (3 / 8)) / 2, "standardized-from-diagonal": nan},
        "roc-range=false-positive-rate(0, 0.5)",
    ),
    Row(
        "roc-scale",
        "levels",
        "roc_range_auc",
        {"area": 1 / 4, "standardized": 2 / 3, "standardized-from-diagonal": 2 / 3},
        "roc-range=false-positive-rate(0, 0.5)",
    ),
    Row("roc-scale", "even", "roc_range_auc", {"standardized": 1 / 2, "standardized-from-diagonal": 1 / 2}),
    Row(  # 1/12, where the diagonal has 1/8 of 1/2
        "roc-scale",
        "mixed",
        "roc_range_auc",
        {"area": 1 / 12, "standardized": 4 / 9, "standardized-from-diagonal": nan},
        "roc-range=true-positive-rate(0.5)",
    ),
    Row("auc-denominator", "mixed", "auc_of_ranked", divided(7 / 8 + 6 / 8, UNCUT | {"min(hits, relevant)": 2})),
    Row("auc-denominator", "pool", "auc_of_ranked", {"relevant": 8 / 10, "nonzero-labels": 8 / 10 / 2}),
    Row("partial-auc-positives", "mixed", "partial_auc@2", {"all": 1 / (2 * 3), "first-k": 1 / (2 * 2)}),
    Row("partial-auc-positives", "levels", "partial_auc@1", {"all": 1 / 3, "first-k": 1}),
    # judgments
    Row("bpref-denominator", "mixed", "bpref", {"min": (1 / 2 + 1 / 2) / 3, "relevant": (2 / 3 + 2 / 3) / 3}),
    Row("bpref-none-above", "good", "bpref", {"as-computed": nan, "1": 1, "0.5": 0.5}, "bpref-zero-division=nan"),
    Row("bpref-zero-division", "good", "bpref", {"0": 1, "nan": nan, "1": 0}),
    Row("judged-denominator", "mixed", "unjudged_share@3", divided(1, AT_3 | {"min(k, hits)": 1})),
    Row("judged-denominator", "mixed", "judged_share", divided(4, UNCUT | {"min(k, hits)": 2})),
    Row("judged-scope", "mixed", "unjudged_share@3", {"user": 1 / 3, "collection": 0}),
    Row("judged-scope", "mixed", "judged_share@3", {"user": 2 / 3, "collection": 1}),
    # levels of recall: of three, 0.4 is 1.2 items
    Row("recall-level", "levels", "interpolated_precision", {"0": 1, "0.5": 2 / 3, "1": 0}),
    Row(
        "recall-rounding",
        "levels",
        "interpolated_precision",
        {"nearest": 1, "up-0.9": 2 / 3, "up": 2 / 3},
        "recall-level=0.4",
    ),
    Row(  # of one, 0.5 is half an item, and none is found where the first rank is read
        "recall-rounding",
        "pool",
        "interpolated_precision",
        {"nearest": 1 / 3, "up-0.9": 1 / 3, "up": 1 / 3, "nearest-even": 0},
        "recall-level=0.5, interpolation=none",
    ),
    Row(  # 0.6, 1.5 and 2.4 items
        "recall-levels",
        "levels",
        "eleven_point",
        {"tenths": (5 + 4 * 2 / 3) / 11, "at(0.2, 0.5, 0.8)": (1 + 2 * 2 / 3) / 3, "at(1)": 0},
    ),
    Row("recall-level", "levels", "work_saved", {"0": 0, "0.3": 2 / 3 - 0.7, "0.5": 0 - 0.5, "1": 0}),
    Row(  # the last relevant item is at rank 4
        "work-total",
        "tied",
        "work_saved",
        {"ranked": 1 / 5, "judged": -1 / 3, "ranked-or-judged": 1 / 5},
        "recall-level=1",
    ),
    Row(
        "work-total",
        "sunk",
        "work_saved",
        {"ranked": -1 / 2, "judged": 1 / 2 - 1 / 2, "ranked-or-judged": 1 / 2 - 1 / 2},
        "recall-level=0.5",
    ),
    Row("unreached-recall", "sunk", "work_saved", {"0": 0, "-0.5": -0.5, "all-read": -0.1}, "recall-level=0.9"),
    Row("interpolation", "mixed", "interpolated_precision", {"best-from-there": 1 / 2, "none": 0}),
    Row(
        "interpolation",
        "levels",
        "interpolated_precision",
        {"best-from-there": 2 / 3, "none": 2 / 3},
        "recall-level=0.5",
    ),
    Row(  # thresholds x, then a and q, then b and y: precision 0, 1/3, 2/5
        "pr-interpolation",
        "mixed",
        "pr_auc",
        {
            "hyperbola": (1 / 2 - log(3) / 4 + 1 / 2 - log(5 / 3) / 4) / 3,
            "linear": ((0 + 1 / 3) / 2 + (1 / 3 + 2 / 5) / 2) / 3,
            "linear-from-first": ((0 + 1 / 3) / 2 + (1 / 3 + 2 / 5) / 2) / 3,
            "linear-between-hits": ((0 + 1 / 3) / 2 + (1 / 3 + 2 / 5) / 2) / 3,
            "linear-from-fewest-misses": ((1 + 1 / 3) / 2 + (1 / 3 + 2 / 5) / 2) / 3,
            "lower": (0 + 1 / 3) / 3,
            "higher": (1 / 3 + 2 / 5) / 3,
        },
    ),
    Row(  # a hit, a miss, a hit: precision 1 to the first, then t / (t + 1) from 1 to 2 hits, or a line from 1/2 to 2/3
        "pr-interpolation",
        "levels",
        "pr_auc",
        {
            "hyperbola": (1 + 1 - log(3 / 2)) / 3,
            "linear": (1 + (1 / 2 + 2 / 3) / 2) / 3,
            "linear-from-first": (1 / 2 + 2 / 3) / 2 / 3,
            "linear-between-hits": (1 + (1 / 2 + 2 / 3) / 2) / 3,
            "linear-from-fewest-misses": (1 + (1 + 2 / 3) / 2) / 3,
            "lower": 1 / 2 / 3,
            "higher": (1 + 2 / 3) / 3,
        },
    ),
    Row(  # three hits at one threshold: 1/3 of a miss for each after the one above them, or 2/3 where there is none
        "pr-interpolation",
        "tied",
        "pr_auc",
        {
            "linear": (0 + 3 / 5) / 2,
            "linear-between-hits": ((0 + 3 / 7) / 2 + (3 / 7 + 6 / 11) / 2 + (6 / 11 + 3 / 5) / 2) / 3,
            "linear-from-fewest-misses": ((1 + 3 / 5) / 2 + 3 / 5 + 3 / 5) / 3,
        },
    ),
    # 0.7 · 3 + 0.9 falls just short of 3 in doubles
    Row(
        "recall-rounding",
        "levels",
        "eleven_point",
        {"nearest": (5 + 4 * 2 / 3) / 11, "up-0.9": (4 + 4 * 2 / 3) / 11, "up": (4 + 3 * 2 / 3) / 11},
    ),
    # sets: two hits, three misses, and c is not returned
    Row(
        "utility-weights",
        "mixed",
        "utility",
        {"one-each": 2 - 3, "weights(2, -1)": 4 - 3, "weights(2, -1, -3)": 4 - 3 - 3},
    ),
    # readers
    Row("rbp-persistence", "mixed", "rbp", {"0.8": 0.2 * (0.8 + 0.8**3), "0.5": 0.5 * (0.5 + 0.5**3)}, "gain=binary"),
    Row("rbp-persistence", "mixed", "rbp_residual", {"0.8": 0.8**5 + 0.2 * 0.8**2, "0.5": 0.5**5 + 0.5 * 0.5**2}),
    Row("rbp-scale", "mixed", "rbp", {"none": 0.2 * (2 * 0.8 + 0.8**3), "highest-grade": 0.1 * (2 * 0.8 + 0.8**3)}),
    Row(
        "rbp-norm",
        "mixed",
        "rbp",
        {"none": 0.2 * (0.8 + 0.8**3), "ideal": (0.8 + 0.8**3) / (1 + 0.8 + 0.64)},
        "gain=binary",
    ),
    Row(  # stops at a with 1/2, at b with 1/4
        "pfound-decay",
        "mixed",
        "pfound",
        {"0.85": 0.85 / 2 + 0.85**3 / 2 / 4, "0.5": 0.5 / 2 + 0.5**3 / 2 / 4},
        "gain=linear-over(4)",
    ),
    *CWL_ROWS,
    # the rest
    Row("gain-denominator", "mixed", "gain_mean@3", divided(2, AT_3 | {"min(k, hits)": 1})),
    Row("gain-denominator", "mixed", "gain_mean", divided(3, UNCUT | {"min(k, hits)": 2})),
    Row(  # relevant rows at ranks 2 and 4, also where the cutoff is 3
        "rank-denominator",
        "mixed",
        "relevant_rank",
        {"relevant-rows": 3, **divided(2 + 4, UNCUT | {"min(k, hits)": 2})},
    ),
    Row(
        "rank-denominator",
        "mixed",
        "relevant_rank@3",
        {"relevant-rows": 3, **divided(2 + 4, AT_3 | {"min(k, hits)": 1})},
    ),
    Row("summand", "mixed", "summed_over_ranks@3", {"precision": (1 / 2 + 1 / 3) / 3, "recall": (1 / 3 + 1 / 3) / 3}),
    Row(
        "summand",
        "levels",
        "summed_over_ranks@5",
        {"precision": (1 + 1 / 2 + 2 / 3 + 2 / 4 + 2 / 5) / 3, "recall": 8 / 9},
    ),
    Row(
        "count-of",
        "mixed",
        "count",
        {
            "retrieved": 5,
            "relevant": 3,
            "hits": 2,
            "judged-non-relevant": 2,
            "misses": 3,
            "unretrieved": 1,
            "unjudged": 1,  # q
            "differences": 3 + 1,
            "rejected": 4,
            "users": 1,
            "calls": 1,  # as a list that came in no calls
        },
    ),
    Row(
        "count-of",
        "mixed",
        "count@3",
        {
            "retrieved": 3,
            "relevant": 3,
            "hits": 1,
            "judged-non-relevant": 1,
            "misses": 2,
            "unretrieved": 2,
            "unjudged": 1,
            "differences": 2 + 2,
            "rejected": 5,
            "users": 1,
            "calls": 1,
        },
    ),
    Row(  # in common down to each depth: 1, 1, 2
        "compat-persistence",
        "levels",
        "compat",
        {str(p): (1 + p / 2 + p**2 * 2 / 3) / (1 + p + p**2) for p in (0.95, 0.5)},
    ),
    # the ideal list is a, c; or c, whose score is taken for 0, and a
    Row("compat-order", "sunk", "compat", {"rank": (1 + P / 2) / (1 + P), "score": (0 + P / 2) / (1 + P)}),
]

E = 0.00001
IDEAL_AT_3 = 2 + 1 / 2 + 1 / 3

VALUES = [
    ("mixed", "label_ranking_loss", "", 5 / 6),
    ("good", "label_ranking_loss", "", nan),
    ("mixed", "coverage_error", "", 4),
    ("mixed", "coverage_error@3", "", 2),
    ("mixed", "coverage_error", "order=score, ties=rank(max)", 5),
    ("mixed", "first_rank", "", 2),
    ("mixed", "first_rank@1", "", 0),
    ("mixed", "mean_position", "", (2 * 2 + 4 * 1) / 3),
    ("mixed", "mean_position@3", "", 2),
    ("mixed", "fall_out@3", "", 2 / 2),
    ("good", "fall_out", "", nan),
    ("mixed", "set_map", "", 2 * 2 / (5 * 3)),
    ("mixed", "utility", "", 2 - 3),
    ("mixed", "yaap", "", log((1 + 1) / (1 + 3 - 1))),
    ("mixed", "bin_g", "", (1 / log2(3) + 1 / log2(4)) / 3),
    ("mixed", "g_measure", "", (2 / log2(2 + 3 - 2) + 1 / log2(2 + 5 - 3)) / 4),
    ("mixed", "inferred_ap", "", (1 / 2 + 1 / 2 * E / (1 + 2 * E) + 1 / 4 + 3 / 4 * 2 / 3 / 2) / 3),
    # one pooled item and one that was never seen above it
    ("pool", "inferred_ap", "negative=in-pool", 1 / 3 + 2 / 3 * (1 / 2) * E / (2 * E)),
    ("pool", "inferred_ap", "negative=unjudged", 1 / 3 + 2 / 3 * 0),
    ("mixed", "err", "gain=linear-over(4)", 1 / 2 / 2 + 1 / 2 * 1 / 4 / 4),
    ("mixed", "err@3", "gain=linear-over(4)", 1 / 2 / 2),
    ("mixed", "scaled_dcg@3", "gain=linear-over(2), discount=reciprocal", 1 / 2 / (1 + 1 / 2 + 1 / 3)),
    ("mixed", "discounted_gain@2", "discount=reciprocal", 2 / 2),
    ("mixed", "discounted_gain@9", "", 0),
    ("levels", "discounted_gain@9", "", 0),
    ("levels", "discounted_gain", "discount=reciprocal", 1 / 3),
    ("good", "scaled_dcg@2", "discount=reciprocal", 1 / (1 + 1 / 2)),
    ("mixed", "ndcg_rel", "discount=reciprocal", (1 / (2 + 1 / 2) + 2 * (1 + 1 / 4) / IDEAL_AT_3) / 3),
    ("mixed", "rndcg", "discount=reciprocal", (0 / 2 + 1 / IDEAL_AT_3 + (1 + 1 / 4) / IDEAL_AT_3) / 3),
    ("good", "rndcg", "", 1),
    ("mixed", "accuracy@3", "", (1 + (10 - 3 - 2)) / 10),
    ("mixed", "mcc@3", "", (1 * 5 - 2 * 2) / sqrt(3 * 3 * 7 * 7)),
    ("mixed", "percentile_rank", "", 100 * (0.1 + 0.3 + (0.4 + 1) / 2 + 0 + 0.4) / 3),
    ("mixed", "percentile_rank", "labels-used=relevant-only", 100 * (0.1 + 0.3 + (0.4 + 1) / 2) / 3),
    ("mixed", "auc_extrapolated@3", "", (1 + (1 + 3) / 2 * (7 - 2)) / (3 * 7)),
    ("mixed", "auc_by_rank", "", ((1 - 1 / 7) + (1 - 2 / 7)) / 3),
    ("mixed", "pr_auc", "", (1 / 2 - log(3) / 4 + 1 / 2 - log(5 / 3) / 4) / 3),
    ("mixed", "pr_auc@1", "", 0),
    # the row given last among the first two by score is b, which is no hit
    ("table", "summed_over_table@1", "order=score, ties=rank(average-floor)", 0),
    ("table", "summed_over_table@2", "order=score, ties=rank(average-floor)", 0),
    ("levels", "summed_over_table@4", "", (1 + 0 + 2 / 3 + 2 / 3) / 3),
]


@together("user, metric, settings, expected", VALUES, by=lambda user, *_: user)
def test_the_value_worked_by_hand(user: str, metric: str, settings: str, expected: float) -> None:
    assert value(user, metric, settings) == pytest.approx(expected, rel=1e-12, abs=1e-15, nan_ok=True)


CELLS = cells(ROWS)


@together("row, setting, expected", CELLS, by=lambda row, *_: row.convention_name)
def test_the_value_under_a_setting(row: Row, setting: str, expected: float) -> None:
    found = value(row.user, row.metric, f"{row.convention_name}={setting}, {row.beside}")
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15, nan_ok=True)


@together(
    "labels, catalogue, k, expected",
    [
        (["a"], 2, 1, 1),  # of two items the relevant one is chosen, or the other one
        (["x"], 2, 1, -1),
        ({"a": 0}, 3, 1, 0),  # of three items none is relevant, or all are; a wrong one is chosen; all three are
        (["a", "b", "c"], 3, 1, 0),
        (["b"], 3, 1, -1 / 2),
        (["a"], 3, 3, 0),
        (["a"], 3, 4, nan),  # there are no four
    ],
    by=lambda *_: "mcc",
)
def test_the_correlation(labels: object, catalogue: int, k: int, expected: float) -> None:
    joined = rc.join({"u": labels}, {"u": ["a"]}, catalogue=catalogue)
    found = rc.evaluate(joined, f"mcc@{k}", preset=NEUTRAL)[f"mcc@{k}"]
    assert found == pytest.approx(expected, rel=1e-12, nan_ok=True)


def test_the_recall_at_each_rank_of_a_user_without_relevant_labels_is_0() -> None:
    """Without a division by 0."""
    spec = "summed_over_ranks(summand=recall, ap-denominator=k)@2"
    found = rc.evaluate({"u": {"a": 0}, "v": {"a": 1}}, {"u": ["a"], "v": ["x", "a"]}, spec, preset=NEUTRAL)
    assert found.per_user[spec].tolist() == [0, 1 / 2]


# what a user weighs: two users with 1 of 2 pairs right of two hits, and 1 of 1 of one hit

TWO_LABELS = {"u": ["b", "c"], "v": ["a"]}
TWO_LISTS = {"u": ["b", "x", "c"], "v": ["a", "x"]}


WEIGHED = {"pairs": (2 * 1 / 2 + 1) / 3, "positives": (2 * 1 / 2 + 1 * 1) / 3, "rows": (3 * 1 / 2 + 2 * 1) / 5}


@pytest.mark.parametrize(("weight", "mean"), WEIGHED.items())
def test_what_a_user_weighs(weight: str, mean: float) -> None:
    spec = f"auc(aggregate=weighted-mean, auc-weight={weight})"
    assert rc.evaluate(TWO_LABELS, TWO_LISTS, spec, preset=NEUTRAL)[spec] == pytest.approx(mean)
    more = {"v": ["a", "x", "y", "z"]}  # three pairs, all right, and still one hit
    expected = {"pairs": (1 + 3) / (2 + 3), "positives": (2 * 1 / 2 + 1) / 3, "rows": (3 * 1 / 2 + 4) / 7}[weight]
    assert rc.evaluate(TWO_LABELS, TWO_LISTS | more, spec, preset=NEUTRAL)[spec] == pytest.approx(expected)
    assert set(rc.convention("auc-weight").setting_types) == set(WEIGHED)


# all lists as one


POOL_LABELS = {"u": {"a": 1, "x": 0}, "v": {"b": 1, "y": 0}}
POOL_LISTS = {"u": [("a", 4.0), ("x", 3.0)], "v": [("b", 2.0), ("y", 1.0)]}


def test_pooled_lists_are_one_list_and_users_keep_their_values() -> None:
    """Each user's pair is right; of the four pairs of the one list, b stands below x."""
    result = rc.evaluate(POOL_LABELS, POOL_LISTS, ["auc(scope=global)", "auc"], preset=NEUTRAL)
    assert result.per_user["auc(scope=global)"].tolist() == [1, 1]
    assert (result["auc"], result["auc(scope=global)"]) == (1, 3 / 4)


def test_pooled_lists_setting_their_own_policies() -> None:
    """One user has no pair; the one list has."""
    labels, run = {"u": {"a": 1}, "v": {"x": 0}}, {"u": [("a", 2.0)], "v": [("x", 1.0)]}
    spec = "auc(scope=global, on-zero-division=refuse-user)"
    result = rc.evaluate(labels, run, spec, preset=NEUTRAL)
    assert result[spec] == 1
    assert result.state[spec].tolist() == ["on-zero-division: refuse-user"] * 2
    with pytest.raises(rc.MetricError, match=r"has 0/0, and the preset says on-zero-division=refuse-user"):
        rc.evaluate({"u": {"a": 1}}, {"u": [("a", 2.0)]}, spec, preset=NEUTRAL)


def test_pooled_lists_stand_by_falling_score() -> None:
    """x, b, y, a, whatever the order of the users."""
    labels, run = {"u": ["a"], "v": ["b"]}, {"u": [("x", 4.0), ("a", 1.0)], "v": [("b", 3.0), ("y", 2.0)]}
    specs = ["mrr(scope=global)", "precision(scope=global)@1", "precision(scope=global)@2", "map(scope=global)"]
    for order in ("uv", "vu"):
        result = rc.evaluate(labels, {user: run[user] for user in order}, specs, preset=NEUTRAL)
        assert [result[spec] for spec in specs] == [1 / 2, 0, 1 / 2, (1 / 2 + 2 / 4) / 2]


@pytest.mark.parametrize("metric", ["items_shown", "coverage", "gini", "entropy", "rank_statistic"])
def test_metrics_of_all_lists_do_not_pool_them(metric: str) -> None:
    with pytest.raises(rc.MetricError, match=f"{metric} is one number of all lists already.*Leave out scope=global"):
        rc.evaluate(POOL_LABELS, POOL_LISTS, f"{metric}(scope=global)", NEUTRAL)


def test_pooled_items_are_prepared_as_those_of_their_users() -> None:
    labels, run = {"u": {"a": 1}, "v": {"b": 1}}, {"u": [("b", 4.0), ("x", 2.0)], "v": [("a", 3.0), ("b", 1.0)]}
    shares = {"user": 1 / 4, "collection": 3 / 4}  # b of v alone has a label of its user, x of nobody
    for setting, expected in shares.items():
        spec = f"judged_share(judged-scope={setting}, scope=global)"
        assert rc.evaluate(labels, run, spec, NEUTRAL)[spec] == expected


def test_medians_of_the_largest_scores() -> None:
    spec, scores = "auc(auc-direction=by-medians, order=score)", {"a": -1e308, "b": -1.1e308, "x": 1e308, "y": 1.1e308}
    assert rc.evaluate({"u": ["a", "b"]}, {"u": scores}, spec, NEUTRAL)[spec] == 1


def test_only_the_population_is_pooled() -> None:
    spec = "auc(scope=global)"
    assert rc.evaluate(POOL_LABELS, POOL_LISTS, spec, preset=NEUTRAL, users=["u"])[spec] == 1
    assert rc.evaluate({"u": POOL_LABELS["u"]}, POOL_LISTS, spec, preset=NEUTRAL)[spec] == 1


# what a metric needs, and what it cannot be


def test_a_catalogue_is_asked_for() -> None:
    asking = {name: f"the metric {name}" for name, metric in METRICS.items() if metric.needs == ("catalogue",)}
    assert len(asking) >= 6
    for spec, asker in {**asking, "count(count-of=rejected)": "count-of=rejected"}.items():
        with pytest.raises(rc.MetricError, match=f"{asker} needs catalogue, and none was given"):
            rc.evaluate({"u": ["a"]}, {"u": ["a"]}, spec, preset=NEUTRAL)


def test_what_is_not_cut_says_so() -> None:
    for metric in ("ndcg_rel", "rndcg", "compat", "percentile_rank"):
        with pytest.raises(rc.MetricError, match=f"has no {metric} at a cutoff"):
            rc.evaluate({"u": ["a"]}, {"u": ["a"]}, f"{metric}@3", preset=NEUTRAL)
        with pytest.raises(rc.MetricError, match=f"{metric} has no form with a cutoff"):
            rc.evaluate({"u": ["a"]}, {"u": ["a"]}, f"{metric}(k-accepted=optional)@3", preset=NEUTRAL)


def test_pairs_are_told_by_score_whatever_the_order_of_ties() -> None:
    assert value("mixed", "auc", "order=score, ties=expected") == 2 / 6
    worst = value("mixed", "auc@3", "order=score, ties=relevant-last-then-item")
    assert value("mixed", "auc@3", "order=score, ties=expected") == worst


def test_the_four_cells_are_the_catalogue() -> None:
    joined = rc.join({"u": ["a", "b"], "v": ["c"]}, {"u": ["a", "x", "b"], "v": []}, catalogue=7)
    for k in (1, 2, 3, 4):
        cells = rc.evaluate(joined, [f"{name}@{k}" for name in ("TP", "FP", "FN", "TN")])
        assert [sum(of) for of in zip(*cells.per_user.values(), strict=True)] == [7, 7]


def test_labels_of_grade_0_are_not_in_the_ideal_list_of_compat() -> None:
    spec, run = "compat(labels-used=all)", {"u": ["b", "x", "a"]}
    labels = {"a": 2, "b": 1}
    values = [rc.evaluate({"u": one}, run, spec, NEUTRAL)[spec] for one in (labels, labels | {"x": 0, "z": 0})]
    assert values[0] == values[1] < 1


def test_an_empty_list_beside_ties_has_no_hit_for_certain() -> None:
    """Of 10 items 1 is relevant and 2 count as shown, so MCC is -2 / sqrt(2 * 1 * 9 * 8)."""
    data = rc.join({"u": {"a": 1, "b": 0}, "v": {"c": 1}}, {"u": {"a": 1, "b": 1, "x": 1}, "v": {}}, catalogue=10)
    spec = "mcc(ties=expected)@2"
    assert rc.evaluate(data, spec).per_user[spec] == pytest.approx([7 / 18, -1 / 6], rel=1e-12)


def test_precision_in_turn_at_ranks_with_one_hit_and_with_two() -> None:
    """The row of a is two hits, one after the other; b is the third, at rank 3."""
    settings = (
        "ap-precision=hits-in-turn, duplicate-labels=counted, labels-used=outer-join, duplicates=each, ties=given"
    )
    spec = f"map({settings}, ap-denominator=relevant)"
    labels = {"u": [("a", 1), ("a", 1), ("b", 1)]}
    assert rc.evaluate(labels, {"u": ["a", "x", "b"]}, spec)[spec] == (1 / 1 + 2 / 1 + 3 / 3) / 3
