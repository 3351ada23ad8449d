"""TorchMetrics 1.9.0: the functions of `torchmetrics.functional.retrieval`, on tensors and on arrays.

    from rankconv.compat.torchmetrics import retrieval_normalized_dcg   # was: from torchmetrics.functional import …
    retrieval_normalized_dcg(preds, target, top_k=10)

The rankconv way, for many queries at once and without a mean by hand:

    rc.evaluate(labels, run, "ndcg@10", preset="torchmetrics")           # as its classes
    rc.metric("ndcg@10", preset="torchmetrics")(rc.grouped(target, preds, query_id=indexes))

What may surprise, and is kept: AP is divided by the hits in the top k; in AP, reciprocal rank, precision and recall
an item with a score of 0 or below is never a hit; targets from 0 to 1 are summed as they are by precision and recall;
a query without a relevant item gives 0; `retrieval_fall_out` gives 0 where all are relevant.

What differs here: tensors are read in single precision, as there, values computed in double precision and rounded at
the end, on the device of `preds`; tied scores keep their order, where PyTorch's sort is not stable; R-precision,
fall-out and AUROC refuse targets that are fractions, and all refuse scores that are NaN or infinite; `max_fpr` of
AUROC and the classes of `torchmetrics.retrieval` are not offered. Instead of a class, see the two lines above.
"""

from typing import Any

import numpy as np

from rankconv import grouped
from rankconv.compat.queries import WrongValue, of, refused_as

__all__ = [
    "retrieval_auroc",
    "retrieval_average_precision",
    "retrieval_fall_out",
    "retrieval_hit_rate",
    "retrieval_normalized_dcg",
    "retrieval_precision",
    "retrieval_r_precision",
    "retrieval_recall",
    "retrieval_reciprocal_rank",
]
PRESET = "torchmetrics-functional"


def retrieval_average_precision(preds: Any, target: Any, top_k: int | None = None) -> Any:
    """Compute the average precision of one query: `torchmetrics-functional:map@k`, in 0 to 1.

    `preds` are scores and `target` labels, shape (items,). All functions here raise WrongValue, a ValueError.

    >>> retrieval_average_precision([0.2, 0.3, 0.5], [True, False, True])
    0.8333333333333333
    """
    return _value("map", preds, target, top_k or None)


def retrieval_reciprocal_rank(preds: Any, target: Any, top_k: int | None = None) -> Any:
    """Compute the reciprocal rank: `torchmetrics-functional:mrr@k`; arrays of shape (items,).

    >>> retrieval_reciprocal_rank([0.2, 0.3, 0.5], [False, True, False])
    0.5
    """
    return _value("mrr", preds, target, top_k or None)


def retrieval_precision(preds: Any, target: Any, top_k: int | None = None, adaptive_k: bool = False) -> Any:
    """Compute precision: `torchmetrics-functional:precision@k`; arrays of shape (items,).

    >>> retrieval_precision([0.2, 0.3, 0.5], [True, False, True], top_k=2)
    0.5
    """
    if not isinstance(adaptive_k, bool):
        raise WrongValue("`adaptive_k` has to be a boolean")
    return _value("precision_adaptive" if adaptive_k else "precision", preds, target, top_k)


def retrieval_recall(preds: Any, target: Any, top_k: int | None = None) -> Any:
    """Compute recall: `torchmetrics-functional:recall@k`; shape (items,)."""
    return _value("recall", preds, target, top_k)


def retrieval_hit_rate(preds: Any, target: Any, top_k: int | None = None) -> Any:
    """Compute the hit rate: `torchmetrics-functional:hit_rate@k`, 0 or 1; arrays of shape (items,)."""
    return _value("hit_rate", preds, target, top_k)


def retrieval_fall_out(preds: Any, target: Any, top_k: int | None = None) -> Any:
    """Compute fall-out: `torchmetrics-functional:fall_out@k`; shape (items,)."""
    return _value("fall_out", preds, target, top_k)


def retrieval_normalized_dcg(preds: Any, target: Any, top_k: int | None = None) -> Any:
    """Compute NDCG: `torchmetrics-functional:ndcg@k`, in 0 to 1; arrays of shape (items,).

    >>> round(retrieval_normalized_dcg([0.1, 0.2, 0.3, 4.0, 70.0], [10, 0, 0, 1, 5]), 4)
    0.6957
    """
    return _value("ndcg", preds, target, top_k, binary=False)


def retrieval_r_precision(preds: Any, target: Any) -> Any:
    """Compute R-precision: `torchmetrics-functional:r_precision`; (items,)."""
    return _value("r_precision", preds, target, None)


def retrieval_auroc(preds: Any, target: Any, top_k: int | None = None, max_fpr: float | None = None) -> Any:
    """Compute the area under the ROC curve: `torchmetrics-functional:auc@k`; arrays of shape (items,)."""
    if max_fpr is not None:
        raise WrongValue("max_fpr is not offered", where="retrieval_auroc", do="Leave it out.")
    return _value("auc", preds, target, top_k or None)


def _value(metric: str, preds: Any, target: Any, top_k: int | None, *, binary: bool = True) -> Any:
    """The number of one query, as a tensor where `preds` is one."""
    scores, grades = _array(preds), _array(target)
    _check(scores, grades, binary)
    if top_k is not None and (not isinstance(top_k, int) or top_k < 1):
        raise WrongValue(f"`top_k` has to be a positive integer or None, and is {top_k!r:.50}")
    with refused_as(WrongValue):
        rows = grouped(grades.ravel().astype(float), scores.ravel())
        number = of(PRESET, metric, top_k)(rows)
    return preds.float().new_tensor(float(number)) if hasattr(preds, "new_tensor") else number


def _array(values: Any) -> Any:
    """An array; of tensors of fractions one in single precision, as TorchMetrics reads them, whatever theirs is."""
    if not hasattr(values, "detach"):
        return np.asarray(values)
    return (values.float() if values.is_floating_point() else values).detach().cpu().numpy()


def _check(scores: Any, grades: Any, binary: bool) -> None:
    if scores.shape != grades.shape:
        raise WrongValue("`preds` and `target` must be of the same shape")
    if not scores.size or not scores.ndim:
        raise WrongValue("`preds` and `target` must be non-empty and non-scalar tensors")
    if grades.dtype.kind not in "bif":
        raise WrongValue("`target` must be a tensor of booleans, integers or floats")
    if scores.dtype.kind != "f":
        raise WrongValue("`preds` must be a tensor of floats")
    if binary and (grades.max() > 1 or grades.min() < 0):
        raise WrongValue("`target` must contain `binary` values")
