"""Where a preset is known to give another number than its library on hostile data, each with its reason.

Most are work that is open: a definition would give them. None is an exception of a single number.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracles.hostile import SHARED

REPEATED_LABELS = ("repeated labels of equal grades", "repeated labels of other grades")


@dataclass(frozen=True)
class KnownDifference:
    """Kinds of cases on which metrics of presets differ."""

    presets: Sequence[str]
    kinds: Sequence[str]
    """All of them where empty."""
    metrics: Sequence[str]
    """By their keys."""
    reason: str

    def covers(self, preset: str, kind: str, metric: str) -> bool:
        """Whether a difference is this one."""
        of_kind = not self.kinds or kind in self.kinds
        return preset in self.presets and of_kind and metric in self.metrics


RECOMMENDERS = ["recommenders", "recommenders-relevancy-none"]
RECOMMENDERS += [f"{name}-relevant-rows" for name in RECOMMENDERS]
RECOMMENDERS_OLD = ["recommenders@1.0.0", *(f"{name}@1.1.1" for name in RECOMMENDERS)]
OLD_XGBOOST = ["xgboost@0.90", "xgboost@1.7.6", "xgboost-minus@0.90", "xgboost-minus@1.7.6"]

KNOWN = [
    KnownDifference(
        RECOMMENDERS_OLD,
        ["repeated items of other scores", SHARED],
        ["map_at_k"],
        "pandas below 2.2 puts the rows of one item together where it merges frames; hits are numbered in that order",
    ),
    KnownDifference(
        ["rexmex"],
        REPEATED_LABELS,
        ["mrr"],
        "the mean is over the rows of labels, also where an item has two; here the second one counts as not returned. "
        "rexmex/metrics/ranking.py, mean_reciprocal_rank",
    ),
    KnownDifference(
        ["beir"],
        ["users in the run alone"],
        ["hole"],
        "a query that the qrels do not name adds to the sum, which is divided by the queries of the qrels. "
        "custom_metrics.py, lines 65 to 93",
    ),
    KnownDifference(
        ["gdeval", "gdeval-c"],
        ["repeated labels of other grades"],
        ["ndcg", "err"],
        "of the judgments of one document the lowest above 0 counts in the list, which no setting says; here it is the "
        "last. src/eval/gdeval.pl, lines 97 to 140",
    ),
    KnownDifference(
        ["trulens", "trulens-scores"],
        ["repeated labels of other grades"],
        ["ndcg"],
        "the caller leaves out labels of 0 before the first label of a chunk is looked for; duplicate-labels=first "
        "takes a 0 that stands first",
    ),
    KnownDifference(
        ["haystack@2.2.4"],
        ["repeated items of equal scores", "repeated items of other scores", SHARED],
        ["map_last"],
        "a document that was retrieved twice is refused here: MAP takes a mean over its rows. document_map.py, line 68",
    ),
    KnownDifference(
        OLD_XGBOOST,
        ["negative grades", SHARED],
        ["ndcg"],
        "a gain is 1 shifted by the label, which C++ does not define for a label below 0: it is refused here. "
        "src/metric/rank_metric.cc, CalcDCG",
    ),
    KnownDifference(
        ["xgboost@0.90"],
        [],
        ["auc", "pr_auc"],
        "labels below 0 or above 1 are refused here: as shares of a relevant candidate they give areas outside 0 to 1",
    ),
    KnownDifference(
        ["mlflow@2.14.3"],
        ["repeated items of equal scores", "repeated items of other scores", SHARED],
        ["ndcg"],
        "each repetition of a retrieved id is a further target, also of one that is none; such lists are refused here. "
        "mlflow/metrics/metric_definitions.py, lines 384 to 475",
    ),
    KnownDifference(
        ["trectools"],
        REPEATED_LABELS,
        ["precision", "recall", "ndcg", "bpref", "precision_judged", "ndcg_judged"],
        "these metrics merge run and judgments before they take the first rows, so a document has as many ranks as "
        "judgments, each with the grade of its own; no setting says that. trectools/trec_eval.py, lines 463 to 749",
    ),
    KnownDifference(
        ["trectools"],
        ["scores of 0", "all scores equal", "more ties than k"],
        ["rbp"],
        "RBP averages the weights of consecutive rows of equal score, also of two topics. trectools/trec_eval.py, "
        "lines 795 to 803",
    ),
    KnownDifference(
        ["trectools"],
        ["users in the labels alone", "users in the run alone"],
        ["unjudged"],
        "unjudged documents are those of the topics of the run, and are divided by the topics of the judgments. "
        "trectools/trec_eval.py, lines 244 to 262",
    ),
    KnownDifference(
        ["libreco"],
        [*REPEATED_LABELS, "repeated items of other scores"],
        ["map", "ndcg"],
        "of arrays that are intersected as sets an item that one of them repeats counts as one of both. "
        "libreco/evaluation/metrics.py, lines 85 and 98",
    ),
    KnownDifference(
        ["azure_ai_evaluation"],
        ["repeated items of other scores"],
        ["holes_ratio"],
        "an unjudged document that is retrieved again is one hole, and two rows of the divisor. "
        "_document_retrieval.py, lines 427 and 428",
    ),
    KnownDifference(
        ["whylogs"],
        ["ratings of 0", "an empty list in the labels"],
        ["precision", "recall", "ndcg", "map", "sum_gain", "top_rank", "reciprocal_rank"],
        "a user without a hit whose list is shorter than the longest one makes all metrics fail, as the first hit is "
        "looked for down to the end of the longest list. whylogs/experimental/api/logger/__init__.py, lines 53 to 64",
    ),
    KnownDifference(
        ["sasrec"],
        ["repeated items of equal scores"],
        ["ndcg"],
        "the held-out item, drawn again among its negatives, ties with itself, and an unstable sort puts either first; "
        "here the first row counts. python/utils.py, lines 154 to 163",
    ),
    KnownDifference(
        ["lightgcn"],
        ["one item", "an empty list in the run"],
        ["ndcg"],
        "a row of one hit is broadcast to k ranks, so NDCG is above 1, and no row to one rank, so it is 0; the program "
        "has k items in each list, and shorter ones are refused here. code/utils.py, lines 238 to 257",
    ),
]
