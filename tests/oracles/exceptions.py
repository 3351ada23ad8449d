"""What no definition can reproduce, as rules with a predicate on the data; each says how many results it excuses."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import rankconv as rc
from rankconv.metrics.divisors import counts_hits
from tests.oracles.groups import (
    divided_by_the_sort,
    incomplete,
    reaches_training,
    topic_without_list,
    without_training,
)
from tests.oracles.identities.base import Identity, Result
from tests.oracles.tie_orders import bounds

FLOAT32 = {
    *("allrank", "ignite", "keras_rs", "lightfm", "merlin_models", "rankeval", "rax", "tensorflow_ranking"),
    *("torch_geometric", "torchmetrics", "torchrec", "transformers4rec", "torcheval", "recsys_metrics"),
    *("ranking_metrics_torch", "tensorflow_recommenders", "keras", "torchmetrics_binary"),
    *("libreco", "rankereval", "fastrank", "torchmetrics_0_6", "warprec", "warprec_fairness"),
}
"""Systems that compute in single precision: compared to 2e-6."""

Users = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Rule:
    """One reason why a system's number is not that of its definition."""

    name: str
    system: str
    reason: str
    source: str
    applies: Callable[[Result, Identity, Users], bool]
    bounded: bool = False
    """The number must lie between the least and the greatest that the orders of the ties give."""

    def holds(self, one: Result, identity: Identity, users: Users, joined: Any) -> bool:
        """Whether the number keeps to what the rule still asks."""
        if not self.bounded or one["mean"] is None:
            return True
        ends = self._ends(one, identity, users, joined)
        return not ends or min(ends) - 2e-6 * max(1, *ends) <= float(one["mean"]) <= max(ends) + 2e-6 * max(1, *ends)

    def _ends(self, one: Result, identity: Identity, users: Users, joined: Any) -> Sequence[float]:
        """Numbers between which those of all orders of the ties lie; none where that is not known."""
        if follows_the_order(identity):
            return [tied_order(one["case"], identity, joined, f"relevant-{order}") for order in ("last", "first")]
        width = np.float32 if self.system in FLOAT32 else np.float64
        return bounds(identity, users, width) or ()


def follows_the_order(identity: Identity) -> bool:
    """Whether its extremes are those of the order. AP over the hits in the top k, an AUC of the top k, and a list that
    counts otherwise without a hit, have others: a hit moved into the top k may lower them."""
    definition = rc.preset(identity.preset).define(identity.spec)[0]
    of_top_k = definition.metric.name == "auc" and definition.k is not None
    by_hits = definition.settings["on-no-hits"] not in ("as-computed", "0")
    lost = any(map(counts_hits, definition.metric.settings.values())) or by_hits
    return not lost and not of_top_k


def tied_order(case: str, identity: Identity, joined: Any, order: str) -> float:
    """The mean under one order of the ties."""
    preset = rc.preset(identity.preset).replace(ties=order, name="bounds")
    spec = identity.spec.replace("ties=undefined", f"ties={order}")
    data = joined(case, identity.kept, identity.catalogue, side=identity.side)
    return rc.evaluate(data, spec, preset=preset, on_error="collect")[spec]


def tied(users: Users, width: type[Any]) -> bool:
    """Whether two scores of a list are equal."""
    lists = [np.array(user["scores"], dtype=width) for user in users]
    return any(len(np.unique(scores)) < len(scores) for scores in lists)


def undefined_ties(width: type[Any]) -> Callable[[Result, Identity, Users], bool]:
    """The definition leaves the order of ties open, and there are ties."""

    def applies(one: Result, identity: Identity, users: Users) -> bool:
        definition = rc.preset(identity.preset).define(identity.spec)[0]
        return definition.settings["ties"] == "undefined" and tied(users, width)

    return applies


def below_the_list(one: Result, identity: Identity, users: Users) -> bool:
    """Some list is shorter than k and lacks a relevant item, which may be among the items that fill it up."""
    short = (user for user in users if one["k"] > len(user["ranking"]))
    return any({*user["labels"]} - {*user["ranking"]} for user in short)


def without_propensities(one: Result, identity: Identity, users: Users) -> bool:
    """Some relevant item has no propensity, and these were given."""
    return one["case"] == "weights_no_propensity" and "propensities" in identity.side


def tied_beyond(rows: int) -> Callable[[Result, Identity, Users], bool]:
    """Some list of more than so many rows, the missed ones that were appended among them, has ties."""

    def applies(one: Result, identity: Identity, users: Users) -> bool:
        missed = identity.preset.endswith("+unretrieved")
        lists = [{*user["ranking"], *user["labels"]} if missed else user["ranking"] for user in users]
        long = [user for user, items in zip(users, lists, strict=True) if len(items) > rows]
        return tied(long, np.float64)

    return applies


def fractional_targets(one: Result, identity: Identity, users: Users) -> bool:
    """Grades are not whole."""
    return any(grade != int(grade) for user in users for grade in user["labels"].values())


def fractional_grades(one: Result, identity: Identity, users: Users) -> bool:
    """The area under precision and recall was asked for labels between 0 and 1."""
    grades = [grade for user in users for grade in user["labels"].values()]
    return one["metric"] == "pr_auc" and any(grade != int(grade) for grade in grades)


def lists_lost_to_a_user_without_relevant_labels(one: Result, identity: Identity, users: Users) -> bool:
    """Of some user all labels lie below the level, so that those after him in the order of the ids get 0."""
    level = 2 if "-l2" in one["call"] else 1
    labelled = [user["labels"].values() for user in users if user["labels"]]
    return one["metric"].startswith("bpref") and any(all(grade < level for grade in grades) for grades in labelled)


def refused_without_a_user(one: Result, identity: Identity, users: Users) -> bool:
    """A form that is not offered was asked for where no user is there to be refused."""
    return not identity.offered and not any(user["labels"] and user["ranking"] for user in users)


def beyond_the_first_list(one: Result, identity: Identity, users: Users) -> bool:
    """The cutoff is larger than the first list is long."""
    return one["metric"] == "hit_rate" and one["k"] > len(users[0]["ranking"])


def two_long_steps(one: Result, identity: Identity, users: Users) -> bool:
    """Two thresholds of a list have three hits or more each, of which the first may be the highest one."""
    hits = [
        Counter(score for item, score in zip(u["ranking"], u["scores"], strict=True) if u["labels"].get(item, 0) > 0)
        for u in users
    ]
    return one["metric"] == "aucpr" and any(sum(many > 2 for many in found.values()) > 1 for found in hits)


def on_the_diagonal(one: Result, identity: Identity, users: Users) -> bool:
    """A corrected area is 1/2, which is that of the diagonal."""
    ours = rc.evaluate(
        {u["user"]: {item: float(grade > 0) for item, grade in u["labels"].items()} for u in users},
        {u["user"]: list(zip(u["ranking"], u["scores"], strict=True)) for u in users},
        identity.spec,
        preset=identity.preset,
        on_error="collect",
    )
    return "corrected" in one["metric"] and bool(np.isclose(ours.per_user[identity.spec], 0.5, atol=1e-12).any())


def scaled_up_rounding(one: Result, identity: Identity, users: Users) -> bool:
    """A geometric mean in single precision, whose distance from its expectation is divided by a small spread."""
    return one["metric"] == "realistic.z_geometric_mean_rank"


def repeated_item(one: Result, identity: Identity, users: Users) -> bool:
    """Some list holds an item twice."""
    return any(len({*user["ranking"]}) < len(user["ranking"]) for user in users)


def repeated_item_in_sets(one: Result, identity: Identity, users: Users) -> bool:
    """A metric that intersects arrays as if they were sets was given a list that holds an item twice."""
    return one["metric"] in ("map", "ndcg") and repeated_item(one, identity, users)


def miscounted_labels(one: Result, identity: Identity, users: Users) -> bool:
    """A ratio of holes of a list that holds an item twice, or fidelity with a label of 10 or more."""
    highest = max((grade for user in users for grade in user["labels"].values()), default=0)
    holes = one["metric"] == "holes_ratio" and repeated_item(one, identity, users)
    return holes or (one["metric"] == "fidelity" and highest >= 10)


def no_first_hit(one: Result, identity: Identity, users: Users) -> bool:
    """The rank of the first hit is infinite for a user with relevant labels, and NaN is to count 0."""
    return one["metric"] == "first_relevant_rank" and "zerofill" in one["call"]


def averaged_over_ties(one: Result, identity: Identity, users: Users) -> bool:
    """RBP averages weights over equal scores, of which there are some, also in lists of different users."""
    scores = [score for user in users for score in user["scores"]]
    return one["metric"].startswith("rbp") and "average_ties=True" in one["call"] and len({*scores}) < len(scores)


def topics_without_ranking(one: Result, identity: Identity, users: Users) -> bool:
    """Of unjudged documents the divisor counts topics that the numerator does not."""
    return one["metric"] == "unjudged" and any(bool(user["labels"]) != bool(user["ranking"]) for user in users)


def negative_judgments(one: Result, identity: Identity, users: Users) -> bool:
    """bpref of a document with a label below 0, which is neither judged relevant nor not."""
    return one["metric"] == "bpref" and any(grade < 0 for user in users for grade in user["labels"].values())


def beyond_all_lists(one: Result, identity: Identity, users: Users) -> bool:
    """The cutoff is larger than every list is long."""
    return one["k"] is not None and one["k"] > max((len(user["ranking"]) for user in users), default=0)


def one_row(one: Result, identity: Identity, users: Users) -> bool:
    """Some list has one row, which is as many as any number there, or none."""
    return one["metric"] == "ndcg" and any(len(user["ranking"]) < 2 for user in users)


def room_in_a_slice(one: Result, identity: Identity, users: Users) -> bool:
    """Some query has fewer neighbours than k, in a slice that has room for k."""
    return any(0 < sum(grade > 0 for grade in user["labels"].values()) < one["k"] <= 4 for user in users)


RULES = [
    Rule(
        "weights not numbers",
        "warprec",
        "a propensity that is NaN makes IPS metrics NaN for users with such an item in the first k, relevant or not, "
        "and SNIPS metrics 0 for all users",
        "warprec/evaluation/metrics/debiased/base.py: weighted_hits and weight_total divide 0 by NaN",
        without_propensities,
    ),
    Rule(
        "torch topk below the list",
        "warprec",
        "a list of fewer than k items is filled up with others in the order of torch.topk, which is undefined",
        "warprec/evaluation/metrics/debiased/base.py: top_k_indices, torch.topk of scores that are -inf",
        below_the_list,
    ),
    Rule(
        "pandas sort",
        "jurity",
        "the order of equal predictions is that of pandas' unstable sort, and is undefined",
        "jurity/recommenders/ctr.py: get_sorted_clicks",
        undefined_ties(np.float64),
    ),
    Rule(
        "numba top k",
        "pyxclib",
        "the order of tied scores is that of a selection in numba, and is undefined",
        "xclib/utils/sparse.py: topk",
        undefined_ties(np.float64),
    ),
    Rule(
        "first list",
        "cute_ranking",
        "hit rate refuses a cutoff beyond the length of the first list only, which depends on the order of the users",
        "cute_ranking/core.py, lines 10 to 27",
        beyond_the_first_list,
    ),
    Rule(
        "torch sort",
        "torchmetrics",
        "the order of tied scores is that of torch's unstable sort, and differs between its functions",
        "torchmetrics/functional/retrieval/*.py: torch.topk, torch.argsort",
        undefined_ties(np.float32),
        bounded=True,
    ),
    Rule(
        "torch sort of version 0.6",
        "torchmetrics_0_6",
        "the order of tied scores is that of torch's unstable sort, and differs between its functions",
        "torchmetrics/functional/retrieval/*.py: torch.topk, torch.argsort",
        undefined_ties(np.float32),
        bounded=True,
    ),
    Rule(
        "fractional targets of version 0.6",
        "torchmetrics_0_6",
        "the functional fall-out takes fractional targets, and sums what they lack of 1",
        "torchmetrics/functional/retrieval/fall_out.py",
        fractional_targets,
    ),
    Rule(
        "numpy argsort",
        "sklearn",
        "ignore_ties=True orders ties by numpy's unstable argsort",
        "sklearn/metrics/_ranking.py, line 1710",
        undefined_ties(np.float64),
        bounded=True,
    ),
    Rule(
        "torch sort of slates",
        "allrank",
        "torch.sort is not stable in padded slates, so the order of tied scores is undefined",
        "allrank/models/metrics.py: torch.sort",
        undefined_ties(np.float32),
        bounded=True,
    ),
    Rule(
        "shuffled ties",
        "tensorflow_ranking",
        "tied scores are shuffled at random",
        "tensorflow_ranking/python/utils.py: sort_by_scores, shuffle_ties",
        undefined_ties(np.float32),
        bounded=True,
    ),
    Rule(
        "shuffled rows",
        "keras_rs",
        "tied scores are shuffled at random, whatever shuffle_ties says",
        "keras_rs/src/metrics/ranking_metrics_utils.py, lines 109 to 116",
        undefined_ties(np.float32),
        bounded=True,
    ),
    Rule(
        "noise",
        "merlin_models",
        "a random number below 0.000001 is added to every score",
        "merlin/models/tf/metrics/topk.py, lines 309 to 313; merlin/models/tf/utils/tf_utils.py, lines 198 to 205",
        undefined_ties(np.float32),
        bounded=True,
    ),
    Rule(
        "torch topk",
        "ignite",
        "HitRate takes the first k by torch.topk, which leaves the order of tied scores open",
        "ignite/metrics/rec_sys/hitrate.py, line 170",
        undefined_ties(np.float32),
        bounded=True,
    ),
    Rule(
        "numpy argsort, turned round",
        "fuxictr",
        "of tied rows the later comes first only as far as numpy's unstable argsort keeps them in order",
        "fuxictr/metrics.py, lines 132 to 189",
        tied_beyond(12),
        bounded=True,
    ),
    Rule(
        "numpy argsort of long lists",
        "rankeval",
        "numpy's argsort keeps the order of tied rows only in lists of up to 16 rows",
        "rankeval/metrics: numpy.argsort",
        tied_beyond(16),
        bounded=True,
    ),
    Rule(
        "torch topk of rows",
        "transformers4rec",
        "torch.topk does not define the order of tied scores, and NDCG and AP sort the top rows again",
        "transformers4rec/torch/ranking_metric.py, lines 52 to 281",
        undefined_ties(np.float32),
        bounded=True,
    ),
    Rule(
        "torch sort of sessions",
        "torchrec",
        "torch's sort is not stable, so the order of tied scores of a session is undefined",
        "torchrec/metrics/ndcg.py, lines 78 to 278; gauc.py, lines 23 to 90",
        undefined_ties(np.float32),
        bounded=True,
    ),
    Rule(
        "torch topk of queries",
        "torcheval",
        "torch.topk does not define the order of tied scores",
        "torcheval/metrics/functional/ranking/retrieval_precision.py: torch.topk",
        undefined_ties(np.float32),
    ),
    Rule(
        "torch topk of targets",
        "recsys_metrics",
        "torch.topk does not define the order of tied scores",
        "recsys_metrics/metrics.py: torch.topk",
        undefined_ties(np.float32),
        bounded=True,
    ),
    Rule(
        "torch topk twice",
        "ranking_metrics_torch",
        "torch.topk does not define the order of tied scores, and AP sorts twice, each time in another order",
        "ranking_metrics_torch/avg_precision.py, common.py: torch.topk",
        undefined_ties(np.float32),
    ),
    Rule(
        "torch topk of version 0.2",
        "ranking_metrics_torch_0_2",
        "torch.topk does not define the order of tied scores",
        "ranking_metrics_torch/common.py: torch.topk",
        undefined_ties(np.float32),
    ),
    Rule(
        "order of the index",
        "tensorflow_recommenders",
        "tied scores are in the order of the index, which labels and lists do not hold",
        "tensorflow_recommenders/metrics/factorized_top_k.py: tf.math.top_k",
        undefined_ties(np.float32),
        bounded=True,
    ),
    Rule(
        "rounding of a geometric mean",
        "pykeen",
        "realistic ranks are averaged in single precision, and a z-score multiplies their rounding",
        "pykeen/metrics/ranking.py: GeometricMeanRank, ZGeometricMeanRank",
        scaled_up_rounding,
    ),
    Rule(
        "numpy argsort of candidates",
        "ampligraph",
        "numpy's argsort is not stable, so the order of tied candidates is undefined",
        "ampligraph/evaluation/metrics.py: np.argsort",
        undefined_ties(np.float64),
    ),
    Rule(
        "numpy argpartition",
        "recpack",
        "the order of tied scores is that of numpy's argpartition, and depends on k",
        "recpack/util.py, line 68",
        undefined_ties(np.float64),
        bounded=True,
    ),
    Rule(
        "fractional weights",
        "xgboost",
        "aucpr takes labels between 0 and 1 as shares of a positive; the definition offered is that of whole labels",
        "src/metric/auc.cc, lines 216 to 255",
        fractional_grades,
    ),
    Rule(
        "misplaced points",
        "rocr",
        "of two thresholds with three hits or more each, the points of the second are put in the wrong place",
        "R/performance_measures.R, lines 282 to 291",
        two_long_steps,
    ),
    Rule(
        "rounding on the diagonal",
        "proc",
        "whether a corrected area that is that of the diagonal is NA or 1/2 depends on its rounding",
        "R/auc.R, lines 190 to 202",
        on_the_diagonal,
    ),
    Rule(
        "repeated items as hits",
        "libreco",
        "of arrays that are intersected as sets a repeated item counts as one of both, relevant or not",
        "libreco/evaluation/metrics.py, lines 85 and 98",
        repeated_item_in_sets,
    ),
    Rule(
        "miscounted labels",
        "azure_ai_evaluation",
        "the ratio of holes divides different ids by all rows, and fidelity weighs labels from 10 on as texts in order",
        "_document_retrieval.py, lines 202 to 211, 427 and 428",
        miscounted_labels,
    ),
    Rule(
        "infinite ranks",
        "rankereval",
        "where NaN counts 0, an infinite first rank counts as the largest number",
        "rankereval/metrics.py, line 104: numpy.nan_to_num",
        no_first_hit,
    ),
    Rule(
        "averaged ties",
        "trectools",
        "RBP averages the weights of consecutive rows of equal score, also of two topics",
        "trectools/trec_eval.py, lines 751 to 827",
        averaged_over_ties,
    ),
    Rule(
        "two populations",
        "trectools",
        "unjudged documents are those of the topics of the run, and are divided by the topics of the judgments",
        "trectools/trec_eval.py, lines 236 to 262",
        topics_without_ranking,
    ),
    Rule(
        "negative judgments",
        "trectools",
        "bpref does not count a document with a negative label as not relevant, and adds to the sum for it",
        "trectools/trec_eval.py, lines 538 to 601",
        negative_judgments,
    ),
    Rule(
        "equally popular items",
        "warprec_fairness",
        "a sort that is not stable decides which of equally popular items are in the head",
        "warprec/evaluation/metrics/base_metric.py, lines 118 to 140",
        divided_by_the_sort,
    ),
    Rule(
        "items of training",
        "warprec_fairness",
        "a list of k items is filled up with items of training, whose scores are all -inf, where others are too few",
        "warprec/data/ranking.py, line 405",
        reaches_training,
    ),
    Rule(
        "users without training",
        "elliot",
        "a user who is not in training is an error of the metrics of groups",
        "elliot/evaluation/metrics/fairness/reo_rsp/reo.py",
        without_training,
    ),
    Rule(
        "incomplete lists",
        "fairranktune",
        "average rank parity is an error unless every list has all items",
        "FairRankTune/Metrics/ARP.py, lines 20 to 62",
        incomplete,
    ),
    Rule(
        "topics without a list",
        "expeval",
        "the disparity of groups of a topic without a list is its greatest possible value, of the groups and documents "
        "that are relevant",
        "eval/expeval.py, lines 88 to 96; eval/metrics.py: GroupDisparity",
        topic_without_list,
    ),
    Rule(
        "lowered cutoff",
        "whylogs",
        "a cutoff beyond the longest list is lowered to its length",
        "whylogs/experimental/api/logger/__init__.py, function log_batch_ranking_metrics",
        beyond_all_lists,
    ),
    Rule(
        "one row for k",
        "lightgcn",
        "a list of one row, or none at the cutoff 1, is no error of shapes, and a row counts at each of k ranks",
        "code/utils.py, lines 238 to 257",
        one_row,
    ),
    Rule(
        "room in a slice",
        "weaviate_benchmark",
        "fewer neighbours than k are no error where the slice has room, whose zeros count as item 0",
        "benchmarker/cmd/benchmark_run.go, lines 93 to 113",
        room_in_a_slice,
    ),
    Rule(
        "nobody to refuse",
        "rs_metrics",
        "ndcg of frames without k is an error of each user, so without users there is none, and the mean is NaN",
        "rs_metrics/metrics.py: ndcg",
        refused_without_a_user,
    ),
    Rule(
        "lost lists",
        "ranx",
        "bpref gives 0 to every user who follows one without a relevant label, in the order of the ids as text",
        "ranx/metrics/bpref.py, lines 13 to 31",
        lists_lost_to_a_user_without_relevant_labels,
    ),
    Rule(
        "fractional targets",
        "torchmetrics",
        "fractional targets are summed as if they were counts, and the functional R-precision raises a TypeError",
        "torchmetrics/functional/retrieval/r_precision.py, line 51",
        fractional_targets,
    ),
]


def excuse(system: str, one: Result, identity: Identity, users: Users) -> Rule | None:
    """The rule that excuses a difference, if there is one."""
    return next((rule for rule in RULES if rule.system == system and rule.applies(one, identity, users)), None)
