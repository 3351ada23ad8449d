"""Names that people type first work, or the error says what to type."""

import re
from pathlib import Path
from random import Random

import pytest
import yaml

import rankconv as rc
from rankconv.presets.folders import shipped
from rankconv.presets.preset_registry import expand
from tests.laws import examples

GUESSES = yaml.safe_load((Path(__file__).parent.parent / "guesses.yaml").read_text())


MEANT = {
    "scikit-learn": "sklearn",
    "spark": "mllib",
    "pyspark": "mllib",
    "pytorch": "torchmetrics",
    "multvae": "vae_cf",
    "PyTerrier": "ir_measures",
    "tf-ranking": "tensorflow_ranking",
    "microsoft": "recommenders",
}
"""What people call a system, and its preset."""


def test_a_usual_name_works() -> None:
    for guess, meant in GUESSES["works"].items():
        assert rc.metric(guess) == rc.metric(meant)


def test_an_error_says_what_to_type() -> None:
    for guess, fix in GUESSES["corrected"].items():
        with pytest.raises(rc.RankconvError) as raised:
            rc.metric(guess)
        assert fix in str(raised.value)
        if ":" in fix:
            preset = rc.preset(fix.partition(":")[0])
            assert preset.offers(fix) or preset.offers(f"{fix}@10")


def test_a_number_that_may_be_a_cutoff_or_a_parameter_is_refused() -> None:
    for spec in ("rbp.95", "rbp95", "iprec.10", "F2", "F_2@10"):
        with pytest.raises(rc.MetricError, match="two ways") as raised:
            rc.metric(spec)
        for advised in re.findall(r"(?:Write|or) (\w+[@(][^ ]*?)(?: |\.$)", str(raised.value)):
            assert rc.metric(advised)
    assert rc.metric("rbp_at_95") == rc.metric("rbp@95")
    assert rc.metric("f1_10") == rc.metric("f1@10")
    for spec, meant in {
        "wss95": "work_saved(recall-level=0.95)",
        "compat_95": "compat(compat-persistence=0.95)",
    }.items():
        with pytest.raises(rc.MetricError, match=re.escape(f"Write {meant}.")):  # they take no cutoff
            rc.metric(spec)
        assert rc.metric(meant)


def is_offered(spec: str, preset: str = "rankconv") -> bool:
    return any(rc.preset(preset).offers(f"{spec}{cutoff}") for cutoff in ("", "@10"))


def test_a_name_that_only_other_presets_have_is_said_with_one_of_them() -> None:
    """As the preset spells it, whatever the case, hyphens and underscores; what is written so is read."""
    keys = {key for name in shipped() for key in rc.preset(name).metrics}
    own = sorted(key for key in keys if not is_offered(key))
    for key in Random(7).sample(own, min(len(own), examples.of(quick=25, ci=1000))):
        for written in (key, key.upper(), key.replace("_", "-")):
            with pytest.raises(rc.MetricError) as raised:
                rc.metric(written)
            advised = str(raised.value).partition("Write ")[2].removesuffix(".")
            for one in re.split(" for a cutoff, or ", advised):
                preset, _, spec = one.rpartition(":")
                assert is_offered(spec, preset or "rankconv"), one


def test_a_preset_by_a_usual_name_of_its_system() -> None:
    for name in ["Ranx", "TorchMetrics", "RecBole", "TREC_EVAL", "TREC_EVAL@9"]:
        assert rc.preset(name).name.partition("@")[0] == name.casefold().partition("@")[0]
    for name, meant in MEANT.items():
        with pytest.raises(rc.ConventionError, match=f"Did you mean '{meant}'"):
            rc.preset(name)


def test_a_far_guess_is_no_guess() -> None:
    for name in ["openrec", "solr", "milvus"]:
        with pytest.raises(rc.ConventionError, match=r"is not a preset\. All of them: rc\.list_presets\(\)\.$"):
            rc.preset(name)


def test_another_name_of_a_preset_hides_no_preset() -> None:
    plain = {re.sub(r"[\W_]", "", name) for name in rc.list_presets(eras=True, collections=True)}
    others = [other for name in rc.list_presets(collections=True) for other in rc.preset(name).file.also]
    assert others
    assert [other for other in others if re.sub(r"[\W_]", "", other) in plain] == []


def test_presets_with_commas_are_several() -> None:
    assert expand("ranx, blog(ap-denominator=relevant)") == ["ranx", "blog(ap-denominator=relevant)"]
    labels, run = WORLD["L"], WORLD["R"]
    assert (
        rc.compare(labels, run, "map", "ranx,mllib").to_dict()
        == rc.compare(labels, run, "map", ["ranx", "mllib"]).to_dict()
    )


WORKS = {
    "rc.ndcg(L, R, k=2)": "rc.metric('ndcg@2')(L, R)",
    "rc.map(L, R)": "rc.metric('map')(L, R)",
    "rc.precision(L, R, 1)": "rc.metric('precision@1')(L, R)",
}
"""Calls, and what gives the same."""
ADVISED = {
    "rc.ndcg_score": ["rankconv.compat.sklearn.ndcg_score"],
    "rc.mapk": ["rankconv.compat.ml_metrics.mapk"],
    "rc.RetrievalMRR": ["rankconv.compat.torchmetrics", "torchmetrics:mrr"],
    "rc.precision_at_k": ["rc.evaluate(labels, run, 'precision@10')"],
    "rc.recall5": ["rc.evaluate(labels, run, 'recall@5')"],
    "rc.qrels": ["rc.Labels"],
    "rc.PRESETS": ["rc.list_presets()"],
    "rc.split": ["rc.protocols"],
    "rc.significance": ["rc.test"],
    "rc.show": ["rc.preset"],
    "rc.cite('ranx')": ["'ranx' is a preset", "ranx:METRIC"],
    "rc.metric('mae')": ["'mae' is not a metric of rankings", "predicted ratings"],
    "rc.evaluate(L, R, 'RMSE@5')": ["'RMSE' is not a metric of rankings"],
    "rc.evaluate(L, R, 'map', top_k=[1, 2])": ["'map@1,2'", "without top_k="],
    "rc.evaluate(qrels=L, run=R, metrics='map')": ["'qrels'", "Did you mean 'labels='"],
    "rc.compare(L, preds=R, metrics='map')": ["'preds'", "Did you mean 'run='"],
    "rc.presets()": ["rc.list_presets()"],
    "rc.metrics()": ["rc.list_metrics()"],
    "rc.conventions()": ["rc.list_conventions()"],
    "rc.Evaluator(['map']).update(preds=R, target=L)": ["update(labels, run)", "update(labels=target, run=preds)"],
    "rc.evaluate(L, R, 'map').to_pandas()": ["Write to_frame()"],
    "rc.compare(L, R, 'map', ['ranx', 'mllib']).to_json()": ["Write to_dict()"],
    "rc.preset('ranx,mllib')": ["'ranx,mllib' names 2 presets", "rc.compare takes several"],
}
"""Calls, and what their error says."""
WORLD = {"rc": rc, "L": {"u": {"a": 2, "b": 1}}, "R": {"u": ["x", "a", "b"]}}


@pytest.mark.parametrize("call", WORKS)
def test_a_guessed_function_is_the_metric(call: str) -> None:
    assert eval(call, dict(WORLD)) == eval(WORKS[call], dict(WORLD))


@pytest.mark.parametrize("call", ADVISED)
def test_a_guessed_call_says_what_to_type(call: str) -> None:
    with pytest.raises((rc.RankconvError, AttributeError, TypeError)) as raised:
        eval(call, dict(WORLD))
    assert [one for one in ADVISED[call] if one not in str(raised.value)] == []


def test_another_name_is_an_attribute_error_alone() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'frobnicate'$"):
        rc.frobnicate  # noqa: B018
