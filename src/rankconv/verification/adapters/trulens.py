"""TruLens: ground truth agreement of retrieved chunks."""

from collections.abc import Sequence
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter, LibraryResult, one_by_one
from rankconv.verification.cases import User


class TruLens(Adapter):
    """A golden set of chunks with scores, and the chunks retrieved; the mean over the records leaves NaN out."""

    preset = "trulens"
    packages = ("trulens-feedback",)
    install = "pip install trulens-feedback==2.16.0"
    own_environment = "it installs a database and a dashboard; no language model is called"
    names: ClassVar = {"precision": "precision_at_k", "recall": "recall_at_k", "hit_rate": "ir_hit_rate"}
    functions: ClassVar = {**names, "ndcg": "ndcg_at_k"}
    calls: ClassVar = {**{f"{name}@k": called for name, called in functions.items()}, **functions, "mrr": "mrr"}
    scores: ClassVar = False
    judged: ClassVar = False

    def given(self, users: Sequence[User]) -> tuple[Any, Sequence[User]]:
        from trulens.feedback.groundtruth import GroundTruthAgreement

        golden = [
            {
                "query": user.name,
                "expected_chunks": [{"text": item, "expect_score": grade} for item, grade in of.items()],
            }
            for user, of in ((user, user.labels if self.judged else user.relevant) for user in users)
        ]
        return GroundTruthAgreement.model_construct(ground_truth=golden, ground_truth_imp=None), users

    def ask(self, given: tuple[Any, Sequence[User]], call: str, k: int | None) -> LibraryResult:
        import pandas as pd

        truth, users = given
        options: dict[str, Any] = {} if call == "mrr" else {"k": k}
        scored = self.scores and call != "ir_hit_rate"

        def of_one(user: User) -> float:
            scores = {"relevance_scores": list(user.scores)} if scored else {}
            return float(getattr(truth, call)(user.name, list(user.ranking), **scores, **options))

        found = one_by_one(users, of_one)
        return LibraryResult(float(pd.Series(found.per_user, dtype=float).mean()), found.per_user, found.refused)


class TruLensScores(TruLens):
    """As `TruLens`, with the scores of the retrieved chunks."""

    preset = "trulens-scores"
    scores = True


class TruLensJudged(TruLens):
    """As `TruLens`, with a golden set of all labelled items."""

    preset = "trulens-judged"
    judged = True


class TruLensJudgedScores(TruLensJudged):
    """As `TruLensJudged`, with the scores of the retrieved chunks."""

    preset = "trulens-judged-scores"
    scores = True
