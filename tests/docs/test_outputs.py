"""The page on what commands print as JSON, and its schema, are fresh and whole."""

import json
import re
import sys
from importlib import import_module
from types import ModuleType

import jsonschema
import pytest

from rankconv.cli.json_outputs import OUTPUTS, output_schema
from tests.readme import DOCS


@pytest.fixture(scope="module")
def outputs() -> ModuleType:
    sys.path.insert(0, str(DOCS))
    return import_module("outputs")


def test_page_and_schema_are_fresh(outputs: ModuleType) -> None:
    for file, text in outputs.files().items():
        assert file.read_text("utf-8") == text, "run `python -m tests.generate outputs`"


def test_the_schema_has_each_command_as_it_is_printed_alone() -> None:
    found = json.loads((DOCS / "reference/json-schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(found)
    for command in OUTPUTS:
        alone = output_schema(command)
        definitions = alone.pop("$defs")
        assert found["$defs"][command] == {name: one for name, one in alone.items() if name in ("anyOf", "$ref")}
        assert definitions.items() <= found["$defs"].items()


def test_the_page_has_every_command_and_links_to_types_that_it_has() -> None:
    page = (DOCS / "reference/json.md").read_text("utf-8")
    assert {*re.findall(r"^\| `([a-z-]+)`.* \| ", page, re.MULTILINE)} >= OUTPUTS.keys()
    types = {name.lower() for name in re.findall(r"^### (\w+)$", page, re.MULTILINE)}
    assert {*re.findall(r"\]\(#(\w+)\)", page)} <= types
    assert len(types) > 60
