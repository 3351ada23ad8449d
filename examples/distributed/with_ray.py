"""One number from Ray Data: rows of both sides, grouped by user, one part of each group of users.

python with_ray.py LABELS.parquet RUN.parquet
"""

import sys
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import ray

import rankconv as rc
from rankconv.typing import Partial

METRICS, PRESET = ["ndcg@3", "map@3"], "mllib"


def part(rows: pa.Table) -> pa.Table:
    """What the users of these rows, in which labels have no rank, add to the numbers."""
    ranked = pc.is_valid(rows["rank"])
    numbers = rc.Evaluator(METRICS, PRESET, per_user=False, repeated_users="unchecked")
    numbers.update(rows.filter(pc.invert(ranked)).drop_columns(["rank"]), rows.filter(ranked).drop_columns(["grade"]))
    return pa.table({"part": [numbers.partial().to_bytes()]})


def main(labels: Any, run: Any, groups: int = 4) -> rc.Result:
    """The numbers of two datasets of Ray with the columns user, item, and grade or rank; users are integers."""
    known = labels.map_batches(lambda rows: _with(rows, "rank", groups), batch_format="pyarrow")
    ranked = run.map_batches(lambda rows: _with(rows, "grade", groups), batch_format="pyarrow")
    parts = known.union(ranked).groupby("group", num_partitions=groups).map_groups(part, batch_format="pyarrow")
    return Partial.merged(Partial.from_bytes(row["part"]) for row in parts.take_all()).compute()


def _with(rows: pa.Table, missing: str, groups: int) -> pa.Table:
    """The columns of both sides, and the group of each user."""
    of_user = pa.array(rows["user"].to_numpy() % groups)
    found = rows.append_column(missing, pa.nulls(len(rows), pa.float64())).append_column("group", of_user)
    return found.select(["user", "item", "grade", "rank", "group"])


if __name__ == "__main__":
    print(main(*(ray.data.from_arrow(pq.read_table(path)) for path in sys.argv[1:])).to_markdown())
