"""The adapters that are shipped: what they say of themselves, and those whose library is installed here are run."""

import re
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.addons.verification import adapters
from rankconv.addons.verification.adapter import ADAPTERS
from rankconv.addons.verification.comparing import everything
from rankconv.presets.folders import split

adapters.load()
SHIPPED = {preset: adapter for preset, adapter in ADAPTERS.items() if adapter.__module__.startswith(adapters.__name__)}


def test_there_is_one_for_each_of_these() -> None:
    assert set(SHIPPED) == set(
        "sklearn ranx pytrec_eval ir_measures torchmetrics recommenders recommenders-relevant-rows "
        "recommenders-relevancy-none recommenders-relevancy-none-relevant-rows implicit rectools lenskit xgboost "
        "xgboost-minus lightgbm gdeval gdeval-c beir cornac evidently rexmex recmetrics "
        "catboost mllib trec_eval haystack torch_geometric trulens trulens-scores trulens-judged "
        "trulens-judged-scores ignite ignite-all-users llama_index ml_metrics rs_metrics rs_metrics-frames replay_rec "
        "replay_rec-frames recpack rankereval rankereval-grades napkinxc libreco torch_rechub whylogs deepeval pyltr "
        "polars_ds fastrank fastrank-qrel autogluon azure_ai_evaluation trectools ogb mlflow ngcf kgat mteb rank_llm "
        "neumf sasrec bert4rec gru4rec lightgcn".split()
    )


@pytest.mark.parametrize("preset", SHIPPED)
def test_an_adapter_says_what_it_verifies_and_how_to_install_it(preset: str) -> None:
    adapter, described = SHIPPED[preset], rc.preset(preset)
    assert adapter.preset == described.name
    assert adapter.packages
    assert adapter.install
    assert adapter.install.startswith("git clone") or f"=={described.file.version}" in adapter.install
    assert adapter.__doc__
    assert not any(one.__doc__ for one in vars(adapter).values() if callable(one)), "the contract says it"


@pytest.mark.parametrize("preset", SHIPPED)
def test_what_it_asks_for_is_offered_by_the_preset(preset: str) -> None:
    asked = everything(SHIPPED[preset], rc.preset(preset))
    assert len(asked) >= len(SHIPPED[preset].calls)
    assert len({one.spec for one in asked}) == len(asked)
    versions = [preset, *(f"{preset}@{era.version}" for era in rc.preset(preset).file.eras)]
    offered = {key for version in versions for key in rc.preset(version).metrics}
    assert {re.split(r"[(@]", form)[0] for form in SHIPPED[preset].calls} <= offered


VERIFIED = [name for name in rc.list_presets() if split(name)[0] in SHIPPED]


@pytest.mark.parametrize("preset", VERIFIED)
def test_its_library_gives_what_the_preset_gives(preset: str) -> None:
    adapter = SHIPPED[split(preset)[0]]
    if adapter.installed() is None:
        pytest.skip(f"{adapter.packages[0]} is not installed")
    found = rc.verify(preset, random=4, seed=1)
    assert not [row.to_dict() for row in found if row.first]


def test_a_program_is_known_by_what_its_file_defines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "evaluation.py"
    file.write_text("def evaluate():\n    pass\n")
    assert SHIPPED["gru4rec"].installed() is None
    file.write_text("def evaluate_sessions_batch():\n    pass\n")
    assert SHIPPED["gru4rec"].installed() == ("GRU4Rec", "git")
