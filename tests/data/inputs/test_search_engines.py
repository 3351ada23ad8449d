"""Files of Elasticsearch, OpenSearch and Quepid, held against the numbers that the engines write in them."""

import json
from collections.abc import Callable
from math import log2
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from rankconv.basics.errors import InputError
from rankconv.data.inputs import labels, rankings

EXAMPLES = Path(__file__).parents[3] / "examples/search_engines"
SHOES = (7 + 3 / 2) / (7 + 3 / log2(3) + 1 / 2)
"""DCG of grades 3, none, 2, over that of 3, 2, 1."""
BOOTS = (1 + 7 / log2(3)) / (7 + 1 / log2(3))


def content(name: str) -> Any:
    return json.loads((EXAMPLES / name).read_text())


def changed(tmp_path: Path, name: str, change: Callable[[Any], Any]) -> Path:
    """The example file after a change."""
    data = content(name)
    change(data)
    path = tmp_path / name
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize(
    ("preset", "metric", "labels_file", "run_file", "expected"),
    [
        ("elasticsearch", "ndcg@10", "request.json", "response.json", (SHOES, BOOTS, 0)),
        ("opensearch", "dcg(normalize=true)@10", "request.json", "response.json", (SHOES, BOOTS, 0)),
        ("elasticsearch", "precision@10", "request.json", "response.json", (2 / 3, 1, 0)),
        ("elasticsearch-ignore_unlabeled", "precision@10", "request.json", "response.json", (1, 1, 0)),
        ("elasticsearch", "recall@10", "request.json", "response.json", (2 / 3, 1, 0)),
        (
            "elasticsearch",
            "err@10",
            "request.json",
            "response.json",
            (7 / 8 + 1 / 8 * 3 / 8 / 3, 1 / 8 + 7 / 8 * 7 / 8 / 2, 0),
        ),
        ("opensearch_search_relevance", "NDCG@10", "judgments.json", "results.json", (0.9, 0.71)),
        ("opensearch_search_relevance", "Coverage@10", "judgments.json", "results.json", (0.67, 1)),
        ("quepid", "nDCG@10", "ratings.csv", "snapshot.csv", (SHOES, BOOTS, 0)),
        ("quepid", "nDCG@10", "snapshot.json", "snapshot.json", (SHOES, BOOTS, 0)),
        ("quepid", "AP@10", "snapshot.json", "snapshot.json", ((1 + 2 / 3) / 3, 1, 0)),
    ],
)
def test_the_formulas_of_the_engines(
    preset: str, metric: str, labels_file: str, run_file: str, expected: tuple[float, ...]
) -> None:
    result = rc.evaluate(EXAMPLES / labels_file, EXAMPLES / run_file, [metric], preset)
    assert list(result.users) == ["running shoes", "hiking boots", "sandals"][: len(expected)]
    assert result.per_user[metric] == pytest.approx(expected, abs=1e-12)


def test_the_numbers_that_the_files_hold() -> None:
    response, result = (
        content("response.json"),
        rc.evaluate(EXAMPLES / "request.json", EXAMPLES / "response.json", ["ndcg@10"], "elasticsearch"),
    )
    assert result["ndcg@10"] == pytest.approx(response["metric_score"])
    assert result.per_user["ndcg@10"] == pytest.approx([one["metric_score"] for one in response["details"].values()])
    scores = [query["score"] for query in content("snapshot.json")["scores"]]
    of_snapshot = rc.evaluate(EXAMPLES / "snapshot.json", EXAMPLES / "snapshot.json", ["nDCG@10"], "quepid")
    assert of_snapshot.per_user["nDCG@10"] == pytest.approx(scores)


def test_several_indices_are_part_of_the_ids(tmp_path: Path) -> None:
    def move(data: Any) -> None:
        data["requests"][0]["ratings"][1].update(_index="archive", _id="s1")

    request = changed(tmp_path, "request.json", move)
    assert labels(request).rows_of("running shoes")["archive", "s1"] == 2
    with pytest.raises(InputError, match=r"ids are compound in the labels .* and text in the rankings"):
        rc.evaluate(request, EXAMPLES / "response.json", ["ndcg@10"], "elasticsearch")
    pairs = {"item": ["_index", "_id"]}
    result = rc.evaluate(request, EXAMPLES / "response.json", ["recall@10"], "elasticsearch", columns=pairs)
    assert result.per_user["recall@10"] == pytest.approx([1 / 3, 1, 0])


def test_the_requests_may_be_a_list_alone(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text(json.dumps(content("request.json")["requests"]))
    alone, whole = rc.Labels(tmp_path / "list.json"), rc.Labels(EXAMPLES / "request.json")
    assert {user: alone.rows_of(user) for user in alone.users.values} == {
        user: whole.rows_of(user) for user in whole.users.values
    }


def test_the_order_of_hits_is_the_ranking_whatever_their_scores(tmp_path: Path) -> None:
    response = changed(
        tmp_path, "response.json", lambda data: data["details"]["hiking boots"]["hits"][0]["hit"].update(_score=0.1)
    )
    assert rankings(response).rows_of("hiking boots") == (["b2", "b1"], None)


def test_judgments_as_a_search_returns_them(tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    path.write_text(json.dumps({"took": 1, "hits": {"hits": [{"_id": "j", "_source": content("judgments.json")}]}}))
    assert labels(path).rows_of("hiking boots") == {"b1": 3, "b2": 1}


def test_ratings_and_cases_of_quepid(tmp_path: Path) -> None:
    ratings = {"queries": [{"query": "dog", "ratings": {"d1": 3}}, {"query": "cat"}]}
    case = {
        "case_name": "Pets",
        "queries": [
            {"query_text": "dog", "ratings": [{"doc_id": "d1", "rating": 3.0}, {"doc_id": "d2", "rating": None}]},
            {"query_text": "cat", "ratings": []},
        ],
    }
    for data in (ratings, case):
        (tmp_path / "a.json").write_text(json.dumps(data))
        assert labels(tmp_path / "a.json").rows_of("dog") == {"d1": 3}
        assert labels(tmp_path / "a.json").rows_of("cat") == {}


def test_documents_that_were_only_rated_were_not_returned() -> None:
    assert rankings(EXAMPLES / "snapshot.json").rows_of("running shoes") == (["s1", "s9", "s2"], None)


@pytest.mark.parametrize("read", [labels, rankings])
def test_other_files_are_not_taken_for_those_of_engines(tmp_path: Path, read: Callable[[Path], Any]) -> None:
    (tmp_path / "a.json").write_text('{"requests": {"d1": 1}, "details": {"d1": 2}, "metric_score": {"d2": 1}}')
    assert read(tmp_path / "a.json").users.values.tolist() == ["requests", "details", "metric_score"]


def _first(data: Any, *path: Any) -> Any:
    for step in path:
        data = data[step]
    return data


LABELS: list[tuple[str, Callable[[Any], Any], str]] = [
    ("request.json", lambda d: _first(d, "requests", 1).pop("id"), ", request 2: there is no 'id'."),
    ("request.json", lambda d: _first(d, "requests", 1).update(id=7), ", request 2: 'id' is 7. It must be a text."),
    (
        "request.json",
        lambda d: _first(d, "requests", 1).update(id="sandals"),
        ": the query 'sandals' is there 2 times. Keep",
    ),
    (
        "request.json",
        lambda d: _first(d, "requests", 0, "ratings", 0).update(rating="3"),
        ", query 'running shoes': the grade '3' is not a number.",
    ),
    (
        "request.json",
        lambda d: _first(d, "requests", 0, "ratings").insert(0, 5),
        ", request 'running shoes', ratings, entry 1: 5 is not an object.",
    ),
    ("response.json", lambda d: d, ": this is the response to a ranking evaluation, and labels are wanted here."),
    (
        "judgments.json",
        lambda d: _first(d, "judgmentRatings", 0, "ratings", 1).update(rating="high"),
        ", query 'running shoes': the rating 'high' is not a number.",
    ),
    (
        "judgments.json",
        lambda d: _first(d, "judgmentRatings", 1).update(ratings={}),
        ", query 'hiking boots': 'ratings' is {}. It must be a list.",
    ),
    (
        "snapshot.json",
        lambda d: _first(d, "queries", 0)["ratings"].update(s1="3"),
        ", query 'running shoes': the grade '3' is not a number.",
    ),
]
RUNS: list[tuple[str, Callable[[Any], Any], str]] = [
    (
        "response.json",
        lambda d: d.update(failures={"jackets": {"error": {}}}),
        ": the search of query 'jackets' failed, and the mean of the engine leaves it out.",
    ),
    (
        "response.json",
        lambda d: _first(d, "details", "hiking boots", "hits", 0).pop("hit"),
        ", query 'hiking boots', hits, entry 1: there is no 'hit'.",
    ),
    (
        "response.json",
        lambda d: _first(d, "details", "running shoes", "hits", 0, "hit").update(_id=[]),
        ", query 'running shoes': the item id [] is of type list.",
    ),
    (
        "response.json",
        lambda d: _first(d, "details", "running shoes", "hits").pop(1),
        ", query 'running shoes': 0 hits have no rating, and unrated_docs lists 1. Save",
    ),
    ("request.json", lambda d: d, ": this is the request of a ranking evaluation, and rankings are wanted here."),
    (
        "results.json",
        lambda d: _first(d, "hits", "hits", 1, "_source").update(searchText="running shoes"),
        ": the query 'running shoes' is there 2 times.",
    ),
    (
        "snapshot.json",
        lambda d: _first(d, "docs", "31", 0).update(id=""),
        ", query 'running shoes', entry 1: there is no 'id'.",
    ),
]


@pytest.mark.parametrize(
    ("read", "name", "change", "message"),
    [*((labels, *one) for one in LABELS), *((rankings, *one) for one in RUNS)],
)
def test_what_cannot_be_read(
    tmp_path: Path, read: Callable[[Path], Any], name: str, change: Callable[[Any], Any], message: str
) -> None:
    path = changed(tmp_path, name, change)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}{message}")


def test_several_judgment_lists_are_not_mixed(tmp_path: Path) -> None:
    sources = [{"_source": {**content("judgments.json"), "name": name}} for name in ("spring", "autumn")]
    (tmp_path / "a.json").write_text(json.dumps({"hits": {"hits": sources}}))
    with pytest.raises(InputError, match=r"there are 2 judgment lists \(spring, autumn\). Fetch one of them by its id"):
        labels(tmp_path / "a.json")
