"""A definition made anew from the answers that a saved result holds."""

from rankconv.aggregation import Aggregation
from rankconv.engine.saved import SavedDefinition
from rankconv.errors import MetricError, unknown
from rankconv.metrics import METRICS
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import Definition
from rankconv.presets.registry import neutral_settings
from rankconv.specs.setting_set import SettingSet
from rankconv.specs.spec import preset_and_rest, read_spec


def restored(saved: SavedDefinition) -> Definition:
    """The definition of a saved number; a convention that was not asked then has its neutral setting."""
    if saved.functions:
        told = ", ".join(f"{convention_name}={setting}" for convention_name, setting in saved.functions.items())
        do = "Cite the definition itself, where it was evaluated: result.methods() or rc.cite(…)."
        wrong = f"a file does not hold the functions that setting: {told}"
        raise MetricError(wrong, where=saved.text, do=do, shell="Cite it in Python, where it was evaluated.")
    if saved.metric not in METRICS:
        raise unknown("metric", saved.metric, METRICS, do="Load the plugin that defines it.")
    settings = neutral_settings() | saved.settings
    preparation = Preparation.with_settings(_own(Preparation, settings))
    aggregation = Aggregation.with_settings(_own(Aggregation, settings))
    strategy = METRICS[saved.metric]
    metric = strategy.with_settings(_own(strategy, settings) | {"k": saved.k})
    preset, rest = preset_and_rest(saved.text)
    spec = read_spec(rest)
    return Definition(preset or "", spec.metric, preparation, metric, aggregation, spec.settings, spec.cutoffs[0])


def _own(kind: type[SettingSet], settings: dict[str, str]) -> dict[str, str]:
    return {convention_name: settings[convention_name] for convention_name in kind.conventions()}
