"""implicit: ranking_metrics_at_k, with a model that returns the given lists."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter
from rankconv.verification.cases import User


class Implicit(Adapter):
    """Sparse matrices and a model; the means alone are given, and a short list is filled with -1.

    The catalogue has one item more than the case: with every metric an AUC is computed, which divides by the items
    that are not relevant.
    """

    preset = "implicit"
    packages = ("implicit",)
    install = "pip install implicit==0.7.3"
    calls: ClassVar = {
        "precision@k": "ranking_metrics_at_k(K={k})['precision']",
        "map@k": "ranking_metrics_at_k(K={k})['map']",
        "ndcg@k": "ranking_metrics_at_k(K={k})['ndcg']",
    }

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        import numpy as np
        import scipy.sparse as sp

        code = {item: place for place, item in enumerate({i: 0 for u in users for i in (*u.ranking, *u.labels)})}
        rows = [(place, code[item]) for place, user in enumerate(users) for item in user.relevant]
        who, what = np.array(rows, np.int64).reshape(-1, 2).T
        test = sp.csr_matrix((np.ones(len(rows)), (who, what)), shape=(len(users), len(code) + 1))
        return _Given([[code[item] for item in user.ranking] for user in users]), test

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> float:
        from implicit.evaluation import ranking_metrics_at_k

        model, test = given
        name = call.split("'")[1]
        return float(ranking_metrics_at_k(model, test * 0, test, K=k, show_progress=False, num_threads=1)[name])


class _Given:
    """A model that returns the lists it was made of."""

    def __init__(self, lists: list[list[int]]) -> None:
        self.lists = lists

    def recommend(self, users: Any, user_items: Any, N: int) -> tuple[Any, Any]:  # noqa: N803
        import numpy as np

        ids = np.array([(self.lists[user] + [-1] * N)[:N] for user in users], np.int32)
        return ids, np.zeros(ids.shape, np.float32)
