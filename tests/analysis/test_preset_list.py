"""Which presets there are, each beside the system that it describes."""

import re
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.analysis.show import presets_page, presets_table
from rankconv.rendering.pages.text import text as text_of
from tests.oracles.identities import IDENTITIES
from tests.oracles.readme_table import ERAS, bare

LIBRARIES = {"search", "recommender", "learning-to-rank", "classification", "rag"}


def systems() -> dict[str, str]:
    """The system of each preset, as it is listed."""
    return {name: system for _, system, name, _, _ in presets_table().rows}


OF_OTHERS = {"warprec_fairness": "warprec"}
"""Results of a system whose other metrics are recorded under another name."""


def test_each_library_whose_results_are_held_is_a_system_of_its_own() -> None:
    listed = systems()
    own = [listed[bare(system)] for system in IDENTITIES if system not in {*ERAS, *OF_OTHERS}]
    assert len(set(own)) == len(IDENTITIES) - len(ERAS) - len(OF_OTHERS)
    recipes = {"Surprise"}  # recorded from the recipe of its FAQ, which is a text
    assert {row[1] for row in presets_table().rows if row[0] in LIBRARIES} >= set(own) - recipes


def test_variants_share_the_system_of_the_preset_that_they_extend_unless_they_name_their_own() -> None:
    listed = systems()
    assert listed["torchmetrics-neg+unretrieved"] == listed["torchmetrics"] == "TorchMetrics"
    assert listed["mllib-graded"] == "Apache Spark MLlib"
    assert rc.preset("pytrec_eval").parent is rc.preset("trec_eval@9.0.8")
    assert listed["pytrec_eval"] == "pytrec_eval"


def test_the_list_says_what_the_preset_says() -> None:
    assert systems() == {name: rc.preset(name).system for name in rc.list_presets(collections=True)}


def test_a_preset_of_ones_own_describes_what_it_extends_or_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ours.yaml").write_text("name: ours\ntitle: Ours, nightly\nextends: ours-2\n")
    (tmp_path / "ours-2.yaml").write_text("name: ours-2\ntitle: Ours, nightly\nsystem: Our search\nextends: beir\n")
    (tmp_path / "round.yaml").write_text("name: round\ntitle: Round, in a circle\nextends: round\n")
    monkeypatch.setenv("RANKCONV_PRESETS", str(tmp_path))
    assert (systems()["ours"], systems()["round"]) == ("Our search", "Round")
    assert rc.preset("ours").system == "Our search"


def test_on_a_terminal_a_system_is_said_once_in_a_column_of_its_own() -> None:
    text = text_of(presets_page(), 80)
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    [column] = {line.index(f" {name}") for name in ("rax:", "rax+unretrieved:") for line in lines if f" {name}" in line}
    assert [line[:column].strip() for line in lines if re.search(r" rax(\+unretrieved)?:", line)] == ["Rax (JAX)", ""]
    assert lines[0].split() == ["system", "preset:", "what", "it", "is", "(version)"]
