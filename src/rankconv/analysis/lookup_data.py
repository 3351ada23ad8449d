"""The names there are, and what is known of one, as data: conventions, presets, metrics and definitions."""

from collections.abc import Iterable
from typing import Any

from typing_extensions import TypedDict

from rankconv.aggregation import Aggregation
from rankconv.conventions.convention import CONVENTIONS, Convention
from rankconv.evaluation.citing.citations import CitationData, citation_data
from rankconv.evaluation.results.differences import differing
from rankconv.metrics import METRICS
from rankconv.metrics.base import Metric
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import Definition
from rankconv.presets.folders import GROUPS, VERSION, completed, heads, newest, place
from rankconv.presets.preset import Preset
from rankconv.presets.preset_page import any_definition
from rankconv.presets.preset_registry import list_presets, preset, readable
from rankconv.presets.resolver import ranges


class ListedConvention(TypedDict):
    """A convention."""

    convention: str
    section: str
    """`preparation`, `aggregation`, `metrics`; of protocols `protocols`."""
    description: str
    settings: list[str]


def listed_conventions() -> list[ListedConvention]:
    """All conventions with their settings: preparation first, then aggregation, then metrics."""
    shared = {"preparation": [*Preparation.conventions()], "aggregation": [*Aggregation.conventions()]}
    known = {name for names in shared.values() for name in names}
    parts = {**shared, "metrics": [name for name in CONVENTIONS if name not in known]}
    return [
        {"convention": name, "section": part, "description": one.description, "settings": list(one.names)}
        for part, names in parts.items()
        for name in names
        for one in [CONVENTIONS[name]]
    ]


class ShownSetting(TypedDict):
    """A setting of a convention."""

    setting: str
    rule: str
    """What it does, in short."""
    about: str


class ShownConvention(TypedDict):
    """A convention with its settings."""

    convention: str
    description: str
    metrics: list[str]
    """The metrics that have it."""
    settings: list[ShownSetting]
    used: dict[str, list[str]]
    """By setting, with its parameters, the presets that use it, those that most people know first."""


def shown_convention(convention: Convention) -> ShownConvention:
    """Describe a convention with its settings and the presets that use them."""
    types = convention.setting_types.values()
    return {
        "convention": convention.name,
        "description": convention.description,
        "metrics": [name for name, kind in METRICS.items() if convention.name in kind.conventions()],
        "settings": [{"setting": one.name, "rule": one.rule, "about": one.about} for one in types],
        "used": users_of(convention),
    }


def users_of(convention: Convention) -> dict[str, list[str]]:
    """Setting → the presets that give it for any of their metrics, those that most people use first."""
    found: dict[str, list[str]] = {}
    for owner in map(preset, sorted(list_presets(eras=True), key=place)):
        given = {any_definition(owner, key).settings.get(convention.name) for key in owner.metrics}
        for setting in sorted(given - {None}, key=str):
            found.setdefault(str(setting), []).append(owner.name)
    return found


class ListedPreset(TypedDict):
    """A preset."""

    group: str
    system: str
    """The system that it describes."""
    preset: str
    version: str
    """The version of the system; empty where it has none."""
    title: str


def listed_presets() -> list[ListedPreset]:
    """All presets by group and system."""
    return [
        {
            "group": one["group"],
            "system": one["system"],
            "preset": one["name"],
            "version": str(one.get("version", "")),
            "title": str(one.get("title", "")),
        }
        for one in sorted_heads()
    ]


def sorted_heads() -> list[dict[str, Any]]:
    """The presets of a system stand together."""
    return sorted(heads(), key=lambda one: (GROUPS.index(one["group"]), one["system"].casefold(), one["name"]))


class ClaimData(TypedDict):
    """A sentence on how a system behaves."""

    text: str
    source: str
    """Where it can be read; empty where a check holds it, or nothing."""
    checked: bool
    """Whether a check of the file holds it."""


class ShownPreset(TypedDict):
    """A preset with its settings."""

    preset: str
    title: str
    version: str
    """The version of the system; empty where it has none."""
    about: str
    says: list[ClaimData]
    sources: list[CitationData]
    eras: list[str]
    """The presets of earlier versions."""
    reports: list[str]
    """The metrics that a collection reports."""
    metrics: dict[str, dict[str, str]]
    """By metric the setting of each convention."""


def shown_preset(owner: Preset) -> ShownPreset:
    """Describe a preset with its settings."""
    file = owner.file
    return {
        "preset": owner.name,
        "title": owner.title,
        "version": file.version,
        "about": file.about.strip(),
        "says": [
            {"text": one.text.strip(), "source": one.source, "checked": one.check is not None} for one in file.says
        ],
        "sources": [citation_data(completed(one)) for one in file.cite],
        "eras": [f"{owner.name}{VERSION}{era.version}" for era in file.eras],
        "reports": list(owner.reports),
        "metrics": {key: dict(any_definition(owner, key).settings) for key in owner.metrics},
    }


class PresetDifference(TypedDict):
    """The settings in which two presets differ."""

    a: str
    """The first preset."""
    b: str
    metrics: dict[str, dict[str, list[str]]]
    """By metric that both have, and by convention that differs, the setting of the first and that of the second."""
    only_a: list[str]
    """The metrics that the first has alone."""
    only_b: list[str]


def preset_difference(a: Preset, b: Preset, metrics: Iterable[str] = ()) -> PresetDifference:
    """Compare two presets, in these metrics or in all that both have."""
    common = [key for key in (list(metrics) or a.metrics) if key in a.metrics and key in b.metrics]
    found = {key: differing(any_definition(a, key), any_definition(b, key)) for key in common}
    return {
        "a": a.name,
        "b": b.name,
        "metrics": {key: {name: list(pair) for name, pair in one.items()} for key, one in found.items()},
        "only_a": [key for key in a.metrics if key not in b.metrics],
        "only_b": [key for key in b.metrics if key not in a.metrics],
    }


class EraData(PresetDifference):
    """An era of a preset: the versions of a system that have its settings, against the newest era."""

    versions: str


def preset_history(name: str) -> list[EraData]:
    """Describe the eras of a preset, the newest first."""
    current = preset(newest(name))
    return [
        {**preset_difference(preset(era), current), "versions": versions}
        for era, versions in ranges(current.file).items()
    ]


class ShownDefinition(TypedDict):
    """A definition with its settings."""

    definition: str
    fingerprint: str
    """The name of the definition, of 16 hexadecimal digits; empty where a setting is a function."""
    signature: str
    formula: str
    settings: dict[str, str]
    """The setting of each convention."""


def shown_definition(definition: Definition) -> ShownDefinition:
    """Describe a definition with its settings."""
    return {
        "definition": definition.text,
        "fingerprint": definition.fingerprint,
        "signature": definition.signature,
        "formula": definition.metric.formula,
        "settings": dict(definition.settings),
    }


class ListedMetric(TypedDict):
    """A metric."""

    metric: str
    also: list[str]
    """Other names."""
    description: str
    formula: str


class ShownMetric(ListedMetric):
    """A metric, with its conventions and the presets that have it."""

    conventions: list[str]
    presets: list[str]


def listed_metrics() -> list[ListedMetric]:
    """All metrics, with their other names."""
    return [
        {"metric": one.name, "also": list(one.spellings), "description": one.about(), "formula": one.formula}
        for one in METRICS.values()
    ]


def shown_metric(metric: type[Metric]) -> ShownMetric:
    """A metric with its conventions and presets, those that most people use first."""
    [found] = [one for one in listed_metrics() if one["metric"] == metric.name]
    presets = sorted((one.name for one in readable(list_presets()) if metric.name in one.metrics), key=place)
    return {**found, "conventions": list(metric.conventions()), "presets": presets}
