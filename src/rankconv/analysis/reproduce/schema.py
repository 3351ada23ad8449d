"""The JSON Schema of files of published numbers, for editors."""

from typing import Any

from rankconv.analysis.reproduce.model import Aligned, Contradiction, Erratum, Inputs, Number, PublishedFile, Table
from rankconv.presets.model import Citation
from rankconv.presets.schema import described

PARTS = (Aligned, Citation, Contradiction, Erratum, Inputs, Number, Table)


def published_schema() -> dict[str, Any]:
    """What an editor checks a file of published numbers against."""
    schema = PublishedFile.model_json_schema(by_alias=True)
    described(PublishedFile, schema["properties"])
    for kind in PARTS:
        described(kind, schema["$defs"][kind.__name__]["properties"])
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Numbers that rankconv reproduces"}
    return {**schema, **about, "description": (PublishedFile.__doc__ or "").strip()}
