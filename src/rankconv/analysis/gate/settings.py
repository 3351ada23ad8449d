"""The settings of a gate in a YAML file, which a repository keeps with its data."""

from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from rankconv.analysis.gate.decision import Verdict
from rankconv.analysis.gate.gate import Margin
from rankconv.errors import ConventionError
from rankconv.presets.yaml_file import Strict, read_document, read_text


class GateSettings(Strict):
    """What `rankconv gate --settings FILE` reads; paths are relative to the file."""

    labels: Path | None = None
    run: Path | None = None
    baseline: Path | None = None
    metrics: list[str] = Field(default=[])
    preset: str = ""
    at_least: float | dict[str, float] | None = Field(default=None, alias="at-least")
    not_worse_by: Margin | dict[str, Margin] | None = Field(default=None, alias="not-worse-by")
    confident: bool = False
    by: list[str] = Field(default=[])
    user_features: Path | None = Field(default=None, alias="user-features")
    undecided: Verdict = "undecided"
    alpha: float = 0.05


def read_settings(file: Path) -> GateSettings:
    """Return the settings of a file; ConventionError with its line for what is not one of them."""
    document = read_document(read_text(file, str(file)), str(file))
    given: Any = document.data
    try:
        found = GateSettings.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        known = ", ".join(field.alias or name for name, field in GateSettings.model_fields.items())
        wrong = f"'{key}': {first['msg'].lower()}"
        raise ConventionError(wrong, where=str(file), allowed=f"The settings are {known}") from None
    paths = {name: getattr(found, name) for name in ("labels", "run", "baseline", "user_features")}
    return found.model_copy(update={name: file.parent / path for name, path in paths.items() if path})
