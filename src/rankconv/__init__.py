"""Ranking metrics whose definitions are data.

    labels, run  →  inputs  →  data, joined  →  judging  →  block  →  metric  →  averaging  →  number
    preset (YAML)  →  definition: one answer to each question of judging, of the metric, of averaging
    engine plans and runs it; compare, explain, why, identify … ask it; pages print what they find

The one public door: a list of names, each loaded when it is first used, so that `import rankconv` is light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankconv.ask.check.check import check
    from rankconv.ask.check.checked import CheckResult
    from rankconv.ask.cite.cite import cite
    from rankconv.ask.cite.from_fingerprint import from_fingerprint
    from rankconv.ask.compare.compare import compare
    from rankconv.ask.compare.comparison import Comparison
    from rankconv.ask.curve.curve import curve
    from rankconv.ask.curve.result import RankCurve
    from rankconv.ask.evaluate.accumulate import Accumulator, accumulate
    from rankconv.ask.evaluate.evaluate import evaluate
    from rankconv.ask.evaluate.joining import join
    from rankconv.ask.evaluate.number import Number
    from rankconv.ask.evaluate.partial import Partial, merge
    from rankconv.ask.evaluate.result import Result
    from rankconv.ask.explain.by_rank import ByRank, by_rank
    from rankconv.ask.explain.explain import explain
    from rankconv.ask.explain.explanation import Explanation
    from rankconv.ask.explain.working import Derivation, derivation_of
    from rankconv.ask.identify.identified import IdentifyResult
    from rankconv.ask.identify.identify import identify
    from rankconv.ask.learning_curve.learning_curve import learning_curve
    from rankconv.ask.learning_curve.shown import LearningCurve
    from rankconv.ask.report.report import report
    from rankconv.ask.report.reported import Report
    from rankconv.ask.reproduce.reproduce import reproduce
    from rankconv.ask.reproduce.reproduction import Reproduction
    from rankconv.ask.segments.segmented import SegmentResult
    from rankconv.ask.segments.segments import segments
    from rankconv.ask.sensitivity.result import SensitivityResult
    from rankconv.ask.sensitivity.sensitivity import sensitivity
    from rankconv.ask.show.choice_pages import choices
    from rankconv.ask.test.leaderboard import Leaderboard, leaderboard
    from rankconv.ask.test.run_test import SignificanceResult
    from rankconv.ask.test.test import test
    from rankconv.ask.verify.adapter import Adapter, LibraryResult
    from rankconv.ask.verify.verification import Verification
    from rankconv.ask.verify.verify import verify
    from rankconv.ask.why.attribution import Attribution
    from rankconv.ask.why.why import why
    from rankconv.ask.why_order.result import OrderAttribution
    from rankconv.ask.why_order.why_order import why_order
    from rankconv.averaging.judged_cases import data_case
    from rankconv.averaging.special_case import Situation, special_case
    from rankconv.citing.methods import Methods
    from rankconv.data.labels_and_rankings import Labels, Run, Runs
    from rankconv.errors import ConventionError, InputError, LibraryError, MetricError, RankconvError
    from rankconv.inputs import labels, rankings, runs
    from rankconv.inputs.grouped import grouped
    from rankconv.inputs.hit_matrix import hit_matrix
    from rankconv.inputs.readers import input_format
    from rankconv.judging.block import Block
    from rankconv.judging.registry import preparation_step
    from rankconv.judging.rows import WorkingBlock
    from rankconv.metrics import METRICS, Metric, Parts, Ratio
    from rankconv.plugins import command, load_plugin
    from rankconv.presets.defining import metric
    from rankconv.presets.definition import Definition
    from rankconv.presets.factories import *  # noqa: F403
    from rankconv.presets.registry import preset, list_presets
    from rankconv.presets.resolved import Preset
    from rankconv.protocols.presets import protocol, protocol_choices, list_protocols
    from rankconv.protocols.ratings import Ratings, ratings
    from rankconv.protocols.registry import rating_step
    from rankconv.protocols.split import Protocol, Split
    from rankconv.questions.choice import Choice
    from rankconv.questions.custom import FunctionOf
    from rankconv.recommenders.fold_in import fold_in

_HOMES = {
    "ask.evaluate.accumulate": ("Accumulator", "accumulate"),
    "ask.why.why": ("why",),
    "ask.why.attribution": ("Attribution",),
    "ask.check.checked": ("CheckResult",),
    "ask.check.check": ("check",),
    "questions.choice": ("Choice",),
    "questions.custom": ("FunctionOf",),
    "ask.cite.cite": ("cite",),
    "ask.cite.from_fingerprint": ("from_fingerprint",),
    "citing.methods": ("Methods",),
    "ask.compare.compare": ("compare",),
    "ask.compare.comparison": ("Comparison",),
    "presets.definition": ("Definition",),
    "errors": ("ConventionError", "InputError", "LibraryError", "MetricError", "RankconvError"),
    "ask.evaluate.evaluate": ("evaluate",),
    "ask.evaluate.joining": ("join",),
    "ask.explain.by_rank": ("ByRank", "by_rank"),
    "ask.explain.explain": ("explain",),
    "ask.explain.explanation": ("Explanation",),
    "ask.explain.working": ("Working", "derivation_of"),
    "ask.identify.identified": ("IdentifyResult",),
    "ask.identify.identify": ("identify",),
    "ask.curve.curve": ("curve",),
    "ask.curve.result": ("RankCurve",),
    "ask.learning_curve.learning_curve": ("learning_curve",),
    "ask.learning_curve.shown": ("LearningCurve",),
    "protocols.registry": ("rating_step",),
    "ask.why_order.result": ("OrderAttribution",),
    "ask.why_order.why_order": ("why_order",),
    "recommenders.fold_in": ("fold_in",),
    "inputs": ("labels", "rankings", "runs"),
    "inputs.grouped": ("grouped",),
    "inputs.hit_matrix": ("hit_matrix",),
    "inputs.readers": ("input_format",),
    "metrics": ("METRICS", "Metric", "Parts", "Ratio"),
    "ask.evaluate.number": ("Number",),
    "ask.evaluate.partial": ("Partial", "merge"),
    "plugins": ("command", "load_plugin"),
    "presets.defining": ("metric",),
    "presets.registry": ("preset", "list_presets"),
    "presets.resolved": ("Preset",),
    "protocols.presets": ("protocol", "protocol_choices", "list_protocols"),
    "protocols.ratings": ("Ratings", "ratings"),
    "protocols.split": ("Protocol", "Split"),
    "judging.block": ("Block",),
    "judging.registry": ("preparation_step",),
    "judging.rows": ("WorkingBlock",),
    "averaging.judged_cases": ("data_case",),
    "averaging.special_case": ("Situation", "special_case"),
    "data.labels_and_rankings": ("Labels", "Run", "Runs"),
    "ask.report.report": ("report",),
    "ask.report.reported": ("Report",),
    "ask.reproduce.reproduce": ("reproduce",),
    "ask.reproduce.reproduction": ("Reproduction",),
    "ask.evaluate.result": ("Result",),
    "ask.show.choice_pages": ("choices",),
    "ask.segments.segmented": ("SegmentResult",),
    "ask.segments.segments": ("segments",),
    "ask.sensitivity.sensitivity": ("sensitivity",),
    "ask.sensitivity.result": ("SensitivityResult",),
    "ask.test.test": ("test",),
    "ask.test.leaderboard": ("Leaderboard", "leaderboard"),
    "ask.test.run_test": ("SignificanceResult",),
    "ask.verify.adapter": ("Adapter", "LibraryResult"),
    "ask.verify.verification": ("Verification",),
    "ask.verify.verify": ("verify",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "METRICS",
    "Accumulator",
    "Adapter",
    "Attribution",
    "Block",
    "ByRank",
    "CheckResult",
    "Choice",
    "Comparison",
    "ConventionError",
    "Definition",
    "Explanation",
    "FunctionOf",
    "IdentifyResult",
    "InputError",
    "Labels",
    "Leaderboard",
    "LearningCurve",
    "LibraryError",
    "Methods",
    "Metric",
    "MetricError",
    "Number",
    "OrderAttribution",
    "Partial",
    "Parts",
    "Preset",
    "Protocol",
    "RankCurve",
    "RankconvError",
    "Run",
    "Ratings",
    "Ratio",
    "Report",
    "Reproduction",
    "Result",
    "SignificanceResult",
    "Runs",
    "SegmentResult",
    "SensitivityResult",
    "Situation",
    "Split",
    "LibraryResult",
    "Verification",
    "Working",
    "WorkingBlock",
    "accumulate",
    "by_rank",
    "check",
    "choices",
    "cite",
    "command",
    "compare",
    "curve",
    "data_case",
    "evaluate",
    "explain",
    "fold_in",
    "from_fingerprint",
    "grouped",
    "hit_matrix",
    "identify",
    "input_format",
    "join",
    "preparation_step",
    "labels",
    "leaderboard",
    "learning_curve",
    "load_plugin",
    "merge",
    "metric",
    "preset",
    "list_presets",
    "protocol",
    "protocol_choices",
    "list_protocols",
    "rankings",
    "rating_step",
    "ratings",
    "report",
    "reproduce",
    "runs",
    "segments",
    "sensitivity",
    "special_case",
    "test",
    "verify",
    "why",
    "why_order",
    "derivation_of",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        return _factory(name)
    import_module("rankconv.presets.definition")  # which knows all metrics and questions
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
    made: dict[str, Any] = import_module("rankconv.presets.factories").factories()
    return made


def __dir__() -> list[str]:
    return __all__
