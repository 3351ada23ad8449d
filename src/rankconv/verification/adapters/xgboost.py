"""XGBoost: the metrics of a booster without trees, whose margins are the scores."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter, joined
from rankconv.verification.cases import User


class XGBoost(Adapter):
    """One row per candidate and the sizes of the groups; the mean alone is given."""

    preset = "xgboost"
    packages = ("xgboost", "xgboost-cpu")
    install = "pip install xgboost-cpu==3.2.0"
    calls: ClassVar = {
        **{
            f"{name}@k": f"{called}@{{k}}"
            for name, called in {"precision": "pre", "map": "map", "ndcg": "ndcg"}.items()
        },
        **{"precision": "pre", "map": "map", "ndcg": "ndcg"},
    }

    def given(self, users: Sequence[User]) -> Any:
        import numpy as np
        import xgboost

        grades = joined(one.grades for one in users)
        data = xgboost.DMatrix(np.zeros((len(grades), 1)), grades)
        data.set_group([len(one.ranking) for one in users])
        data.set_base_margin(joined(one.scores for one in users))
        return data

    def ask(self, given: Any, call: str, k: int | None) -> float:
        import xgboost

        booster = xgboost.Booster({"objective": "rank:ndcg", "eval_metric": call, "base_score": 0}, [given])
        return float(booster.eval(given).rpartition(":")[2])
