"""Tables of Spark: the bits of one evaluation, whatever the partitions; errors as they are told in memory.

They run where pyspark and Java are, in a job of their own: `RANKCONV_SPARK=1 python -m pytest tests/spark`.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc

pytestmark = [
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support:FutureWarning"),
    pytest.mark.skipif(
        not os.environ.get("RANKCONV_SPARK") or shutil.which("java") is None, reason="a job of its own, with Java"
    ),
]
SPECS = ["trec_eval:map", "trec_eval:ndcg_cut_5", "trec_eval:recall_5"]
SPECS += ["rankconv:recall(order=score, ties=item-ascending, mean=median(lower))@2"]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = sql.SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    for name in ("spark.driver.host", "spark.driver.bindAddress"):
        session = session.config(name, "127.0.0.1")
    made = session.config("spark.driver.memory", "1g").config("spark.sql.shuffle.partitions", 5).getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    yield made
    made.stop()


def rows(users: int = 60) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Labels and rows whose scores are tied at times, with the position of each row."""
    labels = [(u, f"i{(u * 7 + n) % 11}", float((u + n) % 3)) for u in range(users) for n in range(1 + u % 4)]
    run = [(u, f"i{(u * 5 + n * n) % 17}", (n * u) % 5 / 4) for u in range(users) for n in range(1 + u % 5)]
    return [*dict.fromkeys(labels)], [*{(u, i): (u, i, s) for u, i, s in run}.values()]


def tables(spark: Any, labels: Any, run: Any) -> tuple[Any, Any]:
    return (
        spark.createDataFrame(labels, "user long, item string, grade double"),
        spark.createDataFrame(
            [(*row, at) for at, row in enumerate(run)], "user long, item string, score double, at long"
        ),
    )


def told(result: rc.Result) -> dict[str, Any]:
    return {spec: (float(one.mean).hex(), one.counts) for spec, one in result.by_spec.items()}


def in_memory(specs: Any, **more: Any) -> rc.Result:
    import polars as pl

    labels, run = rows()
    known = pl.DataFrame(labels, ["user", "item", "grade"], orient="row")
    return rc.evaluate(known, pl.DataFrame(run, ["user", "item", "score"], orient="row"), specs, per_user=False, **more)


@pytest.mark.parametrize("partitions", [1, 7, 40, None])
def test_no_number_of_partitions_changes_a_bit(spark: Any, partitions: int | None) -> None:
    from rankconv import spark as on_spark

    sides = tables(spark, *rows())
    assert told(on_spark.evaluate(*sides, SPECS, partitions=partitions)) == told(in_memory(SPECS))


@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_positions_say_the_order_given(spark: Any, adaptive: str) -> None:
    from rankconv import spark as on_spark

    spark.conf.set("spark.sql.adaptive.enabled", adaptive)
    known, ranked = tables(spark, *rows())
    specs = ["mllib:ndcg@3", "mllib:map@3", "blog:map@3"]
    found = on_spark.evaluate(known, ranked.repartition(3, "item"), specs, position="at", partitions=4)
    assert told(found) == told(in_memory(specs))


def test_what_cannot_be_is_refused_before_any_job(spark: Any) -> None:
    from rankconv import spark as on_spark

    known, ranked = tables(spark, *rows())
    tracker = spark.sparkContext.statusTracker()
    before = len(tracker.getJobIdsForGroup(None))
    with pytest.raises(rc.MetricError, match="goes by the order of rows, and a table of Spark has none"):
        on_spark.evaluate(known, ranked, "mllib:ndcg@3")
    with pytest.raises(rc.MetricError, match="one number of the lists of all users"):
        on_spark.evaluate(known, ranked, "gini@3", position="at")
    with pytest.raises(rc.InputError, match="user ids are text in the labels and integer in the run"):
        on_spark.evaluate(known.withColumn("user", known["user"].cast("string")), ranked, SPECS)
    with pytest.raises(rc.InputError, match="no column has a usual name of the item"):
        on_spark.evaluate(known.drop("item"), ranked, SPECS)
    with pytest.raises(rc.InputError, match="the run are no table of Spark"):
        on_spark.evaluate(known, {"u": ["a"]}, SPECS)
    assert len(tracker.getJobIdsForGroup(None)) == before


def test_errors_of_rows_are_told_as_in_memory(spark: Any) -> None:
    from rankconv import spark as on_spark

    labels, run = rows()
    known, ranked = tables(spark, labels, [*run, (3, "i16", float("nan"))])
    with pytest.raises(rc.InputError, match=r"user 3, item 'i16'.*(NaN|nan)"):
        on_spark.evaluate(known, ranked, SPECS, partitions=5)
    fewer = [row for row in run if row[0] not in (11, 7, 30)]
    with pytest.raises(rc.MetricError, match="user 7 has no ranked row"):
        on_spark.evaluate(*tables(spark, labels, fewer), SPECS, partitions=5)


def test_a_worker_that_is_killed_changes_nothing(spark: Any, tmp_path: Path) -> None:
    """A plugin that the workers load ends the first of them, in the middle, as `kill -9` does."""
    from rankconv import spark as on_spark

    mark, plugin = tmp_path / "killed", tmp_path / "plugin.py"
    plugin.write_text(
        "import os, pathlib, signal\n"
        f"mark = pathlib.Path({str(mark)!r})\n"
        "if not mark.exists():\n    mark.touch()\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    sides = tables(spark, *rows())
    assert told(on_spark.evaluate(*sides, SPECS, partitions=3, plugins=[plugin])) == told(in_memory(SPECS))
    assert mark.exists()
