"""The JSON Schema is fresh, takes every shipped preset, and marks what is wrong."""

import json

import jsonschema
import pydantic
import pytest
import yaml

from rankconv.presets.folders import conventions, shipped
from rankconv.presets.schema import preset_schema

SCHEMA = json.loads((conventions() / "schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
of_new_pydantic = pytest.mark.skipif(
    tuple(map(int, pydantic.VERSION.split(".")[:2])) < (2, 14), reason="older ones write the same types in other words"
)
PRESET = {"name": "mine", "title": "Mine", "extends": "base"}


@of_new_pydantic
def test_the_file_is_what_rankconv_schema_prints() -> None:
    assert preset_schema() == SCHEMA, "run: python -m tests.generate schemas"


def test_shipped_presets_are_valid() -> None:
    for file in shipped().values():
        data = yaml.safe_load(file.read_text(encoding="utf-8"))
        assert [error.message for error in VALIDATOR.iter_errors(data)] == []


def test_the_group_of_presets_of_users_has_no_shipped_one() -> None:
    """A file without a group is of the user's own, also one that extends a shipped preset."""
    without = {file.name for file in shipped().values() if yaml.safe_load(file.read_text("utf-8")).get("group") is None}
    assert without == {"base.yaml"}


def test_wrong_presets_are_not() -> None:
    for wrong in [
        {"metrics": {"ndcg": {"gain": "exponentail"}}},
        {"metrics": {"ndcg": {"ap-denominator": "hits"}}},
        {"preparation": {"tie": "given"}},
        {"aggregation": {"mean": "harmonic"}},
        {"colour": "blue"},
    ]:
        assert not VALIDATOR.is_valid(PRESET | wrong)


def test_every_setting_carries_its_rule() -> None:
    forms = [
        form
        for convention_name in ("gain", "ties", "on-no-relevant")
        for form in SCHEMA["$defs"][convention_name]["oneOf"]
    ]
    assert all(form["description"] for form in forms)
