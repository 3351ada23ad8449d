"""What `rc.explain` takes, and what it refuses."""

from typing import Any

import pytest

import rankconv as rc

LABELS = {"ada": ["a", "b"], "bob": ["c"]}
RUN = {"ada": ["a", "x", "b"], "bob": ["y", "c"]}


@pytest.mark.parametrize(
    ("run", "metric", "given", "said"),
    [
        (RUN, "map", {"user": "adda"}, r"no user 'adda' in the labels or the rankings.*Did you mean 'ada'\?"),
        (RUN, "map", {}, "no user is named"),
        (RUN, "map@1,2", {"user": "ada"}, "asks for 2 numbers. Explain one of them"),
        (rc.Runs(one=RUN, two=RUN), "map", {"user": "ada"}, r"several runs were given. Pass one of them"),
        (RUN, "accuracy@1", {"user": "ada"}, r"needs catalogue, and none was given\. Pass catalogue=…"),
        (RUN, "ndcg@3", {"user": "ada", "preset": [None, "kaggle"]}, "kaggle"),
    ],
)
def test_mistakes(run: Any, metric: str, given: dict[str, Any], said: str) -> None:
    with pytest.raises(rc.RankconvError, match=said):
        rc.explain(LABELS, run, metric, **given)


def test_a_user_is_found_as_number_or_as_text() -> None:
    assert rc.explain({1: ["a"], 2: ["b"]}, {1: ["a"], 2: ["b"]}, "map", user="1").user == 1
    assert rc.explain({"1": ["a"]}, {"1": ["a"]}, "map", user=1).user == "1"


def test_side_data_and_joined_data_are_taken_too() -> None:
    assert rc.explain(LABELS, RUN, "accuracy@1", user="ada", catalogue=10).agrees
    joined = rc.join(LABELS, RUN)
    assert rc.explain(joined, "map@3", user="ada").value == rc.explain(LABELS, RUN, "map@3", user="ada").value
    assert rc.explain(joined, "map@3", user="ada", preset="blog").definition.preset == "blog"


@pytest.mark.parametrize(
    ("metric", "against", "text"),
    [("blog:map@1", "mllib", "mllib:map@1"), ("trec_eval:ndcg_cut_2", "sklearn", "sklearn:ndcg@2")],
)
def test_another_preset_is_asked_for_the_metric_by_its_own_name(metric: str, against: str, text: str) -> None:
    found = rc.explain(LABELS, RUN, metric, preset=[None, against], user="ada")
    assert found.against is not None
    assert found.against.definition.text == text
