"""Types for annotations: what functions take, and the classes of what they return."""

from rankconv.basics.lazy_names import exported

HOMES = {
    "presets.arguments": ("LabelsLike", "MetricLike", "PresetLike", "RunLike"),
    "addons.agreement.agreement_result": ("AgreementResult",),
    "analysis.check": ("CheckResult",),
    "evaluation.results.signature_comparison": ("SignatureComparison",),
    "evaluation.results.comparison": ("Comparison",),
    "addons.conformance.conform": ("ConformResult",),
    "addons.harnesses.row_scorer": ("RowCollector", "RowScorer"),
    "analysis.curve": ("RankCurve",),
    "evaluation.streaming.partial": ("Partial",),
    "evaluation.results.number": ("Number",),
    "evaluation.results.result": ("Result",),
    "analysis.explain.explain": ("ByRank",),
    "analysis.explain.explanation": ("Explanation",),
    "analysis.identify.identify_result": ("IdentifyResult",),
    "analysis.identify.identify": ("JointIdentifyResult",),
    "analysis.identify.identify_table": ("TableIdentifyResult",),
    "analysis.report": ("Report",),
    "analysis.reproduce.checks": ("PresetChecks",),
    "analysis.reproduce.reproduction": ("Reproduction",),
    "analysis.segments.segments": ("SegmentResult",),
    "analysis.sensitivity.sensitivity_page": ("SensitivityResult",),
    "analysis.significance.leaderboard": ("Leaderboard",),
    "analysis.significance.significance": ("SignificanceResult",),
    "addons.verification.verification": ("Verification",),
    "analysis.why.attribution": ("Attribution",),
    "evaluation.citing.citations": ("Methods",),
    "data.joined": ("Joined",),
    "evaluation.statistics.intervals": ("Interval",),
    "evaluation.statistics.prediction_powered": ("PoweredInterval",),
}
"""The module of each public name."""
__all__, __getattr__ = exported(__name__, HOMES, globals())


def __dir__() -> list[str]:
    return __all__
