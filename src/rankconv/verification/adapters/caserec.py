"""Case Recommender: its evaluation of item recommendation."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter
from rankconv.verification.cases import User


class CaseRec(Adapter):
    """Dictionaries of scores in the order of the list, and of relevant items; the mean alone is given, rounded."""

    preset = "caserec"
    packages = ("CaseRecommender", "caserecommender")
    install = "pip install 'numpy<2' caserecommender==1.1.1"
    own_environment = "it needs numpy below 2, so Python up to 3.12"
    names: ClassVar = {"precision": "PREC", "recall": "RECALL", "map": "MAP", "ndcg": "NDCG"}
    calls: ClassVar = {f"{name}@k": f"{called}@{{k}}" for name, called in names.items()}

    def given(self, users: Sequence[User]) -> Any:
        tested = [user for user in users if user.relevant]
        return (
            {user.name: dict(zip(user.ranking, user.scores, strict=True)) for user in tested if user.ranking},
            {
                "users": [user.name for user in tested],
                "items_seen_by_user": {user.name: set(user.relevant) for user in tested},
            },
        )

    def ask(self, given: Any, call: str, k: int | None) -> float:
        from caserec.evaluation.item_recommendation import ItemRecommendationEvaluation

        return float(ItemRecommendationEvaluation(n_ranks=[k], verbose=False).evaluate(*given)[call])
