"""Runs by their means, and letters that tell every pair."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.analysis.significance.significance_page import letters

RUNS = ["a", "b", "c", "d", "e", "f"]
PAIRS = list(combinations(RUNS, 2))


@settings(max_examples=40)
@given(st.lists(st.sampled_from(PAIRS), unique=True))
def test_two_runs_share_a_letter_if_and_only_if_they_are_not_distinct(distinct: list[tuple[str, str]]) -> None:
    found = letters(RUNS, distinct)
    for one, other in PAIRS:
        assert bool(set(found[one]) & set(found[other])) == ((one, other) not in distinct)
    assert all(found.values())
    assert "a" in found["a"], "the best run has the first letter"
    groups = [{run for run in RUNS if letter in found[run]} for letter in set("".join(found.values()))]
    assert not any(one < other for one in groups for other in groups), "no letter repeats what another says"


def test_letters_of_a_chain_in_which_only_neighbours_are_alike() -> None:
    assert letters(["T1", "T2", "T3", "T4"], [("T1", "T3"), ("T1", "T4"), ("T2", "T4")]) == {
        "T1": "a",
        "T2": "ab",
        "T3": "bc",
        "T4": "c",
    }


LABELS = {f"u{number}": {"a": 1} for number in range(12)}


def ranked(rank: int) -> dict[str, list[str]]:
    return {user: [*"xyz"[: rank - 1], "a"] for user in LABELS}


def test_runs_stand_by_their_means_and_share_ranks() -> None:
    found = rc.leaderboard(LABELS, {"third": ranked(3), "first": ranked(1), "also": ranked(1)}, ["mrr", "first_rank"])
    for metric in ("mrr", "first_rank"):
        rows = [one for one in found.standings if one.metric == metric]
        assert [(one.run, one.rank, one.letters) for one in rows] == [
            ("first", 1, "a"),
            ("also", 1, "a"),
            ("third", 3, "b"),
        ]
        assert [one.mean for one in rows] == [rc.evaluate(LABELS, ranked(at), metric)[metric] for at in (1, 1, 3)]
        assert {one.users for one in rows} == {12}


def test_ranks_are_those_of_the_tests_behind_them() -> None:
    runs = {
        str(seed): {user: list("xyza"[(seed * 7 + number) % 4 :]) for number, user in enumerate(LABELS)}
        for seed in range(4)
    }
    found = rc.leaderboard(LABELS, runs, "mrr")
    for one in found.standings:
        better = [test for test in found.tested.tests if one.run in test.runs and test.better not in (None, one.run)]
        assert one.rank == 1 + len(better)


def test_every_form_holds_every_run() -> None:
    found = rc.leaderboard(LABELS, {"first": ranked(1), "third": ranked(3)}, ["mrr", "ndcg@3"])
    assert found.to_frame().height == len(found.to_dict()["standings"]) == len(found.table().rows) == 4
    for form in (found.to_text(80), found.to_markdown(), found.to_latex(), str(found)):
        assert "third" in form


def test_users_may_come_one_after_the_other() -> None:
    """The ranges over orders of ties are those of the same users."""
    tied = {user: {"a": 1.0, "x": 1.0 if number % 3 else 2.0} for number, user in enumerate(LABELS)}
    runs = {"tied": tied, "good": {user: {"a": 2.0, "x": 1.0} for user in LABELS}}
    some = list(LABELS)[:9]
    listed, drawn = (rc.leaderboard(LABELS, runs, "mrr@2", users=users).standings for users in (some, iter(some)))
    assert [(one.run, one.ties) for one in listed] == [(one.run, one.ties) for one in drawn]
    assert any(one.ties for one in listed)
