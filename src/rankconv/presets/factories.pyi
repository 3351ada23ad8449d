"""Written by `python -m rankconv.presets.factories`."""

from collections.abc import Callable
from typing import Any

from rankconv.presets.definition import Definition
from rankconv.presets.resolved import Preset

Answer = str | float | Callable[..., Any]

def __getattr__(name: str) -> Any: ...
def AUC(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    pairs: Answer = ...,
    tied_pairs: Answer = ...,
    weight: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def AUCByRank(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def AUCExtrapolated(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def AUCOfRanked(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    auc_denominator: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def Accuracy(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def AveragePrecision(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    ap_denominator: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def BPref(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    bpref_denominator: Answer = ...,
    bpref_none_above: Answer = ...,
    bpref_inner_undefined: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def BinG(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def CG(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    gain: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def Compatibility(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    compat_weight: Answer = ...,
    compat_order: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def Count(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    of: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def CoverageError(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def DCG(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    gain: Answer = ...,
    discount: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def DiscountedGain(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    gain: Answer = ...,
    discount: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def ERR(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    gain: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def ElevenPoint(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    recall_rounding: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def F(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    precision_denominator: Answer = ...,
    recall_denominator: Answer = ...,
    beta: Answer = ...,
    beta_enters: Answer = ...,
    f_part_undefined: Answer = ...,
    hit_worth: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def FallOut(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def FirstRank(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def GMeasure(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def GainMean(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    gain: Answer = ...,
    gain_denominator: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def HitCount(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    hit_worth: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def HitRate(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    hit_by: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def IdealDCG(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    gain: Answer = ...,
    discount: Answer = ...,
    ideal: Answer = ...,
    ideal_cut: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def InferredAP(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def InterpolatedPrecision(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    recall_level: Answer = ...,
    recall_rounding: Answer = ...,
    interpolation: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def JudgedShare(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    unjudged_denominator: Answer = ...,
    judged_by: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def LabelRankingLoss(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def MCC(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def MeanPosition(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def NDCG(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    gain: Answer = ...,
    discount: Answer = ...,
    ideal: Answer = ...,
    ideal_cut: Answer = ...,
    lower_bound: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def NDCGRel(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    gain: Answer = ...,
    discount: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def PFound(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    gain: Answer = ...,
    decay: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def PRAUC(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    between_thresholds: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def PartialAUC(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    partial_positives: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def PercentileRank(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def Precision(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    precision_denominator: Answer = ...,
    hit_worth: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def RBP(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    gain: Answer = ...,
    persistence: Answer = ...,
    rbp_scale: Answer = ...,
    rbp_norm: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def RBPResidual(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    persistence: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def RNDCG(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    gain: Answer = ...,
    discount: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def RPrecision(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    r_precision_at: Answer = ...,
    r_precision_denominator: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def Recall(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    recall_denominator: Answer = ...,
    hit_worth: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def ReciprocalRank(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    rr_over: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def ScaledDCG(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    gain: Answer = ...,
    discount: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def SetMAP(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def SummedOverRanks(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    term: Answer = ...,
    ap_denominator: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def SummedOverTable(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    term: Answer = ...,
    ap_denominator: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def UnjudgedShare(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    unjudged_denominator: Answer = ...,
    judged_by: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def Utility(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
def YAAP(
    *,
    k: int | None = None,
    preset: str | Preset | None = None,
    name: str | None = None,
    cutoff: Answer = ...,
    cutoff_scope: Answer = ...,
    **answers: Answer,
) -> Definition: ...
