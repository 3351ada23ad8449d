"""The JSON Schema of preset files, made from the models, the choices and the metrics."""

from typing import Any

from rankconv.averaging import AVERAGING
from rankconv.choice import QUESTIONS
from rankconv.metrics import METRICS
from rankconv.presets.model import Entry, PresetFile
from rankconv.ranking.judging import Judging


def preset_schema() -> dict[str, Any]:
    """What an editor checks a preset file against: every question, and every answer with its rule."""
    schema = PresetFile.model_json_schema(by_alias=True)
    properties = schema["properties"]
    sections = {"judging": list(Judging.questions()), "averaging": list(AVERAGING.questions())}
    sections["parts"] = [name for name in QUESTIONS if name not in {*sections["judging"], *sections["averaging"]}]
    for section, questions in sections.items():
        properties[section] = _answers_schema(properties[section].get("description", ""), questions)
    properties["metrics"] = _metrics_schema(properties["metrics"].get("description", ""))
    definitions = {name: part for name, part in schema["$defs"].items() if name != "Entry"}
    definitions |= {name: choice.json_schema for name, choice in QUESTIONS.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A rankconv preset",
        "type": "object",
        "required": ["name", "title"],
        "additionalProperties": False,
        "properties": properties,
        "$defs": definitions,
    }


def _answers_schema(about: str, questions: list[str]) -> dict[str, Any]:
    return {
        "description": about,
        "type": "object",
        "additionalProperties": False,
        "properties": {name: {"$ref": f"#/$defs/{name}"} for name in questions},
    }


def _metrics_schema(about: str) -> dict[str, Any]:
    common = Entry.model_json_schema(by_alias=True)["properties"]
    every = {name: {"$ref": f"#/$defs/{name}"} for name in (*Judging.questions(), *AVERAGING.questions())}

    def entry(asked: list[str]) -> dict[str, Any]:
        own = {name: {"$ref": f"#/$defs/{name}"} for name in asked}
        return {"type": ["object", "null"], "additionalProperties": False, "properties": {**common, **own, **every}}

    by_name = {
        name: entry(list(metric.questions()))
        for metric in METRICS.values()
        for name in (metric.name, *metric.spellings[:1])
    }
    asked_by_any = sorted({name for metric in METRICS.values() for name in metric.questions()})
    return {
        "description": about,
        "type": "object",
        "properties": by_name,
        "additionalProperties": entry(asked_by_any),
    }
