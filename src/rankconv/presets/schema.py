"""The JSON Schema of preset files, made from the models, the choices and the metrics."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter

from rankconv.aggregation import Aggregation
from rankconv.aggregation.special_case import AND
from rankconv.conventions.convention import CONVENTIONS
from rankconv.metrics import METRICS
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.preset_file import DEFAULT, EntryKeys, PresetFile
from rankconv.presets.resolver import metric_conventions

CHANGED = ("preparation", "aggregation", "every-metric", "without", "metrics", "nicknames")
"""The sections of a preset that an era may have otherwise."""


def preset_schema() -> dict[str, Any]:
    """What an editor checks a preset file against: every convention, and every setting with its rule."""
    schema = TypeAdapter(PresetFile).json_schema()
    properties = schema["properties"]
    sections = {"preparation": list(Preparation.conventions()), "aggregation": list(Aggregation.conventions())}
    for section, conventions in sections.items():
        properties[section] = _settings_schema(properties[section].get("description", ""), conventions)
    era = schema["$defs"]["Era"]["properties"]
    era["changes"] = {
        "description": era["changes"]["description"],
        "type": "object",
        "additionalProperties": False,
        "properties": {name: {"$ref": f"#/properties/{name}"} for name in CHANGED},
    }
    form = {"anyOf": [{"const": True}, {"$ref": "#/$defs/candidates"}]}
    properties["unretrieved"] = {"description": properties["unretrieved"]["description"]} | form
    properties["metrics"], entries = _metrics_schema(properties["metrics"].get("description", ""))
    definitions = {name: part for name, part in schema["$defs"].items() if name != "EntryKeys"} | entries
    definitions |= {name: convention.json_schema for name, convention in CONVENTIONS.items() if AND not in name}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A rankconv preset",
        "type": "object",
        "required": ["name", "title"],
        "additionalProperties": False,
        "properties": properties,
        "$defs": definitions,
    }


def _settings_schema(about: str, conventions: list[str]) -> dict[str, Any]:
    return {
        "description": about,
        "type": "object",
        "additionalProperties": False,
        "properties": _references(conventions),
        **(JOINED if conventions == list(Aggregation.conventions()) else {}),
    }


JOINED = {"patternProperties": {f"^on-.+{AND}on-.+$": {"$ref": "#/$defs/on-no-relevant"}}}
"""The settings of users with several policies that apply."""


def _references(conventions: Iterable[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/$defs/{name}"} for name in conventions if AND not in name}


OF_ANOTHER = "entry of another metric"
"""What a name of a metric may also hold: another strategy under that name, which `is` must tell."""


def _metrics_schema(about: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The section of metrics, and the shapes of its entries; metrics that ask the same share one."""
    shapes: dict[tuple[str, ...], str] = {}
    by_name: dict[str, Any] = {}
    for metric in METRICS.values():
        shape = shapes.setdefault(tuple(metric.conventions()), f"entry of {metric.name}")
        either = {"anyOf": [{"$ref": f"#/$defs/{quote(shape)}"}, {"$ref": f"#/$defs/{quote(OF_ANOTHER)}"}]}
        by_name |= dict.fromkeys((metric.name, *metric.spellings[:1]), either)
    needed_by_any = sorted({name for metric in METRICS.values() for name in metric.conventions()})
    other = _entry_schema(needed_by_any)
    by_name[DEFAULT] = _settings_schema("The settings of every metric.", metric_conventions())
    section = {"description": about, "type": "object", "properties": by_name, "additionalProperties": other}
    entries = {name: _entry_schema(names) for names, name in shapes.items()}
    return section, entries | {OF_ANOTHER: {**other, "required": ["is"]}}


def _entry_schema(names: Iterable[str]) -> dict[str, Any]:
    common = TypeAdapter(EntryKeys).json_schema()["properties"]
    conventions = [*names, *Preparation.conventions(), *Aggregation.conventions()]
    properties = {**common, **_references(conventions)}
    return {"type": ["object", "null"], "additionalProperties": False, "properties": properties, **JOINED}
