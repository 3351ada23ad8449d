"""The reference is complete: every name has its page, and every setting its place, without building the site."""

import json
import re
import sys
from types import ModuleType
from typing import Any
from xml.etree.ElementTree import fromstring, tostring

import pytest

import rankconv as rc
from rankconv.basics.lazy_names import MODULES
from rankconv.cli.app import program_help
from rankconv.conventions.convention import CONVENTIONS
from rankconv.presets.folders import heads


@pytest.fixture(scope="module")
def reference(generator: ModuleType) -> Any:
    return generator.Reference()


def test_every_name_has_a_page(generator: ModuleType, reference: Any) -> None:
    names = {
        "conventions": rc.list_conventions(),
        "metrics": rc.list_metrics(),
        "presets": [*rc.list_presets(), *(one["name"] for one in heads() if one["group"] == "collections")],
        "protocols": rc.list_protocols(),
        "sources": [*rc.reproduce("ir-book").titles, "lecard", *rc.reproduce().titles],
    }
    wanted = {f"{kind}/{generator.page_name(name)}" for kind, some in names.items() for name in some}
    assert wanted - reference.pages.keys() == set()


def test_the_commands_are_listed_with_their_options_and_a_schema_that_holds(reference: Any) -> None:
    validator = pytest.importorskip("jsonschema")
    text = reference.pages["commands/index"]()
    found = program_help()
    assert re.findall(r"^## rankconv (\S+)$", text, re.MULTILINE) == [one.name for one in found.commands]
    assert all(name in text for one in found.commands for each in one.options for name in each.names)
    schema = json.loads(text.rpartition("```json\n")[2].partition("\n```")[0])
    validator.validate(json.loads(found.model_dump_json()), schema)
    with pytest.raises(validator.ValidationError):
        validator.validate({"program": "rankconv"}, schema)


@pytest.mark.parametrize("name", rc.list_conventions())
def test_every_setting_has_a_heading(reference: Any, name: str) -> None:
    text = reference.settings_text(CONVENTIONS[name]).replace("\\", "")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings == [one.parameters.shown(one.name) for one in CONVENTIONS[name].setting_types.values()]


def test_every_public_name_is_listed(generator: ModuleType) -> None:
    pairs = [*generator.public_names()]
    listed = dict(pairs)
    assert len(listed) == len(pairs)
    assert {module: set(names) for module, names in listed.items() if module in MODULES} == {
        module: set(__import__(module, fromlist=["__all__"]).__all__) for module in MODULES
    }
    assert {"rankconv.compat.sklearn", "rankconv.compat.ranx", "rankconv.spark"} <= listed.keys()
    factories = "".join(generator.factory_text(one) for one in generator.METRICS.values())
    assert {f"rankconv.{name}(" for name in dir(rc) if name[:1].isupper()} - {
        f"rankconv.{name}(" for name in rc.__all__
    } <= set(re.findall(r"rankconv\.\w+\(", factories))


@pytest.mark.parametrize(
    "place", ["metrics/ndcg", "presets/mllib", "protocols/fastml", "sources/bellei2017", "metrics/signs"]
)
def test_a_page_of_each_kind_is_written(reference: Any, place: str) -> None:
    text = reference.pages[place]()
    assert text.startswith("# ")
    assert not re.search(r"<function|Traceback|object at 0x", text)


@pytest.mark.parametrize("name", ["ndcg", "average_precision", "coverage"])
def test_presets_of_a_metric_have_the_conventions_in_which_they_differ(
    generator: ModuleType, reference: Any, name: str
) -> None:
    table = reference.presets_of(reference.metrics[name])
    having = {
        (owner, definition)
        for owner, definitions in reference.definitions.items()
        for definition in definitions.values()
        if definition.metric.name == name and not definition.functions
    }
    assert 1 < len(table.headers) <= generator.COLUMNS + 1
    for place, convention in list(enumerate(table.headers))[1:]:
        assert len({row[place] for row in table.rows}) > 1, convention
    shown = {(owner, *row[1:]) for row in table.rows for owner in row[0].split(", ")}
    columns = table.headers[1:]
    expected = {(owner, *(one.settings.get(column, "–") for column in columns)) for owner, one in having}
    assert shown <= expected
    assert {(owner.partition("+")[0], *cells) for owner, *cells in expected - shown} <= shown
    every = reference.definitions_of(reference.metrics[name])
    assert {row[2] for row in every.rows} == {one.fingerprint for _, one in having}


def test_names_of_metrics_lead_to_their_page(reference: Any) -> None:
    wanted = {
        "ndcg": {"ndcg_cut", "NDCG", "nDCG", "normalized_dcg"},
        "reciprocal_rank": {"MRR", "mrr", "recip_rank", "mean_reciprocal_rank"},
        "average_precision": {"MAP", "map_cut", "AP"},
        "hit_rate": {"hr", "HitRate", "success"},
    }
    for name, words in wanted.items():
        assert words <= {*reference.names_of(reference.metrics[name])}
    entries = {name: {one.casefold() for one in reference.names_of(one)} for name, one in reference.metrics.items()}
    for name in reference.metrics:
        assert [other for other in entries if name in entries[other] and other != name] == [], name
    assert "```{index} ! ndcg" in reference.pages["metrics/ndcg"]().casefold()


def test_settings_of_a_convention_are_contrasted(generator: ModuleType) -> None:
    """Grades -1, which counts 0, 1 and 2 at ranks 1 to 3: DCG is 1/log2(3) and half the gain of 2: 2, 2^2 - 1, or 1."""
    contrast = generator.contrast(CONVENTIONS["gain"])
    assert (contrast.title, contrast.metric) == ("A negative grade", "dcg")
    values = {setting: "".join(value.itertext()) for settings, value in contrast.values for setting in settings}
    ends = {name: values[f"gain={name}"].rpartition("≈")[2] for name in ("linear", "exponential", "binary")}
    assert ends == {"linear": "1.630929754", "exponential": "2.130929754", "binary": "1.130929754"}


def test_a_dispute_names_the_convention_that_decides_it(reference: Any) -> None:
    """The thread of PyTorch Geometric: one setting is the whole difference."""
    assert reference.disputes["AP@3 is 1 in TorchMetrics and 0.5 in PyTorch Geometric"] == {"ap-denominator"}


@pytest.mark.parametrize(
    ("given", "addresses"),
    [
        ("<p>Used by: mllib, blog and 3 more</p>", ["../presets/mllib.html", "../presets/blog.html"]),
        ("<p>sklearn+unretrieved</p>", ["../presets/sklearn-with-unretrieved.html"]),
        ("<p>mllib@2.1.3</p>", ["../presets/mllib.html"]),
        ("<dt>gain=binary</dt>", ["../conventions/gain.html"]),
        ("<p>A gain is what mllib says</p>", []),
        ("<p>mllib, nobody</p>", []),
        ("<table><tr><th>metrics</th></tr><tr><td>map</td></tr></table>", ["../metrics/average_precision.html"]),
        ("<table><tr><th>here</th></tr><tr><td>relevant</td></tr></table>", []),
    ],
)
def test_texts_that_are_only_names_are_linked(reference: Any, given: str, addresses: list[str]) -> None:
    root = fromstring(f"<div>{given}</div>")
    words = "".join(root.itertext())
    linked = reference.links.link(root)
    assert [one.get("href") for one in linked.iter("a")] == addresses
    assert "".join(linked.itertext()) == words, tostring(linked)


def test_data_of_every_contrast_are_written(generator: ModuleType) -> None:
    """Items alone, with grades or scores, and those of a subtopic in brackets."""
    contrasts = sys.modules[generator.contrast.__module__]
    both = [data for pair in contrasts.LISTS.values() for data in pair]
    assert "labels of u: [a b], [a c], [d]" in [line for data in both for line in contrasts._lines("labels", data)]
