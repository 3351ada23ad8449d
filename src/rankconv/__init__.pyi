"""Written by `python -m tests.generate`."""

from typing import Any

from rankconv.addons.agreement.agreement import agreement as agreement
from rankconv.addons.conformance.conform import conform as conform
from rankconv.addons.gate.gate import gate as gate
from rankconv.addons.harnesses.row_scorer import scorer as scorer
from rankconv.addons.protocols.presets import list_protocols as list_protocols, protocol as protocol
from rankconv.addons.similarity.similarity import similarity as similarity
from rankconv.addons.verification.verify import verify as verify
from rankconv.analysis.check import check as check
from rankconv.analysis.cite import cite as cite, from_fingerprint as from_fingerprint
from rankconv.analysis.curve import curve as curve
from rankconv.analysis.explain.explain import by_rank as by_rank, explain as explain
from rankconv.analysis.identify.identify import identify as identify
from rankconv.analysis.identify.identify_table import identify_table as identify_table
from rankconv.analysis.report import report as report
from rankconv.analysis.reproduce.checks import check_preset as check_preset
from rankconv.analysis.reproduce.reproduce import reproduce as reproduce
from rankconv.analysis.segments.segments import segments as segments
from rankconv.analysis.sensitivity.sensitivity import sensitivity as sensitivity
from rankconv.analysis.show import convention as convention, list_conventions as list_conventions, list_metrics as list_metrics
from rankconv.analysis.significance.leaderboard import leaderboard as leaderboard
from rankconv.analysis.significance.significance import test as test
from rankconv.analysis.why.why import why as why
from rankconv.basics.errors import ConventionError as ConventionError, InputError as InputError, LibraryError as LibraryError, MetricError as MetricError, RankconvError as RankconvError
from rankconv.basics.plugins import load_plugin as load_plugin
from rankconv.data.inputs import Labels as _Labels, Run as _Run, Runs as _Runs
from rankconv.data.inputs.flat_arrays import grouped as grouped
from rankconv.evaluation.compare import compare as compare
from rankconv.evaluation.evaluate import evaluate as evaluate
from rankconv.evaluation.joining import join as join
from rankconv.evaluation.results.result import Result as Result
from rankconv.evaluation.results.signature_comparison import compare_signatures as compare_signatures
from rankconv.evaluation.streaming.evaluator import Evaluator as Evaluator
from rankconv.evaluation.training import feval as feval, scoring as scoring
from rankconv.presets.arguments import metric as metric
from rankconv.presets.definition import Definition as Definition
from rankconv.presets.preset import Preset as Preset
from rankconv.presets.preset_registry import list_presets as list_presets, preset as preset

class Labels(_Labels):
    def __init__(self, data: Any, *, user: Any = ..., item: Any = ..., grade: Any = ..., group: Any = ..., padding: Any = ..., user_ids: Any = ..., item_ids: Any = ...) -> None: ...

class Run(_Run):
    def __init__(self, data: Any, *, user: Any = ..., item: Any = ..., score: Any = ..., rank: Any = ..., call: Any = ..., padding: Any = ..., user_ids: Any = ..., item_ids: Any = ...) -> None: ...

class Runs(_Runs):
    def __init__(self, data: Any = ..., /, **by_name: Any) -> None: ...
from rankconv import compat as compat
from rankconv import ir as ir
from rankconv import plugin as plugin
from rankconv import protocols as protocols
from rankconv import spark as spark
from rankconv import typing as typing
from rankconv.presets.factories import *

__all__ = ['ConventionError', 'Definition', 'Evaluator', 'InputError', 'Labels', 'LibraryError', 'MetricError', 'Preset', 'RankconvError', 'Result', 'Run', 'Runs', 'agreement', 'by_rank', 'check', 'check_preset', 'cite', 'compare', 'compare_signatures', 'conform', 'convention', 'curve', 'evaluate', 'explain', 'feval', 'from_fingerprint', 'gate', 'grouped', 'identify', 'identify_table', 'join', 'leaderboard', 'list_conventions', 'list_metrics', 'list_presets', 'list_protocols', 'load_plugin', 'metric', 'preset', 'protocol', 'report', 'reproduce', 'scorer', 'scoring', 'segments', 'sensitivity', 'similarity', 'test', 'verify', 'why']
