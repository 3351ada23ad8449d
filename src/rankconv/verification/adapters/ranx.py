"""ranx: Qrels and Run, and one name per metric."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter, LibraryResult, Takes
from rankconv.verification.cases import User


class Ranx(Adapter):
    """Dictionaries; a Run keeps the order of ties up to 15 rows only, so lists are no longer."""

    preset = "ranx"
    packages = ("ranx",)
    install = "pip install ranx==0.3.21"
    own_environment = "numba allows only some versions of numpy, and the first run compiles for a minute or two"
    takes = Takes(duplicates=False, longest=15)
    at_k: ClassVar = ("precision", "recall", "f1", "map", "mrr", "ndcg", "ndcg_burges", "dcg", "dcg_burges", "hits")
    calls: ClassVar = {
        **{f"{name}@k": f"{name}@{{k}}" for name in (*at_k, "hit_rate")},
        **{name: name for name in (*at_k, "hit_rate")},
        "r_precision": "r-precision",
    }

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        from ranx import Qrels, Run

        run = {user.name: dict(zip(user.ranking, user.scores, strict=True)) for user in users if user.ranking}
        return Qrels({user.name: dict(user.labels) for user in users if user.labels}), Run(run)

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> LibraryResult:
        from ranx import evaluate

        mean = evaluate(*given, call, make_comparable=True)
        return LibraryResult(float(mean), {user: float(value) for user, value in given[1].scores[call].items()})
