"""When two numbers are equal although they were computed in another width."""

import pytest

import rankconv as rc
from rankconv.addons.verification import SINGLE, LibraryResult
from rankconv.addons.verification.adapter import pairs_of


@pytest.mark.parametrize(
    ("theirs", "equal"),
    [(51.47063064575195, True), (51.4, False)],  # the first is what TorchMetrics 1.9.0 gives for such a user
)
def test_errors_grow_where_losses_cancel_gains(theirs: float, equal: bool) -> None:
    labels = {"u": {"0": 1.0, "4": -1.5, "1": 0.0, "5": -1.5, "2": -0.5, "3": 0.5}}
    run = {"u": [("0", -1e-37), ("2", -1e-34)]}
    ours = rc.evaluate(labels, run, "ndcg@10", preset="torchmetrics+unretrieved")
    assert ours["ndcg@10"] == pytest.approx(51.47085, abs=1e-5)
    [pair] = pairs_of("ndcg@10", ours, LibraryResult(theirs))
    assert pair.is_equal(SINGLE) is equal


@pytest.mark.parametrize(("apart", "equal"), [(1e-6, True), (1e-5, False)])
@pytest.mark.parametrize("metric", ["dcg", "precision"])
def test_within_the_range_of_a_metric_they_do_not(metric: str, apart: float, equal: bool) -> None:
    ours = rc.evaluate({"u": {"a": 1000.0}}, {"u": ["a"]}, metric, preset="trec_eval")
    [pair] = pairs_of(metric, ours, LibraryResult(ours[metric] * (1 + apart)))
    assert pair.is_equal(SINGLE) is equal
