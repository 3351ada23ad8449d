"""Ranking metrics whose definitions are data.

    labels, run  →  inputs  →  joined  →  judging  →  block  →  metric  →  averaging  →  number
    preset (YAML)  →  definition: one answer to each question of judging, of the metric, of averaging
    engine plans and runs it; compare, explain, why, identify … ask it; pages print what they find

The one public door: a list of names, each loaded when it is first used, so that `import rankconv` is light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankconv.accumulating import Accumulator, accumulate
    from rankconv.attributing.attributing import why
    from rankconv.attributing.attribution import Attribution
    from rankconv.checking.checked import Checked
    from rankconv.checking.checking import check
    from rankconv.choice import Choice
    from rankconv.citing.citing import cite
    from rankconv.citing.finding import from_fingerprint
    from rankconv.citing.methods import Methods
    from rankconv.comparing import compare
    from rankconv.comparison import Comparison
    from rankconv.definition import Definition
    from rankconv.errors import ConventionError, InputError, LibraryError, MetricError, RankingError
    from rankconv.evaluating import evaluate, join
    from rankconv.explaining.explaining import explain
    from rankconv.explaining.explanation import Explanation
    from rankconv.explaining.working import Working, works_out
    from rankconv.factories import *  # noqa: F403
    from rankconv.identifying.identified import Identified
    from rankconv.identifying.identifying import identify
    from rankconv.inputs import labels, rankings, runs
    from rankconv.inputs.grouped import grouped
    from rankconv.inputs.hit_matrix import hit_matrix
    from rankconv.metrics import METRICS, Metric, Parts, Ratio
    from rankconv.number import Number
    from rankconv.plugins import load_plugin
    from rankconv.presets.defining import metric
    from rankconv.presets.registry import preset, preset_names
    from rankconv.presets.resolved import Preset
    from rankconv.ranking.block import Block
    from rankconv.ranking.data import Labels, Rankings, Runs
    from rankconv.reproducing.reproducing import reproduce
    from rankconv.reproducing.reproduction import Reproduction
    from rankconv.results import Result
    from rankconv.showing.choice_pages import choices
    from rankconv.varying.result import Sensitivity
    from rankconv.varying.varying import sensitivity
    from rankconv.verifying.adapter import Adapter, Theirs
    from rankconv.verifying.verification import Verification
    from rankconv.verifying.verifying import verify

_HOMES = {
    "accumulating": ("Accumulator", "accumulate"),
    "attributing.attributing": ("why",),
    "attributing.attribution": ("Attribution",),
    "checking.checked": ("Checked",),
    "checking.checking": ("check",),
    "choice": ("Choice",),
    "citing.citing": ("cite",),
    "citing.finding": ("from_fingerprint",),
    "citing.methods": ("Methods",),
    "comparing": ("compare",),
    "comparison": ("Comparison",),
    "definition": ("Definition",),
    "errors": ("ConventionError", "InputError", "LibraryError", "MetricError", "RankingError"),
    "evaluating": ("evaluate", "join"),
    "explaining.explaining": ("explain",),
    "explaining.explanation": ("Explanation",),
    "explaining.working": ("Working", "works_out"),
    "identifying.identified": ("Identified",),
    "identifying.identifying": ("identify",),
    "inputs": ("labels", "rankings", "runs"),
    "inputs.grouped": ("grouped",),
    "inputs.hit_matrix": ("hit_matrix",),
    "metrics": ("METRICS", "Metric", "Parts", "Ratio"),
    "number": ("Number",),
    "plugins": ("load_plugin",),
    "presets.defining": ("metric",),
    "presets.registry": ("preset", "preset_names"),
    "presets.resolved": ("Preset",),
    "ranking.block": ("Block",),
    "ranking.data": ("Labels", "Rankings", "Runs"),
    "reproducing.reproducing": ("reproduce",),
    "reproducing.reproduction": ("Reproduction",),
    "results": ("Result",),
    "showing.choice_pages": ("choices",),
    "varying.varying": ("sensitivity",),
    "varying.result": ("Sensitivity",),
    "verifying.adapter": ("Adapter", "Theirs"),
    "verifying.verification": ("Verification",),
    "verifying.verifying": ("verify",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "METRICS",
    "Accumulator",
    "Adapter",
    "Attribution",
    "Block",
    "Checked",
    "Choice",
    "Comparison",
    "ConventionError",
    "Definition",
    "Explanation",
    "Identified",
    "InputError",
    "Labels",
    "LibraryError",
    "Methods",
    "Metric",
    "MetricError",
    "Number",
    "Parts",
    "Preset",
    "RankingError",
    "Rankings",
    "Ratio",
    "Reproduction",
    "Result",
    "Runs",
    "Sensitivity",
    "Theirs",
    "Verification",
    "Working",
    "accumulate",
    "check",
    "choices",
    "cite",
    "compare",
    "evaluate",
    "explain",
    "from_fingerprint",
    "grouped",
    "hit_matrix",
    "identify",
    "join",
    "labels",
    "load_plugin",
    "metric",
    "preset",
    "preset_names",
    "rankings",
    "reproduce",
    "runs",
    "sensitivity",
    "verify",
    "why",
    "works_out",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        return _factory(name)
    for registering in ("rankconv.definition", "rankconv.metrics"):  # so that `choices` and METRICS are complete
        import_module(registering)
    value = getattr(import_module(f"rankconv.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def _factory(name: str) -> Any:
    """What makes definitions of the metric whose class has this name: `rc.NDCG(k=10)`."""
    found = None if name.startswith("_") or not name[:1].isupper() else _factories().get(name)
    if found is None:
        raise AttributeError(f"module 'rankconv' has no attribute '{name}'")
    return found


def _factories() -> dict[str, Any]:
    made: dict[str, Any] = import_module("rankconv.factories").factories()
    return made


def __dir__() -> list[str]:
    return __all__
