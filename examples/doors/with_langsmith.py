"""LangSmith: an evaluator of the outputs and those of the reference, offline."""

from contextlib import redirect_stdout
from datetime import UTC, datetime
from io import StringIO
from typing import Any
from uuid import uuid4

from langsmith import Client
from langsmith.evaluation import evaluate
from langsmith.schemas import Example

import rankconv as rc

INDEX = {"ranking": ["x", "a", "b"], "metrics": ["c"], "search": ["y"]}
kept = rc.scorer("ndcg@3", preset="trec_eval", output="documents", expected="documents").collector()


def search(inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the documents of a query."""
    return {"documents": [{"id": one, "page_content": "…"} for one in INDEX[inputs["query"]]]}


def ranked(outputs: dict[str, Any], reference_outputs: dict[str, Any]) -> dict[str, Any]:
    """Return the value of an example."""
    return {"key": kept.__name__, "score": kept(output=outputs, expected=reference_outputs)}


gold = {"ranking": ["a", "b"], "metrics": ["c"], "search": ["d"]}
examples = [
    Example(id=uuid4(), inputs={"query": query}, outputs={"documents": documents}, created_at=datetime.now(UTC))
    for query, documents in gold.items()
]
client = Client(api_key="none", info={}, auto_batch_tracing=False)
given = {"data": examples, "evaluators": [ranked], "client": client}
with redirect_stdout(StringIO()):  # the name that it gives the experiment
    found = [*evaluate(search, **given, upload_results=False, disable_evaluator_tracing=True)]
scores = [row["evaluation_results"]["results"][0].score for row in found]

result = kept.compute()
print("langsmith", {"ndcg@3": round(sum(scores) / len(scores), 4)})
print("rankconv", {"ndcg@3": round(float(result["ndcg@3"]), 4)})
print(kept.scorer.definition.text, kept.scorer.fingerprint)
