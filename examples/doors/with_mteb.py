"""MTEB: the predictions that `mteb.evaluate` saves, with a task of local data and a model that returns a fixed run."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mteb
from mteb.mocks.mock_tasks.retrieval import MockRetrievalTask
from mteb.models import ModelMeta

import rankconv as rc


class FixedRun:
    """In place of a model."""

    mteb_model_meta = ModelMeta.create_empty({"name": "example/fixed-run", "revision": "1"})

    def index(self, corpus: Any, **_: Any) -> None:
        """Keep the ids of documents."""
        self.documents = [str(document) for document in corpus["id"]]

    def search(self, queries: Any, **_: Any) -> dict[str, dict[str, float]]:
        """Return each query's documents, in the order of the corpus."""
        return {str(query): {one: -float(rank) for rank, one in enumerate(self.documents)} for query in queries["id"]}


task = MockRetrievalTask()
with TemporaryDirectory() as folder:
    found = mteb.evaluate(FixedRun(), task, cache=None, prediction_folder=folder, show_progress_bar=False)
    [file] = Path(folder).glob("*_predictions.json")
    run = json.loads(file.read_text("utf-8"))["default"]["test"]
task.load_data()
labels = task.dataset["default"]["test"]["relevant_docs"]

[scores] = found.task_results[0].scores["test"]
result = rc.evaluate(labels, run, ["ndcg_at_10", "map_at_10", "recall_at_1"], preset="mteb")
print("mteb", {name: scores[name] for name in result})
print("rankconv", {name: round(float(value), 5) for name, value in result.items()})
print(result["ndcg_at_10"].signature)
