"""The pairs of user and item that two label sets grade, and the grades that both give them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.conventions.convention import Convention
from rankconv.conventions.setting_set import SettingSet
from rankconv.data.arrays import Codes, Numbers
from rankconv.data.ids import Ids, typed, unite
from rankconv.data.labels_and_rankings import Labels
from rankconv.rendering.pages.cells import plural

AGREEMENT: dict[str, Convention] = {}
"""The conventions of agreement by name."""
PAIRS = Convention("pairs", "Pairs that one label set lacks", reads=("lacking",), registry=AGREEMENT)
"""A setting gives how many pairs are too many, of those that each label set lacks; 0 where none are."""


@PAIRS.setting("intersection", rule="pairs of one set alone are left out")
def _() -> int:
    """However many there are."""
    return 0


@PAIRS.setting("first", rule="the second set has each pair of the first, and other pairs are left out")
def _(lacking: tuple[int, int]) -> int:
    """The second set may have more pairs."""
    return lacking[1]


@PAIRS.setting("refuse", rule="both sets have the same pairs")
def _(lacking: tuple[int, int]) -> int:
    """Nothing is left out."""
    return sum(lacking)


LEVEL = Convention("level", "Grades that are distinguished", reads=("grades",), registry=AGREEMENT)
"""A setting gives the grades that are compared, of the grades of one label set, shape (pairs,)."""


@LEVEL.setting("none", rule="all grades")
def _(grades: Numbers) -> Numbers:
    """As they are."""
    return grades


@LEVEL.number(rule="1 for grades of this and more, else 0")
def _(grades: Numbers, value: float) -> Numbers:
    """Relevant or not."""
    return (grades >= value).astype(float)


class Pairing(SettingSet):
    """Which pairs of two label sets are compared, and which of their grades are one."""

    pairs: Annotated[str, PAIRS]
    level: Annotated[str, LEVEL]


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """The pairs that both label sets have, with their grades."""

    grades: tuple[Numbers, Numbers]
    """Of either label set, each of shape (pairs,)."""
    alone: tuple[int, int]
    """How many pairs are in the first label set alone, and in the second alone."""
    users: Sequence[object]
    """The ids of the users with labels in both."""
    users_alone: tuple[int, int]
    """How many users have labels in the first set alone, and in the second alone."""

    def __len__(self) -> int:
        return len(self.grades[0])

    @cached_property
    def grade_values(self) -> Numbers:
        """The grades that occur in either label set, ascending."""
        return np.unique(np.concatenate(self.grades))

    @cached_property
    def counts(self) -> Numbers:
        """How many pairs have which grade in the first set and which in the second, shape (grades, grades)."""
        size = len(self.grade_values)
        rows, columns = (np.searchsorted(self.grade_values, one) for one in self.grades)
        return np.bincount(rows * size + columns, minlength=size * size).reshape(size, size).astype(float)


def label_pairs(first: Labels, second: Labels, pairing: Pairing, names: tuple[str, str]) -> LabelPairs:
    """Put two label sets together; `names` are theirs in messages.

    InputError where they have no pair in common, where one lacks pairs that it must have, or an item has two grades.
    """
    users, user_of_second = _united(first.users, second.users, "user", names)
    items, item_of_second = _united(first.items, second.items, "item", names)
    identity = np.arange(len(first.users)), np.arange(len(first.items))
    keys_of_first, grades_of_first = _graded(first, *identity, len(items), names[0])
    keys_of_second, grades_of_second = _graded(second, user_of_second, item_of_second, len(items), names[1])
    keys = keys_of_first, keys_of_second
    common, in_first, in_second = np.intersect1d(keys[0], keys[1], assume_unique=True, return_indices=True)
    alone = len(keys[0]) - len(common), len(keys[1]) - len(common)
    _refuse_lacking(pairing, (alone[1], alone[0]), keys, (users, items), names)
    if not len(common):
        do = "Pass two label sets of the same users and items."
        raise InputError(f"{names[0]} and {names[1]} have no pair of user and item in common", do=do)
    labelled = [np.unique(one // max(len(items), 1)) for one in keys]
    both = np.intersect1d(labelled[0], labelled[1], assume_unique=True)
    level = pairing.settings["level"]
    chosen = level(grades=grades_of_first[in_first]), level(grades=grades_of_second[in_second])
    users_alone = len(labelled[0]) - len(both), len(labelled[1]) - len(both)
    return LabelPairs(chosen, alone, users.values[both].tolist(), users_alone)


def _united(first: Ids, second: Ids, what: str, names: tuple[str, str]) -> tuple[Ids, Codes]:
    """All ids of both sets, and the codes of the second's among them."""
    if "none" not in (first.kind, second.kind) and first.kind != second.kind:
        wrong = f"{what} ids are {first.kind} in {names[0]} and {second.kind} in {names[1]}, so nothing can match"
        do = f"Write both as text, or both as whole numbers; of a file, its column of {what}s."
        if "compound" in (first.kind, second.kind):
            do = f"Name as many columns of both: {what}=['…', '…']."
        raise InputError(wrong, do=do)
    return unite(first, second, what)


def _graded(labels: Labels, of_user: Codes, of_item: Codes, items: int, name: str) -> tuple[Codes, Numbers]:
    """A number for each pair of a label set, ascending, and its grade, both of shape (pairs,)."""
    user = np.repeat(of_user, labels.lengths)
    every = user * items + of_item[labels.item]
    keys, first, which = np.unique(every, return_index=True, return_inverse=True)
    grades = labels.grade[first]
    differs = np.flatnonzero(labels.grade != grades[which])
    if len(differs):
        at = int(differs[0])
        owner = int(np.searchsorted(labels.starts, at, side="right")) - 1
        wrong = (
            f"{name} gives item {labels.items.id(int(labels.item[at]))!r} of user {labels.users.id(owner)!r} two grades"
        )
        raise InputError(wrong, where=labels.source, do="Keep one grade of each pair of user and item.")
    return keys, grades


def _refuse_lacking(
    pairing: Pairing,
    lacking: tuple[int, int],
    keys: tuple[Codes, Codes],
    ids: tuple[Ids, Ids],
    names: tuple[str, str],
) -> None:
    """An InputError where a label set lacks a pair that it must have; `lacking` counts those of either set."""
    if not pairing.settings["pairs"](lacking=lacking):
        return
    who = 1 if lacking[1] else 0
    key = int(np.setdiff1d(keys[1 - who], keys[who], assume_unique=True)[0])
    user, item = (typed(each.id(code)) for each, code in zip(ids, divmod(key, len(ids[1])), strict=True))
    setting = pairing.given("pairs")
    wrong = (
        f"{names[who]} lacks {plural(lacking[who], 'pair')} of {names[1 - who]}, such as user {user!r}, item {item!r}"
    )
    do, shell = (
        f"Add them, or leave out pairs of one set: {how}." for how in ("pairs='intersection'", "--pairs intersection")
    )
    raise InputError(f"{wrong} (pairs={setting})", do=do, shell=shell)
