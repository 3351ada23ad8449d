"""implicit: ranking_metrics_at_k once per cutoff, with a model that returns the lists it was made of."""

from typing import Any

import numpy as np

from tests.benchmarks.data import CUTOFFS, Array, Data
from tests.benchmarks.peers.peer import Means, Peer, main

Given = tuple["Returns", Any, Any]


class Returns:
    """A model whose recommendations cost nothing."""

    def __init__(self, data: Data) -> None:
        self.data = data

    def recommend(self, users: Array, user_items: Any, N: int, **_: Any) -> tuple[Array, Array]:  # noqa: N803
        return self.data.pred[users, :N], self.data.score[users, :N]


def convert(data: Data) -> Given:
    """Sparse matrices of what was seen, which is nothing, and what is relevant."""
    import scipy.sparse as sp

    shape, starts = (data.users, data.catalogue), data.starts.astype(np.int32)
    test = sp.csr_matrix((np.ones(len(data.items)), data.items.astype(np.int32), starts), shape)
    test.sort_indices()
    return Returns(data), sp.csr_matrix(shape), test


def evaluate(given: Given) -> Means:
    """Precision, MAP and NDCG; an AUC comes with them."""
    from implicit.evaluation import ranking_metrics_at_k

    found = {k: ranking_metrics_at_k(*given, K=k, show_progress=False, num_threads=1) for k in CUTOFFS}
    return {f"{metric}@{k}": found[k][metric] for metric in ("precision", "map", "ndcg") for k in CUTOFFS}


PEER = Peer(
    "implicit",
    "implicit",
    evaluate,
    convert,
    requirements=("implicit==0.7.3",),
    goal=2.5,
)

if __name__ == "__main__":
    main(PEER)
