"""ragas: a metric of samples, without a model as its judge."""

import os
from dataclasses import dataclass, field
from typing import Any

os.environ["RAGAS_DO_NOT_TRACK"] = "true"

from ragas import EvaluationDataset, SingleTurnSample, evaluate
from ragas.metrics.base import MetricType, SingleTurnMetric

import rankconv as rc

kept = rc.scorer("ndcg@3", preset="trec_eval").collector()


@dataclass
class Ranked(SingleTurnMetric):  # type: ignore[misc]
    """The value of a sample, of the ids that were retrieved and those of the reference."""

    name: str = kept.__name__
    _required_columns: dict[MetricType, set[str]] = field(
        default_factory=lambda: {MetricType.SINGLE_TURN: {"retrieved_context_ids", "reference_context_ids"}}
    )

    def init(self, run_config: Any) -> None:
        """There is nothing to set up."""

    async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: Any) -> float:
        return kept(sample)


samples = [
    SingleTurnSample(user_input="ranking", retrieved_context_ids=["x", "a", "b"], reference_context_ids=["a", "b"]),
    SingleTurnSample(user_input="metrics", retrieved_context_ids=["c"], reference_context_ids=["c"]),
    SingleTurnSample(user_input="search", retrieved_context_ids=["y"], reference_context_ids=["d"]),
]
found = evaluate(EvaluationDataset(samples), metrics=[Ranked()], show_progress=False, raise_exceptions=True)

result = kept.compute()
print("ragas", {"ndcg@3": round(sum(found["ndcg@3"]) / len(samples), 4)})
print("rankconv", {"ndcg@3": round(float(result["ndcg@3"]), 4)})
print(kept.scorer.definition.text, kept.scorer.fingerprint)
