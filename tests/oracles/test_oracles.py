"""The numbers of the real systems, as run: each preset gives them."""

import pytest

from tests.oracles.exceptions import RULES
from tests.oracles.harness import FULL, Tally, check_system
from tests.oracles.identities import IDENTITIES
from tests.oracles.readme_table import COMMAND, README, replaced, table

FLOORS = {
    "allrank": 182,
    "beir": 126,
    "catboost": 212,
    "cornac": 136,
    "cute_ranking": 167,
    "elliot": 79,
    "evidently": 273,
    "implicit": 45,
    "ir_measures": 330,
    "lenskit": 136,
    "lenskit_0_14": 212,
    "lightfm": 45,
    "lightgbm": 91,
    "llama_index": 212,
    "ml_metrics": 30,
    "ml_metrics_git": 15,
    "mllib": 171,
    "mllib_2016": 45,
    "mteb": 148,
    "pytrec_eval": 405,
    "ragas": 45,
    "ranx": 356,
    "rax": 243,
    "recbole": 182,
    "recmetrics": 91,
    "recommenders": 327,
    "recpack": 121,
    "rectools": 167,
    "replay_rec": 182,
    "rexmex": 121,
    "rs_metrics": 182,
    "sentence_transformers": 91,
    "sklearn": 250,
    "tensorflow_ranking": 212,
    "torchmetrics": 912,
    "trec_eval": 369,
    "trec_eval_9": 480,
    "vae_cf": 20,
    "xgboost": 252,
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


@pytest.mark.skipif(bool(FULL), reason="the README counts the project's own copy of the results")
def test_the_readme_lists_the_systems() -> None:
    readme = README.read_text("utf-8")
    assert replaced(readme, table(tally)) == readme, f"the table of systems is old; refresh it with: {COMMAND}"


@pytest.mark.skipif(not FULL, reason="only the whole set of results can be counted")
def test_all_results_are_there() -> None:
    assert sum(tally(system).counts["compared"] for system in IDENTITIES) > 60_000
