"""Sources: each has one key and one entry, wherever it is cited, and a metric has a source of its own."""

from collections import defaultdict
from collections.abc import Iterator
from typing import ClassVar

import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.conventions.convention import CONVENTIONS
from rankconv.evaluation.citing.citations import entry
from rankconv.evaluation.citing.paragraph import sources_of
from rankconv.metrics import METRICS
from rankconv.presets.folders import bibliography
from rankconv.presets.preset_file import Citation

OWN = "rankconv."


def cited() -> Iterator[Citation]:
    """Every citation of the package: of presets, protocols, metrics and settings."""
    yield from bibliography().values()
    for preset in map(rc.preset, rc.list_presets(eras=True)):
        yield from preset.sources
    for protocol in map(rc.protocol, rc.list_protocols()):
        yield from protocol.cite
    for metric in METRICS.values():
        if metric.__module__.startswith(OWN):
            yield from sources_of(metric.cite, metric.paper)
    for convention in CONVENTIONS.values():
        for setting_type in convention.setting_types.values():
            if setting_type.function.__module__.startswith(OWN):
                yield from sources_of(setting_type.cite, setting_type.paper)


def test_a_source_has_one_key_and_a_key_one_source() -> None:
    by_key, by_identity = defaultdict(set), defaultdict(set)
    for citation in cited():
        key, fields = entry(citation)
        by_key[key].add(tuple(fields.items()))
        for name in ("doi", "title"):
            if name in fields and (name == "doi" or fields["type"] != "misc"):
                by_identity[fields[name].casefold()].add(key)
    assert len(by_key) > 100
    assert not [key for key, entries in by_key.items() if len(entries) > 1]
    assert not [keys for keys in by_identity.values() if len(keys) > 1]


def test_papers_have_the_fields_of_their_type() -> None:
    needed = {
        "article": ["journal"],
        "inproceedings": ["booktitle"],
        "incollection": ["booktitle"],
        "book": ["publisher"],
    }
    for key, citation in bibliography().items():
        fields = dict(entry(citation)[1])
        assert {"title", "author", "year", *needed.get(citation.type, ["url"])} <= fields.keys(), key


@pytest.mark.parametrize(
    ("metric", "key"),
    [
        ("rbp", "moffat2008"),
        ("err@10", "chapelle2009"),
        ("bpref", "buckley2004"),
        ("ndcg@10", "jarvelin2002"),
        ("mrr", "voorhees1999"),
        ("alpha_ndcg", "clarke2008"),
        ("trec_eval:bpref", "buckley2004"),
    ],
)
def test_a_metric_has_its_own_source(metric: str, key: str) -> None:
    keys = [source.key for source in rc.cite(metric).cited[0].sources]
    assert key in keys
    assert key == "jarvelin2002" or "jarvelin2002" not in keys


NO_PAPER = {
    "gain_mean", "auc_extrapolated", "auc_by_rank", "auc_of_ranked", "judged_share", "bin_g", "g_measure", "ndcg_rel",
    "rndcg", "set_map", "utility", "accuracy", "count", "first_rank", "mean_position", "summed_over_ranks",
    "summed_over_table", "new_to_user", "category_share", "personalisation",
}  # fmt: skip
"""Metrics that a program defines, which the presets of that program cite."""


def test_every_metric_has_a_source_unless_a_program_defines_it() -> None:
    ours = {name for name, metric in METRICS.items() if metric.__module__.startswith(OWN)}
    assert {name for name in ours if not METRICS[name].cite} == NO_PAPER


def test_a_plugin_brings_its_own_source() -> None:
    class Cited(plugin.Metric):
        """A metric of a paper that rankconv does not know."""

        name = "cited_metric"
        cite = "doe2024"
        paper: ClassVar = {"type": "article", "title": "A metric", "authors": "J. Doe", "year": 2024, "in": "Metrics"}

        def per_user(self, block: plugin.Block) -> plugin.Ratio:
            return plugin.Ratio(block.hits_so_far.at(1), block.lengths.clip(max=1))

    written = rc.cite("cited_metric").to_bibtex()
    assert (
        "@article{doe2024,\n  title = {{A metric}},\n  author = {J. Doe},\n  year = {2024},\n  journal = {Metrics}\n}"
        in written
    )


def test_the_worst_list_is_defined() -> None:
    assert "W: the DCG, down to the same rank, of the worst list" in " ".join(
        str(rc.cite("fastml:ndcg_worst@10")).split()
    )
