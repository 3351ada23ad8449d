"""Presets: named, cited sets of definitions, read from YAML."""

from rankconv.presets.library import HOUSE, neutral_answers, preset, preset_names
from rankconv.presets.preset import Preset

__all__ = ["HOUSE", "Preset", "neutral_answers", "preset", "preset_names"]
