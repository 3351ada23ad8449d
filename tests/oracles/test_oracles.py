"""The numbers of the real systems, as run: each preset gives them."""

import pytest

from tests.oracles.exceptions import RULES
from tests.oracles.harness import FULL, TALLIES, Tally, check_system
from tests.oracles.identities import IDENTITIES
from tests.oracles.readme_table import COMMAND, PAGE, replaced, table

FLOORS = {
    "allrank": 95,
    "ampligraph": 123,
    "autogluon": 92,
    "autorag": 96,
    "azure_ai_evaluation": 152,
    "beir": 130,
    "browsecomp_plus": 30,
    "caret": 26,
    "caserec": 112,
    "catboost": 355,
    "chunking_evaluation": 156,
    "cornac": 138,
    "cute_ranking": 275,
    "cwl_eval": 400,
    "daisyrec": 112,
    "deep_searcher": 10,
    "deepeval": 41,
    "docarray": 181,
    "elliot": 320,
    "evidently": 380,
    "expeval": 190,
    "fair_trec_2021": 80,
    "fair_trec_2022": 120,
    "fairranktune": 300,
    "faiss": 65,
    "fastrank": 129,
    "fuxictr": 168,
    "haystack": 84,
    "ignite": 96,
    "implicit": 55,
    "ir_measures": 335,
    "jurity": 40,
    "kbn_evals": 126,
    "kbn_evals_2025": 30,
    "keras": 160,
    "keras_rs": 192,
    "legalbenchrag": 110,
    "lenskit": 190,
    "lenskit_0_14": 220,
    "libreco": 93,
    "lightfm": 69,
    "lightgbm": 82,
    "lightgcn": 120,
    "llama_index": 194,
    "matchzoo": 196,
    "merlin_models": 280,
    "ml_metrics": 68,
    "ml_metrics_git": 38,
    "mlflow": 34,
    "mllib": 160,
    "mllib_2016": 41,
    "mlmetrics": 26,
    "mteb": 152,
    "napkinxc": 300,
    "ngcf": 176,
    "nuggetizer": 40,
    "ogb": 54,
    "open_metric_learning": 41,
    "open_nuggetizer": 110,
    "open_rag_eval": 108,
    "pasa": 60,
    "phoenix": 112,
    "polars_ds": 164,
    "precrec": 26,
    "proc": 80,
    "prroc": 40,
    "pykeen": 1270,
    "pyltr": 112,
    "pyxclib": 90,
    "pytorch_metric_learning": 78,
    "pytrec_eval": 860,
    "pyvespa": 150,
    "quepid": 72,
    "quepid_7_16": 54,
    "quepid_7_18": 54,
    "quepid_8_0": 63,
    "ragas": 41,
    "rankereval": 360,
    "rankeval": 208,
    "rankkit": 190,
    "ranking_metrics_torch": 94,
    "ranking_metrics_torch_0_2": 190,
    "ranx": 225,
    "rax": 142,
    "recbole": 110,
    "recmetrics": 82,
    "recommenders": 180,
    "recpack": 124,
    "recsys_metrics": 131,
    "rectools": 118,
    "replay_rec": 110,
    "rexmex": 110,
    "rocr": 40,
    "rs_metrics": 94,
    "sentence_transformers": 82,
    "sklearn": 205,
    "sklearn_0_18": 14,
    "surprise": 56,
    "surprise_1_1_0": 56,
    "tensorflow_ranking": 174,
    "tensorflow_recommenders": 33,
    "tensorrec": 86,
    "torch_geometric": 126,
    "torch_rechub": 172,
    "torcheval": 184,
    "torchmetrics": 1180,
    "torchmetrics_0_6": 848,
    "torchmetrics_binary": 40,
    "torchrec": 168,
    "transformers4rec": 256,
    "trec_eval": 940,
    "trec_eval_9": 900,
    "trectools": 138,
    "trulens": 104,
    "vae_cf": 21,
    "warprec": 170,
    "warprec_fairness": 230,
    "weaviate_benchmark": 40,
    "whylogs": 208,
    "xgboost": 180,
    "yardstick": 26,
}
"""Fewer results than this compared is a failure: comparing nothing proves nothing."""


def tally(system: str) -> Tally:
    if system not in TALLIES:
        TALLIES[system] = check_system(system)
    return TALLIES[system]


@pytest.mark.parametrize("system", IDENTITIES)
def test_system(system: str) -> None:
    found = tally(system)
    assert not found.failures, "\n".join([f"{len(found.failures)} differ", *found.failures[:5]])
    assert found.counts["compared"] >= FLOORS[system]


@pytest.mark.parametrize("system", IDENTITIES)
def test_little_is_excused(system: str) -> None:
    """At most 2 %, unless it is the order of ties (which stays between its bounds) or the page says what it is."""
    counts, page = tally(system).counts, PAGE.read_text("utf-8")
    told = [rule for rule in RULES if rule.system == system and not rule.bounded]
    excused = sum(counts[f"rule: {rule.name}"] for rule in told)
    assert excused <= 0.02 * counts["compared"] or all(f"{rule.reason}." in page for rule in told)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_excuses_something(rule: object) -> None:
    assert tally(rule.system).counts[f"rule: {rule.name}"] > 0  # type: ignore[attr-defined]


@pytest.mark.skipif(bool(FULL), reason="the page counts the project's own copy of the results")
def test_the_page_lists_the_systems() -> None:
    page = PAGE.read_text("utf-8")
    assert replaced(page, table(tally)) == page, f"the table of systems is old; refresh it with: {COMMAND}"


@pytest.mark.skipif(not FULL, reason="only the whole set of results can be counted")
def test_all_results_are_there() -> None:
    assert sum(tally(system).counts["compared"] for system in IDENTITIES) > 102_000
