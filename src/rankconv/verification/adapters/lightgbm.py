"""LightGBM: the metrics of a booster without trees, whose first scores are the scores."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter, joined
from rankconv.verification.cases import User


class LightGBM(Adapter):
    """One row per candidate and the sizes of the groups; the mean alone is given."""

    preset = "lightgbm"
    packages = ("lightgbm",)
    install = "pip install lightgbm==4.7.0"
    calls: ClassVar = {"map@k": "map, eval_at={k}", "ndcg@k": "ndcg, eval_at={k}"}

    def given(self, users: Sequence[User]) -> Sequence[User]:
        return users

    def ask(self, given: Sequence[User], call: str, k: int | None) -> float:
        import lightgbm
        import numpy as np

        grades, scores = (joined(getattr(one, column) for one in given) for column in ("grades", "scores"))
        sizes = [len(one.ranking) for one in given]
        options: dict[str, Any] = {"metric": call.partition(",")[0], "eval_at": [k]}
        data = lightgbm.Dataset(
            np.zeros((len(grades), 1)), grades, group=sizes, init_score=scores, params={"verbosity": -1}
        )
        [(_, _, value, *_)] = lightgbm.Booster({**options, "verbosity": -1}, data).eval_train()
        return float(value)
