"""What the file of a protocol may say."""

from collections.abc import Mapping
from typing import Any

from rankconv.presets.model import Citation, Given, Name, Strict
from rankconv.presets.schema import described
from rankconv.protocols.protocol import Settings


class ProtocolFile(Strict):
    """A protocol as its file states it: only where it differs from the one it extends."""

    name: Name
    """The name that users type; equal to the file's stem."""
    title: str
    """What it is, in one line."""
    version: str = ""
    """Of the software that it describes."""
    year: int | None = None
    extends: Name | None = None
    """The protocol on which this one stands; `base` where nothing is said."""
    about: str = ""
    """What is peculiar, and which readings were taken where the source is silent."""
    cite: tuple[Citation, ...] = ()
    metric: str = ""
    """The metric that the source reports under it, as a spec."""
    settings: Mapping[str, Given] = {}
    """Its settings by convention."""


def protocol_schema() -> dict[str, Any]:
    """What an editor checks a protocol file against: every convention, and every answer with its rule."""
    schema = ProtocolFile.model_json_schema(by_alias=True)
    properties = described(ProtocolFile, schema["properties"])
    described(Citation, schema["$defs"]["Citation"]["properties"])
    conventions = Settings.conventions()
    properties["settings"] = {
        "description": properties["settings"]["description"],
        "type": "object",
        "additionalProperties": False,
        "properties": {name: {"$ref": f"#/$defs/{name}"} for name in conventions},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A rankconv protocol",
        "description": (ProtocolFile.__doc__ or "").strip(),
        "type": "object",
        "required": ["name", "title"],
        "additionalProperties": False,
        "properties": properties,
        "$defs": {**schema["$defs"], **{name: convention.json_schema for name, convention in conventions.items()}},
    }
