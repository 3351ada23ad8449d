"""What is said not to matter does not: idle answers are turned, and answers that are bound to agree are measured."""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

import numpy as np
import pytest

import rankconv as rc
from rankconv.conventions.convention import CONVENTIONS, NUMBER
from rankconv.conventions.setting_table import EQUIVALENCE, IDLE
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.results.differences import Differences, differing
from rankconv.presets.definition import with_changes
from tests.laws import examples
from tests.laws.test_laws import different

Labels = dict[str, list[tuple[str, float]]]
Run = dict[str, list[tuple[str, float]]]


@cache
def texts(convention_name: str) -> list[str]:
    """The settings of a convention that can be given without parameters, and some that presets give."""
    convention = CONVENTIONS[convention_name]
    own = [
        name
        for name, setting_type in convention.setting_types.items()
        if name != NUMBER and not setting_type.parameters.required
    ]
    given = {one.settings[convention_name] for one in different() if convention_name in one.settings}
    return list(dict.fromkeys([*own, *sorted(given)]))


def drawn(seed: int, grades: Sequence[float]) -> Joined:
    """Some users with ties, near ties, repeated and unlabelled items; some without labels or without a list."""
    draw = Random(seed)
    items = [str(place) for place in range(1, 9)]
    scores = [2.0, 1.0, 0.5, 0.5 + 1e-12, -1.0, 3e38, 0.25]
    labels: Labels = {}
    run: Run = {}
    for user in ("ann", "bob", "cem", "dee"):
        if draw.random() < 0.9:
            labels[user] = [(item, draw.choice(grades)) for item in draw.sample(items, draw.randint(0, 5))]
        if draw.random() < 0.9 or user not in labels:
            picked = draw.choices if seed % 2 else draw.sample
            run[user] = [(item, draw.choice(scores)) for item in picked(items, k=draw.randint(0, 6))]
    labels.setdefault("ann", [("1", grades[-1])])
    run.setdefault("ann", [("1", 1.0)])
    return rc.join(labels, run, catalogue=20)


def bits(one: Measured) -> tuple[str, list[str]]:
    return float(one.mean).hex(), [refusal.policy for refusal in one.refusals]


def idle_pairs(seed: int) -> Iterator[tuple[rc.Definition, str, rc.Definition]]:
    """Definitions with an idle answer, and the same with another one that is idle as well.

    They need nothing but what is drawn.
    """
    draw = Random(seed)
    for one in draw.sample([one for one in different() if {*one.needs} <= {"catalogue"}], 150):
        for convention_name in one.idle_rules:
            other = with_changes(one, {convention_name: draw.choice(texts(convention_name))})
            if other is None or not {*other.needs} <= {"catalogue"}:
                continue
            if other.setting_sets != one.setting_sets and convention_name in other.idle_rules:
                yield one, convention_name, other


@pytest.mark.parametrize("seed", range(examples.of(quick=1, ci=3)))
def test_an_idle_setting_changes_no_number(seed: int) -> None:
    joined = drawn(seed, [0, 1, 2, 3])
    pairs = list(idle_pairs(seed))
    assert len(pairs) > 150
    assert not [(one.text, name) for one, name, other in pairs if one.signature != other.signature]
    ours, others = ([pair[side] for pair in pairs] for side in (0, 2))
    found = [measure(joined, asked, None) for asked in (ours, others)]
    for (one, convention_name, _), mine, other in zip(pairs, *found, strict=True):
        same = mine.mean == pytest.approx(other.mean, rel=1e-12, nan_ok=True)  # ln for log2 rounds otherwise
        assert same, (one.text, convention_name, other.definition.text, mine.mean, other.mean)


def test_an_undivided_policy_that_is_idle_leaves_the_signature_alone() -> None:
    """Nothing that `on-invalid` decides is refused, so that it keeps no base of a logarithm."""
    for one in different():
        other = with_changes(one, {"on-invalid": "numerator"}) if "on-invalid" in one.idle_rules else None
        assert other is None or other.signature == one.signature, one.text


def test_every_rule_holds_for_some_definition() -> None:
    held = {(convention_name, rule.because) for one in different() for convention_name, rule in one.idle_rules.items()}
    assert {(convention_name, because) for convention_name, rules in IDLE.items() for because in rules} <= held


@cache
def asking(convention_name: str) -> list[rc.Definition]:
    """The definitions in which the setting of this convention can matter."""
    return [one for one in different() if convention_name in one.settings and convention_name not in idle(one)]


@cache
def idle(one: rc.Definition) -> frozenset[str]:
    return frozenset(one.idle_rules)


def neighbours(seed: int) -> list[tuple[rc.Definition, str, rc.Definition]]:
    """For each convention that can be bound to agree some definitions, each with one that answers it otherwise."""
    draw, found = Random(seed), []
    for convention_name in EQUIVALENCE:
        for one in draw.sample(asking(convention_name), min(4, len(asking(convention_name)))):
            other = with_changes(one, {convention_name: draw.choice(texts(convention_name))})
            if other is not None and differing(one, other).keys() == {convention_name}:
                found.append((one, convention_name, other))
    return found


@pytest.mark.parametrize(
    "grades", [[1], [0, 1], [0, 1, 2, 3], [0, 2], [0.5, 1], [-1, 0, 1], [-1, -0.4, 2]], ids=lambda grades: str(grades)
)
def test_settings_that_are_bound_to_agree_do(grades: list[float]) -> None:
    agreed: set[str] = set()
    for seed in range(examples.of(quick=1, ci=2)):
        joined, pairs = drawn(seed, grades), neighbours(seed)
        ours, others = (measure(joined, [pair[side] for pair in pairs], None) for side in (0, 2))
        for (one, convention_name, _), mine, other in zip(pairs, ours, others, strict=True):
            if not Differences(joined).matters(convention_name, mine, other):
                agreed.add(convention_name)
                same = np.array_equal(mine.values, other.values, equal_nan=True)
                same = same and mine.mean == pytest.approx(other.mean, nan_ok=True)
                assert same, (one.text, convention_name, other.definition.text, mine.values, other.values)
    assert len(agreed) > 10


def test_a_policy_that_ends_expected_values_matters_also_where_it_holds_for_nobody() -> None:
    """Two items of one score: the expected DCG, and that of the relevant item last."""
    joined = rc.join({"u": {"a": 1, "b": 0}}, {"u": [("a", 1.0), ("b", 1.0)]})
    one, other = (rc.metric(f"sklearn:dcg(on-no-hits={setting})@2") for setting in ("as-computed", "skip"))
    mine, theirs = measure(joined, [one, other], None)
    assert mine.mean == pytest.approx((1 + 1 / math.log2(3)) / 2)
    assert theirs.mean == pytest.approx(1 / math.log2(3))
    assert Differences(joined).matters("on-no-hits", mine, theirs)
