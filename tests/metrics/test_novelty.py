"""Alpha-nDCG, ERR-IA, NRBP and their ideals: pyndeval's numbers, its own test, and what must hold of any data."""

import json
import math
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from tests.metrics.record_ndeval import FILE, case, pyndeval_values

OWN = {
    **{"ERR-IA@5": 0.3933, "ERR-IA@10": 0.3907, "ERR-IA@20": 0.3907},
    **{
        "nERR-IA@5": 0.8297,
        "nERR-IA@20": 0.8297,
        "alpha-DCG@5": 0.4052,
        "alpha-DCG@10": 0.3998,
        "alpha-DCG@20": 0.3997,
    },
    **{"alpha-nDCG@5": 0.7868, "alpha-nDCG@20": 0.7868, "NRBP": 0.3906, "nNRBP": 0.8620, "MAP-IA": 0.5},
    **{"P-IA@5": 0.2, "P-IA@10": 0.1, "P-IA@20": 0.05, "strec@5": 2 / 3, "strec@20": 2 / 3},
}
"""What pyndeval's own test expects, tests/test_pyndeval.py, to four places."""


def ours(one: Mapping[str, Any]) -> dict[str, float]:
    """The values of the preset, asked in one go."""
    told = [("q", topic, document, grade) for topic, document, grade in one["labels"]]
    specs = {name: _spec(name, one) for name in one["values"]}
    found = rc.evaluate(told, {"q": dict(one["run"])}, list(specs.values()), preset="ndeval")
    return {name: float(found.per_user[spec][0]) for name, spec in specs.items()}


def _spec(name: str, one: Mapping[str, Any]) -> str:
    measure, at, k = name.partition("@")
    if measure in ("P-IA", "strec", "MAP-IA"):
        return name
    patience = f", nrbp-patience={one['beta']}" if "NRBP" in measure else ""
    return f"{measure}(subtopic-alpha={one['alpha']}{patience}){at}{k}"


def compared(one: Mapping[str, Any], values: Mapping[str, float]) -> Iterator[str]:
    """The measures in which the preset gives another number."""
    for name, value in ours(one).items():
        same = math.isnan(value) and math.isnan(values[name])
        if not (same or value == pytest.approx(values[name], rel=1e-12, abs=1e-15)):
            yield f"{name}: {value} and not {values[name]}"


def test_the_numbers_of_pyndeval() -> None:
    cases = json.loads(FILE.read_text())["cases"]
    assert [len(one["values"]) for one in cases] == [33] * 40
    assert [told for one in cases for told in compared(one, one["values"])] == []


@pytest.mark.skipif(find_spec("pyndeval") is None, reason="pyndeval is not installed")
def test_pyndeval_itself() -> None:
    for seed in range(1000, 1020):
        one = case(seed)
        values = pyndeval_values(one)
        assert not list(compared({**one, "values": values}, values))


def test_its_own_test() -> None:
    labels = [("0", "a", "A", 1), ("0", "b", "B", 1), ("0", "b", "D", 1), ("0", "c", "C", 1)]
    run = {"0": {"A": 9.3, "D": 8.4, "E": 8.1, "B": 7.6}}
    found = rc.evaluate(labels, run, list(OWN), preset="ndeval")
    assert {name: found[name] for name in OWN} == pytest.approx(OWN, abs=1e-4)


# what must hold

ITEMS = [f"d{number}" for number in range(6)]
GROUPS = st.lists(st.sets(st.sampled_from(ITEMS), min_size=1, max_size=4), min_size=1, max_size=4)
RUN = st.permutations([*ITEMS, "x"])
ALPHAS = st.sampled_from([0, 0.3, 0.5, 1])


def named(groups: list[set[str]]) -> dict[int, set[str]]:
    return dict(enumerate(groups))


def value(labels: Any, run: Any, spec: str) -> float:
    return rc.evaluate(labels, run, spec)[spec]


@given(GROUPS, RUN, ALPHAS)
@settings(max_examples=25, deadline=None)
def test_the_greedy_ideal_is_near_the_best_of_all_orders(groups: list[set[str]], run: list[str], alpha: float) -> None:
    """No order is worth more by over e / (e - 1), as of every sum whose terms fall the more there are above them."""
    known = sorted(set().union(*groups))[:4]
    few = [group & set(known) for group in groups if group & set(known)]
    labels, dcg = {"q": named(few)}, f"alpha_dcg(subtopic-alpha={alpha}, subtopic-weight=one)@3"
    orders = {str(place): list(order) for place, order in enumerate(permutations(known))}
    best = rc.evaluate(dict.fromkeys(orders, named(few)), orders, dcg).per_user[dcg].max()
    found = value(labels, {"q": run}, f"alpha_ndcg(subtopic-alpha={alpha}, subtopic-weight=one)@3")
    exact = value(labels, {"q": run}, dcg) / best
    assert exact - 1e-12 <= found <= exact * math.e / (math.e - 1) + 1e-12


@given(GROUPS, RUN, ALPHAS)
@settings(max_examples=25, deadline=None)
def test_no_ideal_is_better_than_one_of_every_group(groups: list[set[str]], run: list[str], alpha: float) -> None:
    for metric in ("alpha_ndcg", "err_ia", "nrbp"):
        every, greedy = (
            f"{metric}(subtopic-alpha={alpha}, subtopic-ideal={one})@4" for one in ("every-subtopic", "greedy")
        )
        found = rc.evaluate({"q": named(groups)}, {"q": run}, [every, greedy])
        assert found[every] <= found[greedy] + 1e-12


def test_a_list_of_every_group_ends_at_the_cutoff_or_with_the_list_or_never() -> None:
    """Of two groups a serves one, and b, below it, both: that one for the second time."""
    labels, run = {"q": {"cars": ["a", "b"], "cats": ["b"]}}, {"q": ["a", "b"]}
    second, patience = 1 / math.log2(3), 1 / 2
    worked = {
        "nrbp": (1 + patience * 3 / 2) / (2 / (1 - patience / 2)),
        "nrbp@2": (1 + patience * 3 / 2) / (2 * (1 + patience / 2)),
        "alpha_ndcg": (1 + second * 3 / 2) / (2 * (1 + second / 2)),
        "alpha_ndcg@1": 1 / 2,
    }
    for name, expected in worked.items():
        metric, at, k = name.partition("@")
        found = value(labels, run, f"{metric}(subtopic-alpha=0.5, subtopic-ideal=every-subtopic){at}{k}")
        assert found == pytest.approx(expected), name


@given(st.sets(st.sampled_from(ITEMS), min_size=1), RUN)
@settings(max_examples=25, deadline=None)
def test_one_group_whose_worth_does_not_fade_is_ndcg(group: set[str], run: list[str]) -> None:
    labels, lists = {"q": {0: group}}, {"q": run}
    found = value(labels, lists, "alpha_ndcg(subtopic-alpha=0, subtopic-ideal=greedy)@4")
    assert found == pytest.approx(value(labels, lists, "ndcg(gain=binary)@4"))


@given(GROUPS, RUN)
@settings(max_examples=25, deadline=None)
def test_err_of_each_group_is_alpha_times_what_is_not_divided(groups: list[set[str]], run: list[str]) -> None:
    labels, lists = {"q": named(groups)}, {"q": run}
    err = value(labels, lists, "err(gain=table(1=0.25), subtopics=separate)@4")
    assert err == pytest.approx(
        0.25 * value(labels, lists, "alpha_dcg(subtopic-alpha=0.25, discount=reciprocal, subtopic-weight=even)@4")
    )


def test_a_greedy_convention_is_not_always_the_best() -> None:
    """d serves four of six groups and is taken first; b and c without it serve three each, and so all six."""
    groups = {"q": named([{"b", "d"}, {"b", "d"}, {"c", "d"}, {"c", "d"}, {"b"}, {"c"}])}
    greedy = value(groups, {"q": ["b", "c"]}, "alpha_ndcg(subtopic-alpha=1, subtopic-ideal=greedy)@2")
    assert greedy == pytest.approx((3 + 3 / math.log2(3)) / (4 + 1 / math.log2(3)))
    assert greedy > 1


def test_the_greedy_list_of_a_user_does_not_hang_on_the_number_of_subtopics_of_others() -> None:
    labels = {"p": named([{"a"}]), "q": named([{"a", "b"}, {"b"}, {"c"}]), "r": named([{"c"}, {"a", "c"}])}
    run, spec = {user: ["b", "a", "c"] for user in labels}, "alpha_ndcg(subtopic-ideal=greedy)@3"
    together = rc.evaluate(labels, run, spec).per_user[spec]
    assert [*together] == [value({user: labels[user]}, {user: run[user]}, spec) for user in labels]


def test_metrics_of_groups_need_groups() -> None:
    with pytest.raises(rc.MetricError, match="the metric alpha_ndcg needs labels in groups, and these came in none"):
        rc.evaluate({"q": ["a"]}, {"q": ["a"]}, "alpha_ndcg@5")
    assert value({"q": ["a"]}, {"q": ["a"]}, "alpha_ndcg(no-subtopic=one)@5") == 1.0


EXPLAINED = ["alpha_dcg@3", "alpha_ndcg@3", "err_ia@3", "nrbp", "subtopic_recall@3", "ndcg(subtopics=separate)@3"]


def test_explained_numbers_are_those_of_the_engine() -> None:
    labels, run = {"q": {"cars": ["a", "b"], "cats": {"b", "c"}, "dogs": ["z"]}}, {"q": ["a", "x", "b", "c"]}
    for spec in EXPLAINED:
        told = rc.explain(labels, run, spec, user="q")
        assert told.agrees, spec
        assert "engine" not in str(told), spec
