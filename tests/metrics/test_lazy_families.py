"""Families are imported when their names are looked up; what is read from their text is what they register."""

import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

import rankconv as rc
from rankconv.conventions.convention import CONVENTIONS, TABLES
from rankconv.metrics import METRICS
from rankconv.metrics.base import strategy_of
from rankconv.metrics.families import COMMON, FAMILIES, FIRST
from rankconv.presets import folders
from rankconv.presets.preset_registry import document_of
from rankconv.presets.resolver import Resolver
from rankconv.presets.yaml_file import read_document, read_text


def home(registered: Any) -> str:
    """The module of a class of metrics, or of a convention."""
    return str(registered.__module__ if isinstance(registered, type) else registered.module)


def run(code: str) -> list[str]:
    """What a fresh process prints, word by word."""
    code = f"import sys, rankconv as rc\n{code}\n"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_the_text_of_a_family_says_what_it_registers() -> None:
    def registered(registry: Mapping[str, Any], module: str) -> list[str]:
        return [name for name, one in registry.items() if home(one) == module]

    for module, names in FAMILIES.items():
        spellings = {name: [*METRICS[name].spellings] for name in registered(METRICS, module)}
        assert names.metrics == spellings, module
        assert [*names.metrics] == [*spellings], module
        assert (names.conventions, names.tables) == (registered(CONVENTIONS, module), registered(TABLES, module)), (
            module
        )


def test_every_file_of_metrics_is_read_or_always_imported() -> None:
    assert {f"rankconv.metrics.{name}" for name in FIRST} <= FAMILIES.keys()
    homes = {home(one) for registry in (METRICS, CONVENTIONS, TABLES) for one in registry.values()}
    assert {one for one in homes if one.startswith("rankconv.metrics.")} <= FAMILIES.keys() | COMMON


def test_a_name_loads_its_family_alone() -> None:
    common = ["ndcg@3", "precision@3", "recall@3", "f1@3", "map@3", "mrr", "MRR@2", "hit_rate@1", "ndcg_cut_3"]
    show = "print(*(name for name in sys.modules if name.startswith('rankconv.metrics.')))"
    loaded = run(f"rc.evaluate({{'u': {{'a': 1}}}}, {{'u': ['a']}}, {common}); {show}")
    assert not {*loaded} & {f"rankconv.metrics.{name}" for name in FIRST}
    loaded = run(f"rc.evaluate({{'u': {{'a': 1}}}}, {{'u': ['a']}}, ['rbp@3', 'iprec(recall-level=0.5)']); {show}")
    found = {name for name in FIRST if f"rankconv.metrics.{name}" in loaded}
    assert found == {"reader", "recall_levels"}


def test_all_lists_are_whole_and_in_one_order_whatever_was_loaded_first() -> None:
    show = "print(*rc.list_metrics(), *rc.list_conventions(), *rc.preset('rankconv').metrics)"
    assert run(show) == run(f"rc.metric('nrbp'); rc.metric('rbp'); {show}")


@pytest.mark.parametrize("word", ["rbp", "11pt"])
def test_a_name_of_a_family_is_taken_before_it_is_loaded(word: str) -> None:
    code = f"from rankconv import plugin\ntry:\n    type('Mine', (plugin.Metric,), {{'name': '{word}'}})\n"
    said = " ".join(run(f"{code}except rc.ConventionError as error:\n    print(error)"))
    assert f"the metric '{word}' is already defined by rankconv.metrics." in said
    assert strategy_of(word) in METRICS


def test_no_setting_of_a_preset_is_lost_in_a_fresh_process() -> None:
    """Whatever was loaded before: policies of two cases at once are made when a preset names them."""
    code = """
for name in rc.list_presets(eras=True):
    preset = rc.preset(name)
    for key, entry in preset.entries.items():
        for k in [None] * preset.takes_none(key) + [3] * preset.takes_cutoff(key):
            definition = preset.definition(key, (), k)
            stated = {**preset.settings, **entry.settings, **(entry.with_k if k else {})}
            stated = {q: s for q, s in stated.items() if q.startswith("on-")}
            print(*(f"{name}:{key}:{q}" for q, s in stated.items() if definition.settings.get(q, s) != s ))
            print(*(f"{name}:{key}:{q}" for q in stated if "-and-" in q and q not in definition.settings))
"""
    assert run(code.strip()) == []


def test_shipped_presets_state_each_setting_in_its_one_spelling() -> None:
    """They are taken as they stand, so that a preset loads no family that nobody looks up."""
    for name, entry in folders.shipped().items():
        document = read_document(read_text(entry, name), name)
        of_file = rc.preset(name)
        eras = [
            (rc.preset(f"{name}@{era.version}"), document_of(era, of_file, document, rc.preset(era.extends or name)))
            for era in of_file.file.eras
        ]
        for one, stated in ((of_file, document), *eras):
            checked = Resolver(stated, rc.preset, check=True).preset(one.name, one.source, one.text)
            assert (checked.settings, checked.entries) == (one.settings, one.entries)
