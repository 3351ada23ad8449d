"""PyTerrier's frames: the run that a transformer returns, and its topics and qrels, as `pt.Experiment` takes them."""

import pandas as pd
import pyterrier as pt

import rankconv as rc

topics = pd.DataFrame({"qid": ["1", "2"], "query": ["ranking", "metrics"]})
qrels = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["a", "b", "c"], "label": [1, 2, 1]})
rows = [("1", "x", 3.0), ("1", "a", 2.0), ("2", "c", 2.0), ("2", "y", 1.0)]
retrieved = pd.DataFrame(rows, columns=["qid", "docno", "score"])
system = pt.Transformer.from_df(pt.model.add_ranks(retrieved))

table = pt.Experiment([system], topics, qrels, ["map", "ndcg_cut_2"], names=["system"])
print("pt.Experiment", table.drop(columns="name").round(4).to_dict("records"))

run = rc.Run(system(topics), user="qid", item="docno")
result = rc.evaluate(qrels, run, ["map", "ndcg_cut_2"], preset="pytrec_eval")
print("rankconv", {name: round(float(value), 4) for name, value in result.items()})
print(result["map"].signature)
