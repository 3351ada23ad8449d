"""Spans of documents: each setting by hand, and characters of random spans counted one by one."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.data.pieces import Pieces
from rankconv.metrics import METRICS
from tests.laws.examples import of
from tests.metrics.worked import neutral

NEUTRAL = neutral()
Span = tuple[str, int, int]
LABELS: dict[str, list[Span]] = {"q": [("d", 10, 30), ("e", 0, 10)]}
RUN: dict[str, list[Span]] = {"q": [("d", 20, 40), ("d", 25, 45), ("e", 10, 20), ("e", 5, 8)]}
LENGTH = "span-unit=character, item-weight=length"


def entries(data: dict[str, list[Span]]) -> dict[str, list[dict[str, Any]]]:
    return {
        user: [dict(zip(("document", "start", "end"), one, strict=True)) for one in spans]
        for user, spans in data.items()
    }


def number(spec: str, labels: Any = None, run: Any = None, **given: Any) -> float:
    found = rc.evaluate(entries(labels or LABELS), entries(run or RUN), spec, preset=NEUTRAL, **given)
    return float(found[spec])


def test_characters_by_hand() -> None:
    """Of the run d 20 to 30, d 25 to 30 and e 5 to 8 are in labels; 53 characters are returned, 38 different ones."""
    rows, known = "precision-denominator=row-weights", "recall-denominator=relevant-weights"
    assert number(f"precision({LENGTH}, {rows}, duplicates=each)") == (10 + 5 + 3) / 53
    assert number(f"precision({LENGTH}, {rows}, duplicates=once)") == (10 + 3) / 53
    assert number(f"precision({LENGTH}, {rows}, duplicates=set)") == (10 + 3) / (53 - 15)
    assert number(f"recall({LENGTH}, {known}, duplicates=each)@2") == 15 / 30
    assert number(f"recall({LENGTH}, {known}, duplicates=once)@2") == 10 / 30
    assert number(f"jaccard({LENGTH}, {rows}, duplicates=once)@2") == 10 / (40 + 20)
    assert number(f"jaccard({LENGTH}, {rows}, duplicates=set)@2") == 10 / (25 + 20)
    assert number(f"hit_count({LENGTH}, duplicates=each)") == 18
    assert number(f"dcg({LENGTH}, duplicates=once, discount=reciprocal)") == pytest.approx(10 + 3 / 4)


def test_an_interval_of_gains_by_hand() -> None:
    """A piece gains the grade of its label, times its length, at the rank of its chunk."""
    labels = {
        "q": [{"document": "d", "start": 0, "end": 4, "grade": 3}, {"document": "d", "start": 4, "end": 6, "grade": 1}]
    }
    run = entries({"q": [("d", 3, 8), ("d", 0, 1)]})
    spec = f"dcg({LENGTH}, discount=reciprocal)@2"
    assert rc.evaluate(labels, run, spec, preset=NEUTRAL)[spec] == (3 + 2) + 3 / 2


@pytest.mark.parametrize(
    ("duplicates", "characters"), [("one", 20), ("first", 20), ("counted", 20 + 5)], ids=["one", "first", "counted"]
)
def test_labels_that_share_characters(duplicates: str, characters: int) -> None:
    labels = {"q": [("d", 0, 15), ("d", 10, 20)]}
    run = {"q": [("d", 10, 15)]}
    spec = f"recall({LENGTH}, recall-denominator=relevant-weights, duplicate-labels={duplicates})"
    assert number(spec, labels, run) == 5 / characters


def test_the_label_that_counts_where_several_have_a_character() -> None:
    labels = {
        "q": [
            {"document": "d", "start": 0, "end": 10, "grade": 3},
            {"document": "d", "start": 0, "end": 10, "grade": 1},
        ]
    }
    for duplicates, grade in (("one", 1), ("first", 3)):
        spec = f"dcg({LENGTH}, duplicate-labels={duplicates})@1"
        assert rc.evaluate(labels, entries({"q": [("d", 4, 6)]}), spec, preset=NEUTRAL)[spec] == 2 * grade
    overlapping = {"q": [("d", 0, 10), ("d", 9, 12)]}
    with pytest.raises(rc.MetricError, match=r"characters in two labels.*duplicate-labels=invalid"):
        number(f"hit_count({LENGTH}, duplicate-labels=invalid, on-invalid=refuse-all)", overlapping)
    assert (
        number(
            f"hit_count({LENGTH}, duplicate-labels=invalid, on-invalid=refuse-all)@1",
            {"q": [("d", 0, 10), ("d", 10, 12)]},
        )
        >= 0
    )


MATCHES = {
    # labels of 10 characters; the chunk has 4 of the first, touches the second, and has the third as a whole
    "overlap": [1, 0, 1],
    "contained": [0, 0, 1],
    "touching": [1, 1, 1],
    "at-least(share=0.4, of=label)": [1, 0, 1],
    "at-least(share=0.41, of=label)": [0, 0, 1],
    "at-least(share=0.1, of=row)": [1, 0, 1],
    "at-least(share=0.21, of=row)": [0, 0, 1],
    "at-least(share=0.1, of=label)": [1, 0, 1],
    "at-least(share=0.15, of=union)": [1, 0, 1],
    "at-least(share=0.16, of=union)": [0, 0, 1],
    "at-least": [0, 0, 1],
}
CHUNKS: list[Span] = [("a", 6, 26), ("b", 10, 30), ("c", 0, 20)]


@pytest.mark.parametrize("how", MATCHES)
def test_whole_spans_that_match(how: str) -> None:
    for chunk, expected in zip(CHUNKS, MATCHES[how], strict=True):
        labels = {"q": [(chunk[0], 0, 10)]}
        assert number(f"recall(span-unit=span, span-match={how})", labels, {"q": [chunk]}) == expected, chunk


def test_at_the_share_itself_they_match() -> None:
    """A tenth of 30 is 3, though 0.1 * 30 is a little more as doubles."""
    labels = {"q": [("d", 0, 30)]}
    for end, expected in ((3, 1), (2, 0)):
        assert (
            number("recall(span-unit=span, span-match=at-least(share=0.1))", labels, {"q": [("d", 0, end)]}) == expected
        )


def test_every_setting_has_its_values() -> None:
    assert {one.partition("(")[0] for one in MATCHES} == {*rc.convention("span-match").setting_types}
    assert {*rc.convention("span-unit").setting_types} == {"refuse", "character", "span"}


def test_a_chunk_is_the_label_of_which_it_has_most() -> None:
    labels = {"q": [("d", 0, 10), ("d", 10, 30), ("d", 50, 60)]}
    run = {"q": [("d", 5, 25), ("d", 12, 14), ("x", 0, 9), ("d", 58, 70)]}
    found = rc.explain(entries(labels), entries(run), "map(span-unit=span)", user="q", preset=NEUTRAL)
    rows = [(row.item, row.chunk, row.relevant) for row in found.prepared.rows]
    assert rows == [
        ("d[10:30]", "d[5:25]", True),
        ("d[10:30]", "d[12:14]", True),
        ("x[0:9]", "", False),
        ("d[50:60]", "d[58:70]", True),
    ]
    once = "map(span-unit=span, duplicates=once)"
    assert number(once, labels, run) == pytest.approx((1 + 2 / 4) / 3)


def test_ids_in_place_of_matched_spans_give_the_same_values() -> None:
    """Under `span` every metric has the value that the same lists have whose chunks name their labels."""
    run = {"q": ["second", "second", "x", "third"]}
    named = {"q": ["first", "second", "third"]}
    labels = {"q": [("d", 0, 10), ("d", 10, 30), ("d", 50, 60)]}
    spans = {"q": [("d", 5, 25), ("d", 12, 14), ("x", 0, 9), ("d", 58, 70)]}
    for metric in ("precision@3", "recall", "map", "mrr", "ndcg@3", "r_precision", "hit_rate@1", "rbp", "err", "bpref"):
        name, at, k = metric.partition("@")
        ours = number(f"{name}(span-unit=span, duplicates=set){at}{k}", labels, spans)
        spec = f"{name}(duplicates=set){at}{k}"
        assert ours == pytest.approx(rc.evaluate(named, run, spec, preset=NEUTRAL)[spec]), metric


# laws


def drawn(seed: int) -> tuple[dict[str, list[Span]], dict[str, list[Span]]]:
    """Labels and lists of a few users, in two documents."""
    random = np.random.default_rng(seed)

    def spans(count: int, longest: int) -> list[Span]:
        starts = random.integers(0, 40, count)
        return [(f"d{random.integers(2)}", int(at), int(at + random.integers(1, longest))) for at in starts]

    users = [f"u{at}" for at in range(3)]
    labels = {user: spans(int(random.integers(1, 4)), 20) for user in users}
    return labels, {user: spans(int(random.integers(1, 7)), 25) for user in users}


def characters(span: Span) -> Iterator[tuple[str, int]]:
    return ((span[0], at) for at in range(span[1], span[2]))


def by_character(labels: list[Span], run: list[Span], duplicates: str, k: int | None) -> dict[str, float]:
    """Precision, recall and the Jaccard index, each character an item."""
    known = {one for span in labels for one in characters(span)}
    seen, hits, rows = set[tuple[str, int]](), 0, 0
    for span in run[:k]:
        for one in characters(span):
            again = one in seen
            seen.add(one)
            hits += one in known and (duplicates == "each" or not again)
            rows += duplicates != "set" or not again
    return {"precision": hits / rows, "recall": hits / len(known), "jaccard": hits / (rows + len(known - seen))}


@pytest.mark.parametrize("seed", range(of(quick=8, ci=40)))
@pytest.mark.parametrize("duplicates", ["each", "once", "set"])
def test_pieces_are_their_characters(duplicates: str, seed: int) -> None:
    labels, run = drawn(seed)
    divisors = {"precision": "precision-denominator=row-weights", "jaccard": "precision-denominator=row-weights"}
    divisors["recall"] = "recall-denominator=relevant-weights"
    for k in (1, 2, 3, None):
        at = "" if k is None else f"@{k}"
        specs = {name: f"{name}({LENGTH}, {one}, duplicates={duplicates}){at}" for name, one in divisors.items()}
        found = rc.evaluate(entries(labels), entries(run), [*specs.values()], preset=NEUTRAL)
        for user, value in zip(found.users.tolist(), range(3), strict=True):
            expected = by_character(labels[user], run[user], duplicates, k)
            for name, spec in specs.items():
                assert found.per_user[spec][value] == pytest.approx(expected[name], abs=1e-12), (user, spec)
                explained = rc.explain(entries(labels), entries(run), spec, user=user, preset=NEUTRAL)
                assert explained.value == pytest.approx(expected[name], abs=1e-12)


@pytest.mark.parametrize("seed", range(of(quick=4, ci=12)))
def test_stretched_documents_have_the_same_values_and_as_many_pieces(seed: int) -> None:
    """Nothing hangs on how long documents are: spans a million times as long are cut into as many pieces."""
    labels, run = drawn(seed)
    longer = [
        {user: [(d, a * 10**6, b * 10**6) for d, a, b in spans] for user, spans in one.items()} for one in (labels, run)
    ]
    spec = f"jaccard({LENGTH}, precision-denominator=row-weights, duplicates=once)@2"
    assert number(spec, *longer) == pytest.approx(number(spec, labels, run))
    short, long = (rc.join(entries(a), entries(b)).once(Pieces.of) for a, b in ((labels, run), longer))
    assert len(short.border) == len(long.border)


def test_tied_chunks_are_put_in_order_as_a_whole() -> None:
    """The pieces of a chunk stay together, and a chunk without a character of a label is first in the worst order."""
    labels = entries({"q": [("d", 0, 10)]})
    run = {"q": [{"document": "d", "start": a, "end": b, "score": 1.0} for a, b in ((5, 15), (20, 30), (0, 6))]}
    for ties, expected in (
        ("given", 5),
        ("reversed", 6),
        ("relevant-last", 0),
        ("relevant-first", 5),
        ("item-ascending", 6),
    ):
        spec = f"hit_count({LENGTH}, order=score, ties={ties})@1"
        assert rc.evaluate(labels, run, spec, preset=NEUTRAL)[spec] == expected, ties
    spec = f"hit_count({LENGTH}, order=score, ties=expected)@1"
    assert rc.evaluate(labels, run, spec, preset=NEUTRAL)[spec] == 0, "without a closed form: relevant rows last"


def test_what_is_refused() -> None:
    with pytest.raises(rc.MetricError, match=r"span-unit=refuse.*span-unit=span.*item-weight=length"):
        rc.evaluate(entries(LABELS), entries(RUN), "recall@2")
    with pytest.raises(rc.MetricError, match=r"map\(span-unit=span\)") as refused:
        rc.evaluate(entries(LABELS), entries(RUN), "map")
    assert "length" not in str(refused.value).partition("Say")[2]
    with pytest.raises(rc.MetricError, match=r"counts items.*span-unit=span compares whole chunks"):
        rc.metric("map(span-unit=character)")
    with pytest.raises(rc.MetricError, match=r"Write item-weight=length"):
        rc.metric("recall(span-unit=character)")
    with pytest.raises(rc.MetricError, match=r"span-unit=refuse has none"):
        rc.metric("recall(item-weight=length)")
    with pytest.raises(rc.MetricError, match=r"needs spans of documents, and their items are ids"):
        rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "recall(span-unit=span)")
    for setting in (
        "candidates=padded",
        "unjudged=condensed-after-depth",
        "labels-used=aligned-arrays",
        "scope=global",
    ):
        with pytest.raises(rc.MetricError, match=r"compares characters"):
            rc.metric(f"hit_count({LENGTH}, {setting})@3", preset=NEUTRAL)


def test_metrics_with_weights_are_those_of_characters() -> None:
    weighed = {name for name, kind in METRICS.items() if "item-weight" in kind.conventions()}
    assert {"precision", "recall", "jaccard", "hit_count", "dcg", "ndcg"} <= weighed


def test_explanations_have_the_pieces_of_each_chunk() -> None:
    found = rc.explain(entries(LABELS), entries(RUN), f"hit_count({LENGTH}, duplicates=once)", user="q", preset=NEUTRAL)
    rows = [(row.item, row.hit, row.hit_pieces) for row in found.prepared.rows]
    assert rows == [
        ("d[20:40]", True, ("20 to 30 of d[10:30]",)),
        ("d[25:45]", False, ()),
        ("e[10:20]", False, ()),
        ("e[5:8]", True, ("5 to 8 of e[0:10]",)),
    ]
    assert found.to_dict()["list"][0]["hit_pieces"] == ["20 to 30 of d[10:30]"]
