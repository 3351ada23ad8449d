"""Similarity of runs against printed numbers, SciPy, enumeration of orders and of continuations."""

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankconv as rc
from rankconv.addons.similarity.similarity import list_similarity_presets, preset
from rankconv.addons.similarity.similarity_measures import RBO, KendallTau, ListPair, ranking

Groups = Sequence[Any]
"""A ranking, a set for each tie, as the program of Corsi and Urbano writes it."""


def scored(groups: Groups) -> dict[str, float]:
    """The ranking as scores."""
    ties = [group if isinstance(group, set) else {group} for group in groups]
    return {str(item): -float(place) for place, tie in enumerate(ties) for item in sorted(map(str, tie))}


def value(a: Groups, b: Groups, measure: str) -> float:
    """The value of two rankings."""
    return rc.similarity({"u": scored(a)}, {"u": scored(b)}, measure)[measure]


X = ["red", {"blue", "green"}, "yellow", "pink"]
Y = [{"blue", "red"}, "white", {"yellow", "black", "purple"}, "green"]
PRINTED = {  # README of github.com/julian-urbano/sigir2024-rbo, p = 0.95
    "a": (0.6922853, 0.3310519, 0.8930692, 0.5620173),
    "w": (0.7068257, 0.3429684, 0.9049857, 0.5620173),
    "b": (0.7207131, 0.3509163, 0.9129336, 0.5620173),
}


@pytest.mark.parametrize("ties", PRINTED)
def test_the_program_of_the_paper_prints_these(ties: str) -> None:
    forms = [value(X, Y, f"rbo(p=0.95, ties={ties}, form={form})") for form in ("ext", "min", "max", "res")]
    assert forms == pytest.approx(PRINTED[ties], abs=5e-8)


REVERSED = ["abcde", "edcba"]
NEARLY = [[1, 2, 3, 4, 5, 6, 7, 8, 0, 9], [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]]


@pytest.mark.parametrize(
    ("a", "b", "measure", "expected"),
    [
        (*REVERSED, "rbo(p=1, form=truncated-normalized)", 0.41666666666666663),  # changyaochen/rbo issue 17
        (*NEARLY, "rbo(p=0.9, form=truncated)", 0.6465385908999999),  # changyaochen/rbo issue 15
        (*NEARLY, "rbo(p=0.9)", 0.9952170310000001),  # dlukes/rbo, printed in the same thread
        ([1, 2, 3], [1], "rbo(p=0.4)", 1.0),  # dlukes/rbo issue 4: the original program, where its own gave 1.0453
    ],
)
def test_numbers_printed_in_threads(a: Groups, b: Groups, measure: str, expected: float) -> None:
    assert value(a, b, measure) == pytest.approx(expected, abs=1e-12)


def test_how_a_fork_came_to_more_than_1() -> None:
    """dlukes/rbo issue 4: overlaps at a depth were divided by the mean length, and then multiplied by the lesser."""
    p, overlap = 0.4, [1, 2 / 3, 1 / 2]  # 2 X / (|A| + |B|) at depths 1 to 3, of lists of 3 and 1 rows
    more = sum((depth - 1) / depth * p**depth for depth in (2, 3))
    end = ((overlap[2] * 1 - 1) / 3 + 1) * p**3
    weighted = sum(agreement * p**depth for depth, agreement in enumerate(overlap, 1))
    assert (1 - p) / p * (weighted + more) + end == pytest.approx(1.0453333333333334, abs=1e-12)


def test_lenskit_weighs_the_first_k_depths() -> None:
    weights = 0.85 ** np.arange(5)
    expected = np.average([0, 0, 1 / 3, 3 / 4, 1], weights=weights)
    assert value(*REVERSED, "lenskit:rbo@5") == pytest.approx(expected, abs=1e-15)


# laws


def lists(least: int = 1, most: int = 6) -> st.SearchStrategy[list[Any]]:
    """Rankings of some of six items, of which neighbours may be tied."""
    orders = st.permutations("abcdef").flatmap(lambda order: st.integers(least, most).map(lambda size: order[:size]))
    return st.tuples(orders, st.integers(0, 63)).map(lambda given: _tied(*given))


def _tied(order: Sequence[str], bits: int) -> list[Any]:
    groups: list[Any] = []
    for place, item in enumerate(order):
        if place and bits >> place & 1:
            groups[-1] = {*groups[-1], item}
        else:
            groups.append({item})
    return groups


def orders(groups: Groups) -> list[list[str]]:
    """All orders of the tied items."""
    return [[*itertools.chain(*one)] for one in itertools.product(*(itertools.permutations(sorted(g)) for g in groups))]


def untied(a: Iterable[str], b: Iterable[str], form: str, p: str = "0.7") -> float:
    """Rank-biased overlap of two lists without ties."""
    codes = {item: code for code, item in enumerate("abcdefghijklmnopqrstuvwxyz")}
    pair = ListPair(*(ranking(np.array([codes[item] for item in one]), None) for one in (a, b)))
    return RBO(p=p, ties="w", form=form).value(pair)


@given(lists(), lists())
def test_ties_a_is_the_mean_over_all_orders(a: Groups, b: Groups) -> None:
    """Of the parts that lists have in common; `ext` and `max` read what is unseen, which an order decides."""
    every = [untied(one, other, "min") for one in orders(a) for other in orders(b)]
    assert value(a, b, "rbo(p=0.7, ties=a, form=min)") == pytest.approx(np.mean(every), abs=1e-12)


@given(st.permutations("abcd"), st.permutations("abcd"), st.integers(1, 4), st.integers(1, 4))
def test_no_continuation_passes_the_bounds(a: Sequence[str], b: Sequence[str], short: int, long: int) -> None:
    low, high, point = (untied(a[:short], b[:long], form) for form in ("min", "max", "ext"))
    for rest in ("efgh", "hgfe", "wxyz"):
        for one, other in (([*a[:short], *rest], [*b[:long], *rest]), ([*a[:short], *rest], [*b[:long], *"mnop"])):
            if len({*one}) == len(one) and len({*other}) == len(other):
                assert low - 1e-12 <= untied(one, other, "ext") <= high + 1e-12
    assert low - 1e-12 <= point <= high + 1e-12


@given(lists(), st.sampled_from(["w", "b"]))
def test_a_list_is_equal_to_itself(a: Groups, ties: str) -> None:
    assert value(a, a, f"rbo(ties={ties})") == pytest.approx(1, abs=1e-12)


@given(lists(2), lists(2))
def test_kendall_agrees_with_scipy(a: Groups, b: Groups) -> None:
    stats = pytest.importorskip("scipy.stats")
    first, second = scored(a), scored(b)
    common = sorted(first.keys() & second.keys())
    if len(common) > 1:
        expected = stats.kendalltau([first[one] for one in common], [second[one] for one in common]).statistic
        assert value(a, b, "kendall") == pytest.approx(expected, abs=1e-12, nan_ok=True)
    else:
        assert math.isnan(value(a, b, "kendall"))


def test_ap_correlation_by_hand() -> None:
    # ranks in b of the items of a in their order: 2, 1, 4, 3, so C/(i - 1) = 0/1, 2/2, 2/3
    assert value("abcd", "badc", "kendall(variant=ap)") == pytest.approx(2 / 3 * (0 + 1 + 2 / 3) - 1)
    assert KendallTau(variant="ap").value(ListPair(*(ranking(np.arange(4), None),) * 2)) == 1


@pytest.mark.parametrize(("digits", "printed"), [(2, 0.3928571), (1, 0.39903)])
def test_ap_correlation_with_ties_as_the_manual_of_ircor_prints_it(digits: int, printed: float) -> None:
    true = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
    scores = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]
    a = {f"i{at}": round(one, digits) for at, one in enumerate(scores)}
    b = {f"i{at}": one for at, one in enumerate(true)}
    found = rc.similarity({"u": a}, {"u": b}, "kendall(variant=ap-a)")
    assert found["kendall(variant=ap-a)"] == pytest.approx(printed, abs=1e-6)


@given(lists(2, 4), lists(2, 4))
def test_ap_correlation_with_ties_is_that_of_all_orders_on_average(a: Groups, b: Groups) -> None:
    every = [value(one, other, "kendall(variant=ap)") for one in orders(a) for other in orders(b)]
    assert value(a, b, "kendall(variant=ap-a)") == pytest.approx(np.mean(every), nan_ok=True)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("overlap@3", 2 / 3),
        ("overlap", 3 / 4),
        ("overlap@10", 3 / 10),
        ("overlap(divisor=shorter)", 1),
        ("overlap(divisor=union)", 3 / 4),
    ],
)
def test_overlap_by_hand(measure: str, expected: float) -> None:
    assert value("abc", "xabc", measure) == pytest.approx(expected)


def test_users_of_one_run_are_left_out_and_said() -> None:
    found = rc.similarity({"u": ["a"], "v": ["b"]}, {"u": ["a"], "w": ["b"], "x": ["c"]}, "overlap@1")
    assert (found["overlap@1"], found.only_a, found.only_b, found.users.tolist()) == (1.0, 1, 2, ["u"])
    assert "left out: 1 of run a, 2 of run b" in str(found)


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("rba", "rbo"),
        ("rbo(q=1)", "p, ties, form"),
        ("rbo(p=2)", "from 0 to 1|at most 1"),
        ("kendall(variant=c)", "a, b, ap, ap-a"),
        ("foo:rbo", "webber2010"),
        ("lenskit:kendall", "It defines rbo"),
    ],
)
def test_what_is_wrong_is_said(measure: str, message: str) -> None:
    with pytest.raises(rc.RankconvError, match=message):
        rc.similarity({"u": ["a"]}, {"u": ["a"]}, measure)


def test_repeated_items_and_other_users_are_refused() -> None:
    with pytest.raises(rc.InputError, match="item twice"):
        rc.similarity({"u": ["a", "a"]}, {"u": ["a"]})
    with pytest.raises(rc.InputError, match="no user in common"):
        rc.similarity({"u": ["a"]}, {"v": ["a"]})


def test_presets_are_cited() -> None:
    assert {"corsi2024", "webber2010", "lenskit"} <= {*list_similarity_presets()}
    assert all(preset(name).cite for name in list_similarity_presets())
