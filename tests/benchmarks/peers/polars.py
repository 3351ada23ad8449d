"""polars by hand: one lazy query on one thread."""

from typing import Any

import numpy as np

from tests.benchmarks.data import CUTOFFS, Data
from tests.benchmarks.peers.peer import Means, Peer, main


def convert(data: Data) -> tuple[Any, Any]:
    """Frames of scored rows and of relevant rows."""
    import polars as pl

    user = np.repeat(np.arange(data.users, dtype=np.int32), data.pred.shape[1])
    run = pl.DataFrame({"user": user, "item": data.pred.ravel(), "score": data.score.ravel()})
    return pl.DataFrame({"user": data.label_users.astype(np.int32), "item": data.items}), run


def evaluate(given: tuple[Any, Any]) -> Means:
    """Five metrics in one query."""
    import polars as pl

    labels, run = given[0].lazy(), given[1].lazy()
    counts = labels.group_by("user").len("n").with_columns(n=pl.col("n").cast(pl.Int64))
    sums = hits(labels, run).group_by("user").agg([one for k in CUTOFFS for one in sums_at(k)])
    joined = counts.join(sums, on="user", how="left").fill_null(0)
    return joined.select([one for k in CUTOFFS for one in means_at(k)]).collect().row(0, named=True)


def hits(labels: Any, run: Any) -> Any:
    """The hits of each user by rank, numbered from 1."""
    import polars as pl

    rank = pl.col("score").rank("ordinal", descending=True).over("user")
    top = run.with_columns(rank=rank).filter(pl.col("rank") <= CUTOFFS[-1])
    found = top.join(labels, on=["user", "item"], how="semi").sort("user", "rank")
    return found.with_columns(nth=pl.int_range(1, pl.len() + 1).over("user"))


def sums_at(k: int) -> list[Any]:
    """What the metrics of one user are made of."""
    import polars as pl

    rank, nth = pl.col("rank"), pl.col("nth")
    within = rank <= k
    precisions, firsts = (within * nth / rank).sum(), (within / rank).max()
    gains = (within / (rank + 1).log(2)).sum()
    made = {"hits": within.sum(), "precisions": precisions, "first": firsts, "gains": gains}
    return [made[name].alias(f"{name}{k}") for name in made]


def means_at(k: int) -> list[Any]:
    """The means at one cutoff."""
    import polars as pl

    ideal = np.cumsum(1 / np.log2(np.arange(2, k + 2))).tolist()
    fewer = pl.min_horizontal("n", pl.lit(k, pl.Int64))
    best = fewer.replace_strict(list(range(1, k + 1)), ideal, return_dtype=pl.Float64)
    found = pl.col(f"hits{k}")
    each = {"precision": found / k, "recall": found / pl.col("n"), "map": pl.col(f"precisions{k}") / fewer}
    each |= {"mrr": pl.col(f"first{k}"), "ndcg": pl.col(f"gains{k}") / best}
    return [value.mean().alias(f"{metric}@{k}") for metric, value in each.items()]


PEER = Peer(
    "by hand in polars",
    "rankconv",
    evaluate,
    convert,
    requirements=("polars==2.1.0",),
    goal=8,
)

if __name__ == "__main__":
    main(PEER)
