"""The numbers of the real systems, as run: each preset gives them."""

import pytest

from tests.oracles.exceptions import RULES
from tests.oracles.harness import FULL, Tally, check_system
from tests.oracles.identities import IDENTITIES

FLOORS = {
    "implicit": 90,
    "mllib": 300,
    "mllib_2016": 80,
    "recommenders": 550,
    "rs_metrics": 350,
    "sklearn": 350,
    "torchmetrics": 1_500,
    "trec_eval": 1_000,
}
"""Fewer results than this compared is a failure: comparing nothing proves nothing."""
TALLIES: dict[str, Tally] = {}


def tally(system: str) -> Tally:
    if system not in TALLIES:
        TALLIES[system] = check_system(system)
    return TALLIES[system]


@pytest.mark.parametrize("system", IDENTITIES)
def test_system(system: str) -> None:
    found = tally(system)
    assert not found.failures, "\n".join([f"{len(found.failures)} differ", *found.failures[:5]])
    assert found.counts["compared"] >= FLOORS[system]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_excuses_something(rule: object) -> None:
    assert tally(rule.system).counts[f"rule: {rule.name}"] > 0  # type: ignore[attr-defined]


@pytest.mark.skipif(not FULL, reason="only the whole set of results can be counted")
def test_all_results_are_there() -> None:
    assert sum(tally(system).counts["compared"] for system in IDENTITIES) > 20_000
