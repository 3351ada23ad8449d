"""LensKit: classes of lenskit.metrics, over collections of lists."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter, LibraryResult
from rankconv.verification.cases import User


class LensKit(Adapter):
    """One output list per user, and the relevant test items of those that have some."""

    preset = "lenskit"
    packages = ("lenskit",)
    install = "pip install lenskit==2026.4.0"
    own_environment = (
        "it needs Python 3.12.5 or newer, and brings torch: install its CPU build first where you have no GPU"
    )
    names: ClassVar = {"precision": "Precision", "recall": "Recall", "map": "AveragePrecision", "mrr": "RecipRank"}
    classes: ClassVar = {**names, "ndcg": "NDCG", "hit_rate": "Hit", "dcg": "DCG"}
    calls: ClassVar = {
        **{f"{name}@k": f"{called}(n={{k}})" for name, called in classes.items()},
        **{name: f"{called}()" for name, called in classes.items()},
    }

    def given(self, users: Sequence[User]) -> tuple[Any, Any]:
        from lenskit.data import ItemList, ItemListCollection

        lists = {user.name: ItemList(list(user.ranking), ordered=True) for user in users}
        tests = {user.name: ItemList(list(user.relevant)) for user in users if user.relevant}
        return (
            ItemListCollection.from_dict(lists, key="user_id"),
            ItemListCollection.from_dict(tests, key="user_id"),
        )

    def ask(self, given: tuple[Any, Any], call: str, k: int | None) -> LibraryResult:
        from lenskit.metrics import RunAnalysis, ranking

        analysis = RunAnalysis()
        analysis.add_metric(getattr(ranking, call.partition("(")[0])(k), label="one")
        found = analysis.measure(*given)
        values = found.list_metrics(fill_missing=False)["one"]
        return LibraryResult(float(found.list_summary().loc["one", "mean"]), {u: float(v) for u, v in values.items()})
