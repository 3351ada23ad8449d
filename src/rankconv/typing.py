"""Types for annotations: what functions take, and the classes of what they return."""

from rankconv.exports import exported

HOMES = {
    "argument_types": ("LabelsLike", "MetricLike", "PresetLike", "RunLike"),
    "ask.check.checked": ("CheckResult",),
    "ask.compare.comparison": ("Comparison",),
    "ask.curve.result": ("RankCurve",),
    "ask.evaluate.number": ("Number",),
    "ask.evaluate.partial": ("Partial",),
    "ask.evaluate.result": ("Result",),
    "ask.explain.by_rank": ("ByRank",),
    "ask.explain.explanation": ("Explanation",),
    "ask.identify.identified": ("IdentifyResult",),
    "ask.identify.identified_together": ("JointIdentifyResult",),
    "ask.report.reported": ("Report",),
    "ask.reproduce.reproduction": ("Reproduction",),
    "ask.segments.segmented": ("SegmentResult",),
    "ask.sensitivity.result": ("SensitivityResult",),
    "ask.test.leaderboard": ("Leaderboard",),
    "ask.test.run_test": ("SignificanceResult",),
    "ask.verify.verification": ("Verification",),
    "ask.why.attribution": ("Attribution",),
    "citing.methods": ("Methods",),
    "data.joined": ("Joined",),
    "statistics.intervals": ("Interval",),
}
"""The module of each public name."""
__all__, __getattr__ = exported(__name__, HOMES, globals())


def __dir__() -> list[str]:
    return __all__
