"""DeepEval: a metric of a test case, without a model as its judge."""

import os
from contextlib import redirect_stdout
from io import StringIO
from tempfile import mkdtemp

os.environ |= {"DEEPEVAL_TELEMETRY_OPT_OUT": "1", "DEEPEVAL_CACHE_FOLDER": mkdtemp()}

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

import rankconv as rc

kept = rc.scorer("ndcg@3", preset="trec_eval").collector()


class Ranked(BaseMetric):  # type: ignore[misc]
    """The value of a test case: `retrieval_context` has the ranking, and `context` the relevant documents."""

    def __init__(self, threshold: float = 0.5) -> None:
        self.threshold, self.async_mode = threshold, False

    def measure(self, test_case: LLMTestCase, *_: object, **__: object) -> float:
        """Score a test case."""
        self.score = kept(test_case)
        self.success, self.reason = self.score >= self.threshold, kept.scorer.definition.text
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *_: object, **__: object) -> float:
        """Score a test case."""
        return self.measure(test_case)

    def is_successful(self) -> bool:
        """Whether the value is the threshold or above."""
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return kept.__name__


cases = [
    LLMTestCase(input="ranking", actual_output="…", retrieval_context=["x", "a", "b"], context=["a", "b"]),
    LLMTestCase(input="metrics", actual_output="…", retrieval_context=["c"], context=["c"]),
    LLMTestCase(input="search", actual_output="…", retrieval_context=["y"], context=["d"]),
]
with redirect_stdout(StringIO()):  # its table
    found = evaluate(
        cases,
        [Ranked()],
        async_config=AsyncConfig(run_async=False),
        display_config=DisplayConfig(show_indicator=False, print_results=False, inspect_after_run=False),
        cache_config=CacheConfig(write_cache=False),
    )
scores = [data.score for test in found.test_results for data in test.metrics_data]

result = kept.compute()
print("deepeval", {"ndcg@3": round(sum(scores) / len(scores), 4)})
print("rankconv", {"ndcg@3": round(float(result["ndcg@3"]), 4)})
print(kept.scorer.definition.text, kept.scorer.fingerprint)
