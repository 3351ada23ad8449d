"""Types for annotations: what functions take, and the classes of what they return."""

from rankconv.exports import exported

HOMES = {
    "presets.arguments": ("LabelsLike", "MetricLike", "PresetLike", "RunLike"),
    "analysis.check": ("CheckResult",),
    "evaluation.compare.comparison": ("Comparison",),
    "conformance.conform": ("ConformResult",),
    "analysis.curve": ("RankCurve",),
    "streaming.partial": ("Partial",),
    "evaluation.result": ("Number", "Result"),
    "analysis.explain.explain": ("ByRank",),
    "analysis.explain.explanation": ("Explanation",),
    "analysis.identify.result": ("IdentifyResult",),
    "analysis.identify.identify": ("JointIdentifyResult",),
    "analysis.report": ("Report",),
    "analysis.reproduce.checks": ("PresetChecks",),
    "analysis.reproduce.reproduction": ("Reproduction",),
    "analysis.segments.segments": ("SegmentResult",),
    "analysis.sensitivity.page": ("SensitivityResult",),
    "analysis.test.test": ("Leaderboard", "SignificanceResult"),
    "verification.verification": ("Verification",),
    "analysis.why.attribution": ("Attribution",),
    "citing.citations": ("Methods",),
    "data.joined": ("Joined",),
    "statistics.intervals": ("Interval",),
}
"""The module of each public name."""
__all__, __getattr__ = exported(__name__, HOMES, globals())


def __dir__() -> list[str]:
    return __all__
