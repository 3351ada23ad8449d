"""Written by `python -m rankconv.exports`."""

from typing import Any

from rankconv.argument_types import LabelsLike as LabelsLike, MetricLike as MetricLike, PresetLike as PresetLike, RunLike as RunLike
from rankconv.ask.check.checked import CheckResult as CheckResult
from rankconv.ask.compare.comparison import Comparison as Comparison
from rankconv.ask.curve.result import RankCurve as RankCurve
from rankconv.ask.evaluate.number import Number as Number
from rankconv.ask.evaluate.partial import Partial as Partial
from rankconv.ask.evaluate.result import Result as Result
from rankconv.ask.explain.by_rank import ByRank as ByRank
from rankconv.ask.explain.explanation import Explanation as Explanation
from rankconv.ask.identify.identified import IdentifyResult as IdentifyResult
from rankconv.ask.identify.identified_together import JointIdentifyResult as JointIdentifyResult
from rankconv.ask.report.reported import Report as Report
from rankconv.ask.reproduce.reproduction import Reproduction as Reproduction
from rankconv.ask.segments.segmented import SegmentResult as SegmentResult
from rankconv.ask.sensitivity.result import SensitivityResult as SensitivityResult
from rankconv.ask.test.leaderboard import Leaderboard as Leaderboard
from rankconv.ask.test.run_test import SignificanceResult as SignificanceResult
from rankconv.ask.verify.verification import Verification as Verification
from rankconv.ask.why.attribution import Attribution as Attribution
from rankconv.citing.methods import Methods as Methods
from rankconv.data.joined import Joined as Joined
from rankconv.statistics.intervals import Interval as Interval

__all__ = ['Attribution', 'ByRank', 'CheckResult', 'Comparison', 'Explanation', 'IdentifyResult', 'Interval', 'Joined', 'JointIdentifyResult', 'LabelsLike', 'Leaderboard', 'Methods', 'MetricLike', 'Number', 'Partial', 'PresetLike', 'RankCurve', 'Report', 'Reproduction', 'Result', 'RunLike', 'SegmentResult', 'SensitivityResult', 'SignificanceResult', 'Verification']
