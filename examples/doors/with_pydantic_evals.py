"""pydantic-evals: an evaluator of one line, and the number of all cases."""

from dataclasses import dataclass
from typing import Any

from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorContext

import rankconv as rc

INDEX = {"ranking": ["x", "a", "b"], "metrics": ["c"], "search": ["y"]}
kept = rc.scorer("ndcg@3", preset="trec_eval").collector()


@dataclass
class Ranked(Evaluator[str, list[str]]):  # type: ignore[misc]
    """The value of a case."""

    def evaluate(self, ctx: EvaluatorContext[str, list[str]]) -> dict[str, float]:
        """Score what the task returned against what the case expects."""
        return {kept.__name__: kept({"query": ctx.name, "retrieved": ctx.output, "gold": ctx.expected_output})}


cases: list[Any] = [
    Case(name="1", inputs="ranking", expected_output=["a", "b"]),
    Case(name="2", inputs="metrics", expected_output=["c"]),
    Case(name="3", inputs="search", expected_output=["d"]),
]
dataset = Dataset(name="search", cases=cases, evaluators=[Ranked()])
report = dataset.evaluate_sync(lambda query: INDEX[query], progress=False)
[scores] = [average.scores for average in [report.averages()] if average is not None]

result = kept.compute()
print("pydantic-evals", {name: round(value, 4) for name, value in scores.items()})
print("rankconv", {"ndcg@3": round(float(result["ndcg@3"]), 4)})
print(kept.scorer.definition.text, kept.scorer.fingerprint)
