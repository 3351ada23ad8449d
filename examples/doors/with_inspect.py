"""inspect_ai: a scorer of one line, with a metric over all samples, without a model of a provider."""

import json
from tempfile import TemporaryDirectory
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

import rankconv as rc

INDEX = {"ranking": ["x", "a", "b"], "metrics": ["c"], "search": ["y"]}
SCORE = rc.scorer("ndcg@3", preset="trec_eval")
kept = SCORE.collector()


@metric(name="all_samples")  # type: ignore[untyped-decorator]
def of_all() -> Any:
    """The number of all samples, with the policies of the definition."""
    return lambda scores: float(kept.compute()["ndcg@3"])


@scorer(metrics=[of_all()], name=SCORE.__name__)  # type: ignore[untyped-decorator]
def ranked() -> Scorer:
    """The value of a sample."""

    async def score(state: TaskState, target: Target) -> Score:
        returned = json.loads(state.output.completion)
        value = kept({"id": state.sample_id, "retrieved": returned, "gold": target.target})
        return Score(value=value, metadata={"definition": SCORE.definition.text, "fingerprint": SCORE.fingerprint})

    return score


@solver  # type: ignore[untyped-decorator]
def search() -> Solver:
    """In place of a model: the ids that an index has."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output.completion = json.dumps(INDEX[state.input_text])
        return state

    return solve


gold = {"ranking": ["a", "b"], "metrics": ["c"], "search": ["d"]}
samples = [Sample(query, target=documents) for query, documents in gold.items()]
with TemporaryDirectory() as folder:
    [log] = eval(Task(samples, solver=search(), scorer=ranked()), model=None, display="none", log_dir=folder)
assert log.results is not None, log.error
[scores] = log.results.scores

result = kept.compute()
print("inspect_ai", {scores.name: round(scores.metrics["all_samples"].value, 4)})
print("rankconv", {"ndcg@3": round(float(result["ndcg@3"]), 4)})
print(kept.scorer.definition.text, kept.scorer.fingerprint)
