"""Labels and rows for tables of Spark, and what one machine makes of them."""

from typing import Any

import polars as pl

import rankconv as rc

COLUMNS = {"labels": "user long, item string, grade double", "run": "user long, item string, score double, at long"}


def rows(users: int = 60) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Labels (user, item, grade) and rows (user, item, score) that are tied at times; some users are on one side."""
    labels = [(u, f"i{(u * 7 + n) % 11}", float((u + n) % 3)) for u in range(users) for n in range(1 + u % 4)]
    run = [(u, f"i{(u * 5 + n * n) % 17}", (n * u) % 5 / 4) for u in range(users + 3) for n in range(1 + u % 5)]
    return [*dict.fromkeys(labels)], [*{(u, i): (u, i, s) for u, i, s in run}.values()]


def tables(spark: Any, labels: Any, run: Any) -> tuple[Any, Any]:
    """Both sides as tables of Spark; in its column `at` the run has the place of each row by falling score."""
    places = {row: at for at, row in enumerate(sorted(run, key=lambda row: -row[2]))}
    placed = [(*row, places[row]) for row in run]
    return spark.createDataFrame(labels, COLUMNS["labels"]), spark.createDataFrame(placed, COLUMNS["run"])


def frames(labels: Any, run: Any) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both sides in memory."""
    known = pl.DataFrame(labels, ["user", "item", "grade"], orient="row")
    return known, pl.DataFrame(run, ["user", "item", "score"], orient="row")


def in_memory(specs: Any, preset: Any = None, **more: Any) -> rc.Result:
    return rc.evaluate(*frames(*rows()), specs, preset, **more)


def told(result: rc.Result) -> dict[str, Any]:
    """All that a result without users says, to the bit."""
    return {
        spec: (float(one.mean).hex(), one.counts, [refusal.why for refusal in one.refusals])
        for spec, one in result.by_spec.items()
    }
