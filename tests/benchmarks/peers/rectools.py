"""RecTools: calc_metrics, which shares what its metrics have in common."""

from typing import Any

import numpy as np

from tests.benchmarks.data import CUTOFFS, Data
from tests.benchmarks.peers.peer import METRICS, Means, Peer, main

CLASSES = dict(zip(METRICS, ("Precision", "Recall", "MAP", "MRR", "NDCG"), strict=True))


def convert(data: Data) -> tuple[Any, Any]:
    """Frames of ranked rows and of interactions."""
    import pandas as pd

    length = data.pred.shape[1]
    reco = {"user_id": np.repeat(np.arange(data.users), length), "item_id": data.pred.ravel()}
    ranks = np.tile(np.arange(1, length + 1), data.users)
    known = {"user_id": data.label_users, "item_id": data.items, "weight": np.ones(len(data.items))}
    return pd.DataFrame({**reco, "rank": ranks}), pd.DataFrame(known)


def evaluate(given: tuple[Any, Any]) -> Means:
    """Five metrics in one call."""
    from rectools import metrics

    asked = {f"{ours}@{k}": getattr(metrics, name)(k=k) for ours, name in CLASSES.items() for k in CUTOFFS}
    return metrics.calc_metrics(asked, reco=given[0], interactions=given[1])


PEER = Peer(
    "RecTools",
    "rectools",
    evaluate,
    convert,
    requirements=("rectools==0.19.0",),
    held="pandas",
    goal=20,
)

if __name__ == "__main__":
    main(PEER)
