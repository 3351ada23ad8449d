"""Lists of users put together and drawn again: a user who is drawn twice counts as two users with one list."""

from random import Random

import numpy as np
import pytest

import rankconv as rc
from rankconv.engine import measure
from tests.laws.test_pooled import NEUTRAL, drawn, merged, number

ASKED = (
    "precision@4 recall@4 map ndcg@9 mrr auc pr_auc hit_rate@2 bpref err first_rank coverage_error mcc@5 "
    "inferred_ap map(ap-precision=items)"
).split()


def global_form(metric: str) -> str:
    """The metric of all lists as one: `map(ap-precision=items, scope=global)`."""
    name, at, k = metric.partition("@")
    return f"{name.removesuffix(')')}{', ' if name.endswith(')') else '('}scope=global){at}{k}"


@pytest.mark.parametrize("metric", [*ASKED, "judged_share@4", "unjudged_share@4", "utility@3"])
def test_lists_put_together_are_the_list_of_one_user(metric: str) -> None:
    for seed in range(4):
        data = drawn(Random(seed))
        assert number(data, global_form(metric)) == pytest.approx(number(merged(*data), metric), nan_ok=True), seed


@pytest.mark.parametrize("metric", ASKED)
def test_a_user_who_is_drawn_twice_is_two_users(metric: str) -> None:
    spec = global_form(metric)
    for seed in range(12):
        random = Random(seed)
        labels, run, side = drawn(random)
        joined = rc.join(labels, run, catalogue=side["catalogue"])
        [measured] = measure(joined, NEUTRAL.define(spec), None)
        assert measured.again is not None
        users = joined.users.values[measured.again.users].tolist()
        some = random.choices(range(len(users)), k=5)
        copies = {f"{users[one]}{place}": users[one] for place, one in enumerate(some)}
        each = ({copy: side[user] for copy, user in copies.items()} for side in (labels, run))
        wanted = rc.evaluate(*each, spec, NEUTRAL, catalogue=40)[spec]
        assert measured.again.number(np.array(some)) == pytest.approx(wanted, rel=1e-12, nan_ok=True), (seed, some)
