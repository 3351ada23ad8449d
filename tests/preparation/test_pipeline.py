"""Every setting of every convention of preparation, on one small data set, against numbers worked out by hand."""

import re
from copy import copy
from itertools import permutations
from math import nan
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.metrics import METRICS
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import with_changes
from rankconv.presets.neutral import neutral_settings
from tests.metrics.worked import Row, cells, spec_of, value_of
from tests.together import together

LABELS: dict[str, list[tuple[str, float]]] = {
    "frac": [("a", 3.5), ("b", 0.5), ("c", 1)],  # grades with fractions
    "below": [("a", -1.5)],
    "near": [("a", 1 + 2**-30)],  # nearer to 1 than single precision tells
    "neg": [("a", 2), ("b", -1), ("c", -2), ("d", 0)],  # negative grades
    "twice": [("a", 1), ("b", 1), ("a", 3)],  # a is labelled twice
    "gaps": [("a", 1), ("b", 1), ("c", 1)],  # unjudged items stand between the hits, and c is missed
    "own": [("a", 0.5)],  # the first item has the user's own id
    "dup": [("a", 1), ("b", 2)],  # a is returned twice
    "tied": [("a", 1), ("c", 3)],  # four items with one score
    "close": [("a", 1)],  # scores that differ in the ninth digit
    "low": [("a", 1), ("b", 1)],  # scores of 0 and below
    "high": [("a", 1), ("b", 0)],  # scores so high that a sigmoid cannot tell them apart in single precision
    "rising": [("a", 1), ("c", 1)],  # the last row has not the lowest score
    "empty": [("a", 1)],  # nothing returned
    "chunks": [("c#7", 2), ("d#0", 1), ("d#1", 3)],  # documents are labelled by their chunks
}
RUN: dict[str, list[tuple[str, float]]] = {
    "frac": [("b", 3), ("x", 2), ("a", 1)],
    "below": [("a", 1)],
    "near": [("a", 1)],
    "neg": [("b", 4), ("x", 3), ("a", 2), ("d", 1)],
    "twice": [("a", 2), ("x", 1)],
    "gaps": [("x", 4), ("a", 3), ("y", 2), ("b", 1)],
    "own": [("own", 2), ("a", 1)],
    "dup": [("a", 1), ("a", 4), ("b", 2), ("x", 3)],  # by falling score: a x b a
    "tied": [("c", 2), ("b", 2), ("a", 2), ("d", 2), ("z", 3)],  # by falling score: z, then the other four
    "close": [("x", 1.0), ("a", 1.00000001)],
    "low": [("a", 0.5), ("b", 0.0), ("c", -1.0)],
    "high": [("a", 20), ("b", 19)],
    "rising": [("x", 1), ("a", 2)],
    "empty": [],
    "chunks": [("x#0", 1), ("x#1", 4), ("c#0", 5), ("c#1", -3), ("d#2", 3)],  # by sums: x 5, d 3, c 2
}
CATALOGUE = 8
PARENTS = "#"
SEEN = {"own": ["a"], "gaps": ["c"]}
TRAIN = {"somebody": ["a", "b", "c", "never"]}

REFUSED = -1
"""What a user counts as here whose data is not allowed."""
NEUTRAL = rc.preset("base").replace(name="neutral", metrics={name: {} for name in METRICS}, on_invalid=REFUSED)


def value(user: str, metric: str, settings: str) -> float:
    """One user's value under these settings, and the neutral ones for the rest."""
    return value_of(
        LABELS, RUN, NEUTRAL, user, metric, settings, seen=SEEN, train=TRAIN, catalogue=CATALOGUE, parents=PARENTS
    )


ROWS = [
    # chunks; the first rows are x, c, d; grades are c 2, d 3
    Row("collapse", "chunks", "mrr", {"none": 0, "first": 1 / 2, "max": 1, "sum": 1 / 2}),
    Row(
        "collapse",
        "chunks",
        "dcg",
        {"none": 0, "first": 2 / 2 + 3 / 3, "max": 2 / 1 + 3 / 3, "sum": 3 / 2 + 2 / 3},
        "discount=reciprocal",
    ),
    Row("collapse", "chunks", "recall", {"none": 0, "first": 1, "max": 1, "sum": 1}),
    # the labels
    Row("grades", "frac", "cg", {"given": 3.5 + 0.5, "integer": 3 + 0, "binary": 1 + 1}),
    Row("grades", "near", "cg", {"given": 1 + 2**-30, "float32": 1}),
    Row("grades", "below", "cg", {"given": -1.5, "integer": -1, "binary": 0}),
    Row(
        "negative",
        "neg",
        "cg",
        {"grade": 2 - 1, "zero": 2, "unjudged": 2, "in-pool": 2, "absent": 2, "last": 2, "invalid": REFUSED},
    ),
    Row(  # how many of the three labelled rows are judged
        "negative",
        "neg",
        "precision",
        {
            "grade": 1 / 3,
            "zero": 1 / 3,
            "unjudged": 1 / 2,
            "in-pool": 1 / 2,
            "absent": 1 / 2,
            "last": 1 / 3,
            "invalid": REFUSED,
        },
        "precision-denominator=length, unjudged=condensed-before-depth",
    ),
    Row("negative", "neg", "mrr", {"grade": 1 / 3, "absent": 1 / 2, "last": 1 / 2}),  # b x a d; x a d; x a d b
    Row(  # -1 becomes 0 and ends the ideal list: 2 0 -2 0 against 2 0 -1 -2
        "negative",
        "neg",
        "ideal_dcg",
        {"grade": 2 - 1 / 3 - 2 / 4, "absent": 2, "last": 2 - 2 / 3},
        "discount=reciprocal",
    ),
    Row(  # only the labels that exist can be refused
        "negative",
        "neg",
        "recall",
        {"grade": 1, "zero": 1, "unjudged": 1, "in-pool": 1, "invalid": 1},
        "labels-used=relevant-only",
    ),
    Row(  # 0.5 is a fraction between 0 and 1
        "grades-allowed",
        "own",
        "cg",
        {"any": 0.5, "binary": REFUSED, "unit-interval": 0.5, "integer": REFUSED, "integer(1)": REFUSED},
    ),
    Row(  # 2 is whole, and more than 1
        "grades-allowed",
        "neg",
        "cg",
        {"any": 1, "binary": REFUSED, "unit-interval": REFUSED, "integer": 1, "integer(1)": REFUSED},
    ),
    Row("grades-allowed", "high", "cg", {"any": 1, "binary": 1, "unit-interval": 1, "integer": 1, "integer(1)": 1}),
    Row(
        "grades-allowed",
        "gaps",
        "cg",
        {"any": 2, "binary": 2, "unit-interval": 2, "integer": 2, "integer(1)": 2},
    ),
    Row(  # returned are b: -1, a: 2, d: 0
        "relevant",
        "neg",
        "hit_count",
        {"above(0)": 1, "above(-1)": 2, "at-least(-1)": 3, "non-zero": 2, "any-label": 3},
    ),
    Row(  # and c: -2 is missed
        "relevant",
        "neg",
        "recall",
        {"above(0)": 1, "above(-1)": 2 / 2, "at-least(-1)": 3 / 3, "non-zero": 2 / 3, "any-label": 3 / 4},
    ),
    Row("relevant", "dup", "hit_count", {"above(0)": 3, "highest": 1}),  # a a b x, of which b has the highest grade
    Row("relevant", "neg", "recall", {"above(0)": 1, "highest": 1}),
    Row("labels-used", "dup", "recall", {"all": 3 / 2, "outer-join": 3 / 3}),  # the label of a stands twice, as a does
    Row(  # the row of a is a hit for each of its two labels of three; all labels are relevant
        "labels-used",
        "twice",
        "recall",
        {"all": 1 / 3, "hit-per-label": 2 / 3, "relevant-hit-per-label": 2 / 3, "outer-join": 2 / 3},
        "duplicate-labels=counted",
    ),
    Row(
        "labels-used", "own", "hit_count", {"all": 1, "outer-join": 1, "aligned-arrays": 1}, "relevant=highest"
    ),  # 0.5, above a row of 0
    Row("labels-used", "gaps", "recall", {"all": 2 / 3, "outer-join": 2 / 3}),
    Row("labels-used", "tied", "recall@1", {"all": 1 / 2, "first-k(as-given)": 0, "first-k(by-grade)": 1}),
    Row("labels-used", "tied", "recall@1", {"all": 1 / 2, "first(1, as-given)": 0, "first(1, by-grade)": 1}),
    Row(  # grades 3.5, 0.5 and 1
        "labels-used",
        "frac",
        "recall@1",
        {"all": 2 / 3, "first-k-and-ties(0.5)": 1, "first-k-and-ties(2.6)": 1 / 2},
        "k-applies-to=divisors-only",
    ),
    Row(
        "labels-used",
        "frac",
        "cg",
        {"all": 3.5 + 0.5, "relevant-only": 3.5, "aligned-arrays": 3.5 + 0.5},
        "relevant=at-least(1)",
    ),
    Row(
        "labels-used",
        "frac",
        "recall",
        {"all": 1 / 2, "relevant-only": 1 / 2, "aligned-arrays": 1 / 1},
        "relevant=at-least(1)",
    ),
    Row(
        "labels-used",
        "frac",
        "ideal_dcg",
        {"all": 3.5 + 1 / 2 + 0.5 / 3, "relevant-only": 3.5 + 1 / 2, "aligned-arrays": 3.5 + 0.5 / 2 + 0 / 3},
        "relevant=at-least(1), discount=reciprocal",
    ),
    Row("duplicate-labels", "twice", "recall", {"one": 1 / 2, "first": 1 / 2, "counted": 1 / 3, "invalid": REFUSED}),
    Row(
        "duplicate-labels", "twice", "cg", {"one": 3, "first": 1, "counted": 3, "invalid": REFUSED}
    ),  # the grade given last
    # the list
    Row(  # x a y b, and c where it is appended
        "candidates",
        "gaps",
        "dcg",
        {
            "returned": 1 / 2 + 1 / 4,
            "with-unretrieved": 1 / 2 + 1 / 4 + 1 / 5,
            "with-unretrieved(lowest=1)": 1 / 2 + 1 / 4 + 1 / 5,
            "catalogue": 1 / 2 + 1 / 4 + 1 / 5,
            "labelled-only": 1 + 1 / 2,
            "padded": 1 / 2 + 1 / 4,
            "at-least-one": 1 / 2 + 1 / 4,
        },
        "discount=reciprocal",
    ),
    Row(
        "candidates",
        "gaps",
        "precision@6",
        {
            "returned": 2 / 4,
            "with-unretrieved": 3 / 5,
            "with-unretrieved(lowest=1)": 3 / 5,
            "catalogue": 3 / CATALOGUE,
            "labelled-only": 2 / 2,
            "padded": 2 / 6,
            "at-least-one": 2 / 4,
        },
        "precision-denominator=length",
    ),
    Row("candidates", "gaps", "precision@3", {"returned": 1 / 4, "first-k": 1 / 3}, "precision-denominator=length"),
    Row(  # c follows a score of 1, so its own is 0 unless all are shifted
        "candidates",
        "gaps",
        "hit_count",
        {"returned": 2, "with-unretrieved": 2, "with-unretrieved(lowest=1)": 3, "with-unretrieved(lowest=-1)": 1},
        "min-score=positive",
    ),
    Row(  # c is missed: 1 below the lowest score, wherever that stands, it is the last
        "candidates",
        "rising",
        "auc",
        {"returned": 1, "with-unretrieved": (1 + 0) / 2},
        "auc-tied-pairs=half",
    ),
    Row(
        "candidates",
        "empty",
        "precision@2",
        {
            "returned": nan,
            "with-unretrieved": 1,
            "with-unretrieved(lowest=1)": 1,
            "catalogue": 1 / CATALOGUE,
            "labelled-only": nan,
            "padded": 0 / 2,
            "at-least-one": 0 / 1,
        },
        "precision-denominator=length",
    ),
    Row("exclude", "own", "mrr", {"none": 1 / 2, "identical-ids": 1, "seen": 0}),
    Row("exclude", "low", "recall", {"none": 1, "zero-scores": 1 / 2}),  # b has a score of 0
    Row("exclude", "gaps", "mrr", {"none": 1 / 2, "not-in-training": 1}),  # x is in no row of training
    Row(  # the first two rows of a a b x; b where a row is removed before
        "duplicates",
        "dup",
        "cg",
        {
            "each": 1 + 1,
            "once": 1 + 0,
            "first-row": 1 + 2,
            "last-row": 1 + 2,
            "set": 1,
            "pairs": 2 * 1 + 2 * 1,
            "invalid": REFUSED,
        },
        "max-depth=2",
    ),
    Row(
        "duplicates",
        "dup",
        "precision",
        {
            "each": 2 / 2,
            "once": 1 / 2,
            "first-row": 2 / 2,
            "last-row": 2 / 2,
            "set": 1 / 1,
            "pairs": 2 / 2,
            "invalid": REFUSED,
        },
        "max-depth=2, precision-denominator=length",
    ),
    Row(  # the label of a stands 2 · 2 times where pairs count, beside that of b
        "duplicates",
        "dup",
        "recall",
        {
            "each": 2 / 2,
            "once": 1 / 2,
            "first-row": 2 / 2,
            "last-row": 2 / 2,
            "set": 1 / 2,
            "pairs": 2 / 5,
            "invalid": REFUSED,
        },
        "max-depth=2",
    ),
    Row(  # by falling score a x b a; without the row given last x b a; without that given first a x b
        "duplicates",
        "dup",
        "cg@1",
        {"each": 1, "once": 1, "first-row": 0, "last-row": 1, "set": 1, "pairs": 2, "invalid": REFUSED},
        "order=score",
    ),
    Row(  # below the depth nothing is repeated
        "duplicates",
        "dup",
        "hit_count",
        {"each": 1, "once": 1, "first-row": 1, "last-row": 1, "set": 1, "pairs": 1, "invalid": 1},
        "max-depth=1",
    ),
    Row("order", "tied", "mrr", {"given": 1, "score": 1 / 2, "score-then-rank": 1 / 2, "reversed": 1 / 3}),
    Row(  # b y a x, and c is appended below
        "order",
        "gaps",
        "dcg",
        {"given": 1 / 2 + 1 / 4, "reversed": 1 + 1 / 3},
        "discount=reciprocal",
    ),
    Row("order", "gaps", "precision@5", {"given": 3 / 5, "reversed": 3 / 5}, "candidates=with-unretrieved"),
    Row("order", "rising", "mrr", {"given": 1 / 2, "reversed": 1}, "candidates=with-unretrieved"),
    Row("score-dtype", "close", "mrr", {"float64": 1, "float32": 1 / 2}, "order=score"),
    Row(
        "ties",
        "tied",
        "dcg@4",
        {
            "given": 3 / 2 + 1 / 4,  # z c b a
            "reversed": 1 / 3,  # z d a b
            "item-ascending": 1 / 2 + 3 / 4,  # z a b c
            "item-descending": 3 / 3,  # z d c b
            "relevant-first": 3 / 2 + 1 / 3,  # z c a and one of b, d
            "relevant-last": 1 / 4,  # z, b and d, a
            "relevant-last-then-item": 1 / 4,  # z b d a
            "expected": 1 / 2 + 1 / 3 + 1 / 4,  # each is worth (3 + 1) / 4
            "rank(max)": 0,  # all four at rank 5
            "rank(min)": (3 + 1) / 2,  # all four at rank 2
            "rank(average-floor)": (3 + 1) / 3,  # all four at rank (2 + 5) / 2, rounded down
            "rank(average)": (3 + 1) / 3.5,
            "undefined": 3 / 2 + 1 / 4,
        },
        "order=score, discount=reciprocal",
    ),
    Row(
        "ties",
        "tied",
        "precision@3",
        {
            "given": 1 / 3,
            "reversed": 1 / 3,
            "item-ascending": 1 / 3,
            "item-descending": 1 / 3,
            "relevant-first": 2 / 3,
            "relevant-last": 0,
            "relevant-last-then-item": 0,
            "expected": (2 / 4 + 2 / 4) / 3,
            "rank(max)": 0,
            "rank(min)": 2 / 3,
            "rank(average-floor)": 2 / 3,
            "rank(average)": 0,  # the tie stands at rank 3.5
            "undefined": 1 / 3,
        },
        "order=score",
    ),
    Row(
        "unjudged",
        "gaps",
        "hit_count",
        {"not-relevant": 1, "condensed-before-depth": 2, "condensed-after-depth": 1, "grade-0": 1},
        "max-depth=2",
    ),
    Row(
        "unjudged",
        "gaps",
        "mrr",
        {"not-relevant": 1 / 2, "condensed-before-depth": 1, "condensed-after-depth": 1, "grade-0": 1 / 2},
    ),
    Row(  # x and y cost 1 each where they have grade 0; a and b gain 1^2 - 1
        "unjudged",
        "gaps",
        "cg",
        {"not-relevant": 0, "condensed-before-depth": 0, "condensed-after-depth": 0, "grade-0": -2},
        "gain=square-less-one",
    ),
    Row("unjudged", "gaps", "judged_share@3", {"not-relevant": 1 / 3, "condensed-before-depth": 2 / 3, "grade-0": 1}),
    Row(
        "max-depth", "gaps", "precision@2", {"none": 1 / 4, "cutoff": 1 / 2, "3": 1 / 3}, "precision-denominator=length"
    ),
    Row(  # z, and four tied rows: c b a d
        "max-depth",
        "tied",
        "precision@2",
        {"none": 1 / 5, "cutoff": 1 / 2, "cutoff-and-ties": 2 / 5},
        "order=score, precision-denominator=length",
    ),
    Row(
        "max-depth", "gaps", "hit_count", {"none": 2, "relevant": 1, "most-relevant": 1}
    ),  # three labels, and b is the fourth row
    Row(  # of four rows, and of three labels; hits are at 2 and 4
        "max-depth",
        "gaps",
        "recall",
        {
            "none": 2 / 3,
            "share(0.3)": 1 / 3,
            "share(0.3, down)": 0,
            "share(0.75)": 1 / 3,
            "share-of-labels(0.5)": 1 / 3,
            "share-of-labels(0.5, down)": 0,
            "share-of-labels(1)": 1 / 3,
        },
    ),
    Row(  # 2.5 of four rows, and of as many labels; a is the third
        "max-depth",
        "neg",
        "precision",
        {
            "none": 1 / 4,
            "share(0.625, nearest)": 1 / 3,
            "share(0.625, nearest-even)": 0,
            "share-of-labels(0.625, nearest)": 1 / 3,
            "share-of-labels(0.625, nearest-even)": 0,
        },
        "relevant=at-least(2), precision-denominator=length",
    ),
    Row("max-depth", "tied", "recall@1", {"none": 0, "cutoff": 0, "cutoff-and-ties": 0}, "order=score"),
    Row("max-depth", "tied", "recall@2", {"none": 1 / 2, "cutoff": 1 / 2, "cutoff-and-ties": 2 / 2}, "order=score"),
    Row(  # z alone has a score above 2
        "max-depth",
        "tied",
        "recall@5",
        {"none": 1, "score-at-least(2.5)": 0, "score-at-least(4)": 0, "score-above(2)": 0},
        "order=score",
    ),
    Row(  # ranks stay apart: c at 2, a at 4
        "max-depth",
        "tied",
        "dcg@2",
        {"none": 3 / 2, "cutoff": 3 / 2, "cutoff-and-ties": 3 / 2 + 1 / 4},
        "order=score, discount=reciprocal",
    ),
    Row("max-depth", "gaps", "recall", {"none": 2 / 3, "cutoff": 2 / 3, "3": 1 / 3}),
    Row("score-transform", "high", "auc", {"none": 1, "sigmoid32": 1 / 2}),
    Row("score-transform", "low", "auc", {"none": 1, "sigmoid32": 1}),  # the order stays
    # a is above 0.4 or not, and b and c are in the first interval
    Row(
        "score-transform", "low", "auc", {"none": 1, "even-thresholds(2)": 1 / 2, "even-thresholds(6)": (1 + 1 / 2) / 2}
    ),
    Row("min-score", "low", "recall", {"none": 2 / 2, "positive": 1 / 2}),
    Row("min-score", "low", "cg", {"none": 2, "positive": 2}),  # a gain is no hit
]
CELLS = cells(ROWS)


@together("row, setting, expected", CELLS, by=lambda row, *_: row.convention_name)
def test_the_value_under_a_setting(row: Row, setting: str, expected: float) -> None:
    found = value(row.user, row.metric, f"{row.convention_name}={setting}, {row.beside}")
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15, nan_ok=True)


@pytest.mark.parametrize("user", LABELS)
def test_a_user_alone_has_the_same_values(user: str) -> None:
    """Nothing hangs on whose rows stand first in a block."""
    asked = [(row, setting, expected) for row in ROWS if row.user == user for setting, expected in row.values.items()]
    specs = [spec_of(row.metric, f"{row.convention_name}={setting}, {row.beside}") for row, setting, _ in asked]
    sides: dict[str, Any] = {"seen": {user: SEEN.get(user, [])}, "train": TRAIN, "catalogue": CATALOGUE}
    joined = rc.join({user: LABELS[user]}, {user: RUN[user]}, **sides, parents=PARENTS if user == "chunks" else None)
    found = rc.evaluate(joined, list(dict.fromkeys(specs)), NEUTRAL)
    for spec, (*_, expected) in zip(specs, asked, strict=True):
        assert found.per_user[spec] == pytest.approx([expected], rel=1e-12, abs=1e-15, nan_ok=True), spec


OTHERS = (
    "calls",
    "grade-words",
    "score-words",
    "span-unit",
    "span-match",
    "scope",
    "subtopics",
    "no-subtopic",
    "subtopic-weight",
)
ONE_BY_ONE = [convention_name for convention_name in Preparation.conventions() if convention_name not in OTHERS]
"""The lists put together are prepared one by one before: see the tests of metrics that are pooled. Labels in groups
have a table of their own, in `steps/test_groups.py`, and so have several searches for a task, in `test_searches.py`;
words are in `test_word_numbers.py`, and spans of documents in `test_spans.py`."""


@pytest.mark.parametrize("convention_name", ONE_BY_ONE)
def test_no_setting_is_left_out(convention_name: str) -> None:
    convention = rc.convention(convention_name)
    told = {
        convention(setting).setting_type.name
        for row in ROWS
        if row.convention_name == convention_name
        for setting in row.values
    }
    assert told | ({"number-descending"} if convention_name == "ties" else set()) == set(convention.setting_types)


def test_the_greatest_r_is_that_of_any_user_as_the_preparation_counts_it() -> None:
    labels = {"u": {"a": 1}, "v": {"b": 2, "c": 1}, "w": {"d": 3, "e": 0, "f": 0}}
    run = {"u": ["x", "a"], "v": ["x", "y", "b"], "w": ["x", "y", "d"]}
    for relevant, hits in (
        ("above(0)", [1, 0, 0]),
        ("at-least(0)", [1, 1, 1]),
        ("at-least(2)", [0, 0, 0]),
    ):  # R 2, 3, 1
        spec = f"hit_count(max-depth=most-relevant, relevant={relevant})"
        assert [*rc.evaluate(labels, run, spec, NEUTRAL).per_user[spec]] == hits
        assert [*rc.evaluate(labels, run, spec, NEUTRAL, users=["w"]).per_user[spec]][2:] == hits[2:]
        assert rc.explain(labels, run, spec, NEUTRAL, user="w").value == hits[2]
    spec = "precision(max-depth=most-relevant, precision-denominator=length, on-zero-division=1)@3"
    assert rc.evaluate({"u": {"x": 0}}, {"u": ["x", "a"]}, spec, NEUTRAL)[spec] == 1, "without any no row is read"


def test_ids_are_ordered_as_numbers() -> None:
    labels, run = {"u": ["9"]}, {"u": {"9": 1.0, "10": 1.0, "8": 1.0}}
    place = {"number-descending": 2, "item-descending": 1, "item-ascending": 3, "given": 1}
    for rule, rank in place.items():
        spec = f"mrr(order=score, ties={rule})"
        assert rc.evaluate(labels, run, spec, preset=NEUTRAL)[spec] == 1 / rank


def test_ids_that_are_no_numbers_cannot_be_ordered_as_numbers() -> None:
    labels, run = {"u": ["a"]}, {"u": {"a": 1.0, "9": 1.0}}
    with pytest.raises(rc.MetricError, match="needs item ids that are numbers, and 'a' is none"):
        rc.evaluate(labels, run, "mrr(order=score, ties=number-descending)", NEUTRAL)
    table = rc.compare(labels, run, "map@2", ["replay_rec-frames", "rankconv"])
    assert table["map@2", "rankconv"] == 0.75, "the others keep their numbers"


@pytest.mark.parametrize("convention_name", ONE_BY_ONE)
def test_every_setting_but_the_neutral_one_makes_a_difference(convention_name: str) -> None:
    neutral, rows = neutral_settings()[convention_name], [row for row in ROWS if row.convention_name == convention_name]
    settings = {setting for row in rows for setting in row.values} - {neutral, "undefined"}
    differ = {setting for row in rows for setting in row.values if str(row.values[setting]) != str(row.values[neutral])}
    assert settings == differ - {"undefined"}


# the order of the steps


STEPS: dict[str, tuple[str, str, str, float]] = {
    "grades are read before relevance": ("frac", "hit_count", "grades=integer", 1),
    "negative grades too": ("neg", "hit_count", "negative=zero, relevant=non-zero", 1),
    "grades are read before they are refused": ("frac", "mrr", "grades=binary, grades-allowed=binary", 1),
    "the last label decides on relevance": ("twice", "recall", "duplicate-labels=one, relevant=above(2)", 1),
    "what is appended may be dropped": ("gaps", "hit_count", "candidates=with-unretrieved, exclude=seen", 2),
    "items are dropped before the depth": ("own", "mrr", "exclude=identical-ids, max-depth=1", 1),
    "R is counted before the depth": ("gaps", "recall", "labels-used=aligned-arrays, max-depth=2", 1 / 2),
    "so is the ideal list": (
        "frac",
        "ideal_dcg",
        "labels-used=aligned-arrays, max-depth=1, discount=reciprocal",
        3.5 + 0.5 / 2,
    ),
    "grades break ties": ("tied", "mrr", "order=score, ties=relevant-first, relevant=above(2)", 1 / 2),
    "the grades as read": ("tied", "cg@3", "order=score, ties=relevant-first, grades=binary", 2),
    "scores are narrowed before the order": (
        "close",
        "mrr",
        "order=score, score-dtype=float32, ties=item-descending",
        1 / 2,
    ),
    "a repeat is found after the order": ("dup", "cg@1", "order=score, ties=given, duplicates=once", 1),
    "what fills a list up stands last": ("gaps", "mrr@6", "candidates=padded, order=score", 1 / 2),
    "and is unjudged": ("gaps", "mrr@6", "candidates=padded, unjudged=condensed-before-depth", 1),
    "the depth is cut before unjudged rows go": ("gaps", "cg", "max-depth=3, unjudged=condensed-after-depth", 1),
}


@pytest.mark.parametrize("fact", STEPS)
def test_the_order_of_the_steps(fact: str) -> None:
    *asked, expected = STEPS[fact]
    assert value(*asked) == pytest.approx(expected, rel=1e-12)


def test_the_whole_tie_is_averaged_also_beyond_the_cutoff() -> None:
    """Five items, four of them tied: DCG@2 as scikit-learn has it, not as if the rows were cut first."""
    labels = {"u": {"a": 1, "b": 3, "c": 0, "d": 2, "e": 1}}
    run = {"u": [("a", 2), ("b", 1), ("c", 1), ("d", 1), ("e", 1)]}
    spec = "dcg(order=score, ties=expected, discount=reciprocal)@2"
    assert rc.evaluate(labels, run, spec, preset=NEUTRAL)[spec] == 1 + (3 + 0 + 2 + 1) / 4 / 2


# what is refused, and what is missing


@pytest.mark.parametrize(
    ("user", "setting", "item"),
    [
        ("dup", "duplicates=invalid", "a"),
        ("twice", "duplicate-labels=invalid", "a"),
        ("neg", "negative=invalid", "b"),
        ("neg", "grades-allowed=binary", "a"),
        ("neg", "grades-allowed=unit-interval", "a"),
        ("neg", "grades-allowed=integer(1)", "a"),
    ],
)
def test_a_refusal_names_user_item_and_setting(user: str, setting: str, item: str) -> None:
    spec = f"recall({setting}, on-invalid=refuse-user)"
    with pytest.raises(
        rc.MetricError, match=f"user '{user}' has item '{item}' .*preset says on-invalid=refuse-user"
    ) as error:
        rc.evaluate({user: LABELS[user]}, {user: RUN[user]}, spec, preset=NEUTRAL)
    assert setting in str(error.value)


@pytest.mark.parametrize(
    ("setting", "wrong"),
    [
        ("min-score=positive", "min-score=positive needs scores, and the rankings have none"),
        ("exclude=seen", "exclude=seen needs seen, and none was given"),
    ],
)
def test_what_a_setting_needs_is_asked_for(setting: str, wrong: str) -> None:
    with pytest.raises(rc.MetricError, match=wrong):
        rc.evaluate({"u": ["a"]}, {"u": ["a"]}, f"recall({setting})", preset=NEUTRAL)


def test_lists_without_scores_fall_by_place() -> None:
    specs = ["mrr(order=score)", "mrr(order=score, ties=reversed)"]
    result = rc.evaluate({"u": ["b"]}, {"u": ["a", "b", "c"]}, specs, preset=NEUTRAL)
    assert [result[spec] for spec in specs] == [1 / 2, 1 / 2]


def test_text_is_compared_by_code_point() -> None:
    run: dict[str, Any] = {"u": [(item, 1.0) for item in ("9", "10", "b", "B", "é")]}
    for rule, order in (("item-ascending", "10 9 B b é"), ("item-descending", "é b B 9 10")):
        for place, item in enumerate(order.split(), 1):
            spec = f"mrr(order=score, ties={rule})"
            assert rc.evaluate({"u": [item]}, run, spec, preset=NEUTRAL)[spec] == 1 / place


def test_one_users_labels_do_not_depend_on_whether_another_list_is_sorted() -> None:
    """Two rows are two labels under labels-used=aligned-arrays, and only the first is a hit: 1/2, whoever else there
    is."""
    spec = "recall(labels-used=aligned-arrays, duplicates=once, order=score)"
    labels = {"u": ["a"], "v": ["a"]}
    for other in ([("a", 2.0), ("b", 1.0)], [("b", 1.0), ("a", 2.0)]):
        result = rc.evaluate(labels, {"u": [("a", 2.0), ("a", 1.0)], "v": other}, spec, preset=NEUTRAL)
        assert result.per_user[spec][0] == 1 / 2


def test_one_users_pairs_do_not_depend_on_another_list() -> None:
    """Rows are labels, and b stands once: -1 at rank 1 and 0 at rank 2, whoever else there is."""
    spec = "ideal_dcg(labels-used=aligned-arrays, duplicates=pairs, discount=reciprocal)"
    labels = {"u": {"a": -1}, "v": {"a": -1}}
    for other in (["a"], ["x", "y", "z"]):
        result = rc.evaluate(labels, {"u": ["a", "b"], "v": other}, spec, preset=NEUTRAL)
        assert result.per_user[spec][0] == 0 - 1 / 2


@pytest.mark.parametrize("grades", [(1, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("labels_used", ["hit-per-label", "relevant-hit-per-label", "outer-join"])
def test_one_of_several_labels_makes_a_row_a_hit_whoever_else_there_is(
    labels_used: str, grades: tuple[int, int]
) -> None:
    """Of two labels of an item one is relevant, in either order; others have none that is repeated, or two."""
    spec = f"mrr(labels-used={labels_used}, duplicate-labels=counted)"
    labels = [("u", "a", grades[0]), ("u", "a", grades[1])]
    for others in ([("v", "a", 1)], [("v", "a", 1), ("v", "a", 1)]):
        found = rc.evaluate([*labels, *others], {"u": ["x", "a"], "v": ["a"]}, spec, preset=NEUTRAL)
        assert found.per_user[spec].tolist() == [1 / 2, 1]


def test_pairs_of_rows_that_are_labels_do_not_depend_on_labels_of_grade_0() -> None:
    """A row without a label is a label of grade 0 there, also where nobody has any label."""
    spec = "(labels-used=aligned-arrays, duplicates=pairs, negative=grade, users=union)"
    specs = [f"{name}{spec}" for name in ("ideal_dcg", "dcg")]
    run = {"u": ["b", "a", "b", "b"], "v": ["c", "b", "c"]}
    for labels, zeros in (({"a": -1}, {"b": 0}), ({}, {"b": 0})):
        given = [{"u": one, "v": {}} for one in (labels, labels | zeros)]
        plain, stated = (rc.evaluate(one, run, specs, preset=NEUTRAL) for one in given)
        for spec in specs:
            np.testing.assert_array_equal(plain.per_user[spec], stated.per_user[spec])


def test_an_item_that_is_not_judged_is_not_appended() -> None:
    spec = "precision(candidates=with-unretrieved, negative=unjudged, precision-denominator=length)"
    assert rc.evaluate({"u": {"a": 1, "b": -1}}, {"u": ["a"]}, spec, preset=NEUTRAL)[spec] == 1 / 1


@pytest.mark.parametrize(
    ("candidates", "best"), [("returned", 2 - 1 / 2), ("padded", 2 - 1 / 2), ("padded(rows=3)", 2)]
)
def test_a_list_may_be_filled_up_to_a_rank_beyond_the_cutoff(candidates: str, best: float) -> None:
    """The best two of the first three rows: 2 and -1, or 2 and an item that nobody knows."""
    spec = f"ideal_dcg(candidates={candidates}, negative=grade, ideal=retrieved-at(3), discount=reciprocal)@2"
    assert rc.evaluate({"u": {"a": -1, "b": 2}}, {"u": ["a", "b"]}, spec)[spec] == best


def test_a_list_is_filled_up_to_the_cutoff_at_least() -> None:
    spec = "precision(candidates=padded(rows=4), precision-denominator=length)"
    found = rc.evaluate({"u": ["a"]}, {"u": ["a", "b"]}, [spec, f"{spec}@6"])
    assert (found[spec], found[f"{spec}@6"]) == (1 / 4, 1 / 6)


@pytest.mark.parametrize("candidates", ["with-unretrieved", "padded(rows=5) + with-unretrieved"])
def test_what_is_appended_stands_below_every_row_that_is_left(candidates: str) -> None:
    """Rows that were taken out leave no place between the others."""
    labels, run = {"u": {"b": -1, "c": -1, "z": 1, "a": 0}}, {"u": ["b", "c", "a", "d", "e"]}
    changes = {"order": "given", "negative": "absent", "candidates": candidates}
    found = with_changes(rc.metric("mrr"), changes)
    assert found is not None
    assert found(labels, run) == pytest.approx(1 / (4 if candidates == "with-unretrieved" else 6))


@pytest.mark.parametrize("ties", ["expected", "item-ascending"])
def test_a_row_with_score_0_is_no_hit_where_hits_have_positive_scores(ties: str) -> None:
    settings = f"min-score=positive, ties={ties}"
    specs = [f"precision({settings})@3", f"recall({settings})@3"]
    found = rc.evaluate({"u": {"a": 1, "b": 1}}, {"u": [("b", 0.7), ("a", 0.0), ("x", 0.0)]}, specs)
    assert [found[spec] for spec in specs] == pytest.approx([1 / 3, 1 / 2])


def test_labels_of_one_grade_are_cut_by_id_and_not_by_the_order_of_rows() -> None:
    orders = [dict(rows) for rows in permutations({"c": 1, "a": 1, "b": 2, "d": 1}.items())]

    def values(rule: str) -> set[float]:
        spec = f"recall(labels-used=first-k({rule}))@2"
        return {float(rc.evaluate({"u": one}, {"u": ["a", "b"]}, spec)[spec]) for one in orders}

    assert values("by-grade") == {1.0}
    assert values("as-given") == {0.0, 0.5, 1.0}


@pytest.mark.parametrize("setting", ["once", "first-row", "last-row", "set"])
def test_the_sentence_on_repeated_items_says_the_rank_of_an_item_below(setting: str) -> None:
    said = " ".join(str(rc.cite(f"mrr(duplicates={setting})")).split())
    [(items, rank)] = re.findall(r"of ([ab], [ab], [ab]) item b is at rank (\d)", said)
    value = rc.evaluate({"u": ["b"]}, {"u": items.split(", ")}, f"mrr(duplicates={setting})")
    assert [*value.values()] == [1 / int(rank)]


def test_a_count_of_hits_names_the_hit_rate() -> None:
    labels, run = {"u": ["a", "b"], "v": ["c"]}, {"u": ["a", "b"], "v": ["x"]}
    result = rc.evaluate(labels, run, ["hits@10", "mrr"])
    said = "hit_count@10 is a count of hits, and no share; the share of users with a hit is hit_rate@10."
    assert said in result.notes
    assert result["hit_count@10"] == 1
    assert rc.evaluate(labels, run, "hit_rate@10")["hit_rate@10"] == 1 / 2


def test_a_share_is_rounded_as_if_it_were_exact() -> None:
    """0.07 · 150 is a little more than 10.5 in doubles, and 0.1 · 30 more than 3."""
    labels = {"u": {f"i{place}": 1 for place in range(150)}}
    specs = ["hit_count(max-depth=share(0.07, nearest-even))", "hit_count(max-depth=share(0.02))"]
    found = rc.evaluate(labels, {"u": list(labels["u"])}, specs, NEUTRAL)
    assert [found[spec] for spec in specs] == [10, 3]


def test_every_setting_of_a_preset_is_carried_out_at_some_step() -> None:
    """Of copies, as what was found of a preparation once is kept with it."""
    for spec in ("ndcg@10", "trec_eval:map", "ndeval:err_ia@10", "autorag:mrr"):
        assert copy(rc.metric(spec).preparation).is_carried_out, spec
