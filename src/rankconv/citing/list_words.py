"""What the answers of judging say in a sentence of a paper."""

Words = dict[str, dict[str, str]]
"""By question and answer; parameters of the answer stand in braces."""

LABELS: Words = {
    "relevant": {
        "above": "a label is relevant if its grade is above {level}",
        "at-least": "a label is relevant if its grade is at least {level}",
        "non-zero": "a label is relevant unless its grade is 0",
        "any-label": "every label is relevant, whatever its grade",
        "highest": "only labels with the user's highest grade are relevant",
    },
    "known": {
        "labels": "all labels of a user are known, also those of items that were not returned",
        "relevant": "only the relevant labels are known",
        "rows": "the known labels are those of the rows of the list, where an item without one has grade 0",
        "joined": "a label is known once for each row that holds its item, and once if none does",
    },
    "grades": {
        "integer": "grades are cut to whole numbers, towards zero",
        "binary": "a grade above 0 is read as 1, and any other as 0",
    },
    "negative": {
        "grade": "a negative grade is a grade like any other",
        "zero": "a negative grade counts as 0",
        "unjudged": "an item with a negative grade counts as unjudged",
        "in-pool": "an item with a negative grade counts as pooled and unjudged",
        "absent": "an item with a negative grade is padding, and is taken out of labels and list",
        "last": "an item of grade -1 gets grade 0 and stands last, in the list and in the ideal list",
        "error": "a negative grade is not allowed",
    },
    "grades-allowed": {
        "binary": "grades other than 0 and 1 are not allowed",
        "unit-interval": "grades outside 0 to 1 are not allowed",
        "integer": "grades that are not whole numbers{or_above} are not allowed",
    },
    "duplicate-labels": {
        "one": "of several labels for one item the last counts",
        "counted": "several labels for one item all count",
        "error": "a second label for an item is not allowed",
    },
}

LISTS: Words = {
    "drop": {
        "same-id-as-user": "an item whose id is that of the user is taken out of the list",
        "seen": "items that the user had seen before are taken out of the list",
    },
    "candidates": {
        "with-missed": "labelled items that were not returned are appended in the order of the labels{and_shifted}",
        "labelled-only": "items without a label are taken out of the list",
        "catalogue": "all other items of the catalogue follow at the end of the list, tied",
        "padded": "a list shorter than the cutoff is filled up with items that are not relevant",
        "at-least-one": "an empty list gets one item that is not relevant",
    },
    "duplicates": {
        "each": "every occurrence of a repeated item counts",
        "once": "a repeated item counts where it stands first, and its later places are misses",
        "first-row": "of a repeated item the first row is kept",
        "last-row": "of a repeated item the last row is kept",
        "set": "of a repeated item the first row is kept, once the list has been cut",
        "pairs": "every pair of the rows of a repeated item counts",
        "error": "a list that repeats an item is not allowed",
    },
    "order": {"given": "lists are judged in the order given", "score": "lists are ordered by falling score"},
    "score-width": {"float32": "scores are compared in single precision"},
    "ties": {
        "given": "items of equal score keep the order given",
        "reversed": "items of equal score stand in the reverse of the order given",
        "item-ascending": "items of equal score are ordered by their ids as text, rising",
        "item-descending": "items of equal score are ordered by their ids as text, falling",
        "number-descending": "items of equal score are ordered by their ids as numbers, falling",
        "relevant-first": "items of equal score stand by falling grade, the best order for them",
        "relevant-last": "items of equal score stand by rising grade, the worst order for them",
        "averaged": "the metric is averaged over all orders of items of equal score",
        "shared": "items of equal score share the {at} of their ranks",
        "undefined": "the order of items of equal score is left open, and they keep the order given",
    },
    "unjudged": {
        "not-relevant": "an item without a label is not relevant",
        "removed-before-depth": "items without a label are removed before the list is cut",
        "removed-after-depth": "items without a label are removed after the list was cut to its depth",
    },
    "depth": {
        "cutoff": "rows below the cutoff are taken off before anything is computed",
        "a number": "only the first {value} rows of a list are read",
    },
    "regroup": {"sigmoid32": "scores outside 0 to 1 pass a sigmoid in single precision, after which some are equal"},
    "score-gate": {"positive": "a relevant item is a hit only if its score is above 0"},
    "lists": {"pooled": "the judged lists of all users are put together into one, by falling score"},
}

NOT_DONE: Words = {
    "grades": {"given": "conversion of grades"},
    "grades-allowed": {"any": "limit on grades"},
    "drop": {"nothing": "item taken out beforehand"},
    "candidates": {"returned": "item added to a list"},
    "score-width": {"float64": "rounding of scores"},
    "depth": {"none": "other limit of depth"},
    "regroup": {"none": "change of scores"},
    "score-gate": {"none": "threshold on scores"},
    "lists": {"per-user": "pooling of lists"},
    "round-user": {"none": "rounding of a user's value"},
    "round-mean": {"none": "rounding of the mean"},
}
"""Answers that change nothing: what is not done."""
