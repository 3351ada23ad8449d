"""A number depends on its definition and its users alone: not on what is asked beside it, nor on who else is there."""

from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.data.joined import Joined
from rankconv.engine import measure, plan
from rankconv.engine.metric_result import Measured
from tests.laws import examples
from tests.laws.hurting import Labels, Run, hurting
from tests.laws.test_laws import (
    SIDE_DATA,
    aggregation,
    bits,
    covering,
    definitions,
    group_by_group,
    metric,
    of_users_alone,
    preparation,
    together,
)

SEEDS = range(5, examples.of(quick=6, ci=10, long=500))
"""The first of each kind of scores; these five found the defects for which the law was written."""
ALONE = 100
"""So many definitions are asked alone for each example."""
FEW = 8
"""Users of an example that is cut into blocks or batches."""


@cache
def asked() -> list[rc.Definition]:
    """Every metric of every preset at these cutoffs, once where two say the same."""
    return list({one.setting_sets: one for one in definitions(None, 1, 5)}.values())


@pytest.fixture(params=SEEDS)
def seed(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def joined(seed: int) -> Joined:
    return together(*hurting(seed))


@cache
def parts() -> list[rc.Definition]:
    """So many of them that every preparation, every metric with its settings and every aggregation is there."""
    return covering(asked(), preparation, metric, aggregation)


def some(seed: int) -> list[rc.Definition]:
    """A fifth of these, another one for each of five seeds."""
    return parts()[seed % 5 :: 5]


def few(seed: int) -> tuple[Labels, Run]:
    """The first users of an example: more of them make more blocks and batches, and no new kind of either."""
    labels, run = hurting(seed)
    users = list(labels)[:FEW]
    return {user: labels[user] for user in users}, {user: run[user] for user in users if user in run}


def assert_same(joined: Joined, ours: list[Measured], other: list[Measured]) -> None:
    for one, same in zip(ours, other, strict=True):
        assert bits(joined, one) == bits(joined, same), one.definition.text


def test_alone_or_beside_all_others(joined: Joined, seed: int) -> None:
    beside = measure(joined, asked(), None)
    for one in Random(seed).sample(beside, ALONE):
        assert_same(joined, [one], measure(joined, [one.definition], None))


def test_the_only_user_or_one_of_many(seed: int) -> None:
    labels, run = hurting(seed)
    wanted = [of_users_alone(one) for one in parts()[seed % 2 :: 2]]
    many = together(labels, run)
    beside_others = measure(many, wanted, None)
    users = [user for user in labels if user in run]
    for user in Random(seed).sample(users, min(len(users), 2)):
        only = together({user: labels[user]}, {user: run[user]})
        for one, alone in zip(beside_others, measure(only, wanted, None), strict=True):
            assert bits(many, one)[1][user] == bits(only, alone)[1][user], one.definition.text


def test_whole_or_in_blocks_or_row_by_row(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    joined = together(*few(seed))
    whole = measure(joined, some(seed), None)
    monkeypatch.setattr(Joined, "groups", group_by_group(1 + seed % 3))
    assert_same(joined, whole, measure(joined, some(seed), None))
    monkeypatch.setattr(plan, "plain_users", lambda joined, *_: np.zeros(len(joined.users), bool))
    assert_same(joined, whole, measure(joined, some(seed), None))


def adds_up(definition: rc.Definition, labelled: list[Any]) -> bool:
    """Whether its users may come in batches; the others are refused with the reason."""
    try:
        rc.Evaluator([definition], labelled=labelled)
    except rc.MetricError:
        return False
    return True


def test_at_once_or_in_batches(seed: int) -> None:
    labels, run = few(seed)
    labels = {user: labels[user] for user in sorted(labels, key=lambda user: user in run, reverse=True)}
    whole = together(labels, run)
    labelled = sorted({item for items in labels.values() for item, _ in items})
    wanted = {one.text: one for one in some(seed) if adds_up(one, labelled)}
    assert len(wanted) > len(some(seed)) / 2
    numbers = rc.Evaluator(list(wanted.values()), **SIDE_DATA, labelled=labelled)
    for user in labels:
        numbers.update({user: labels[user]}, {user: run[user]} if user in run else {})
    found = numbers.compute(on_error="collect")
    for one in measure(whole, list(wanted.values()), None):
        assert bits(whole, one) == bits(whole, found.measured(one.definition.text)), one.definition.text
