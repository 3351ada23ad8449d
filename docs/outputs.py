"""The page on what commands print as JSON, and the JSON Schema of all of them: `python -m tests.generate outputs`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linking import document, heading

from rankconv.basics.escaping import markdown as escaped
from rankconv.cli.json_outputs import OUTPUTS, outputs_schema

FOLDER = Path(__file__).parent / "reference"
START = """\
`--format json` prints what a command computes as data, for programs and agents. `rankconv show --schema gate` prints
the JSON Schema of the data of `rankconv gate`; [one schema](json-schema.json) has a definition of each command.
In Python, `to_dict` of a result gives the same data.

Numbers are in full unless it says that they are rounded, and null where they are not finite, as JSON has no NaN. A
later version may add keys, so a program ignores those that it does not know. A key that is not always there has a
star."""
TYPES = {"string": "text", "boolean": "true or false", "null": "null", "integer": "integer", "number": "number"}


def words(schema: dict[str, Any]) -> str:
    """Return a type in words; a name of a type is a link."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(map(words, schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(f"`{one}`" for one in schema["enum"])
    if schema["type"] == "array":
        return f"list of {words(schema['items'])}" if schema["items"] else "list"
    if schema["type"] == "object":
        return f"mapping to {words(schema['additionalProperties'])}"
    return TYPES[schema["type"]]


def text_of(schema: dict[str, Any]) -> str:
    """Return what a schema says of a type or key, on one line, with its code."""
    return escaped(" ".join(schema.get("description", "").split())).replace("\\`", "`")


def commands(schema: dict[str, Any]) -> str:
    """Return a table of the commands with the types of what they print."""
    rows = ["| command | prints |", "|---|---|"]
    for command, labels in OUTPUTS.items():
        output = schema["$defs"][command]
        for label, one in zip(labels, output.get("anyOf", [output]), strict=True):
            rows.append(f"| `{command}`{f', {label}' if label else ''} | {words(one)} |")
    return "\n".join(rows)


def types(schema: dict[str, Any]) -> Iterator[str]:
    """Yield each type: its name, what it is, and a table of its keys."""
    for name, kind in schema["$defs"].items():
        if name not in OUTPUTS:
            required = kind.get("required", ())
            yield heading(name, 3)
            yield text_of(kind)
            rows = ["| key | type | meaning |", "|---|---|---|"]
            for key, one in kind["properties"].items():
                rows.append(f"| `{key}`{'' if key in required else ' *'} | {words(one)} | {text_of(one)} |")
            if isinstance(kind.get("additionalProperties"), dict):
                rows.append("| other keys * | text or number or null | A column of the formula. |")
            yield "\n".join(rows)


def files() -> dict[Path, str]:
    """Return the page and the schema."""
    schema = outputs_schema()
    page = document("JSON of commands", START, heading("Commands"), commands(schema), heading("Types"), *types(schema))
    text = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    return {FOLDER / "json.md": page, FOLDER / "json-schema.json": text}
