"""One number from Dask: tables divided by user, one part of each partition.

python with_dask.py LABELS.parquet RUN.parquet
"""

import sys
from typing import Any

import dask
import dask.dataframe as dd

import rankconv as rc
from rankconv.typing import Partial

METRICS, PRESET = ["ndcg@3", "map@3"], "mllib"


def part(labels: Any, run: Any) -> bytes:
    """What the users of these two frames of pandas add to the numbers."""
    numbers = rc.Evaluator(METRICS, PRESET, per_user=False, repeated_users="unchecked")
    numbers.update(labels, run)
    return numbers.partial().to_bytes()


def main(labels: Any, run: Any, partitions: int = 4) -> rc.Result:
    """The numbers of two tables of Dask with the columns user, item, and score or rank in the run."""
    sides = [side.shuffle("user", npartitions=partitions).to_delayed() for side in (labels, run)]
    return Partial.merged(map(Partial.from_bytes, dask.compute(*map(dask.delayed(part), *sides)))).compute()


if __name__ == "__main__":
    print(main(*(dd.read_parquet(path) for path in sys.argv[1:])).to_markdown())
