"""ir_datasets: the labels of a data set, here one of local files."""

from pathlib import Path
from tempfile import TemporaryDirectory

import ir_datasets
import ir_measures

import rankconv as rc

run = [ir_datasets.formats.GenericScoredDoc(*row) for row in [("1", "x", 3.0), ("1", "a", 2.0), ("2", "c", 2.0)]]
with TemporaryDirectory() as folder:
    docs, queries, qrels = (Path(folder) / name for name in ("docs.tsv", "queries.tsv", "qrels.txt"))
    docs.write_text("a\tfirst\nb\tsecond\nc\tthird\nx\tfourth\n", "utf-8")
    queries.write_text("1\tranking\n2\tmetrics\n", "utf-8")
    qrels.write_text("1 0 a 1\n1 0 b 2\n2 0 c 1\n", "utf-8")
    dataset = ir_datasets.create_dataset(docs_tsv=str(docs), queries_tsv=str(queries), qrels_trec=str(qrels))
    labels = rc.Labels(dataset.qrels_dict())
    theirs = ir_measures.calc_aggregate([ir_measures.nDCG @ 10, ir_measures.AP], dataset.qrels_iter(), run)

result = rc.evaluate(labels, run, ["nDCG@10", "AP"], preset="ir_measures")
print("ir_measures", {str(name): round(theirs[name], 4) for name in (ir_measures.nDCG @ 10, ir_measures.AP)})
print("rankconv", {name: round(float(value), 4) for name, value in result.items()})
print(result["AP"].signature)
