"""The JSON Schema of protocol files, for editors."""

from typing import Any

from rankconv.presets.model import Citation
from rankconv.presets.schema import described
from rankconv.protocols.model import ProtocolFile
from rankconv.protocols.protocol import Settings


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
