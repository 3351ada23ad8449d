"""What `rc.explain` takes, and what it refuses."""

import pytest

import rankconv as rc

LABELS = {"ada": ["a", "b"], "bob": ["c"]}
RUN = {"ada": ["a", "x", "b"], "bob": ["y", "c"]}


def test_an_unknown_user_is_told_the_nearest() -> None:
    with pytest.raises(rc.InputError, match=r"no user 'adda' in the labels or the rankings.*Did you mean 'ada'\?"):
        rc.explain(LABELS, RUN, "map", user="adda")


def test_a_user_is_found_as_number_or_as_text() -> None:
    numbers = ({1: ["a"], 2: ["b"]}, {1: ["a"], 2: ["b"]})
    texts = ({"1": ["a"]}, {"1": ["a"]})
    assert rc.explain(*numbers, "map", user="1").user == 1
    assert rc.explain(*texts, "map", user=1).user == "1"
    with pytest.raises(rc.InputError, match="no user is named"):
        rc.explain(*numbers, "map")


def test_one_number_at_a_time() -> None:
    with pytest.raises(rc.MetricError, match=r"asks for 2 numbers. Explain one of them"):
        rc.explain(LABELS, RUN, "map@1,2", user="ada")
    with pytest.raises(rc.InputError, match=r"several runs were given. Pass one of them"):
        rc.explain(LABELS, rc.Runs(one=RUN, two=RUN), "map", user="ada")


def test_what_the_caller_must_give_besides() -> None:
    with pytest.raises(rc.MetricError, match=r"needs catalogue, and none was given\. Pass catalogue=…"):
        rc.explain(LABELS, RUN, "accuracy@1", user="ada")
    assert rc.explain(LABELS, RUN, "accuracy@1", user="ada", catalogue=10).agrees


def test_a_metric_that_the_other_preset_lacks() -> None:
    with pytest.raises(rc.RankconvError, match="kaggle"):
        rc.explain(LABELS, RUN, "ndcg@3", preset=[None, "kaggle"], user="ada")


def test_joined_data_are_taken_too() -> None:
    judged = rc.join(LABELS, RUN)
    assert rc.explain(judged, "map@3", user="ada").value == rc.explain(LABELS, RUN, "map@3", user="ada").value
    assert rc.explain(judged, "map@3", user="ada", preset="blog").definition.preset == "blog"


def test_a_preset_in_the_spec_and_one_against_it() -> None:
    found = rc.explain(LABELS, RUN, "blog:map@1", preset=[None, "mllib"], user="ada")
    assert found.against is not None
    assert [one.definition.text for one in (found, found.against)] == ["blog:map@1", "mllib:map@1"]


def test_the_other_preset_is_asked_for_the_same_metric_by_its_own_name() -> None:
    found = rc.explain(LABELS, RUN, "trec_eval:ndcg_cut_2", preset=[None, "sklearn"], user="ada")
    assert found.against is not None
    assert found.against.definition.text == "sklearn:ndcg@2"
