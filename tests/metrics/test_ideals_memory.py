"""What a metric with an ideal list takes of memory grows with a user's relevant items, not with their square."""

import tracemalloc
from dataclasses import replace

import rankconv as rc
from rankconv.data.joined import Joined
from rankconv.engine import measure
from tests.laws.neighbours import bases

FEW, TIMES = 500, 3
ROOM = 100_000
"""Bytes that do not grow."""


def with_an_ideal() -> list[rc.Definition]:
    """Each metric of any preset that has an ideal list, once for each way of knowing labels, of ordering, of groups."""
    found: dict[object, rc.Definition] = {}
    for one in bases():
        if one.metric.stated.keys() & {"ideal", "subtopic-ideal", "ideal-cutoff"}:
            judged = (
                one.preparation.given(convention_name) for convention_name in ("labels-used", "ties", "subtopics")
            )
            of_ideal = (item for item in one.metric.stated.items() if "ideal" in item[0])
            found.setdefault((one.k is None, *of_ideal, *judged), one)
    return list(found.values())


def relevant(count: int) -> Joined:
    """One user with so many relevant items, and one with a single one."""
    items = [f"i{place}" for place in range(count)]
    labels = {"many": dict.fromkeys(items, 1), "one": {"i0": 1}}
    run = {"many": [(item, float(count - place)) for place, item in enumerate(items)], "one": [("i0", 1.0)]}
    return rc.join(labels, run, catalogue=count + 10, train={"one": ["i0"]})


def as_deep(joined: Joined, definition: rc.Definition) -> rc.Definition:
    """With a cutoff, where it has one, at as many ranks as there are relevant items."""
    if definition.k is None:
        return definition
    metric = type(definition.metric).with_settings({**definition.metric.fields, "k": joined.rankings.row_count})
    return replace(definition, metric=metric)


def peak(joined: Joined, definition: rc.Definition) -> int:
    measure(joined, [definition], None)
    tracemalloc.start()
    try:
        measure(joined, [definition], None)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_is_linear_in_relevant_items() -> None:
    few, many = relevant(FEW), relevant(TIMES * FEW)
    asked = with_an_ideal()
    assert len(asked) > 25
    peaks = {one.text: [peak(of, as_deep(of, one)) for of in (few, many)] for one in asked}
    assert {text: both for text, both in peaks.items() if both[1] > TIMES * both[0] + ROOM} == {}


def test_one_list_of_relevant_items_beside_many_short_ones() -> None:
    """Not the longest list for each user: 4,000 ranks of 500 users would take 16 MB."""
    labels = {f"u{user}": {"i0": 1, "i1": 2} for user in range(500)} | {
        "many": {f"i{place}": 1 for place in range(4000)}
    }
    joined = rc.join(labels, {user: ["i1", "i0"] for user in labels})
    for spec in ("ndcg", "trec_eval:ndcg", "mllib:ndcg@4000", "ndcg(ideal=all-ones)@4000"):
        assert peak(joined, rc.metric(spec)) < 8_000_000, spec
