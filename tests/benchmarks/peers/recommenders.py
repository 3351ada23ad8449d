"""recommenders: its evaluation in pandas, a call for each metric and each k."""

from typing import Any

from tests.benchmarks.held import scored_pandas
from tests.benchmarks.peers.peer import Means, Peer, at_each_k, main

NAMES = {"precision": "precision_at_k", "recall": "recall_at_k", "map_at_k": "map_at_k", "ndcg": "ndcg_at_k"}


def evaluate(given: tuple[Any, Any]) -> Means:
    """Four metrics."""
    from recommenders.evaluation import python_evaluation

    columns = {"col_user": "user", "col_item": "item", "col_rating": "grade", "col_prediction": "score"}
    found = {}
    for spec in at_each_k(*NAMES):
        metric, _, k = spec.partition("@")
        found[spec] = getattr(python_evaluation, NAMES[metric])(*given, **columns, k=int(k))
    return found


PEER = Peer(
    "recommenders",
    "recommenders",
    evaluate,
    scored_pandas,
    requirements=("recommenders==1.2.1", "pandas"),
    held="scored rows in pandas",
    sizes=("XS", "S"),
    goal=20,
)

if __name__ == "__main__":
    main(PEER)
