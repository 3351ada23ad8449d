"""Definitions as measures of ir_measures: its own pipeline, and PyTerrier's experiment, give our numbers."""

import math
import subprocess
import sys
from typing import Any

import pytest

import rankconv as rc
from rankconv import ir

QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"c": 0}, "q3": {"d": 1}}
RUN = {"q1": {"a": 1.0, "x": 0.5, "b": 0.2}, "q2": {"c": 1.0}, "q3": {"x": 1.0, "d": 0.5}}


@pytest.fixture
def library() -> Any:
    return pytest.importorskip("ir_measures")


def parsed(library: Any, text: str) -> Any:
    ir.register()
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
def test_its_pipeline_gives_our_numbers(library: Any, text: str, spec: str) -> None:
    one = parsed(library, text)
    spec = spec or one.definition.text
    assert library.calc_aggregate([one], QRELS, RUN)[one] == rc.evaluate(QRELS, RUN, spec)[spec]


@pytest.mark.parametrize(
    "spec", ["ndcg@10", "mllib:ndcg@10", "trec_eval:map(relevant=at-least(2))", "ranx:ndcg_burges@5", "ir_measures:AP"]
)
def test_a_measure_has_its_definition_and_its_text_is_read_again(library: Any, spec: str) -> None:
    one = ir.measure(spec)
    assert one.definition == rc.metric(spec)
    assert library.calc_aggregate([one], QRELS, RUN)[one] == rc.evaluate(QRELS, RUN, spec)[spec]
    if one.NAME in rc.preset("rankconv").metrics:
        assert library.parse_measure(str(one)) == one


def test_users_who_are_left_out_are_no_0_among_measures_of_others(library: Any) -> None:
    ours, theirs = ir.measure("ndcg@10"), library.nDCG @ 10
    means = library.calc_aggregate([ours, theirs], QRELS, RUN)
    assert means[ours] == pytest.approx(rc.evaluate(QRELS, RUN, "ndcg@10")["ndcg@10"])
    assert means[theirs] == pytest.approx(means[ours] * 2 / 3)
    values = {one.query_id: one.value for one in library.iter_calc([ours, theirs], QRELS, RUN) if one.measure == ours}
    assert math.isnan(values["q2"])


def test_values_that_do_not_give_the_number_are_refused(library: Any) -> None:
    one = parsed(library, "precision(conventions='aggregate=median(lower)')@2")
    with pytest.raises(rc.MetricError, match="values of queries do not give aggregate=median"):
        library.calc_aggregate([one, library.nDCG @ 10], QRELS, RUN)


@pytest.mark.filterwarnings("ignore")  # of pandas, in PyTerrier
def test_an_experiment_of_pyterrier_takes_it() -> None:
    pt, pandas = pytest.importorskip("pyterrier"), pytest.importorskip("pandas")
    rows = lambda of, name: [(q, d, number) for q, each in of.items() for d, number in each.items()]
    qrels = pandas.DataFrame(rows(QRELS, "label"), columns=["qid", "docno", "label"])
    found = pandas.DataFrame(rows(RUN, "score"), columns=["qid", "docno", "score"])
    topics = pandas.DataFrame({"qid": list(QRELS), "query": ["one", "two", "three"]})
    system = pt.Transformer.from_df(pt.model.add_ranks(found))
    one = ir.measure("ndcg@10", "mllib")
    table = pt.Experiment([system], topics, qrels, [one, "map"], names=["system"])
    assert table[str(one)].tolist() == [pytest.approx(rc.evaluate(QRELS, RUN, "mllib:ndcg@10")["mllib:ndcg@10"])]


def test_the_names_need_no_library_before_they_are_called() -> None:
    blocked = "import sys; sys.modules['ir_measures'] = None; import rankconv as rc; rc.ir.measure('ndcg@10')"
    done = subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True)
    assert "A measure of ir_measures needs ir_measures, which is not installed" in done.stderr
    assert "pip install 'rankconv[ir]'" in done.stderr
