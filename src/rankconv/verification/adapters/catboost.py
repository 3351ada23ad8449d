"""CatBoost: eval_metric of labels, scores and group ids."""

from collections.abc import Sequence
from typing import ClassVar

from rankconv.verification.adapter import Adapter, NotGiven, joined
from rankconv.verification.cases import User


class CatBoost(Adapter):
    """One row per candidate; the mean alone is given."""

    preset = "catboost"
    packages = ("catboost",)
    install = "pip install catboost==1.2.10"
    names: ClassVar = {
        **{"precision": "PrecisionAt", "recall": "RecallAt"},
        **{"map": "MAP", "mrr": "MRR", "ndcg": "NDCG", "dcg": "DCG"},
    }
    calls: ClassVar = {
        **{f"{name}@k": f"{called}:top={{k}}" for name, called in names.items()},
        **names,
    }

    def given(self, users: Sequence[User]) -> Sequence[User]:
        if not any(user.ranking for user in users):
            raise NotGiven("without any row, eval_metric ends the process")
        return users

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        from catboost.utils import eval_metric

        grades, scores = (joined(getattr(one, column) for one in given) for column in ("grades", "scores"))
        groups = [place for place, one in enumerate(given) for _ in one.scores]
        [value] = eval_metric(grades, scores, call, group_id=groups)
        return float(value)
