"""Measures of ir_measures by the definitions of rankconv: its own pipeline gives our numbers."""

import math
from typing import Any

import pytest

import rankconv as rc

library = pytest.importorskip("ir_measures")
QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"c": 0}, "q3": {"d": 1}}
RUN = {"q1": {"a": 1.0, "x": 0.5, "b": 0.2}, "q2": {"c": 1.0}, "q3": {"x": 1.0, "d": 0.5}}


def measure(text: str) -> Any:
    import examples.compat.ir_measures_provider  # noqa: F401  registers the measures

    return library.parse_measure(text)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("ndcg@10", "ndcg@10"),
        ("ndcg(preset='mllib')@10", "mllib:ndcg@10"),
        ("map(preset='trec_eval', conventions='relevant=at-least(2)')", "trec_eval:map(relevant=at-least(2))"),
        ("precision(conventions='aggregate=micro, on-zero-division=as-computed')@2", ""),
    ],
)
def test_its_pipeline_gives_our_numbers(text: str, spec: str) -> None:
    one = measure(text)
    assert (
        library.calc_aggregate([one], QRELS, RUN)[one]
        == rc.evaluate(QRELS, RUN, spec or one.definition.text)[spec or one.definition.text]
    )


def test_users_who_are_left_out_are_no_0_among_measures_of_others() -> None:
    ours, theirs = measure("ndcg@10"), library.nDCG @ 10
    means = library.calc_aggregate([ours, theirs], QRELS, RUN)
    assert means[ours] == pytest.approx(rc.evaluate(QRELS, RUN, "ndcg@10")["ndcg@10"])
    assert means[theirs] == pytest.approx(means[ours] * 2 / 3)
    values = {one.query_id: one.value for one in library.iter_calc([ours, theirs], QRELS, RUN) if one.measure == ours}
    assert math.isnan(values["q2"])


def test_values_that_do_not_give_the_number_are_refused() -> None:
    one = measure("precision(conventions='aggregate=median(lower)')@2")
    with pytest.raises(rc.MetricError, match="values of queries do not give aggregate=median"):
        library.calc_aggregate([one, library.nDCG @ 10], QRELS, RUN)
