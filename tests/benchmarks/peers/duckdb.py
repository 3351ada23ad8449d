"""DuckDB by hand: tables and one SQL query on one thread."""

from typing import Any

from tests.benchmarks.data import CUTOFFS, Data
from tests.benchmarks.peers.peer import METRICS, Means, Peer, at_each_k, main

SUMS = """
count(*) filter (rank <= {k}) hits{k},
coalesce(sum(nth / rank) filter (rank <= {k}), 0) precisions{k},
coalesce(max(1.0 / rank) filter (rank <= {k}), 0) first{k},
coalesce(sum(1 / log2(rank + 1)) filter (rank <= {k}), 0) gains{k}
"""
MEANS = """
avg(coalesce(hits{k}, 0) / {k}), avg(coalesce(hits{k}, 0) / n),
avg(coalesce(precisions{k}, 0) / least(n, {k})), avg(coalesce(first{k}, 0)),
avg(coalesce(gains{k}, 0) / (select v from ideal where ideal.i = least(n, {k})))
"""
QUERY = """
with ranked as (
  select u, i, row_number() over (partition by u order by s desc) rank from run qualify rank <= {deepest}
), hits as (
  select u, rank, row_number() over (partition by u order by rank) nth from ranked join labels using (u, i)
), sums as (select u, {sums} from hits group by u
), counts as (select u, count(*) n from labels group by u)
select {means} from counts left join sums using (u)
"""


def convert(data: Data) -> Any:
    """Tables in memory, made from the arrays."""
    import duckdb
    import numpy as np

    connection = duckdb.connect()
    connection.execute("set threads = 1")
    user = np.repeat(np.arange(data.users, dtype=np.int32), data.pred.shape[1])
    run_ = {"u": user, "i": data.pred.ravel(), "s": data.score.ravel()}  # noqa: F841  DuckDB reads it by its name
    labels_ = {"u": data.label_users.astype(np.int32), "i": data.items}  # noqa: F841
    connection.execute("create table run as select * from run_")
    connection.execute("create table labels as select * from labels_")
    ideal = "select i, sum(1 / log2(i + 1)) over (order by i) v from (select range::int i from range(1, {}))"
    connection.execute("create table ideal as " + ideal.format(CUTOFFS[-1] + 1))
    return connection


def evaluate(connection: Any) -> Means:
    """Five metrics in one query."""
    sums, means = (",".join(part.format(k=k) for k in CUTOFFS) for part in (SUMS, MEANS))
    row = connection.execute(QUERY.format(sums=sums, means=means, deepest=CUTOFFS[-1])).fetchone()
    names = [f"{metric}@{k}" for k in CUTOFFS for metric in METRICS]
    return {spec: dict(zip(names, row, strict=True))[spec] for spec in at_each_k(*METRICS)}


PEER = Peer(
    "by hand in DuckDB",
    "rankconv",
    evaluate,
    convert,
    requirements=("duckdb==2.0.1",),
    goal=8,
)

if __name__ == "__main__":
    main(PEER)
