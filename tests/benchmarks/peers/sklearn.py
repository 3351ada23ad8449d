"""scikit-learn: ndcg_score of dense arrays, one call for each cutoff."""

from typing import Any

from tests.benchmarks.data import CUTOFFS
from tests.benchmarks.held import dense
from tests.benchmarks.peers.peer import Means, Peer, main


def evaluate(given: tuple[Any, Any]) -> Means:
    """One metric."""
    from sklearn.metrics import ndcg_score

    return {f"ndcg@{k}": ndcg_score(*given, k=k) for k in CUTOFFS}


PEER = Peer(
    "scikit-learn",
    "sklearn",
    evaluate,
    lambda given: given,
    dense,
    requirements=("scikit-learn==1.9.1",),
    held="dense arrays",
    goal=4,
)

if __name__ == "__main__":
    main(PEER)
