"""Ranking metrics whose definitions are data.

    labels, run  →  inputs  →  data, joined  →  judging  →  block  →  metric  →  averaging  →  number
    preset (YAML)  →  definition: one answer to each question of judging, of the metric, of averaging
    engine plans and runs it; compare, explain, why, identify … ask it; pages print what they find

The public names, each loaded when it is first used, so that `import rankconv` is light. Classes of results and types
of arguments are in `rankconv.typing`, what extensions need in `rankconv.plugin`, experiments in `rankconv.protocols`.
"""

from typing import Any

from rankconv.exports import exported

HOMES = {
    "ask.check.check": ("check",),
    "ask.cite.cite": ("cite",),
    "ask.cite.from_fingerprint": ("from_fingerprint",),
    "ask.compare.compare": ("compare",),
    "ask.curve.curve": ("curve",),
    "ask.evaluate.evaluator": ("Evaluator",),
    "ask.evaluate.evaluate": ("evaluate",),
    "ask.evaluate.joining": ("join",),
    "ask.evaluate.result": ("Result",),
    "ask.explain.by_rank": ("by_rank",),
    "ask.explain.explain": ("explain",),
    "ask.identify.identify": ("identify",),
    "ask.report.report": ("report",),
    "ask.reproduce.reproduce": ("reproduce",),
    "ask.segments.segments": ("segments",),
    "ask.sensitivity.sensitivity": ("sensitivity",),
    "ask.show.lookups": ("convention", "list_conventions", "list_metrics"),
    "ask.test.leaderboard": ("leaderboard",),
    "ask.test.test": ("test",),
    "ask.verify.verify": ("verify",),
    "ask.why.why": ("why",),
    "errors": ("ConventionError", "InputError", "LibraryError", "MetricError", "RankconvError"),
    "inputs": ("Labels", "Run", "Runs"),
    "inputs.reading": ("grouped", "hit_matrix"),
    "plugins": ("load_plugin",),
    "presets.defining": ("metric",),
    "presets.definition": ("Definition",),
    "presets.registry": ("list_presets", "preset"),
    "presets.resolved": ("Preset",),
    "protocols.presets": ("list_protocols", "protocol"),
}
"""The module of each public name."""
__all__, _load = exported(__name__, HOMES, globals())


def __getattr__(name: str) -> Any:
    """Load a public name, or what makes definitions of a metric: `rc.NDCG(10)`."""
    if name in __all__ or name.startswith("_") or not name[:1].isupper():
        return _load(name)
    return _factories().get(name) or _load(name)


def _factories() -> dict[str, Any]:
    from rankconv.presets.factories import factories

    return {**factories()}


def __dir__() -> list[str]:
    return [*__all__, *_factories()]
