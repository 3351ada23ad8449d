"""JSON records that have all items of a query: each shape of the table by its example files, and other spellings."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rankconv as rc
from rankconv.basics.errors import InputError
from rankconv.data.inputs.record_files import RECORD_PLACES
from rankconv.data.inputs.record_shapes import SHAPES

EXAMPLES = Path(__file__).parents[3] / "examples/rag"
GOLD = {"q1": ["d1", "d2"], "q2": ["d9"]}
RUN = {"q1": {"d1": 0.9, "d7": 0.8, "d2": 0.5}, "q2": {"d3": 0.9, "d9": 0.1}}
IN_TURN = ("in_turn.json", "msearch.json")
PAIRS = {
    "records_gold.jsonl": ("records_gold.jsonl", "records_run.jsonl"),
    "autorag_qa.jsonl": ("autorag_qa.jsonl", "autorag_result.jsonl"),
    "by_query.json": ("wrapped.json", "by_query.json"),
    "wrapped.json": ("wrapped.json", "records_run.jsonl"),
    "msearch.json": IN_TURN,
    "search.json": ("in_turn_first.json", "search.json"),
    "langchain.jsonl": ("langchain.jsonl", "langchain.jsonl"),
    "llama_index_dataset.json": ("llama_index_dataset.json", "llama_index_nodes.jsonl"),
}
"""The labels and the run of an example; those that are not here have both in one file."""
SHARES = {"autorag_qa.jsonl": (1 / 3, 1), "search.json": (1 / 2,)}
"""Recall at 2 by query, where it is not 1/2 and 1: one query alone, and three relevant items in two groups."""
OTHERS = {"nuggets.jsonl": "nuggetizer:strict_all_score"}
"""In place of recall at 2, where grades and scores are words."""


@pytest.mark.parametrize("example", [*PAIRS, *(name for one in SHAPES for name in one.examples[:1]), "columns.json"])
def test_each_shape_and_place_has_an_example_with_its_value(example: str) -> None:
    labels, run = (EXAMPLES / name for name in PAIRS.get(example, (example, example)))
    metric = OTHERS.get(example, "recall@2")
    result = rc.evaluate(labels, run, metric)
    assert tuple(result.per_user[metric]) == pytest.approx(SHARES.get(example, (1 / 2, 1)))


def test_every_example_is_used() -> None:
    used = {*PAIRS, *(file for pair in PAIRS.values() for file in pair)}
    of_table = {name for one in SHAPES for name in one.examples} | {one.example for one in RECORD_PLACES}
    assert {file.name for file in EXAMPLES.iterdir()} == used | of_table


def test_the_page_has_the_tables() -> None:
    page = (EXAMPLES.parents[1] / "docs/how-to/use.md").read_text()
    few = lambda keys: ", ".join(f"`{key}`" for key in keys[:6]) + (", …" if len(keys) > 6 else "")
    for one in SHAPES:
        cells = (one.name, few(one.query), few(one.labels), few(one.run), few(one.examples))
        assert f"\n| {' | '.join(cells)} |\n" in page
    for place in RECORD_PLACES:
        assert f"\n| {place.name} | `{place.example}` |\n" in page


def of_gold(write: Any) -> list[Any]:
    return [write(query, items) for query, items in GOLD.items()]


def of_run(write: Any) -> list[Any]:
    return [write(query, scores) for query, scores in RUN.items()]


def hits(scores: dict[str, float]) -> dict[str, Any]:
    found = [{"_index": "i", "_id": item, "_score": score, "_source": {}} for item, score in scores.items()]
    return {"took": 3, "hits": {"total": {"value": 3}, "max_score": 0.9, "hits": found}}


LABELS = {
    "ids": of_gold(lambda q, ids: {"qid": q, "query": "how?", "gold_ids": ids, "tags": ["x"]}),
    "camel case": of_gold(lambda q, ids: {"queryId": q, "groundTruthDocIds": ids}),
    "capitals": of_gold(lambda q, ids: {"QID": q, "RELEVANT_DOCS": ids}),
    "a word": of_gold(lambda q, ids: {"question": q, "relevant": ids}),
    "expected": of_gold(lambda q, ids: {"id": q, "question": "how?", "expected_chunk_ids": ids, "answer": "so"}),
    "positive passages": of_gold(
        lambda q, ids: {"query_id": q, "positive_passages": [{"docid": i, "text": "t"} for i in ids]}
    ),
    "grades": of_gold(lambda q, ids: {"query": q, "relevance": [{"doc_id": i, "gain": 1.0} for i in ids]}),
    "mapping": of_gold(lambda q, ids: {"query": q, "qrels": dict.fromkeys(ids, 1)}),
    "pairs": of_gold(lambda q, ids: {"query": q, "judgments": [[i, 1] for i in ids]}),
    "beside": of_gold(lambda q, ids: {"query": q, "gold_ids": ids, "gold_grades": [1] * len(ids)}),
    "nested": of_gold(lambda q, ids: {"inputs": {"question": q}, "reference_outputs": {"doc_ids": ids}}),
    "nested id": of_gold(lambda q, ids: {"query": {"id": q, "text": "how?"}, "ground_truth": {"contexts": ids}}),
    "questions": {"name": "set", "questions": of_gold(lambda q, ids: {"qid": q, "relevant_ids": ids})},
    "deeper": {"data": {"samples": of_gold(lambda q, ids: {"qid": q, "reference": ids})}},
    "by query": {q: {"text": "how?", "gold": ids} for q, ids in GOLD.items()},
    "columns": {"qid": [*GOLD], "gold": [*GOLD.values()]},
    "neutral": of_gold(lambda q, ids: {"query": q, "docs": ids}),
    "passages of DPR": of_gold(
        lambda q, ids: {
            **{"question": q, "answers": ["Paris"], "negative_ctxs": [{"passage_id": "z"}]},
            "positive_ctxs": [{"title": "t", "text": "t", "passage_id": i} for i in ids],
        }
    ),
    "texts of answers": of_gold(lambda q, ids: {"qid": q, "expected_answers": ["so"], "answer_doc_ids": ids}),
    "examples of LangSmith": of_gold(
        lambda q, ids: {"id": q, "inputs": {"question": "how?"}, "outputs": {"documents": ids}}
    ),
    "items of Langfuse": of_gold(
        lambda q, ids: {"id": q, "input": {"question": "how?"}, "expectedOutput": {"doc_ids": ids}}
    ),
}
RUNS = {
    "ids": of_run(lambda q, s: {"qid": q, "query": "how?", "retrieved_ids": [*s]}),
    "camel case": of_run(lambda q, s: {"queryId": q, "retrievedChunkIds": [*s], "latencyMs": 3}),
    "objects": of_run(lambda q, s: {"query": q, "results": [{"id": i, "score": x} for i, x in s.items()]}),
    "contexts": of_run(lambda q, s: {"question": q, "contexts": [*s], "answer": "so"}),
    "docs": of_run(lambda q, s: {"question": q, "docs": [{"DocId": i, "Similarity": x} for i, x in s.items()]}),
    "pairs": of_run(lambda q, s: {"query": q, "hits": [[i, x] for i, x in s.items()]}),
    "mapping": of_run(lambda q, s: {"query": q, "retrieved": s}),
    "beside": of_run(lambda q, s: {"query": q, "retrieved_ids": [*s], "scores": [*s.values()]}),
    "ranks": of_run(lambda q, s: {"query": q, "results": [{"doc": i, "rank": r} for r, i in enumerate(s, 1)]}),
    "langchain with scores": of_run(
        lambda q, s: {
            "query": q,
            "documents": [[{"page_content": "t", "metadata": {"id": i}}, x] for i, x in s.items()],
        }
    ),
    "langchain dumps": of_run(
        lambda q, s: {
            "query": q,
            "documents": [
                {
                    "lc": 1,
                    "type": "constructor",
                    "id": ["langchain"],
                    "kwargs": {"metadata": {"source": i}, "page_content": "t"},
                }
                for i in s
            ],
        }
    ),
    "points of qdrant": of_run(
        lambda q, s: {"query": q, "result": [{"id": i, "version": 1, "score": x, "payload": {}} for i, x in s.items()]}
    ),
    "matches of pinecone": of_run(
        lambda q, s: {"query": q, "matches": [{"id": i, "score": x, "values": []} for i, x in s.items()]}
    ),
    "contexts of DPR": of_run(
        lambda q, s: {
            "question": q,
            "answers": ["so"],
            "ctxs": [{"id": i, "text": "t", "score": x, "has_answer": False} for i, x in s.items()],
        }
    ),
    "runs of LangSmith": of_run(
        lambda q, s: {
            "id": f"run of {q}",
            "reference_example_id": q,
            "inputs": {"question": "how?"},
            "outputs": {"documents": [{"page_content": "t", "metadata": {"id": i}} for i in s]},
        }
    ),
    "runs of Langfuse": of_run(lambda q, s: {"id": f"run of {q}", "datasetItemId": q, "output": {"documents": [*s]}}),
    "response of solr": of_run(
        lambda q, s: {"q_id": q, "response": {"numFound": 3, "docs": [{"id": i, "score": x} for i, x in s.items()]}}
    ),
    "response in a line": of_run(lambda q, s: {"qid": q, "response": hits(s)}),
    "nested": of_run(lambda q, s: {"inputs": {"question": q}, "outputs": {"documents": [{"id": i} for i in s]}}),
    "responses by query": {q: hits(s) for q, s in RUN.items()},
    "results": {"model": "m", "results": of_run(lambda q, s: {"qid": q, "retrieved": [*s]})},
    "columns": {"question": [*RUN], "retrieved_ids": [[*s] for s in RUN.values()]},
}


def written(folder: Path, name: str, data: Any, *, lines: bool) -> Path:
    path = folder / f"{name}.{'jsonl' if lines else 'json'}"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in data) if lines else json.dumps(data, indent=1))
    return path


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize("spelling", LABELS)
def test_spellings_of_labels(tmp_path: Path, spelling: str, lines: bool) -> None:
    lines = lines and isinstance(LABELS[spelling], list)
    read = rc.Labels(written(tmp_path, "gold", LABELS[spelling], lines=lines))
    assert {user: read.rows_of(user) for user in GOLD} == {q: dict.fromkeys(ids, 1.0) for q, ids in GOLD.items()}


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize("spelling", RUNS)
def test_spellings_of_runs(tmp_path: Path, spelling: str, lines: bool) -> None:
    lines = lines and isinstance(RUNS[spelling], list)
    read = rc.Run(written(tmp_path, "run", RUNS[spelling], lines=lines))
    assert {user: read.rows_of(user)[0] for user in RUN} == {q: [*s] for q, s in RUN.items()}
    scores = read.rows_of("q1")[1]
    assert scores is None or scores == [0.9, 0.8, 0.5]


@pytest.mark.parametrize("name", ["run", "run.txt", "run.log", "run.json", "run.jsonl"])
def test_the_content_decides_and_not_the_name(tmp_path: Path, name: str) -> None:
    for data in (RUNS["ids"], {"questions": RUNS["objects"]}, RUNS["responses by query"]):
        for text in ("\n".join(map(json.dumps, data)), json.dumps(data), json.dumps(data, indent=2)):
            if text[0] != '"':
                (tmp_path / name).write_text(text)
                assert rc.Run(tmp_path / name).rows_of("q1")[0] == ["d1", "d7", "d2"]


def test_a_query_without_items_comes_first(tmp_path: Path) -> None:
    records = [
        {"qid": "q0", "retrieved": []},
        *RUNS["mapping"][:0],
        *of_run(lambda q, s: {"qid": q, "retrieved": [{"id": i, "score": x} for i, x in s.items()]}),
    ]
    read = rc.Run(written(tmp_path, "run", records, lines=True))
    assert read.rows_of("q0") == ([], [])
    assert read.rows_of("q2") == (["d3", "d9"], [0.9, 0.1])


def test_groups_of_autorag_are_any_of_a_group_and_all_groups() -> None:
    files = EXAMPLES / "autorag_qa.jsonl", EXAMPLES / "autorag_result.jsonl"
    result = rc.evaluate(*files, "retrieval_recall", "autorag")
    assert result.per_user["retrieval_recall"] == pytest.approx((1, 1))
    by_hand = rc.evaluate({"q1": {0: ["d1", "d4"], 1: ["d2"]}, "q2": {0: ["d9"]}}, RUN, "retrieval_mrr", "autorag")
    assert rc.evaluate(*files, "retrieval_mrr", "autorag")["retrieval_mrr"] == by_hand["retrieval_mrr"]
    assert by_hand.per_user["retrieval_mrr"] == pytest.approx(((1 + 1 / 3) / 2, 1 / 2))


TWO_READINGS: dict[str, tuple[str, dict[str, Any], dict[str, list[str]]]] = {
    "two ids of an entry": (
        "run",
        {"qid": "q", "results": [{"doc_id": "a", "chunk_id": "a1"}, {"doc_id": "b", "chunk_id": "b7"}]},
        {"results.doc_id": ["a", "b"], "results.chunk_id": ["a1", "b7"]},
    ),
    "two lists": (
        "run",
        {"qid": "q", "retrieved_ids": ["a"], "reranked_ids": ["b"]},
        {"retrieved_ids": ["a"], "reranked_ids": ["b"]},
    ),
    "two lists of labels": (
        "labels",
        {"qid": "q", "gold_ids": ["a"], "expected_ids": ["b"]},
        {"gold_ids": ["a"], "expected_ids": ["b"]},
    ),
    "no labels by name": ("labels", {"qid": "q", "retrieved_ids": ["a"], "docs": ["b"]}, {"docs": ["b"]}),
    "an expected text and contexts": (
        "labels",
        {"question": "q", "ground_truth": "So it is.", "contexts": ["a"]},
        {"contexts": ["a"]},
    ),
    "contexts alone": ("labels", {"question": "q", "contexts": ["a"]}, {"contexts": ["a"]}),
    "only labels": ("run", {"qid": "q", "gold_ids": ["a"]}, {"gold_ids": ["a"]}),
    "no id": ("run", {"qid": "q", "results": [{"key_of_shop": "a", "text": "t"}]}, {"results.key_of_shop": ["a"]}),
    "order and scores": (
        "run",
        {"qid": "q", "results": [{"id": "a", "score": 0.1}, {"id": "b", "score": 0.7}]},
        {"none": ["a", "b"], "results.score": ["b", "a"]},
    ),
    "order and scores of pairs": (
        "run",
        {"qid": "q", "results": [["a", 0.1], ["b", 0.7]]},
        {"none": ["a", "b"], "results": ["b", "a"]},
    ),
}


@pytest.mark.parametrize("case", TWO_READINGS)
def test_what_can_be_read_in_two_ways_is_refused_with_both(tmp_path: Path, case: str) -> None:
    side, record, ways = TWO_READINGS[case]
    path = written(tmp_path, side, [record], lines=True)
    read = rc.Labels if side == "labels" else rc.Run
    with pytest.raises(InputError) as refused:
        read(path)
    in_python = re.findall(r"(\w+)='([^']+)'", str(refused.value))
    in_shell = [shlex.split(one)[-1] for one in re.findall(r"--column \S+", refused.value.on_command_line)]
    assert {name.strip(",.") for _, name in in_python} == {*ways}
    assert {one.strip(",.") for one in in_shell} == {f"{side}.{role}={name}" for role, name in in_python}
    for role, name in in_python:
        found = read(path, **{role: name}).rows_of("q")
        assert [*(found if side == "labels" else found[0])] == ways[name]


def test_two_queries_keys_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "run", [{"user_id": 1, "session_id": 2, "retrieved": ["a"]}], lines=True)
    with pytest.raises(InputError, match=r"could each be the query. Name one: user='user_id' or user='session_id'"):
        rc.Run(path)
    assert rc.Run(path, user="session_id").rows_of(2) == (["a"], None)


def test_responses_in_turn_do_not_meet_named_queries(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="users have names in the labels") as refused:
        rc.evaluate(EXAMPLES / "wrapped.json", EXAMPLES / "msearch.json", "recall@2")
    assert 'Give each list its user: {"q1": …, "q2": …}' in refused.value.on_command_line
    by_query = dict(zip(GOLD, json.loads((EXAMPLES / "msearch.json").read_text())["responses"], strict=True))
    path = written(tmp_path, "run", by_query, lines=False)
    assert rc.evaluate(EXAMPLES / "wrapped.json", path, "recall@2")["recall@2"] == 0.75
    named = rc.Run(EXAMPLES / "msearch.json", user_ids=["q1", "q2"])
    assert rc.evaluate(EXAMPLES / "wrapped.json", named, "recall@2")["recall@2"] == 0.75


@pytest.mark.parametrize(
    ("records", "message"),
    [
        (
            [{"qid": 1, "retrieved": ["a"]}, {"qid": 2}],
            "line 2: there is no 'retrieved'. Give every record the same keys",
        ),
        ([{"qid": 1, "retrieved": ["a"]}, {"retrieved": ["b"]}], "line 2: there is no 'qid'. Give every record"),
        (
            [{"qid": 1, "retrieved": [{"id": 1}]}, {"qid": 2, "retrieved": [{"doc": 2}]}],
            "line 2, 'retrieved', entry 0: there is no 'id' in",
        ),
        ([{"qid": 1, "retrieved": [["a"], "b"]}], "line 1, call 2: 'b' is not a list"),
        ([{"qid": 1, "retrieved": ["a"]}, {"qid": 1, "retrieved": ["b"]}], "line 2: the query 1 is there twice"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, records: list[Any], message: str) -> None:
    with pytest.raises(InputError) as refused:
        rc.Run(written(tmp_path, "run", records, lines=True))
    assert message in str(refused.value)


def test_what_was_assumed_is_said() -> None:
    texts = rc.Run(EXAMPLES / "deepeval.json")
    assert texts.assumed == "'retrieval_context' has texts, and these are taken as the ids of items"
    assert "the queries in turn" in rc.Run(EXAMPLES / "msearch.json").assumed
    assert not rc.Run(EXAMPLES / "records_run.jsonl").assumed


def test_a_column_of_pairs_of_integer_ids_and_scores() -> None:
    """As toPandas() gives what recommendForAllUsers of Spark's ALS returns; two integers may be two items."""
    table = pd.DataFrame({"userId": [1, 2], "recommendations": [[(9, 0.9), (3, 0.5)], [(5, 0.9), (6, 0.8)]]})
    assert rc.evaluate({1: [3], 2: [5]}, table, "mrr")["mrr"] == 0.75
    table["recommendations"] = [[(9, 2), (3, 1)], [(5, 2), (6, 1)]]
    with pytest.raises(InputError, match="a ranking has one item at each rank"):
        rc.Run(table)
