"""The random cases: the same for the same seed, each difficulty among few of them, and nothing that cannot be given."""

import numpy as np

from rankconv.addons.verification import Takes
from rankconv.addons.verification.adapter import LibraryCase, User
from rankconv.addons.verification.verify import SCORES, random_cases

CASES = list(random_cases(20, 0, Takes()))
USERS = [user for case in CASES for user in case.users]


def plain(cases: list[LibraryCase]) -> list[tuple[object, ...]]:
    return [(case.name, user.name, user.ranking, user.scores, user.labels) for case in cases for user in case.users]


def test_the_seed_decides() -> None:
    assert plain(CASES) == plain(list(random_cases(20, 0, Takes())))
    assert plain(CASES) != plain(list(random_cases(20, 1, Takes())))
    assert plain(list(random_cases(3, 0, Takes()))) == plain(CASES[:3])


def tied(user: User) -> bool:
    return len(set(user.scores)) < len(user.scores)


def test_every_difficulty_occurs() -> None:
    assert any(tied(user) for user in USERS)
    assert any(len(set(user.ranking)) < len(user.ranking) for user in USERS)
    assert any(not user.ranking and user.labels for user in USERS)
    assert any(user.ranking and not user.labels for user in USERS)
    assert any(not user.ranking and not user.labels for user in USERS)
    assert any(list(user.scores) != sorted(user.scores, reverse=True) for user in USERS)
    assert any(score <= 0 for user in USERS for score in user.scores)
    assert any(0 < len(user.ranking) < 10 for user in USERS)
    assert any(len(user.ranking) > 10 for user in USERS)
    assert any(user.labels.keys() - set(user.ranking) for user in USERS)
    grades = {grade for user in USERS for grade in user.labels.values()}
    assert {-1.0, 0.0, 1.0, 4.0, 0.25} <= grades
    assert {kind for case in CASES for kind in SCORES if kind in case.name} == set(SCORES)


def test_scores_that_differ_in_double_precision_alone_occur() -> None:
    assert any(not tied(user) and len(set(np.float32(user.scores))) < len(user.scores) for user in USERS)


def test_ids_are_texts_that_order_otherwise_than_their_numbers() -> None:
    ids = {item for user in USERS for item in user.ranking}
    assert sorted(ids) != sorted(ids, key=int)


def test_a_library_is_spared_what_it_cannot_be_given() -> None:
    cases = list(random_cases(20, 0, Takes(grades=("binary",), duplicates=False, longest=5)))
    users = [user for case in cases for user in case.users]
    assert {grade for user in users for grade in user.labels.values()} == {0.0, 1.0}
    assert all(len(set(user.ranking)) == len(user.ranking) <= 5 for user in users)
    assert all(set(user.labels.values()) <= {0.0, 1.0} for user in users)
