"""The law of gates: of branches that are worse by the margin or more, at most 5 % pass; and the power that is stated.

It holds for the populations of `docs/how-to/gate.md` and any number of users; of how many it is tried says
`tests/laws/examples.py`. A verdict of `same` is no pass. Mixtures of many small changes with few large losses are not
among them: a sample shows nothing of what reaches fewer users than `unseen_share`.
"""

import re
import runpy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rankconv as rc
from rankconv.addons.gate.bounds import unseen_share
from rankconv.addons.gate.decisions import Excess
from tests.laws import examples

ROOT = Path(__file__).parents[3]
ALPHA = 0.05
USERS = {
    "quick": (5, 6, 12, 20, 50, 200),
    "ci": (
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        12,
        14,
        16,
        20,
        25,
        30,
        40,
        49,
        50,
        60,
        80,
        100,
        150,
        200,
        400,
        1_000,
        3_000,
    ),
}
SIZES = USERS["quick" if examples.REQUESTED == "quick" else "ci"]
TIMES = examples.of(60, 2_000)
MARGINS = examples.of(1, 3)
"""How many of these are tried."""
WORSE = (1, 2, 5)
Draw = Callable[[np.random.Generator, int], Excess]


def allowed(times: int) -> int:
    """How many passes of so many show no more than 5 %: beyond it are one of 100,000 gates at the level."""
    return int(stats.binom.ppf(1 - 1e-5, times, ALPHA))


def assert_law(draw: Draw, seed: list[int], name: str) -> None:
    for users in SIZES:
        generator = np.random.default_rng([users, *seed])
        times = TIMES if users < 500 else TIMES // 4
        passed = sum(draw(generator, users).verdict(ALPHA) == "pass" for _ in range(times))
        assert passed <= allowed(times), f"{name}: {passed / times:.1%} of {times} gates of {users} users pass"


@cache
def simulate() -> dict[str, Any]:
    """The program that writes the tables of the page."""
    return runpy.run_path(str(ROOT / "examples/ci/simulate.py"))


@pytest.mark.parametrize("size", [0.05, 0.2, 1.0, 10.0])
@pytest.mark.parametrize("margin", [0.01, 0.05, 0.3][:MARGINS])
def test_a_share_of_users_loses_by_one_size(size: float, margin: float) -> None:
    """Exactly: the sum over how many users of the sample lose. The range is 1, or the size where that is larger."""
    width = max(1.0, size)
    for worse in (worse for worse in WORSE if worse * margin <= size):
        for users in SIZES:
            losers = np.arange(users + 1)
            chance = stats.binom(users, worse * margin / size).pmf(losers)
            passed = 0.0
            for count in losers[chance > 1e-8]:
                own = np.where(np.arange(users) < count, -size, 0.0)
                passed += chance[count] * (Excess(margin, own, (-width, width)).verdict(ALPHA) == "pass")
            assert passed <= ALPHA, f"{passed:.2%} of {users} users, {worse} margins worse"


@pytest.mark.parametrize("share", [0.1, 0.4, 1.0])
@pytest.mark.parametrize("spread", [0.03, 0.1, 0.3])
def test_some_users_change_normally(share: float, spread: float) -> None:
    for margin in [0.01, 0.05, 0.2][:MARGINS]:
        for worse in (worse for worse in WORSE if worse * margin / share < 0.8):

            def draw(generator: np.random.Generator, users: int, mean: float = worse * margin / share) -> Excess:
                changed = generator.random(users) < share
                own = np.where(changed, generator.normal(-mean, spread, users), 0)
                return Excess(margin, own, (-2, 2))  # noqa: B023

            assert_law(draw, [worse, int(1000 * margin)], f"{worse} margins of {margin}")


@pytest.mark.parametrize("churn", [0.02, 0.1, 0.3])
def test_hits_are_lost_and_won(churn: float) -> None:
    """A sibling: differences of -1, 0 and 1, of which the sum of probabilities over both counts would be exact."""
    for margin in [0.05, 0.01][:MARGINS]:

        def draw(generator: np.random.Generator, users: int, margin: float = margin) -> Excess:
            own = generator.choice([1.0, -1.0, 0.0], users, p=[churn, churn + margin, 1 - 2 * churn - margin])
            return Excess(margin, own, (-1, 1))

        assert_law(draw, [int(100 * churn)], f"margin {margin}")


FLOORS: dict[str, tuple[Callable[[np.random.Generator, int], np.ndarray], float]] = {
    "a share of users has 0, the others 1": (lambda one, users: 1.0 * (one.random(users) < 0.9), 0.9),
    "a share of users has 0.5, the others 0.7": (lambda one, users: np.where(one.random(users) < 0.2, 0.5, 0.7), 0.66),
    "40 % of users are below 1, normally": (
        lambda one, users: np.where(one.random(users) < 0.4, np.clip(one.normal(0.5, 0.1, users), 0, 1), 1),
        0.8,
    ),
    "10 % of users are above 0, normally": (
        lambda one, users: np.where(one.random(users) < 0.1, np.clip(one.normal(0.5, 0.1, users), 0, 1), 0),
        0.05,
    ),
    "all users differ": (lambda one, users: np.clip(one.normal(0.5, 0.1, users), 0, 1), 0.5),
}


@pytest.mark.parametrize("name", FLOORS)
def test_floors_with_confidence_have_the_same_law(name: str) -> None:
    draw, mean = FLOORS[name]
    assert_law(lambda one, users: Excess.of_floor(draw(one, users), mean, (0, 1)), [1], name)
    assert_law(lambda one, users: Excess.of_floor(-draw(one, users), -mean, (-1, 0)), [2], f"{name}, less is better")


@pytest.mark.parametrize("share", [0.1, 0.4, 1.0])
def test_margins_that_are_a_share_of_the_baseline(share: float) -> None:
    """The loss is 5 % of the baseline: the same for all, or more where there is more to lose."""
    for proportional in (False, True):

        def draw(generator: np.random.Generator, users: int, proportional: bool = proportional) -> Excess:
            old = generator.beta(4, 2, users)
            loss = 0.05 / share * (old if proportional else 2 / 3)
            own = np.where(generator.random(users) < share, loss + generator.normal(0, 0.1, users), 0)
            return Excess(0.0, -own, (-1, 1), 0.05 * old, 0.05)

        assert_law(draw, [int(10 * share), proportional], "5%")


@pytest.mark.parametrize(("users", "worse"), [(20, 5), (50, 2), (100, 1)])
def test_whole_gates_keep_it(users: int, worse: int) -> None:
    """With runs: the share that loses its hit passes in at most 5 %, and `same` is no pass."""
    generator, verdicts = np.random.default_rng(users), list[str]()
    labels = {user: ["x"] for user in range(users)}
    for _ in range(examples.of(25, 400)):
        run = {user: ["y"] if generator.random() < 0.01 * worse else ["x"] for user in labels}
        verdicts.append(rc.gate(labels, run, "hit_rate@1", baseline=labels, not_worse_by=0.01).verdict)
    assert verdicts.count("pass") <= allowed(len(verdicts))
    assert "same" in verdicts


def test_mixtures_are_told_from_others_above_three_ranges_over_the_margin_alone() -> None:
    """What the page says of the share that a sample cannot exclude: it is the range over the margin that counts."""
    assert unseen_share(299, ALPHA) <= 0.01 < unseen_share(298, ALPHA)
    assert stats.binom(20, unseen_share(20, ALPHA)).pmf(0) == pytest.approx(ALPHA)


def table() -> dict[tuple[int, str], dict[str, float]]:
    """The error rates of the page, as shares by users and true difference."""
    page = (ROOT / "docs/how-to/gate.md").read_text()
    rows = re.findall(r"^\| ([\d,]+) \| ([a-z ]+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \|$", page, re.MULTILINE)
    assert len(rows) >= 8
    kinds = ("pass", "undecided", "fail")
    return {
        (int(users.replace(",", "")), name): {kind: float(one) / 100 for kind, one in zip(kinds, shares, strict=True)}
        for users, name, *shares in rows
    }


@pytest.mark.parametrize("users", [20, 50, 200, 2_700])
def test_the_page_states_the_power(users: int) -> None:
    means = {"at the margin": 1, "none": 0, "worse by two margins": 2}
    times = examples.of(200, 10_000) // (4 if users > 1_000 else 1)
    for (of_users, name), stated in table().items():
        if of_users == users:
            draw = simulate()["some_change"](0.4, -means[name] * 0.01, 0.12, "laplace")
            found = simulate()["shares"](draw, users, times, seed=1)
            for kind, share in stated.items():
                error = (share * (1 - share) * (1 / times + 1 / 2_000)) ** 0.5
                assert found[kind] == pytest.approx(share, abs=4 * error + 0.005), (name, kind)
