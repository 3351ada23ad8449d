"""The JSON Schema is fresh, takes every shipped preset, and marks what is wrong."""

import json
from importlib.resources.abc import Traversable
from typing import Any

import jsonschema
import pytest
import yaml

from rankconv.presets.folders import conventions, shipped
from rankconv.presets.schema import preset_schema

SCHEMA = json.loads((conventions() / "schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
PRESET = {"name": "mine", "title": "Mine", "extends": "base"}


def test_the_file_is_what_rankconv_schema_prints() -> None:
    assert preset_schema() == SCHEMA, "run: rankconv show --schema > conventions/schema.json"


@pytest.mark.parametrize("file", shipped().values(), ids=shipped())
def test_shipped_presets_are_valid(file: Traversable) -> None:
    data = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert [error.message for error in VALIDATOR.iter_errors(data)] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"metrics": {"ndcg": {"gain": "exponentail"}}},
        {"metrics": {"ndcg": {"ap-denominator": "hits"}}},
        {"preparation": {"tie": "given"}},
        {"aggregation": {"mean": "harmonic"}},
        {"colour": "blue"},
    ],
)
def test_wrong_presets_are_not(wrong: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(PRESET | wrong)


def test_every_setting_carries_its_rule() -> None:
    forms = [
        form
        for convention_name in ("gain", "ties", "on-no-relevant")
        for form in SCHEMA["$defs"][convention_name]["oneOf"]
    ]
    assert all(form["description"] for form in forms)
