"""sentence-transformers: the predictions that InformationRetrievalEvaluator writes, with a model of fixed vectors."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import Mock

import torch
from sentence_transformers.evaluation import InformationRetrievalEvaluator
from sentence_transformers.util import cos_sim

import rankconv as rc

VECTORS = {"ranking": [1.0, 0.0], "metrics": [0.0, 1.0], "first": [0.8, 0.6], "second": [1.0, 0.1], "third": [0.1, 1.0]}


class FixedVectors:
    """In place of a model."""

    similarity_fn_name = "cosine"
    similarity = staticmethod(cos_sim)
    model_card_data = Mock()

    def encode(self, texts: list[str], **_: object) -> torch.Tensor:
        """Return the vector of each text."""
        return torch.tensor([VECTORS[text] for text in texts])

    encode_query = encode_document = encode


relevant = {"1": {"a"}, "2": {"a", "c"}}
queries, corpus = {"1": "ranking", "2": "metrics"}, {"a": "first", "b": "second", "c": "third"}
evaluator = InformationRetrievalEvaluator(queries, corpus, relevant, write_csv=False, write_predictions=True)
with TemporaryDirectory() as folder:
    theirs = evaluator(FixedVectors(), folder)
    lines = [json.loads(line) for file in Path(folder).glob("*.jsonl") for line in file.open(encoding="utf-8")]

run = {line["query_id"]: {hit["corpus_id"]: hit["score"] for hit in line["results"]} for line in lines}
specs = ["ndcg@10", "mrr@10", "map@100"]
result = rc.evaluate(relevant, run, specs, preset="sentence_transformers")
print("evaluator", {spec: round(float(theirs[f"cosine_{spec}"]), 4) for spec in specs})
print("rankconv", {name: round(float(value), 4) for name, value in result.items()})
print(result["ndcg@10"].signature)
