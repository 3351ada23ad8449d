"""The settings of a gate in a YAML file, which a repository keeps with its data."""

from pathlib import Path

from pydantic import Field

from rankconv.analysis.gate.decision import Verdict
from rankconv.analysis.gate.gate import Margin
from rankconv.presets.yaml_file import Strict, read_document, read_text, validated


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
    found = validated(GateSettings, document, "a file of settings")
    paths = {name: getattr(found, name) for name in ("labels", "run", "baseline", "user_features")}
    return found.model_copy(update={name: file.parent / path for name, path in paths.items() if path})
