"""Which rows of many lists can be hits by their scores: the same numbers, to the bit, as row by row."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.basics.errors import RankconvError
from rankconv.engine import plan
from rankconv.preparation.step_registry import plain_where
from tests.laws import examples

ITEMS = [f"d{number}" for number in range(9)]
SCORES = st.sampled_from([3.0, 2.5, 1.0, 1e-50, 0.0, -0.0, -1.0, -2.0, 1e20, -1e20, 1e9, 1e9 + 1])
LABELS = st.dictionaries(st.sampled_from(ITEMS), st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0]), min_size=1, max_size=6)
LISTS = st.lists(st.tuples(st.sampled_from(ITEMS), SCORES), max_size=9)
METRICS = [
    "precision(hit-weight=grade)@2",
    "precision@9",
    "map(ap-denominator=hits)@3",
    "map(ap-denominator=hits, ap-precision=items)@3",
    "recall(recall-denominator=relevant-grades)@3",
    "mrr",
    "ndcg(gain=binary)@2",
    "bpref",
    "hit_rate@1",
    "fall_out@3",
    "auc",
    "rbp",
]
SETTINGS = [
    "",
    "min-score=positive",
    "min-score=positive, order=score",
    "min-score=positive, order=score, score-dtype=float32",
    "min-score=positive, order=score, ties=expected",
    "min-score=positive, order=score, ties=item-ascending, max-depth=cutoff",
    "min-score=positive, labels-used=aligned-arrays, order=score",
    "min-score=positive, labels-used=aligned-arrays, candidates=with-unretrieved(lowest=1), order=score, "
    "score-dtype=float32",
    "min-score=positive, candidates=with-unretrieved(lowest=0.001)",
    "min-score=positive, candidates=with-unretrieved(lowest=-2)",
    "min-score=positive, candidates=with-unretrieved",
    "min-score=positive, duplicates=once",
    "duplicates=once, order=score",
    "on-unjudged=0",
    "on-unjudged=0.5, labels-used=relevant-only, relevant=at-least(level=1)",
    "on-unjudged=0.5, labels-used=aligned-arrays, relevant=at-least(level=1)",
    "on-unjudged=0, negative=unjudged, max-depth=cutoff, labels-used=aligned-arrays",
]


def asked(metric: str, settings: str) -> str:
    """The metric with these settings beside its own."""
    name, _, k = metric.partition("@")
    told = ", ".join(filter(None, [name.partition("(")[2].removesuffix(")"), settings]))
    return f"{name.partition('(')[0]}({told})" + (f"@{k}" if k else "")


def numbers(joined: Any, specs: list[str]) -> Any:
    """The values of all users as text, or why there are none."""
    try:
        found = rc.evaluate(joined, specs, preset="rankconv")
    except RankconvError as error:
        return str(error) if len(specs) == 1 else [numbers(joined, [spec]) for spec in specs]
    return [[spec, str(found[spec]), *map(str, found.per_user[spec])] for spec in specs]


@pytest.mark.parametrize("settings", SETTINGS)
@given(
    labels=st.fixed_dictionaries(dict.fromkeys("uvw", LABELS)), run=st.fixed_dictionaries(dict.fromkeys("uvw", LISTS))
)
@settings(max_examples=examples.of(quick=4, ci=20))
def test_fast_and_row_by_row_are_the_same(settings: str, labels: Mapping[str, Any], run: Mapping[str, Any]) -> None:
    joined, specs = rc.join(labels, run), [asked(metric, settings) for metric in METRICS]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "FEW_ROWS", 0)
        fast = numbers(joined, specs)
        patch.setattr(plan, "FEW_ROWS", 10**6)
        assert fast == numbers(joined, specs)


def test_who_has_scores_too_large_to_be_shifted_is_prepared_row_by_row() -> None:
    """1e20 is shifted to 0 and not to 1, as a sum of it and 1 is rounded to it."""
    [definition] = rc.preset("torchmetrics+unretrieved").define("map@2")
    assert plain_where(definition.preparation.settings["min-score"]) == ["scores not shifted to 0"]
    run = {"u": [("a", -1e20), ("b", -2e20)], "v": [("a", 3.0), ("b", 2.0)]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "FEW_ROWS", 0)
        joined = rc.join({"u": ["a"], "v": ["a"]}, run)
        [fast] = plan.Plan.of(joined, [plan_reader(joined, definition)]).plain
    assert joined.users.values[fast.wanted[0][1]].tolist() == ["v"]


def plan_reader(joined: Any, definition: Any) -> plan.BlockReader:
    return plan.BlockReader(definition.preparation, 2, 2, ~(joined.list_counts < 0), lambda block, inside: None)
