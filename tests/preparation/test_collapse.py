"""Chunks that become documents, against the same data written down as documents."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import rankconv as rc
from rankconv.basics.errors import InputError, MetricError, RankconvError
from rankconv.engine import measure
from rankconv.presets.definition import with_changes
from tests.laws import examples
from tests.laws.test_laws import Data, bits, covering, definitions, metric, preparation

DOCUMENTS = ["1", "2", "9", "10"]
CHUNKS = [f"{document}#{chunk}" for document in DOCUMENTS for chunk in range(3)]
Rows = list[tuple[str, float]]


def first(rows: Rows) -> Rows:
    found: dict[str, float] = {}
    for item, score in rows:
        found.setdefault(item.split("#")[0], score)
    return list(found.items())


def best(rows: Rows, of: Callable[[list[float]], float] = max) -> Rows:
    scores: dict[str, list[float]] = {}
    for item, score in rows:
        scores.setdefault(item.split("#")[0], []).append(score)
    return sorted(((item, of(found)) for item, found in scores.items()), key=lambda row: -row[1])


MIXED = "labels of 'doc1#3', a chunk, and of 'doc1', a document that has chunks, are mixed"
BY_HAND: dict[str, Callable[[Rows], Rows]] = {"first": first, "max": best, "sum": lambda rows: best(rows, sum)}


def labels_by_hand(rows: Rows) -> Rows:
    grades: dict[str, float] = {}
    for item, grade in rows:
        document = item.split("#")[0]
        grades[document] = max(grade, grades.get(document, -np.inf))
    return list(grades.items())


@st.composite
def chunks(draw: st.DrawFn) -> tuple[dict[str, Rows], dict[str, Rows]]:
    """Some users whose lists hold chunks, and labels of chunks or of documents; scores are whole, and often tied."""
    grades, scores = st.integers(-1, 3), st.sampled_from([2.0, 1.0, 4.0])
    labels, run = {}, {}
    for place in range(draw(st.integers(1, 5))):
        labelled = st.sampled_from(draw(st.sampled_from([CHUNKS, DOCUMENTS])))
        user, sides = f"u{place}", draw(st.sampled_from(["both", "both", "labels", "run"])) if place else "both"
        if sides != "run":
            labels[user] = [(item, float(draw(grades))) for item in draw(st.lists(labelled, max_size=5))]
        if sides != "labels":
            items = draw(st.lists(st.sampled_from(CHUNKS), max_size=7)) + ([] if place else ["1#0"])
            run[user] = [(item, draw(scores)) for item in items]
    return labels, run


def other_data(labels: Any, run: Any, **parents: str) -> Any:
    train = {"u0": ["1#0", "1#1", "2#0"], "u1": ["2#1", "9#0"]} if parents else {"u0": ["1", "2"], "u1": ["2", "9"]}
    features = {item: [float(len(item)), float(place)] for place, item in enumerate(DOCUMENTS)}
    return rc.join(labels, run, catalogue=40, train=train, seen=train, item_features=features, **parents)


def collapsing(one: rc.Definition, how: str) -> rc.Definition | None:
    try:
        return with_changes(one, {"collapse": how})
    except RankconvError:
        return None


@pytest.mark.parametrize("how", BY_HAND)
def test_every_metric_of_every_preset_is_that_of_the_documents(how: str) -> None:
    there = [one for one in definitions(3) if one.preparation.given("subtopics") == "ignore"]
    some = covering(there, preparation, metric)
    asked = [(one, other) for one in some if (other := collapsing(one, how)) is not None]
    assert len(asked) > 200

    @settings(max_examples=examples.of(quick=2, ci=30), phases=[Phase.generate])
    @given(chunks())
    def holds(drawn: Data) -> None:
        labels, run = drawn
        known = {user: labels_by_hand(rows) for user, rows in labels.items()}
        ranked = {user: BY_HAND[how](rows) for user, rows in run.items()}
        whole, documents = other_data(labels, run, parents="#"), other_data(known, ranked)
        ours = measure(whole, [other for _, other in asked], None)
        theirs = measure(documents, [one for one, _ in asked], None)
        for mine, other in zip(ours, theirs, strict=True):
            assert bits(whole, mine) == bits(documents, other), mine.definition.text
            assert [one.policy for one in mine.refusals] == [one.policy for one in other.refusals]

    holds()


LABELS = {"q": {"doc1": 2, "doc3": 1}, "r": {"doc1": 1}}
RUN = {
    "q": [("doc2#0", 5.0), ("doc1#3", 4.0), ("doc2#1", 3.5), ("doc3#0", 3.0), ("doc1#0", 2.5)],
    "r": [("doc3#1", 2.0), ("doc1#1", 1.0)],
}
DOCUMENT_OF = {item: item.split("#")[0] for rows in RUN.values() for item, _ in rows}
NDCG = {how: f"ndcg(collapse={how})@3" for how in ("none", *BY_HAND)}


def test_parents_are_a_separator_a_dict_a_table_or_a_file(tmp_path: Path) -> None:
    table = pl.DataFrame({"chunk_id": [*DOCUMENT_OF], "doc_id": [*DOCUMENT_OF.values()], "text": "…"})
    file = tmp_path / "chunks.csv"
    table.write_csv(file)
    asked = list(NDCG.values())
    found = [dict(rc.evaluate(LABELS, RUN, asked, parents=one)) for one in ("#", DOCUMENT_OF, table, str(file), file)]
    assert all(one == found[0] for one in found)
    assert found[0][NDCG["none"]] == 0 < found[0][NDCG["max"]]


def test_a_sum_may_put_another_document_first() -> None:
    labels, run = {"u": ["a"]}, {"u": [("b#1", 3.0), ("a#1", 2.0), ("a#2", 2.0)]}
    found = rc.evaluate(labels, run, [f"mrr(collapse={how})" for how in BY_HAND], parents="#")
    assert list(found.values()) == [1 / 2, 1 / 2, 1]


@pytest.mark.parametrize(
    ("labels", "run", "metric", "parents", "error", "words"),
    [
        (LABELS, RUN, NDCG["max"], None, MetricError, "collapse=max needs parents, and none was given"),
        (LABELS, RUN, NDCG["max"], "::", InputError, "no item is a chunk of a document"),
        (LABELS, RUN, NDCG["max"], "", InputError, "the separator of ids is empty"),
        ({"p": {"doc2#0": 1}, "q": {"doc1": 2, "doc1#3": 1}}, RUN, NDCG["max"], "#", InputError, MIXED),
        (LABELS, RUN, NDCG["max"], {"doc2#0": "doc2"}, InputError, "'doc1#3' is neither a chunk nor a document"),
        ({"q": ["doc2#0", "d"]}, RUN, NDCG["max"], DOCUMENT_OF, InputError, "'d' is neither a chunk nor a document"),
        (LABELS, RUN, NDCG["max"], DOCUMENT_OF | {"doc1": "x"}, InputError, "and a chunk of another document itself"),
        (LABELS, RUN, NDCG["max"], {"doc1#3": 7}, InputError, "item ids must be all text or all integers"),
        (LABELS, RUN, NDCG["max"], {"doc1#3": None}, InputError, "has no document"),
        (LABELS, {"q": ["doc1#0"]}, NDCG["sum"], "#", MetricError, "collapse=sum needs scores"),
        ({"q": ["a#b"]}, {"q": ["a#b#7"]}, NDCG["max"], "#", InputError, "document of 'a#b#7' may be 'a' or 'a#b'"),
        ({"q": {1: 1, 2: 1}}, {"q": {1: 1.0}}, NDCG["max"], "#", InputError, "item ids are integer"),
        ({"q": {1: ["doc1"], 2: ["doc3"]}}, RUN, NDCG["max"], "#", MetricError, "labels in subtopics"),
    ],
)
def test_what_is_not_clear_is_refused(
    labels: Any, run: Any, metric: str, parents: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        rc.evaluate(labels, run, metric, parents=parents)


@pytest.mark.parametrize(
    "table",
    [
        {"chunk": ["a#1"], "item": ["x"], "document": ["a"]},
        {"chunk": ["a#1"], "text": ["a"]},
        {"chunk": ["a#1", "a#1"], "document": ["a", "b"]},
    ],
)
def test_tables_in_which_documents_are_not_clear_are_refused(table: dict[str, list[str]]) -> None:
    with pytest.raises(InputError, match=r"not clear which columns|has two documents"):
        rc.join({"u": ["a"]}, {"u": ["a#1"]}, parents=pl.DataFrame(table))


def test_a_labelled_document_without_chunks_need_not_be_in_the_table() -> None:
    labels, recall = {"q": {"doc1": 2, "doc9": 1}}, "recall(collapse=max)"
    assert rc.evaluate(labels, RUN, recall, parents=DOCUMENT_OF)[recall] == 1 / 2


def test_files_and_batches_give_the_same(tmp_path: Path) -> None:
    labels, run, asked = tmp_path / "labels.csv", tmp_path / "run.csv", list(NDCG.values())
    known = [(user, item, grade) for user, rows in LABELS.items() for item, grade in rows.items()]
    rows = [(user, item, score) for user, listed in RUN.items() for item, score in listed]
    pl.DataFrame(known, schema=["user", "item", "grade"], orient="row").write_csv(labels)
    pl.DataFrame(rows, schema=["user", "item", "score"], orient="row").write_csv(run)
    whole = dict(rc.evaluate(LABELS, RUN, asked, parents="#"))
    assert dict(rc.evaluate(str(labels), str(run), asked, parents="#", memory="4GB")) == whole
    batches = rc.Evaluator(asked, parents="#")
    for user in LABELS:
        batches.update({user: LABELS[user]}, {user: RUN[user]})
    assert dict(batches.compute()) == whole


def test_items_with_a_label_of_another_batch_become_documents() -> None:
    """The item 9#2 of the first user has its label, as document 9, in the second batch."""
    labels, run = {"u": {"1#0": 1}, "v": {"9#1": 1}}, {"u": ["1#1", "9#2", "3#0"], "v": ["9#0", "2#0", "3#0"]}
    hole = "beir:hole(collapse=first)@3"
    assert rc.evaluate(labels, run, hole, parents="#")[hole] == 1 / 2
    batches = rc.Evaluator(hole, parents="#", labelled=["1#0", "9#1"])
    for user in labels:
        batches.update({user: labels[user]}, {user: run[user]})
    assert batches.compute()[hole] == 1 / 2


@pytest.mark.parametrize("labels", [np.asarray, csr_matrix])
def test_a_matrix_of_scores_is_read_whole(labels: Any) -> None:
    rng, variants = np.random.default_rng(0), np.arange(30)
    scores, grades, product = rng.random((40, 30)), rng.integers(0, 3, (40, 30)), variants - variants % 3
    best, highest = (np.repeat(one.reshape(40, 10, 3).max(axis=2), 3, axis=1) for one in (scores, grades))
    is_product = variants == product
    found = rc.evaluate(
        labels(grades), scores, "ndcg(collapse=max)@3", parents=dict(zip(range(30), product.tolist(), strict=True))
    )
    by_hand = rc.evaluate(np.where(is_product, highest, 0), np.where(is_product, best, -np.inf), "ndcg@3")
    assert found["ndcg(collapse=max)@3"] == by_hand["ndcg@3"]


def test_items_seen_may_be_chunks_or_documents() -> None:
    spec = "mrr(collapse=max, exclude=seen)"
    for seen in ("doc2#1", "doc2"):
        sides = {"seen": {"q": [seen]}, "parents": "#"}
        assert rc.evaluate(LABELS, RUN, spec, **sides).per_user[spec].tolist() == [1, 1 / 2]


def test_the_difference_is_attributed_to_collapse() -> None:
    found = rc.why(LABELS, RUN, a="rankconv:ndcg@3", b="trec_eval:ndcg(collapse=max)@3", parents="#").to_dict()
    [only] = found["contributions"]
    assert only["settings"] == {"collapse": ["none", "max"]}
    assert only["share"] == pytest.approx(found["difference"])


def test_an_explanation_names_the_chunks() -> None:
    text = " ".join(rc.explain(LABELS, RUN, NDCG["sum"], user="q", parents="#").to_text().split())
    assert "collapse=sum 3 documents of chunks: doc2 (doc2#0, doc2#1), doc1 (doc1#3, doc1#0), doc3 (doc3#0)" in text
