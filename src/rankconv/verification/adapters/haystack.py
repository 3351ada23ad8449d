"""Haystack: its document evaluators."""

from collections.abc import Sequence
from typing import ClassVar

from rankconv.verification.adapter import Adapter, LibraryResult
from rankconv.verification.cases import User


class Haystack(Adapter):
    """Lists of documents, compared by id; the caller cuts the retrieved ones."""

    preset = "haystack"
    packages = ("haystack-ai",)
    install = "pip install haystack-ai==3.4.0"
    own_environment = "it brings the clients of language models along"
    kinds: ClassVar = {
        **{"mrr": "DocumentMRREvaluator", "map": "DocumentMAPEvaluator", "ndcg": "DocumentNDCGEvaluator"},
        **{"hit_rate": "DocumentRecallEvaluator", "recall": "DocumentRecallEvaluator(mode=multi_hit)"},
        "ndcg_scores": "DocumentNDCGEvaluator, ground truth with scores",
    }
    calls: ClassVar = {**{f"{name}@k": call for name, call in kinds.items()}, **kinds}

    def given(self, users: Sequence[User]) -> Sequence[User]:
        return users

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        from haystack import Document
        from haystack.components import evaluators

        name, scored, mode = call.split(",")[0].partition("(")[0], "scores" in call, "multi_hit" in call
        options = {"mode": "multi_hit"} if mode else {}
        evaluator = getattr(evaluators, name)(document_comparison_field="id", **options)
        found = evaluator.run(
            ground_truth_documents=[
                [Document(id=item, score=grade if scored else None) for item, grade in truth.items()]
                for truth in (user.labels if scored else user.relevant for user in given)
            ],
            retrieved_documents=[[Document(id=item) for item in user.ranking[:k]] for user in given],
        )
        values = map(float, found["individual_scores"])
        return LibraryResult(float(found["score"]), dict(zip((user.name for user in given), values, strict=True)))
