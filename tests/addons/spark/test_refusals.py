"""What cannot be is refused before any job of Spark."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

import rankconv as rc
from rankconv import spark as on_spark
from tests.addons.spark.data import rows, tables

FEW = ["trec_eval:map"]


@pytest.fixture
def no_job(spark: Any) -> Iterator[None]:
    """No job is started in the test."""
    if os.environ["RANKCONV_SPARK"] == "connect":
        yield
        return
    tracker = spark.sparkContext.statusTracker()
    before = len(tracker.getJobIdsForGroup(None))
    yield
    assert len(tracker.getJobIdsForGroup(None)) == before


@pytest.mark.parametrize(
    "spec", ["mllib:ndcg@3", "map(order=score, ties=given)@3", "map(order=score, ties=reversed)@3"]
)
def test_an_order_that_nothing_says(spark: Any, no_job: None, spec: str) -> None:
    with pytest.raises(rc.MetricError, match="goes by the order of rows, and a table of Spark has none"):
        on_spark.evaluate(*tables(spark, *rows()), spec)


def test_ids_of_two_types(spark: Any, no_job: None) -> None:
    known, ranked = tables(spark, *rows())
    with pytest.raises(rc.InputError, match="user ids are text in the labels and integer in the run"):
        on_spark.evaluate(known.withColumn("user", known["user"].cast("string")), ranked, FEW)
    seen = spark.createDataFrame([(1, 2)], "user long, item long")
    with pytest.raises(rc.InputError, match="item ids are text in the labels and integer in seen="):
        on_spark.evaluate(known, ranked, FEW, seen=seen)
    with pytest.raises(
        rc.InputError, match="user ids must be text or integers, and the column 'user' is of type double"
    ):
        on_spark.evaluate(known.withColumn("user", known["user"].cast("double")), ranked, FEW)


def test_columns_that_are_not_there(spark: Any, no_job: None) -> None:
    known, ranked = tables(spark, *rows())
    with pytest.raises(rc.InputError, match="no column has a usual name of the item"):
        on_spark.evaluate(known.drop("item"), ranked, FEW)
    with pytest.raises(rc.InputError, match="there is no column 'place'"):
        on_spark.evaluate(known, ranked, FEW, position="place")
    with pytest.raises(rc.InputError, match="the score column 'score' is of type string, which is no number"):
        on_spark.evaluate(known, ranked.withColumn("score", ranked["score"].cast("string")), FEW)
    with pytest.raises(rc.InputError, match=r"the run is no table of Spark \(dict\)"):
        on_spark.evaluate(known, {"u": ["a"]}, FEW)
    with pytest.raises(rc.InputError, match="partitions=0 is no number of partitions"):
        on_spark.evaluate(known, ranked, FEW, partitions=0)
