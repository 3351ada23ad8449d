"""What groups weigh as the caller says: intent-aware numbers by hand, and what is refused."""

from typing import Any

import numpy as np
import pytest

import rankconv as rc

GROUPED: dict[str, Any] = {"q": {"cars": {"a": 2, "b": 1}, "cats": {"b": 3, "c": 1}}, "r": {"tea": {"a": 1}}}
WEIGHTS = {"q": {"cars": 0.7, "cats": 0.3}, "r": {"tea": 1.0}}
RUN = {"q": ["x", "b", "a"], "r": ["a"]}
LABELS = rc.Labels(GROUPED).with_group_weights(WEIGHTS)


def of(user: str, spec: str, labels: Any = LABELS) -> float:
    found = rc.evaluate(labels, RUN, spec)
    return float(found.per_user[spec][found.users.tolist().index(user)])


def test_metrics_of_groups_are_weighted_by_them() -> None:
    told = "subtopics=separate, subtopic-weight=given"
    assert of("q", f"err({told}, gain=exponential-over(3))@3") == pytest.approx(
        0.7 * ((1 / 8) / 2 + (7 / 8) * (3 / 8) / 3) + 0.3 * (7 / 8) / 2
    )
    best = {"cars": 2 + 1 / np.log2(3), "cats": 3 + 1 / np.log2(3)}
    got = {"cars": 1 / np.log2(3) + 2 / 2, "cats": 3 / np.log2(3)}
    ideal = sum(WEIGHTS["q"][name] * got[name] / best[name] for name in best)
    assert of("q", f"ndcg({told}, gain=linear, discount=log(base=2))@3") == pytest.approx(ideal)
    alpha = "alpha_dcg(subtopic-alpha=0.5, discount=reciprocal, subtopic-weight=given)@3"
    assert of("q", alpha) == pytest.approx((0.7 + 0.3) / 2 + 0.7 * 0.5 / 3)


def test_an_ideal_of_groups_prefers_what_is_likelier_wanted() -> None:
    """With one place, b serves both; without b, a serves the likelier group."""
    labels = rc.Labels({"q": {"cars": ["a"], "cats": ["c"]}}).with_group_weights({"q": {"cars": 0.9, "cats": 0.1}})
    for alone, worth in (("a", 1.0), ("c", 1 / 9)):
        spec = "alpha_ndcg(subtopic-weight=given, subtopic-ideal=greedy)@1"
        assert rc.evaluate(labels, {"q": [alone]}, spec)[spec] == pytest.approx(worth)


def test_weights_count_by_their_share_and_even_ones_are_even() -> None:
    spec = "map(subtopics=separate, subtopic-weight=given)"
    tenfold = {user: {name: 10 * weight for name, weight in own.items()} for user, own in WEIGHTS.items()}
    assert of("q", spec, rc.Labels(GROUPED).with_group_weights(tenfold)) == pytest.approx(of("q", spec))
    alike = {user: dict.fromkeys(own, 0.25) for user, own in WEIGHTS.items()}
    even = of("q", "map(subtopics=separate)", rc.Labels(GROUPED))
    assert of("q", spec, rc.Labels(GROUPED).with_group_weights(alike)) == pytest.approx(even)
    told = rc.explain(LABELS, RUN, spec, user="q")
    assert told.value == pytest.approx(of("q", spec))


def test_batches_keep_the_weights() -> None:
    spec = "map(subtopics=separate, subtopic-weight=given)"
    evaluator = rc.Evaluator(spec)
    for user in GROUPED:
        own = rc.Labels({user: GROUPED[user]}).with_group_weights({user: WEIGHTS[user]})
        evaluator.update(own, rc.Run({user: RUN[user]}))
    assert evaluator.compute()[spec] == rc.evaluate(LABELS, RUN, spec)[spec]


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({"q": {"cars": 1, "cats": 1}}, "the group 'tea' has no weight"),
        ({"q": {"cars": 1, "cots": 1}, "r": {"tea": 1}}, "the group 'cats' has no weight"),
        ({**WEIGHTS, "q": {"cars": 1, "cats": 1, "cots": 1}}, "'cots' is not a group of theirs"),
        ({**WEIGHTS, "r": {"tea": -1}}, "-1 is no weight"),
        ({**WEIGHTS, "r": {"tea": float("nan")}}, "nan is no weight"),
        ({**WEIGHTS, "s": {"tea": 1}}, "user 's' has no labels"),
    ],
)
def test_what_is_no_weight(weights: Any, said: str) -> None:
    with pytest.raises(rc.InputError) as caught:
        rc.Labels(GROUPED).with_group_weights(weights)
    assert said in str(caught.value)


def test_weights_that_are_asked_for_and_were_not_given() -> None:
    with pytest.raises(rc.MetricError, match="with_group_weights"):
        rc.evaluate(rc.Labels(GROUPED), RUN, "map(subtopics=separate, subtopic-weight=given)")
    with pytest.raises(rc.InputError, match="no groups"):
        rc.Labels({"q": ["a"]}).with_group_weights({})
