"""The hostile cases: each kind holds what its name says, and a verification counts them by kind."""

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import rankconv as rc
from rankconv.addons.verification import Takes
from rankconv.addons.verification.adapter import LibraryCase, User
from rankconv.addons.verification.comparing import CUTOFFS
from rankconv.addons.verification.hostile import KINDS, hostile_cases
from tests.addons.verification.conftest import call, precision

CASES = list(hostile_cases())


def each(holds: Callable[[User], bool]) -> Callable[[LibraryCase], bool]:
    return lambda case: all(map(holds, case.users))


def some(holds: Callable[[User], bool]) -> Callable[[LibraryCase], bool]:
    return lambda case: any(map(holds, case.users))


def repeated(user: User) -> dict[str, list[float]]:
    """The grades of the items that are labelled more than once."""
    again = Counter(item for item, _ in user.label_rows)
    return {one: [grade for item, grade in user.label_rows if item == one] for one in again if again[one] > 1}


def scores_of_repeats(user: User) -> list[set[float]]:
    again = [item for item, times in Counter(user.ranking).items() if times > 1]
    return [{s for item, s in zip(user.ranking, user.scores, strict=True) if item == one} for one in again]


def judged_hits(user: User) -> bool:
    return bool(user.labels.keys() & set(user.ranking))


def is_tied_above(user: User) -> bool:
    k = CUTOFFS[1]
    return len({user.scores[place] for place in range(k + 1)}) == 1


def steps_between_grades(user: User) -> np.ndarray:
    return np.diff(np.sort(list(user.labels.values())))


HOLDS = {
    "repeated labels of equal grades": each(
        lambda u: bool(repeated(u)) and all(a == b for a, b in repeated(u).values())
    ),
    "repeated labels of other grades": each(
        lambda u: bool(repeated(u)) and all(a != b for a, b in repeated(u).values())
    ),
    "repeated items of equal scores": each(lambda u: [len(found) for found in scores_of_repeats(u)] == [1]),
    "repeated items of other scores": each(
        lambda u: 0 < len(scores_of_repeats(u)) == sum(len(s) > 1 for s in scores_of_repeats(u))
    ),
    "scores of 0": each(lambda u: min(u.scores) == 0 < max(u.scores)),
    "all scores equal": each(lambda u: len(set(u.scores)) == 1 < len(u.scores)),
    "negative scores": each(lambda u: min(u.scores) < 0 < max(u.scores)),
    "a score that is NaN": some(lambda u: any(map(math.isnan, u.scores))),
    "ratings of 0": lambda case: (
        each(lambda u: u.labels.get(u.ranking[0], 0.0) == 0)(case)
        and some(lambda u: set(u.labels.values()) == {0.0})(case)
        and some(lambda u: u.labels.get(u.ranking[0]) == 0 < max(u.labels.values()))(case)
    ),
    "negative grades": each(lambda u: u.labels.get(u.ranking[0], 0.0) < 0 < max(u.labels.values())),
    "users in the labels alone": some(lambda u: not u.in_run and bool(u.labels) and not u.ranking),
    "users in the run alone": some(lambda u: not u.in_labels and bool(u.ranking) and not u.labels),
    "an empty list in the run": some(lambda u: u.in_run and not u.ranking and bool(u.labels)),
    "an empty list in the labels": some(lambda u: u.in_labels and not u.labels and bool(u.ranking)),
    "one user": lambda case: len(case.users) == 1,
    "one item": lambda case: len({item for u in case.users for item in (*u.ranking, *u.labels)}) == 1,
    "k beyond everything": lambda case: len({i for u in case.users for i in (*u.ranking, *u.labels)}) < max(CUTOFFS),
    "ids that are numbers in the labels and text in the run": each(
        lambda u: {type(item) for item in u.labels} == {int} and bool({str(item) for item in u.labels} & set(u.ranking))
    ),
    "more ties than k": each(is_tied_above),
    "grades that differ by 1e-9": each(lambda u: bool(np.allclose(steps_between_grades(u), 1e-9, rtol=1e-4, atol=0))),
    "labels in another order": some(
        lambda u: [i for i in u.labels if i in u.ranking] != [i for i in u.ranking if i in u.labels]
    ),
}


def test_there_are_at_least_60_cases_of_two_seeds() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 60
    assert {case.name[-6:] for case in CASES} == {"seed 0", "seed 1"}
    assert {case.kind for case in CASES} == set(KINDS) == set(HOLDS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_holds_what_its_kind_says(case: LibraryCase) -> None:
    assert HOLDS[case.kind](case)
    assert any(map(judged_hits, case.users)) or "numbers" in case.kind
    if case.kind != "grades that differ by 1e-9":
        grades = {grade for user in case.users for _, grade in user.label_rows}
        assert grades <= ({0.0, 1.0, 2.0, 3.0, 4.0, -1.0} if "graded" in case.name else {0.0, 1.0, 2.0, -1.0})


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_what_ordinary_cases_are_not(kind: str) -> None:
    ordinary = [case for case in CASES if case.kind == "labels in another order"]
    assert any(map(HOLDS[kind], ordinary)) == (kind == "labels in another order")


def test_the_seed_decides() -> None:
    assert [*map(repr, hostile_cases())] == [*map(repr, CASES)]
    assert len({repr(case.users) for case in CASES}) == len(CASES)


def test_a_verification_counts_by_kind_and_names_what_is_not_given(toy: Path) -> None:
    call(precision, "precision@k")
    found = rc.verify(toy, metrics="precision@3", hostile=True)
    assert found.by_kind["one user"] == {"equal": 4}
    assert found.by_kind["a score that is NaN"] == {"not read": 4}
    assert found.not_given["repeated labels of equal grades"] == "each user has an item once in its labels"
    assert set(found.by_kind) | set(found.not_given) == set(KINDS)
    page = str(found)
    assert "Not given: repeated labels of equal grades; each user has an item once in its labels." in page
    assert "Not read: rankconv refuses such data under every preset, whatever the library gives." in page
    assert found.to_dict()["kinds"]["one user"] == {"equal": 4}


def test_what_is_not_read_is_refused_under_other_presets_too() -> None:
    for case in CASES:
        if case.kind in ("a score that is NaN", "ids that are numbers in the labels and text in the run"):
            with pytest.raises(rc.InputError):
                _ = case.joined
        else:
            assert case.joined


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_library_takes_decides_what_it_is_given(kind: str) -> None:
    least = Takes(
        duplicates=False, repeated_labels=False, scores=False, item_ids=False, absent_users=False, empty_lists=False
    )
    most = Takes(repeated_labels=True, item_ids=True)
    assert KINDS[kind].need.met(most)
    assert KINDS[kind].need.met(least) == (not KINDS[kind].need.otherwise)


@pytest.mark.parametrize("case", [case for case in CASES if "numbers" not in case.kind], ids=lambda case: case.name)
def test_a_library_of_held_out_items_is_given_one_of_each_user(case: LibraryCase) -> None:
    fitted = Takes(one_relevant=True).fitted(case)
    assert Takes().fitted(case) is case
    for one, whole in zip(fitted.users, case.users, strict=True):
        assert (one.ranking, one.scores) == (whole.ranking, whole.scores)
        assert len(one.relevant) == bool(whole.relevant)
        assert one.relevant.keys() <= set(one.ranking or whole.labels)
        assert {item for item, grade in whole.labels.items() if grade <= 0} <= one.labels.keys()
