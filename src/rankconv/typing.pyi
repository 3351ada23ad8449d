"""Written by `python -m tests.generate`."""

from typing import Any

from rankconv.addons.agreement.agreement_result import AgreementResult as AgreementResult
from rankconv.addons.conformance.conform import ConformResult as ConformResult
from rankconv.addons.harnesses.row_scorer import RowCollector as RowCollector, RowScorer as RowScorer
from rankconv.addons.verification.verification import Verification as Verification
from rankconv.analysis.check import CheckResult as CheckResult
from rankconv.analysis.curve import RankCurve as RankCurve
from rankconv.analysis.explain.explain import ByRank as ByRank
from rankconv.analysis.explain.explanation import Explanation as Explanation
from rankconv.analysis.identify.identify import JointIdentifyResult as JointIdentifyResult
from rankconv.analysis.identify.identify_result import IdentifyResult as IdentifyResult
from rankconv.analysis.identify.identify_table import TableIdentifyResult as TableIdentifyResult
from rankconv.analysis.report import Report as Report
from rankconv.analysis.reproduce.checks import PresetChecks as PresetChecks
from rankconv.analysis.reproduce.reproduction import Reproduction as Reproduction
from rankconv.analysis.segments.segments import SegmentResult as SegmentResult
from rankconv.analysis.sensitivity.sensitivity_page import SensitivityResult as SensitivityResult
from rankconv.analysis.significance.leaderboard import Leaderboard as Leaderboard
from rankconv.analysis.significance.significance import SignificanceResult as SignificanceResult
from rankconv.analysis.why.attribution import Attribution as Attribution
from rankconv.data.joined import Joined as Joined
from rankconv.evaluation.citing.citations import Methods as Methods
from rankconv.evaluation.results.comparison import Comparison as Comparison
from rankconv.evaluation.results.number import Number as Number
from rankconv.evaluation.results.result import Result as Result
from rankconv.evaluation.results.signature_comparison import SignatureComparison as SignatureComparison
from rankconv.evaluation.statistics.intervals import Interval as Interval
from rankconv.evaluation.statistics.prediction_powered import PoweredInterval as PoweredInterval
from rankconv.evaluation.streaming.partial import Partial as Partial
from rankconv.presets.arguments import LabelsLike as LabelsLike, MetricLike as MetricLike, PresetLike as PresetLike, RunLike as RunLike

__all__ = ['AgreementResult', 'Attribution', 'ByRank', 'CheckResult', 'Comparison', 'ConformResult', 'Explanation', 'IdentifyResult', 'Interval', 'Joined', 'JointIdentifyResult', 'LabelsLike', 'Leaderboard', 'Methods', 'MetricLike', 'Number', 'Partial', 'PoweredInterval', 'PresetChecks', 'PresetLike', 'RankCurve', 'Report', 'Reproduction', 'Result', 'RowCollector', 'RowScorer', 'RunLike', 'SegmentResult', 'SensitivityResult', 'SignatureComparison', 'SignificanceResult', 'TableIdentifyResult', 'Verification']
