"""Ranking metrics whose definitions are data.

    labels, run  →  inputs  →  data, joined  →  preparation  →  block  →  metric  →  aggregation  →  number
    preset (YAML)  →  definition: one setting of each convention of preparation, of the metric, of aggregation
    engine plans and runs it; compare, explain, why, identify … ask it; pages print what they find

The public names, each loaded when it is first used, so that `import rankconv` is light. Classes of results and types
of arguments are in `rankconv.typing`, what extensions need in `rankconv.plugin`, experiments in `rankconv.protocols`.
"""

from importlib import import_module
from typing import Any

from rankconv.basics.called_definition import CalledDefinition
from rankconv.basics.lazy_names import exported

HOMES = {
    "addons.agreement.agreement": ("agreement",),
    "analysis.check": ("check",),
    "analysis.cite": ("cite", "from_fingerprint"),
    "evaluation.compare": ("compare",),
    "addons.conformance.conform": ("conform",),
    "analysis.curve": ("curve",),
    "evaluation.streaming.evaluator": ("Evaluator",),
    "evaluation.evaluate": ("evaluate",),
    "evaluation.training": ("feval", "scoring"),
    "evaluation.joining": ("join",),
    "evaluation.results.signature_comparison": ("compare_signatures",),
    "evaluation.results.result": ("Result",),
    "analysis.explain.explain": ("by_rank", "explain"),
    "addons.gate.gate": ("gate",),
    "addons.harnesses.row_scorer": ("scorer",),
    "analysis.identify.identify": ("identify",),
    "analysis.identify.identify_table": ("identify_table",),
    "analysis.report": ("report",),
    "analysis.reproduce.checks": ("check_preset",),
    "analysis.reproduce.reproduce": ("reproduce",),
    "analysis.segments.segments": ("segments",),
    "analysis.sensitivity.sensitivity": ("sensitivity",),
    "addons.similarity.similarity": ("similarity",),
    "analysis.show": ("convention", "list_conventions", "list_metrics"),
    "analysis.significance.leaderboard": ("leaderboard",),
    "analysis.significance.significance": ("test",),
    "addons.verification.verify": ("verify",),
    "analysis.why.why": ("why",),
    "basics.errors": ("ConventionError", "InputError", "LibraryError", "MetricError", "RankconvError"),
    "data.inputs": ("Labels", "Run", "Runs"),
    "data.inputs.flat_arrays": ("grouped",),
    "basics.plugins": ("load_plugin",),
    "presets.arguments": ("metric",),
    "presets.definition": ("Definition",),
    "presets.preset_registry": ("list_presets", "preset"),
    "presets.preset": ("Preset",),
    "addons.protocols.presets": ("list_protocols", "protocol"),
}
"""The module of each public name."""
__all__, _load = exported(__name__, HOMES, globals())
MODULES = ("compat", "ir", "plugin", "protocols", "spark", "typing")
"""The public modules, loaded when they are first used: `rc.protocols.Ratings`."""


def __getattr__(name: str) -> Any:
    """Load a public name, a public module, or what makes definitions of a metric: `rc.NDCG(10)`."""
    if name in MODULES:
        return import_module(f"rankconv.{name}")
    if name in __all__ or name.startswith("_"):
        return _load(name)
    if name[:1].isupper() and name in (factories := _factories()):
        return factories[name]
    return import_module(f"rankconv.{MODULES[0]}.guesses").guessed(name)


def _evaluate_called(definition: Any, labels: Any, rankings: Any, **given: Any) -> Any:
    from rankconv.evaluation.evaluate import evaluate_definition

    return evaluate_definition(definition, labels, rankings, **given)


CalledDefinition.evaluate = _evaluate_called


def _factories() -> dict[str, Any]:
    from rankconv.presets.factories import factories

    return {**factories()}


def __dir__() -> list[str]:
    return [*__all__, *MODULES, *_factories()]
