"""The playground: against numbers worked by hand, against the functions that it calls, on hostile requests."""

import json
import math
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import rankconv as rc
from rankconv.addons.playground.playground_app import MOST_ITEMS, USUAL, names, play
from rankconv.metrics import METRICS
from tests.addons.playground.requests import ANYTHING
from tests.laws import examples

ITEMS = [{"id": "a", "grade": 1}, {"id": "b"}, {"id": "c", "grade": 1}]
UNRETRIEVED = [{"id": "d", "grade": 1}, {"id": "e", "grade": 1}]


def ask(**more: Any) -> dict[str, Any]:
    """The result as it arrives: through JSON that knows no NaN."""
    result: dict[str, Any] = json.loads(json.dumps(play({"items": ITEMS, **more}), allow_nan=False))
    return result


def values(result: dict[str, Any]) -> dict[str, float]:
    return {name: one["value"] for one in result["numbers"]["groups"] for name in one["presets"]}


def test_average_precision_parts_by_its_divisor() -> None:
    """Hits at ranks 1 and 3, four relevant, cut at 3: (1 + 2/3) over 2 hits, or over min(3, 4)."""
    found = values(ask(unretrieved=UNRETRIEVED, metric="map", k=3, presets=["blog", "mllib"]))
    assert found == {"blog": round((1 + 2 / 3) / 2, 4), "mllib": round((1 + 2 / 3) / 3, 4)}


def test_an_item_that_moves_moves_the_number() -> None:
    """The second relevant item at rank 2 in place of 3."""
    moved = [ITEMS[0], ITEMS[2], ITEMS[1]]
    found = values(ask(items=moved, metric="map", k=3, presets=["mllib"]))
    assert found == {"mllib": 1.0}
    before = values(ask(metric="ndcg", k=3, presets=["mllib"]))["mllib"]
    assert before == round((1 + 1 / 2) / (1 + 1 / math.log2(3)), 4)
    assert values(ask(items=moved, metric="ndcg", k=3, presets=["mllib"])) == {"mllib": 1.0}


def test_scores_are_read() -> None:
    """Who orders by score sees the relevant item last, whoever takes the list as given sees it first."""
    items = [{"id": "a", "grade": 1, "score": 0.1}, {"id": "b", "score": 0.9}]
    found = values(ask(items=items, metric="mrr", presets=["trec_eval", "blog"]))
    assert found == {"trec_eval": 0.5} | {"blog": found["blog"]}
    assert found["blog"] == 1.0


@pytest.mark.parametrize("presets", [[], ["search"], ["all"]])
def test_the_groups_are_those_of_compare(presets: list[str]) -> None:
    found = ask(unretrieved=UNRETRIEVED, metric="map", k=2, presets=presets)
    labels = {"the list": {one["id"]: one["grade"] for one in [*ITEMS, *UNRETRIEVED] if "grade" in one}}
    run = {"the list": [one["id"] for one in ITEMS]}
    theirs = rc.compare(labels, run, "map@2", presets or list(USUAL)).by_value("map@2")
    told = [(one["value"], one["presets"]) for one in found["numbers"]["groups"]]
    assert told == [(one.means[0], sorted(one.names)) for one in theirs]
    assert len(told) > 1


def test_the_steps_of_why_lead_from_one_number_to_the_other() -> None:
    found = ask(unretrieved=UNRETRIEVED, metric="map", k=3, why=["blog", "mllib"])["why"]
    first, second = (one["value"] for one in found["ends"])
    assert [one["change"] for one in found["steps"]] == ["ap-denominator: hits → min(k, relevant)"]
    assert first + sum(one["share"] for one in found["steps"]) == pytest.approx(second)
    assert (first, second) == pytest.approx((5 / 6, 5 / 9))


def test_a_number_is_identified() -> None:
    found = ask(unretrieved=UNRETRIEVED, metric="map", k=3, identify="0.5556")["identify"]
    assert found["found"]
    assert found["rows"][0]["definition"] == "mllib:map@3"
    assert found["rows"][0]["value"] == pytest.approx(5 / 9)
    gone = ask(unretrieved=UNRETRIEVED, metric="hit_rate", k=3, identify="0.98765")["identify"]
    assert (gone["found"], bool(gone["rows"])) == (False, True)
    few = ask(unretrieved=UNRETRIEVED, metric="map", k=3, identify="0.6")["identify"]
    assert re.search("presets? fits?; a random number fits", few["headline"])
    assert few["rows"]


def test_a_metric_that_is_not_known_leaves_no_number_and_names_the_nearest() -> None:
    assert "Did you mean 'ndcg'?" in ask(metric="ndgc")["numbers"]["error"]


def test_one_part_that_fails_leaves_the_others_alone() -> None:
    found = ask(metric="map", k=3, identify="many", why=["blog", "mllib"])
    assert "'many' is not a number" in found["identify"]["error"]
    assert found["numbers"]["groups"]
    assert found["why"]["ends"]


def test_a_metric_that_no_preset_can_give_here_has_no_group() -> None:
    found = ask(metric="coverage")["numbers"]
    assert found["groups"] == []
    assert any("none was given" in text for text in found["absent"])


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (3, "no JSON object"),
        ({"items": [{"id": 1}]}, "items, 1, id: "),
        ({"items": [{"id": ""}]}, "items, 1, id: "),
        ({"items": [{"id": "\ud800"}]}, "items, 1, id: "),
        ({"items": [{"id": "a", "grade": math.nan}]}, "items, 1, grade: "),
        ({"items": [{"id": "a", "grade": True}]}, "items, 1, grade: "),
        ({"items": [*ITEMS, {"id": "a", "grade": 2}]}, "item 'a' has the grades 1 and 2"),
        ({"items": [{"id": "a", "score": 1}, {"id": "b"}]}, "item 'b' has no score"),
        ({"items": [{"id": str(n)} for n in range(10_000)]}, f"10,000 items. The playground takes {MOST_ITEMS}"),
        ({"unretrieved": [{"id": str(n)} for n in range(MOST_ITEMS + 1)]}, "201 items"),
        ({"presets": ["mlib"]}, "Did you mean 'mllib'?"),
        ({"presets": ["serch"]}, "Did you mean 'search'?"),
        ({"presets": ["../secret.yaml"]}, "'../secret.yaml' is not a preset"),
        ({"why": ["mllib", "/etc/preset.yaml"]}, "'/etc/preset.yaml' is not a preset"),
        ({"metric": "/etc/preset.yaml:ndcg"}, "is not a metric"),
        ({"metric": "mllib:ndcg"}, "names a preset"),
        ({"metric": "ndcg@1,2"}, "several cutoffs"),
        ({"secret": 1}, "secret: "),
    ],
)
def test_what_is_no_request_is_one_sentence(request_: Any, said: str) -> None:
    setting = play(request_)
    assert setting.keys() == {"error"}
    assert said in setting["error"]


def test_who_has_no_python_at_hand_gets_no_advice_in_python() -> None:
    asked = {"presets": ["mllib", "spark"]}, {"metric": "ndgc"}, {"metric": "ndcg(gain=exponental)"}
    for setting in map(play, asked):
        told = setting.get("error") or setting["numbers"]["error"]
        assert "rc." not in told, told


def test_presets_and_groups_are_named_together() -> None:
    found = values(ask(metric="map", k=3, presets=["search", "mllib"]))
    assert {"mllib", "trec_eval"} <= found.keys()


def test_as_many_items_as_are_allowed_are_taken() -> None:
    items = [{"id": str(n), "grade": n % 3} for n in range(MOST_ITEMS)]
    assert values(ask(items=items, metric="precision", k=3, presets=["mllib"])) == {"mllib": round(2 / 3, 4)}


def test_what_may_be_chosen_is_what_there_is() -> None:
    told = names()
    assert told["presets"] == sorted({*rc.list_presets(), *told["usual"]})
    assert {"all", "search"} <= {*told["groups"]}
    assert {*told["usual"]} <= {*rc.list_presets(eras=True)}
    assert {*told["metrics"]} == {*METRICS}


@settings(max_examples=examples.of(quick=60, ci=200, long=1000), suppress_health_check=[HealthCheck.too_slow])
@given(ANYTHING)
def test_every_request_is_answered_in_plain_data(request_: Any) -> None:
    """Numbers or an error in each part, or one error and nothing else; nothing is raised."""
    setting = play(request_)
    json.dumps(setting, allow_nan=False).encode()
    assert setting.keys() in ({"error"}, {"metric", "warnings", "numbers", "why", "identify"})
    assert "error" in setting or ("error" in setting["numbers"]) != ("groups" in setting["numbers"])


@pytest.mark.parametrize("name", ["official", "set", "all_trec"])
@pytest.mark.parametrize("presets", [[], ["trec_eval-c"], ["mllib", "trec_eval"]])
def test_a_name_of_several_metrics_is_refused_with_their_names(name: str, presets: list[str]) -> None:
    told = ask(metric=name, presets=presets)["numbers"]["error"]
    assert f"'{name}' is the name of " in told
    assert "Choose one of them: num_q, " in told


def test_a_name_of_no_metric_is_refused() -> None:
    assert "'runid' is the name of 0 metrics" in ask(metric="runid", presets=["trec_eval"])["numbers"]["error"]


def test_ids_that_differ_by_blanks_or_case_are_two_items_of_the_list() -> None:
    """They are spelled by one person in one list, so that nobody is told to spell them alike."""
    items = [{"id": " "}, {"id": "\n", "grade": 1}, {"id": "A"}, {"id": "a", "grade": 1}]
    found = ask(items=items, metric="mrr", presets=["blog"])
    assert (values(found), found["warnings"]) == ({"blog": 0.5}, [])


def test_a_warning_of_the_numbers_is_on_the_page() -> None:
    found = ask(items=[{"id": "a", "grade": 1}, {"id": "b"}], metric="map", presets=["trec-dl-2019-passage"])
    assert found["warnings"]
    assert all("grade" in text for text in found["warnings"])
