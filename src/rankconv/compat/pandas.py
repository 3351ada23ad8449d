"""An accessor of pandas: a frame is a run, and `frame.rankconv` asks what it is worth.

    import rankconv.compat.pandas                         # registers the accessor

>>> import pandas
>>> labels = pandas.DataFrame({"user": [1, 1, 2], "item": ["a", "b", "c"], "grade": [3, 1, 1]})
>>> run = pandas.DataFrame({"user": [1, 1, 2, 2], "item": ["b", "a", "x", "c"], "score": [0.9, 0.5, 0.8, 0.1]})
>>> run.rankconv.evaluate(labels, "ndcg@10, map", preset="mllib")
Result(mllib, 2 users; ndcg@10: 0.815465, map: 0.75)
>>> number = run.rankconv.ndcg(labels, k=10, preset="sklearn")
>>> round(number, 4), number.definition, number.per_user.round(4).tolist()
(0.7138, rc.metric('sklearn:ndcg@10'), [0.7967, 0.6309])

Columns are named where they are not called as usual: `run.rankconv.map(labels, k=5, user="uid", item="sku")`.
"""

import pandas

from rankconv.compat.accessor import RunAccessor

__all__ = ["RunAccessor"]

pandas.api.extensions.register_dataframe_accessor("rankconv")(RunAccessor)
