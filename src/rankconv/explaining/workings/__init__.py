"""How each metric is worked out, one file per family as in `metrics`. Importing the package registers them."""

from rankconv.explaining.workings import (
    auc,
    auc_kinds,
    gain,
    hits,
    judged,
    overlap,
    position,
    pr_auc,
    ranks,
    reader,
    recall_levels,
    sets,
    summed,
    trec,
)
