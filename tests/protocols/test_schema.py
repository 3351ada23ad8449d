"""The JSON Schema of protocol files is fresh, takes every shipped protocol, and marks what is wrong."""

import json
from typing import Any

import jsonschema
import pytest
import yaml
from typer.testing import CliRunner

import rankconv as rc
from rankconv import protocols
from rankconv.cli.app import app
from rankconv.presets.folders import conventions
from rankconv.protocols.presets import protocol_schema
from tests.presets.test_schema import of_new_pydantic

FOLDER = conventions() / "protocols"
SCHEMA = json.loads((FOLDER / "schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
PROTOCOL = {"name": "mine", "title": "Mine", "extends": "base"}


@of_new_pydantic
def test_the_file_is_what_the_command_prints() -> None:
    told = "run: rankconv show --schema protocol > conventions/protocols/schema.json"
    assert protocol_schema() == SCHEMA, told
    assert json.loads(CliRunner().invoke(app, ["show", "--schema", "protocol"]).stdout) == SCHEMA


@pytest.mark.parametrize("name", rc.list_protocols())
def test_shipped_protocols_are_valid(name: str) -> None:
    data = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    assert [error.message for error in VALIDATOR.iter_errors(data)] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"settings": {"held-out": "lasst(1)"}},
        {"settings": {"gain": "grade"}},
        {"settings": {"candidates": "labelled-only"}},
        {"settings": {"least-ratings": "many"}},
        {"aggregation": {}},
        {"cite": [{"title": "without a key"}]},
    ],
)
def test_wrong_protocols_are_not(wrong: dict[str, Any]) -> None:
    assert VALIDATOR.is_valid(PROTOCOL)
    assert not VALIDATOR.is_valid(PROTOCOL | wrong)


def test_every_setting_carries_its_rule() -> None:
    forms = [
        form
        for convention_name in protocols.protocol_conventions
        for form in SCHEMA["$defs"][convention_name].get("oneOf", [])
    ]
    assert len(forms) > 40
    assert all(form["description"] for form in forms)
