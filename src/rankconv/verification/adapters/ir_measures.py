"""ir_measures, with its default providers."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter, LibraryResult, Takes
from rankconv.verification.adapters.pytrec_eval import dictionaries
from rankconv.verification.cases import User


class IrMeasures(Adapter):
    """Each measure goes to the first provider that can compute it."""

    preset = "ir_measures"
    packages = ("ir-measures",)
    install = "pip install ir-measures==0.4.3"
    takes = Takes(duplicates=False)
    calls: ClassVar = {
        **{"precision@k": "P@{k}", "recall@k": "R@{k}", "recall": "SetR", "f1": "SetF", "map@k": "AP@{k}", "map": "AP"},
        **{"mrr@k": "RR@{k}", "mrr": "RR", "ndcg@k": "nDCG@{k}", "ndcg": "nDCG", "hit_rate@k": "Success@{k}"},
        **{"r_precision": "Rprec", "set_precision": "SetP", "relative_precision": "SetP(relative=True)"},
    }

    def given(self, users: Sequence[User]) -> tuple[dict[str, Any], dict[str, Any]]:
        return dictionaries(users)

    def ask(self, given: tuple[dict[str, Any], dict[str, Any]], call: str, k: int | None) -> LibraryResult:
        import ir_measures

        means, values = ir_measures.calc([ir_measures.parse_measure(call)], *given)
        [mean] = means.values()
        return LibraryResult(float(mean), {value.query_id: float(value.value) for value in values})
