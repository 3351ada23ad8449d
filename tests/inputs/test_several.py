"""Several runs as a dict, told from one run as a dict."""

import numpy as np
import pandas as pd
import pytest

import rankconv as rc

LABELS = {"u": ["a"], "v": ["b"]}
ONE, OTHER = {"u": ["a", "b"], "v": ["b"]}, {"u": {"b": 0.9, "a": 0.2}, "v": {"a": 0.4}}


def frame(run: dict[str, list[str]]) -> pd.DataFrame:
    rows = [(user, item, -place) for user, items in run.items() for place, item in enumerate(items)]
    return pd.DataFrame(rows, columns=["user", "item", "score"])


@pytest.mark.parametrize("other", [OTHER, frame({"u": ["b", "a"], "v": ["a"]}), rc.Run(OTHER)])
def test_a_dict_of_runs_is_compared_as_runs_are(other: object) -> None:
    given = rc.compare(LABELS, {"one": ONE, "other": other}, "mrr", ["mllib", "trec_eval"])
    named = rc.compare(LABELS, rc.Runs(one=ONE, other=other), "mrr", ["mllib", "trec_eval"])
    assert given.runs == ["one", "other"]
    assert given.to_dict() == named.to_dict()


def test_arrays_of_scores_are_runs_too() -> None:
    labels, scores = np.array([[1.0, 0, 0], [0, 1, 0]]), np.array([[0.9, 0.5, 0.1], [0.2, 0.25, 0.3]])
    found = rc.compare(labels, {"good": scores, "bad": -scores}, "mrr", ["trec_eval"])
    assert found["mrr", "trec_eval", "good"] == pytest.approx((1 + 1 / 2) / 2)
    assert found["mrr", "trec_eval", "bad"] == pytest.approx((1 / 3 + 1 / 2) / 2)


def test_one_run_of_lists_or_scores_stays_one() -> None:
    for run in (ONE, OTHER):
        assert rc.compare(LABELS, run, "mrr", ["trec_eval"]).runs == [""]


def test_a_dict_that_is_neither_says_how_several_runs_come() -> None:
    with pytest.raises(rc.InputError, match=r"rc\.Runs\(a=…, b=…\)"):
        rc.compare(LABELS, {"a": ONE, "b": [("u", "a", "much")]}, "mrr")
