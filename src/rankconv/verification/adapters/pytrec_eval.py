"""pytrec_eval: trec_eval 9, called with dictionaries."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter, LibraryResult, NotGiven, Takes
from rankconv.verification.cases import User


def dictionaries(users: Sequence[User]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Qrels and run of the users that have them; whole grades are integers there, and others are for it to refuse."""
    if any(user.labels and max(user.labels.values()) < 0 for user in users):
        raise NotGiven("where all judgments of a user are negative, ndcg may never return")
    whole = {user.name: {i: int(g) if g == int(g) else g for i, g in user.labels.items()} for user in users}
    run = {user.name: dict(zip(user.ranking, user.scores, strict=True)) for user in users if user.ranking}
    return {name: labels for name, labels in whole.items() if labels}, run


class PytrecEval(Adapter):
    """Only users of both dictionaries are returned."""

    preset = "pytrec_eval"
    packages = ("pytrec-eval-terrier",)
    install = "pip install pytrec-eval-terrier==0.5.11"
    takes = Takes(duplicates=False)
    cut: ClassVar = {"precision": "P", "recall": "recall", "map": "map_cut", "ndcg": "ndcg_cut", "hit_rate": "success"}
    whole: ClassVar = {"map": "map", "ndcg": "ndcg", "mrr": "recip_rank", "r_precision": "Rprec", "f1": "set_F"}
    calls: ClassVar = {f"{name}@k": f"{measure}_{{k}}" for name, measure in cut.items()} | whole

    def given(self, users: Sequence[User]) -> tuple[dict[str, Any], dict[str, Any]]:
        return dictionaries(users)

    def ask(self, given: tuple[dict[str, Any], dict[str, Any]], call: str, k: int | None) -> LibraryResult:
        import pytrec_eval

        found = pytrec_eval.RelevanceEvaluator(given[0], {call}).evaluate(given[1])
        per_user = {user: values[call] for user, values in found.items()}
        return LibraryResult(float(pytrec_eval.compute_aggregated_measure(call, list(per_user.values()))), per_user)
