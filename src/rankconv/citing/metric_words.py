"""What the metrics and their answers say in a sentence of a paper."""

from rankconv.citing.list_words import Words

METRICS: dict[str, tuple[str, str]] = {
    "precision": ("precision", "{hit-worth} {here} divided by {precision-denominator}"),
    "recall": ("recall", "{hit-worth} {here} divided by {recall-denominator}"),
    "f": (
        "F",
        "the weighted harmonic mean of precision ({hit-worth} {here} divided by "
        "{precision-denominator}) and recall (the same number divided by {recall-denominator})",
    ),
    "hit_rate": ("hit rate", "1 if {hit-by}, and 0 otherwise"),
    "hit_count": ("hit count", "{hit-worth} {here}"),
    "r_precision": (
        "R-precision",
        "the number of relevant items down to the rank that equals {r-precision-at}, divided by "
        "{r-precision-denominator}",
    ),
    "average_precision": (
        "average precision",
        "the sum of the precisions at the ranks of the relevant items {here}, divided by {ap-denominator}",
    ),
    "reciprocal_rank": ("reciprocal rank", "{rr-over}"),
    "cg": ("cumulative gain", "the sum of the gains of the items {here}"),
    "dcg": ("DCG", "the sum of the discounted gains of the items {here}"),
    "ideal_dcg": ("ideal DCG", "the sum of the discounted gains of an ideal list"),
    "ndcg": (
        "nDCG",
        "the sum of the discounted gains of the items {here} (DCG), divided by that of an ideal list",
    ),
    "scaled_dcg": (
        "scaled DCG",
        "the sum of the discounted gains of the items {here}, divided by that of {as_many} items of gain 1",
    ),
    "gain_mean": ("mean gain", "the sum of the gains of the items {here}, divided by {gain-denominator}"),
    "discounted_gain": ("discounted gain", "the discounted gain of the item at {rank}"),
    "err": (
        "expected reciprocal rank",
        "the expected value of 1/rank at which a reader stops who goes down the items {here} and is satisfied by each "
        "with a probability that is its gain",
    ),
    "pfound": (
        "pFound",
        "the probability that a reader who goes down the items {here} finds one that satisfies him, each doing so with "
        "a probability that is its gain",
    ),
    "rbp": (
        "rank-biased precision",
        "the sum of the gains of the items {here}, the one at rank j weighted by p^(j-1), {rbp-norm}",
    ),
    "rbp_residual": (
        "residual of rank-biased precision",
        "the sum of p^(j-1) over the ranks j of the items {here} that were not judged, times 1 - p, and p^n for the "
        "ranks below the n rows read; it is 0 where all of these were judged",
    ),
    "auc": ("AUC", "the share of the compared pairs of rows {here} that stand in the right order"),
    "label_ranking_loss": (
        "label ranking loss",
        "the share of the pairs of a relevant row and another one {here} in which the other one has the same score or "
        "a higher one",
    ),
    "pr_auc": ("area under the precision-recall curve", "the area under precision over recall of the items {here}"),
    "auc_extrapolated": (
        "extrapolated AUC",
        "the share of the pairs of a relevant item and another one of the catalogue that stand in the right order, "
        "where relevant and other items that do not stand {here} are taken to alternate evenly",
    ),
    "auc_by_rank": (
        "AUC by rank",
        "the share of the catalogue's items that are not relevant and do not stand above a relevant item, summed over "
        "the relevant items {here} and divided by the number of relevant labels",
    ),
    "auc_of_ranked": (
        "AUC of ranked items",
        "the sum over the relevant items {here} of (N - rank + 1 + relevant items above) / N, N being one more than "
        "the items of the catalogue that are not relevant, divided by {auc-denominator}",
    ),
    "partial_auc": (
        "partial AUC",
        "the share of the pairs of {partial-positives} and one of the first {ranks} items that are not relevant in "
        "which the relevant one stands above",
    ),
    "percentile_rank": (
        "percentile rank",
        "the mean over the relevant labels of (rank - 1) / (items of the catalogue), in per cent, where an item that "
        "does not stand {here} stands half way between the end of the list and that of the catalogue",
    ),
    "bpref": (
        "bpref",
        "the sum over the relevant items {here} of 1 less min(m, R) / {bpref-denominator}, divided by R, where m is "
        "the number of judged items above that are not relevant, R the number of relevant labels and N the number of "
        "labels that are not relevant",
    ),
    "inferred_ap": (
        "inferred average precision",
        "the precision to be expected at each relevant item {here} if the pool were judged as its judged sample was, "
        "summed and divided by the number of relevant labels",
    ),
    "judged_share": ("share of judged items", "the number of judged items {here} divided by {unjudged-denominator}"),
    "unjudged_share": (
        "share of unjudged items",
        "the number of items {here} without a judgment, divided by {unjudged-denominator}",
    ),
    "interpolated_precision": (
        "interpolated precision",
        "the {interpolation} the rank {here} at which recall reaches {recall-level}, and 0 if it never does",
    ),
    "eleven_point": (
        "eleven-point average precision",
        "the mean of the precisions of the list, read {here}, interpolated at recall 0, 0.1, …, 1",
    ),
    "bin_g": (
        "binary G",
        "the sum over the relevant items {here} of 1 / log2(2 + other items above), divided by the number of relevant "
        "labels",
    ),
    "g_measure": (
        "G",
        "the sum over the items {here} of the grade divided by log2(2 + what the ideal list has gained down to that "
        "rank and this one has not), divided by the sum of the grades of all labels",
    ),
    "ndcg_rel": (
        "nDCG at relevant ranks",
        "the mean over the labels with a gain of DCG / ideal DCG at the rank of the item, or of the whole list where "
        "it was missed",
    ),
    "rndcg": (
        "Rndcg",
        "the mean of DCG / ideal DCG above the ranks at which the gain of the ideal list changes",
    ),
    "compat": (
        "compatibility",
        "the rank-biased overlap of the list with the ideal list, divided by that of the ideal list with itself",
    ),
    "set_map": (
        "set average precision",
        "the precision of the items {here} times their recall",
    ),
    "utility": ("utility", "the number of relevant items {here} less that of the other ones"),
    "yaap": (
        "YAAP",
        "ln((1 + s) / (1 + R - s)), where s is the sum of the precisions at the ranks of the relevant items {here} and "
        "R the number of relevant labels",
    ),
    "fall_out": (
        "fall-out",
        "the number of items {here} that are not relevant, divided by the number of labels that are not",
    ),
    "accuracy": (
        "accuracy",
        "the share of the catalogue that was rightly chosen or rightly left out, the choice being {choice}",
    ),
    "mcc": (
        "Matthews' correlation",
        "the correlation of what was chosen with what is relevant over the catalogue, the choice being {choice}",
    ),
    "count": ("count", "the number of {of}"),
    "first_rank": ("first rank", "the rank of the first relevant item {here}"),
    "coverage_error": ("coverage error", "the rank of the last relevant item {here}"),
    "mean_position": ("mean position", "the mean of the ranks of the items {here}, weighted by their grades"),
    "summed_over_ranks": (
        "average over ranks",
        "the sum of {term} at each rank {down_to}, whether there is a relevant item or not, divided by "
        "{ap-denominator}",
    ),
    "summed_over_table": (
        "average over table rows",
        "the sum of {term} at each rank {down_to} of whose rows the one given last is relevant, divided by "
        "{ap-denominator}",
    ),
}
"""The name of each metric, and what it is of one user. In braces stand answers, and the words of the cutoff."""

DIVISORS = {
    "k": "{k}",
    "length": "the length of the list",
    "relevant": "the number of relevant labels",
    "hits": "the number of relevant items found",
    "labels-above": "the number of labels with a grade above {level}",
    "relevant-grades": "the sum of the grades of the relevant labels",
    "one": "1",
    "rank-read": "that rank",
    "last-hit": "the rank of the last relevant item",
    "multiple": "{of} times the number of relevant labels, rounded up from a tenth on",
}
"""What the answers to all questions of divisors are called."""

IN_PLACE: Words = {
    "hit-by": {
        "hits": "at least one relevant item stands {here}",
        "grade-sum": "the grades of the items {here} sum to more than 0",
    },
    "hit-worth": {"one": "the number of relevant items", "grade": "the sum of the grades of the relevant items"},
    "rr-over": {
        "first-hit": "1/rank of the first relevant item {here}, and 0 without one",
        "hits": "the mean of 1/rank over the relevant items {here}",
        "relevant": "the sum of 1/rank over the relevant items {here}, divided by the number of relevant labels",
        "sum": "the sum of 1/rank over the relevant items {here}",
    },
    "rbp-norm": {
        "none": "times 1 - p",
        "ideal": "divided by the same sum of a list of relevant items, as many as there are",
    },
    "partial-positives": {
        "all": "a relevant item",
        "first-k": "one of the first {ranks} relevant items returned",
    },
    "bpref-denominator": {"min": "min(R, N)", "relevant": "R"},
    "interpolation": {"best-from-there": "highest precision at or below", "none": "precision at"},
    "recall-level": {"a number": "{value}"},
    "of": {
        "retrieved": "rows {here}",
        "relevant": "relevant labels",
        "hits": "relevant items {here}",
        "judged-non-relevant": "items {here} that were judged and are not relevant",
        "users": "users",
    },
    "term": {"precision": "precision", "recall": "recall"},
}
"""Answers that stand inside the sentence of the metric."""

PARTS: Words = {
    "gain": {
        "grade": "an item gains its grade",
        "exponential": "an item of grade g gains 2^g - 1",
        "binary": "a relevant item gains 1 and any other 0",
        "exponential-above-level": "an item whose grade g reaches the level of relevance l gains 2^(g - l + 1) - 1, "
        "and any other 0",
        "share": "an item of grade g gains min(g, {highest})/{highest}",
        "exponential-share": "an item of grade g gains (2^g - 1)/2^{highest}",
        "table": "grades gain {levels}, and any other grade itself",
    },
    "discount": {
        "log": "the gain at rank j is divided by {log}(j + {shift})",
        "log-from-base": "the gain at a rank j above {base} is divided by {log}(j)",
        "reciprocal": "the gain at rank j is divided by j",
    },
    "ideal": {
        "labels": "the ideal list holds all known labels by falling gain",
        "catalogue": "the ideal list holds all items by falling gain, where those without a label gain 0 and stand "
        "before any of negative gain",
        "labels-as-given": "the ideal list holds all known labels in the order given, not sorted",
        "returned-in-k": "the ideal list holds the items {here} by falling gain",
        "ones": "the ideal list holds {as_many} items of gain 1, whatever the labels",
    },
    "ideal-cut": {
        "k": "the ideal list is cut at rank {k}",
        "none": "the ideal list is not cut",
        "length": "the ideal list is cut at {shorter}",
    },
    "lower-bound": {"worst": "the DCG of the worst list is subtracted from both"},
    "cutoff-scope": {"divisors-only": "the cutoff {k} concerns divisors and ideal lists alone; lists are read whole"},
    "beta": {"a number": "beta is {value}"},
    "beta-enters": {"squared": "beta enters squared", "plain": "beta enters as it is, not squared"},
    "f-part-undefined": {
        "formula": "F is undefined where precision or recall is",
        "a number": "a precision or recall of 0/0 is taken for {value}",
    },
    "persistence": {"a number": "p is {value}"},
    "decay": {"a number": "he goes on after an item that did not satisfy him with probability {value}"},
    "rbp-scale": {"highest-grade": "gains are divided by the user's highest grade if that is above 1"},
    "pairs": {
        "relevant": "each relevant row is compared with each other row",
        "fractional": "each row is compared with each, as the better one by its grade g and as the worse one by 1 - g",
        "grades": "each row is compared with each row of a lower grade",
        "all": "each row is compared with each row after it by falling grade, also with those of the same grade",
    },
    "tied-pairs": {
        "half": "a pair of equal scores is half right",
        "wrong": "a pair of equal scores is wrong",
        "by-place": "the ranks decide about a pair, and not the scores",
    },
    "between-thresholds": {
        "hyperbola": "between two thresholds misses grow in proportion to hits",
        "line": "between two thresholds precision runs on a straight line, which starts from 1 at no recall",
    },
    "bpref-none-above": {"a number": "a relevant item without such an item above is worth {value}"},
    "bpref-inner-undefined": {"a number": "0/0 in that sum is {value}", "nan": "0/0 in that sum is NaN"},
    "judged-by": {
        "own-labels": "an item is judged if the user himself has a label for it",
        "any-labels": "an item is judged if any user has a label for it",
    },
    "recall-rounding": {
        "nearest": "a recall of x asks for xR hits, rounded",
        "up-0.9": "a recall of x asks for xR hits, rounded up from a tenth on",
        "up": "a recall of x asks for xR hits, rounded up",
    },
    "compat-weight": {"a number": "each depth of the overlap weighs {value} times the one above"},
    "compat-order": {
        "rank": "labels of equal grade stand in the ideal list as in the list itself",
        "score": "labels of equal grade stand in the ideal list by falling score",
    },
}
"""Answers that follow the sentence of the metric."""

NOT_DONE: Words = {
    "lower-bound": {"zero": "lower bound"},
    "cutoff-scope": {"list-and-divisors": ""},
    "rbp-scale": {"none": "scaling of gains"},
    "bpref-none-above": {"formula": ""},
}
"""Answers that change nothing: what is not done; nothing where even that would say too much."""
