"""A definition as a function of one row: what `rc.evaluate` has for the user, and all rows together."""

import json
import pickle
import re
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

import rankconv as rc
from rankconv.typing import RowCollector, RowScorer
from tests.laws import examples

RAG = Path(__file__).parents[3] / "examples/rag"
ROW = {"query": "q1", "gold_ids": ["a", "b"], "retrieved_ids": ["x", "a", "b"]}
MRR_OF_ROW = 0.5
"""The first hit is at rank 2."""


def score(metric: str = "mrr@10", **given: Any) -> RowScorer:
    return rc.scorer(metric, **given)


def of_files(*names: str) -> list[dict[str, Any]]:
    """The records of files, those of one query together."""
    found: list[dict[str, Any]] = []
    for name in names:
        text = (RAG / name).read_text("utf-8")
        records = [json.loads(line) for line in text.splitlines()] if name.endswith("jsonl") else json.loads(text)
        found = [{**one, **two} for one, two in zip(found, records, strict=True)] if found else records
    return found


# shapes

IN_ONE = ("deepeval.json", "ragas.jsonl")
PAIRS = [("autorag_qa.jsonl", "autorag_result.jsonl"), ("records_gold.jsonl", "records_run.jsonl")]


@pytest.mark.parametrize("names", [*((one,) for one in IN_ONE), *PAIRS], ids=str)
def test_rows_are_read_as_the_files_of_their_records(names: tuple[str, ...]) -> None:
    kept, rows = score("ndcg@5").collector(), of_files(*names)
    values = [kept(row) for row in rows]
    whole = rc.evaluate(str(RAG / names[0]), str(RAG / names[-1]), "ndcg@5")
    by_user = dict(zip(whole.users.tolist(), whole.per_user["ndcg@5"].tolist(), strict=True))
    assert len(values) > 1
    assert sorted(values) == pytest.approx(sorted(by_user.values()), nan_ok=True)
    assert kept.compute()["ndcg@5"] == whole["ndcg@5"]


class Document(BaseModel):
    """As LangChain has it."""

    id: str
    metadata: dict[str, int] = {}


@dataclass
class Case:
    """As the context of a harness has it."""

    query: str
    response: list[Document]
    gold: set[str]


Named = namedtuple("Named", "query gold retrieved")
OF_ONE_ROW: dict[str, Any] = {
    "ids": ROW,
    "documents": {**ROW, "retrieved_ids": None, "hits": [{"id": one} for one in "xab"]},
    "scores": {**ROW, "retrieved_ids": None, "hits": [{"id": "x", "score": 3.5}, {"id": "a", "score": 1}]},
    "in objects": {
        "inputs": {"q": "why?"},
        "outputs": {"documents": ["x", "a"]},
        "reference_outputs": {"ids": ["a"]},
    },
    "numbers by id": {"gold": {"a": 2, "b": 1}, "results": {"a": 0.4, "x": 0.6}},
    "a dataclass of models": Case("q", [Document(id="x"), Document(id="a")], {"a", "b"}),
    "a named tuple": Named("q", {"a"}, ("x", "a")),
    "arrays": {"gold": np.array(["a"]), "retrieved": np.array(["x", "a"])},
}


@pytest.mark.parametrize("row", OF_ONE_ROW.values(), ids=OF_ONE_ROW)
def test_a_row_has_any_shape_of_the_readers(row: Any) -> None:
    assert score()(row) == MRR_OF_ROW


SIDES: dict[str, list[Any]] = {
    "output": [["x", "a"], ("x", "a"), {"x": 2, "a": 1}, [{"id": "x"}, {"id": "a"}], {"hits": ["x", "a"]}],
    "expected": [["a"], {"a"}, "a", {"a": 3}, [{"id": "a", "grade": 1}], {"relevant_ids": ["a"]}],
}


@pytest.mark.parametrize(("output", "expected"), [*product(*SIDES.values())])
def test_sides_come_alone_in_any_shape(output: Any, expected: Any) -> None:
    assert score()(output=output, expected=expected) == MRR_OF_ROW


def test_a_side_is_named_by_its_key_or_given_by_a_function() -> None:
    row = {"a_list": ["x", "a"], "deep": {"other": [{"n": 7, "name": "a"}]}}
    assert score(output="a_list", expected="deep.other.name")(row) == MRR_OF_ROW
    assert score(output=lambda one: one["a_list"], expected=lambda one: "a")(row) == MRR_OF_ROW
    of_value = score(output="a_list", expected="other.name")
    assert of_value(output=row, expected=row["deep"]) == of_value(output=["x", "a"], expected=["a"]) == MRR_OF_ROW


# all rows together

DEFINITIONS = [
    *("rankconv:ndcg@3", "trec_eval:map", "sklearn:ndcg@2", "ranx:mrr", "mllib:precision@2", "ir_measures:ndcg@2"),
    *("sklearn+unretrieved:ndcg@2", "trec_eval:gm_map", "mteb:ndcg@2", "rankconv:ndcg(ties=expected)"),
]
ITEMS = st.lists(st.sampled_from("abcde"), unique=True)
ROWS = st.lists(st.fixed_dictionaries({"gold": ITEMS, "retrieved": ITEMS}), min_size=1, max_size=6)


@pytest.mark.parametrize("text", DEFINITIONS)
@settings(max_examples=examples.of(quick=5, ci=100))
@given(rows=ROWS)
def test_a_collector_ends_in_what_evaluate_gives_for_all_rows(text: str, rows: list[dict[str, Any]]) -> None:
    one = rc.scorer(text)
    kept, named = one.collector(), [{"query": f"q{at}", **row} for at, row in enumerate(rows)]
    values = list[float]()
    for row in named:
        try:
            values.append(kept(row))
        except rc.MetricError:  # a policy that refuses a user
            values.append(np.nan)
    labels = {row["query"]: row["gold"] for row in named}
    run = {row["query"]: row["retrieved"] for row in named}
    whole, ours = (
        rc.evaluate(labels, run, one.definition, on_error="collect"),
        kept.compute(on_error="collect"),
    )
    assert ours.to_dict() == whole.to_dict()
    assert ours.errors.keys() == whole.errors.keys()
    if not whole.errors:
        [number], [there] = ours.values(), whole.values()
        assert number.signature == there.signature
        if not there.measured.of_all:  # else all users have one value, which no row can know
            assert values == pytest.approx(there.per_user.tolist(), nan_ok=True, abs=0)


def test_a_mean_of_floats_is_another_number_than_that_of_the_policies() -> None:
    kept = score("mrr@10").collector()
    values = [kept({**ROW, "query": "q1"}), kept({**ROW, "query": "q2", "gold_ids": []})]
    assert values == [MRR_OF_ROW, pytest.approx(np.nan, nan_ok=True)]
    assert kept.compute()["mrr@10"] == MRR_OF_ROW


def test_rows_without_a_query_are_numbered_and_several_threads_may_call() -> None:
    kept = score().collector()
    rows = [{"gold": [one], "retrieved": ["x", one]} for one in map(str, range(40))]
    with ThreadPoolExecutor(8) as threads:
        values = [*threads.map(kept, rows)]
    assert values == [MRR_OF_ROW] * 40
    assert kept.compute().users.tolist() == [*range(40)]
    kept.reset()
    assert kept.size == 0


def test_a_query_that_comes_twice_is_refused() -> None:
    kept = score().collector()
    kept(ROW)
    with pytest.raises(rc.InputError, match="two rows are of the query 'q1'"):
        kept(ROW)


# what it says of itself


def test_it_has_its_definition_and_is_called_by_its_metric() -> None:
    one = score("ndcg(gain=exponential)@5", preset="mllib")
    assert one.definition == rc.metric("mllib:ndcg(gain=exponential)@5")
    assert (one.fingerprint, one.signature) == (one.definition.fingerprint, one.definition.signature)
    assert one.__name__ == one.collector().__name__ == "ndcg(gain=exponential)@5"
    assert pickle.loads(pickle.dumps(one))(ROW) == one(ROW)


def test_a_collector_is_pickled_with_its_rows() -> None:
    kept = score().collector()
    kept(ROW)
    again = pickle.loads(pickle.dumps(kept))
    again({**ROW, "query": "q2"})
    assert (kept.size, again.size) == (1, 2)


def test_what_was_assumed_is_in_its_notes() -> None:
    one = score()
    one(ROW)
    assert one.notes == ()
    one(output=["Paris is big", "Rome"], expected=["Rome"])
    [note] = one.notes
    assert "has texts, and these are taken as the ids of items" in note


# what is refused

SCORED = [{"id": "x", "score": 1}, {"id": "a", "score": 2}]
REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], str, dict[str, Any]]] = {
    "two lists of labels": (
        {},
        {"gold_ids": ["a"], "gold_uuids": ["u"], "retrieved": ["x", "a"]},
        "expected='gold_ids' or expected='gold_uuids'",
        {"expected": "gold_ids"},
    ),
    "no labels": (
        {},
        {"first": ["a"], "retrieved": ["x", "a"]},
        "no key names a set of labels. The keys are: first, retrieved. Name the key, or pass a function of the row: "
        "expected='KEY'",
        {"expected": "first"},
    ),
    "scores against the order": (
        {},
        {"gold": ["a"], "retrieved": SCORED},
        "Pass columns={'run.score': 'none'} if the order is right",
        {"columns": {"run.score": "none"}},
    ),
    "no id": (
        {},
        {"gold": ["a"], "retrieved": [{"name": "x"}, {"name": "a"}]},
        "Name it, such as output='retrieved.name'",
        {"output": "retrieved.name"},
    ),
    "a name that is not there": (
        {"output": "gone"},
        {"gold": ["a"], "retrieved": ["x", "a"]},
        "there is no list 'gone'. The keys are: gold, retrieved.",
        {"output": "retrieved"},
    ),
}


@pytest.mark.parametrize(("given", "row", "said", "then"), REFUSED.values(), ids=REFUSED)
def test_a_row_that_is_not_clear_is_refused_with_what_to_pass(
    given: dict[str, Any], row: dict[str, Any], said: str, then: dict[str, Any]
) -> None:
    with pytest.raises(rc.InputError, match=re.escape(said)):
        score(**given)(row)
    assert score(**(given | then))(row) == MRR_OF_ROW


def test_two_keys_of_a_query_are_refused_where_rows_are_kept() -> None:
    row = {"gold": ["a"], "retrieved": ["x", "a"], "question": "q", "prompt": "p"}
    assert score()(row) == MRR_OF_ROW
    with pytest.raises(rc.InputError, match=re.escape("Name one: columns={'user': 'question'} or")):
        score().collector()(row)
    kept = score(columns={"user": "question"}).collector()
    kept(row)
    assert kept.compute().users.tolist() == ["q"]


WRONG_SIDES: dict[str, tuple[dict[str, Any], str]] = {
    "a text": ({"output": "Paris is big", "expected": ["a"]}, "'Paris is big' is not a ranking"),
    "one id as a ranking": ({"output": "a", "expected": ["a"]}, "'a' is not a ranking"),
    "an answer": ({"output": ["a"], "expected": "Paris is big"}, "is not a set of labels"),
    "nothing returned": ({"output": None, "expected": ["a"]}, r"Pass \[\] where there is no item"),
    "nothing expected": ({"output": ["a"], "expected": None}, r"Pass \[\] where there is no item"),
    "a set": ({"output": {"a", "b"}, "expected": ["a"]}, "a set has no order"),
    "other types": ({"output": [1, 2], "expected": ["a"]}, "text in the labels .* and integer in the rankings"),
    "one side": ({"output": ["a"]}, "a side is missing"),
}


@pytest.mark.parametrize(("given", "said"), WRONG_SIDES.values(), ids=WRONG_SIDES)
def test_what_is_no_side_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(rc.InputError, match=said):
        score()(**given)


@pytest.mark.parametrize("row", [["a"], {"a": 1, "b": 2}, "a", None, 3])
def test_one_list_is_no_row_of_two_sides(row: Any) -> None:
    with pytest.raises(rc.InputError, match="is not a row"):
        score()(row)


def test_a_call_of_scikit_learn_is_sent_to_its_own_scorer() -> None:
    with pytest.raises(rc.InputError, match=re.escape("For scikit-learn use rc.scoring")):
        score()(object(), [[1]], [1])


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("novelty@3", "it needs train, which no row has"),
        ("coverage@3", "it needs catalogue, which no row has"),
        ("items_shown@3", "it is one number of all lists"),
        ("judged(judged-scope=collection)@3", "looks at the labels of all users"),
    ],
)
def test_a_metric_of_more_than_a_row_is_refused_at_once(metric: str, said: str) -> None:
    with pytest.raises(rc.MetricError, match=said) as error:
        rc.scorer(metric)
    assert "rc.evaluate(labels, run, …)" in str(error.value)


def test_places_that_are_none_are_refused() -> None:
    for wrong in ({"output": 3}, {"expected": ""}):
        with pytest.raises(rc.MetricError, match="neither the name of a key nor a function"):
            rc.scorer("mrr", **wrong)  # type: ignore[arg-type]
    with pytest.raises(rc.InputError, match="'odd' is not the role of a column"):
        rc.scorer("mrr", columns={"odd": "a"})


def test_the_class_of_what_it_returns_is_public() -> None:
    assert isinstance(score().collector(), RowCollector)
