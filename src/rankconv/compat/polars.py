"""A namespace of polars: a frame, also a lazy one, is a run, and `frame.rankconv` asks what it is worth.

    import rankconv.compat.polars                         # registers the namespace

>>> import polars
>>> run = polars.DataFrame({"uid": [1, 1, 2, 2], "sku": ["b", "a", "x", "c"], "p": [0.9, 0.5, 0.8, 0.1]})
>>> known, columns = {1: {"a": 3, "b": 1}, 2: {"c": 1}}, {"user": "uid", "item": "sku", "score": "p"}
>>> run.rankconv.evaluate(known, "ndcg@10, map", preset="mllib", **columns)
Result(mllib, 2 users; ndcg@10: 0.815465, map: 0.75)
>>> round(run.lazy().rankconv.ndcg(known, k=10, preset="sklearn", **columns), 4)
0.7138
"""

import polars

from rankconv.compat.accessor import RunAccessor

__all__ = ["RunAccessor"]

for _register in (polars.api.register_dataframe_namespace, polars.api.register_lazyframe_namespace):
    _register("rankconv")(RunAccessor)
