"""AutoRAG: its retrieval metrics."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from rankconv.verification.adapter import Adapter, LibraryResult
from rankconv.verification.cases import User

PACKAGES = ("autorag", "autorag.evaluation", "autorag.evaluation.metric", "autorag.schema", "autorag.utils")
"""What is entered without being run: their first lines ask for the clients of every language model."""


class AutoRAG(Adapter):
    """Groups of relevant ids, each id its own, and the retrieved ids, which the caller cuts."""

    preset = "autorag"
    packages = ("AutoRAG", "autorag")
    install = "pip install --no-deps autorag==0.3.27 && pip install emoji tiktoken pandas llama-index-embeddings-openai"
    own_environment = "with all that it requires it is very large; its metrics need no more than this"
    names: ClassVar = ("recall", "precision", "f1", "ndcg", "mrr", "map")
    calls: ClassVar = {
        **{f"{name}@k": f"retrieval_{name}" for name in names},
        **{name: f"retrieval_{name}" for name in names},
    }
    together: ClassVar = False

    def given(self, users: Sequence[User]) -> Sequence[User]:
        return users

    def ask(self, given: Sequence[User], call: str, k: int | None) -> LibraryResult:
        import pandas as pd

        metrics, inputs = modules()
        found = getattr(metrics, call)([self._input(inputs, user, k) for user in given])
        values = {user.name: float(value) for user, value in zip(given, found, strict=True) if value is not None}
        return LibraryResult(float(pd.Series(found, dtype=float).mean()), values)

    def _input(self, inputs: Any, user: User, k: int | None) -> Any:
        relevant = list(user.relevant)
        groups = [relevant] if self.together and relevant else [[item] for item in relevant]
        return inputs.MetricInput(retrieval_gt=groups, retrieved_ids=list(user.ranking[:k]))


class AutoRAGAny(AutoRAG):
    """As `AutoRAG`, with all relevant ids of a query in one group."""

    preset = "autorag-any"
    together = True


def modules() -> tuple[Any, Any]:
    """The modules of the metrics and of what they are given, without the rest of the library."""
    root = Path(str(distribution("AutoRAG").locate_file("autorag"))).parent
    for name in PACKAGES:
        if name not in sys.modules:
            package = ModuleType(name)
            package.__path__ = [str(root.joinpath(*name.split(".")))]
            sys.modules[name] = package
    return import_module("autorag.evaluation.metric.retrieval"), import_module("autorag.schema.metricinput")
