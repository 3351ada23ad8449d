"""End to end: from the frame that people hold to the numbers; polars and DuckDB by hand from the same frame."""

import statistics
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

import rankconv as rc
from tests.benchmarks.data import CUTOFFS, Array, Data
from tests.benchmarks.peers import duckdb as in_duckdb
from tests.benchmarks.peers import polars as in_polars
from tests.benchmarks.peers.peer import METRICS, Means, at_each_k
from tests.benchmarks.races import Disagreement
from tests.benchmarks.rows import Row
from tests.benchmarks.setting import Setting
from tests.benchmarks.timing import sample

FIVE = [f"{metric}@{','.join(map(str, CUTOFFS))}" for metric in METRICS]
Frames = tuple[pl.DataFrame, pl.DataFrame]
"""Labels and scored rows."""
GOALS = {
    "sorted": (5.0, 3.0),
    "grouped by user": (4.0, 3.0),
    "shuffled": (1.5, 2.0),
    "1 to all ranks, sorted": (3.0, None),
    "1 to all ranks, grouped": (3.0, None),
    "text ids, sorted": (4.0, None),
    "text ids, grouped": (4.0, None),
    "text ids, shuffled": (1.2, None),
}
"""How many times faster than polars and than DuckDB we want to be."""


def frames(setting: Setting) -> list[Row]:
    """Every shape of the frame, against each peer; all see the same rows in one run, by turns."""
    return [row for shape, given in shapes(setting.data) for row in raced(shape, given, setting)]


def raced(shape: str, given: Frames, setting: Setting) -> list[Row]:
    """One shape: numbers first, then times."""
    tasks: dict[str, Callable[[Frames], Means]] = {"ours": ours, "polars": in_polars.evaluate, "DuckDB": by_duckdb}
    found = {name: task(given) for name, task in tasks.items()}
    for name, means in found.items():
        off = {spec: (mean, found["ours"][spec]) for spec, mean in means.items()}
        off = {spec: pair for spec, pair in off.items() if abs(pair[0] - pair[1]) > 1e-6}
        if off:
            raise Disagreement(f"{name} by hand from a frame ({shape}) is not ours: {off}")
    times = by_turns(tasks, given, setting.repetitions)
    row = Row("frames", setting.size, "race", f"five metrics, {shape}", times["ours"])
    goals = zip(("polars", "DuckDB"), GOALS[shape], strict=True)
    return [replace(row, against=f"{peer} by hand, same frame", other=times[peer], goal=goal) for peer, goal in goals]


def grown(setting: Setting) -> list[Row]:
    """A row among many should cost what a row among few does: a tenth of the users, all, and five times as many."""
    times = {}
    for share in (0.1, 1.0, 5.0):
        given = in_polars.convert(many(setting.data, share))
        times[len(given[1])] = sample(ours, lambda given=given: given, 1), sample(ours, lambda given=given: given, 1)
    each = {rows: min(pair) / rows for rows, pair in times.items()}
    fewest = min(each)
    return [
        Row(
            "grown",
            setting.size,
            "cost",
            f"a row of a frame among {rows:,}",
            time,
            f"among {fewest:,}",
            each[fewest],
            1.5,
        )
        for rows, time in each.items()
        if rows > fewest
    ]


def many(data: Data, share: float) -> Data:
    """A part of the users, or all of them several times under other numbers."""
    if share <= 1:
        return data.first(int(data.users * share))
    times = int(share)
    starts = np.concatenate([[0], np.cumsum(np.tile(np.diff(data.starts), times))])
    copies = {name: np.tile(getattr(data, name), (times, 1)) for name in ("pred", "score")}
    return replace(data, **copies, starts=starts, items=np.tile(data.items, times))


def by_turns(tasks: dict[str, Callable[[Frames], Any]], given: Frames, repetitions: int) -> dict[str, float]:
    """The median CPU seconds of each, all having been called once by `raced`, so that none is cold."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(repetitions):
        for name, task in tasks.items():
            times[name].append(sample(task, lambda: given, 1))
    return {name: statistics.median(each) for name, each in times.items()}


def ours(given: Frames) -> Means:
    """What a user writes."""
    result = rc.evaluate(rc.Labels(given[0]), rc.Run(given[1]), FIVE)
    return {spec: result[spec] for spec in at_each_k(*METRICS)}


def by_duckdb(given: Frames) -> Means:
    """The peer's query on the frames themselves."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("set threads = 1")
    for name, frame in zip(("labels", "run"), given, strict=True):
        connection.register(name, frame.select(pl.all().name.map(lambda column: column[0])).to_arrow())
    ideal = "select i, sum(1 / log2(i + 1)) over (order by i) v from (select range::int i from range(1, {}))"
    connection.execute("create table ideal as " + ideal.format(CUTOFFS[-1] + 1))
    return in_duckdb.evaluate(connection)


def shapes(data: Data) -> Iterator[tuple[str, Frames]]:
    """The same rows as integers and as text, in three orders; and lists of all lengths."""
    labels, run = in_polars.convert(data)
    users, length = data.pred.shape
    random = np.random.default_rng(1)
    grouped = (np.argsort(random.random((users, length)), axis=1) + np.arange(users)[:, None] * length).ravel()
    orders: dict[str, Array] = {"sorted": np.arange(len(run)), "grouped by user": grouped}
    orders["shuffled"] = random.permutation(len(run))
    for order, rows in orders.items():
        yield order, (labels, run[rows])
    kept = (np.arange(length) < random.integers(1, length + 1, users)[:, None]).ravel()
    for order in ("sorted", "grouped by user"):
        rows = orders[order]
        yield f"1 to all ranks, {order.split()[0]}", (labels, run[rows[kept[rows]]])
    for order, rows in orders.items():
        yield f"text ids, {order.split()[0]}", (as_text(labels), as_text(run[rows]))


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with ids such as user_17."""
    return frame.with_columns(pl.format(f"{name}_{{}}", name).alias(name) for name in ("user", "item"))
