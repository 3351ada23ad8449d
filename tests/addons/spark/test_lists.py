"""Tables whose rows hold arrays: as RankingMetrics takes them, as ALS recommends, and of items with numbers."""

from typing import Any

import pytest

import rankconv as rc
from rankconv import spark as on_spark
from tests.addons.spark.data import told

PREDICTED = {1: [4, 2, 9], 2: [], 3: [7, 3], 5: [1, 8, 6, 5]}
RELEVANT = {1: [2], 2: [4], 3: [3, 7, 9], 4: [1], 5: []}
SPECS = ["mllib:ndcg@3", "mllib:map@3", "mllib:precision@2", "blog:recall@2"]
BOTH = [u for u in RELEVANT if u in PREDICTED]


def pairs() -> list[tuple[list[Any], list[Any]]]:
    return [(PREDICTED[u], RELEVANT[u]) for u in BOTH]


def test_the_numbers_of_ranking_metrics(spark: Any) -> None:
    """Spark's own, where there is a SparkContext; their pairs are numbered and passed twice."""
    evaluation = pytest.importorskip("pyspark.mllib.evaluation")
    functions = pytest.importorskip("pyspark.sql.functions")
    table = spark.createDataFrame(pairs(), "predicted array<long>, relevant array<long>").repartition(3)
    with pytest.raises(rc.InputError, match=r"have no users\. Number them.*monotonically_increasing_id"):
        on_spark.evaluate(table, table, SPECS)
    numbered = table.withColumn("user", functions.monotonically_increasing_id()).cache()
    named = {"item": {"run": "predicted", "labels": "relevant"}}
    assert told(on_spark.evaluate(numbered, numbered, SPECS, **named)) == told(rc.evaluate(pairs(), pairs(), SPECS))
    try:
        metrics = evaluation.RankingMetrics(
            table.rdd.map(lambda row: tuple([float(item) for item in side] for side in row))
        )
    except Exception:
        pytest.skip("Spark Connect has no RDD")
    found = on_spark.evaluate(numbered, numbered, ["ndcg@3", "map@3", "precision@2", "recall@2"], "mllib", **named)
    theirs = [metrics.ndcgAt(3), metrics.meanAveragePrecisionAt(3), metrics.precisionAt(2), metrics.recallAt(2)]
    assert [*dict(found).values()] == pytest.approx(theirs, abs=1e-15)


def test_lists_and_rows_fit_together(spark: Any) -> None:
    """An empty array is an empty list, and a missing one none."""
    flat = [(user, item) for user, items in RELEVANT.items() for item in items]
    known = spark.createDataFrame(flat, "user long, item long")
    ranked = spark.createDataFrame([*PREDICTED.items(), (4, None)], "user long, item array<int>")
    in_memory = {user: items for user, items in RELEVANT.items() if items}
    assert told(on_spark.evaluate(known, ranked, SPECS)) == told(rc.evaluate(in_memory, PREDICTED, SPECS))
    lists = spark.createDataFrame([*RELEVANT.items()], "user long, item array<long>")
    assert told(on_spark.evaluate(lists, ranked, SPECS)) == told(rc.evaluate(RELEVANT, PREDICTED, SPECS))


def test_structs_as_als_recommends(spark: Any) -> None:
    recommended = {u: [(i, 1.0 / (1 + n)) for n, i in enumerate(items)] for u, items in PREDICTED.items()}
    rows = [(u, [{"movie": i, "rating": s} for i, s in items]) for u, items in recommended.items()]
    ranked = spark.createDataFrame(rows, "user int, recommendations array<struct<movie: int, rating: float>>")
    known = spark.createDataFrame([(u, i) for u, items in RELEVANT.items() for i in items], "user int, movie int")
    specs = [*SPECS, "map(order=score, ties=item-ascending)@3"]
    found = on_spark.evaluate(known, ranked, specs, item="movie", score="rating")
    assert told(found) == told(rc.evaluate({u: i for u, i in RELEVANT.items() if i}, recommended, specs))


def test_items_beside_scores(spark: Any) -> None:
    scores = {u: [float(n) for n, _ in enumerate(items)] for u, items in PREDICTED.items()}
    rows = [(u, items, scores[u]) for u, items in PREDICTED.items()]
    ranked = spark.createDataFrame(rows, "user long, item array<long>, score array<double>")
    known = spark.createDataFrame([*RELEVANT.items()], "user long, item array<long>")
    spec = "map(order=score, ties=item-ascending)@3"
    expected = {u: dict(zip(items, scores[u], strict=True)) for u, items in PREDICTED.items()}
    assert told(on_spark.evaluate(known, ranked, spec)) == told(rc.evaluate(RELEVANT, expected, spec))


def test_what_lists_cannot_hold(spark: Any) -> None:
    wrong = {"double": "of type double", "string": "item ids are text in the labels and integer in the run"}
    ranked = spark.createDataFrame([(1, [1, None])], "user long, item array<long>")
    for kind, items in {"double": [1.0], "string": ["a"]}.items():
        known = spark.createDataFrame([(1, items)], f"user long, item array<{kind}>")
        with pytest.raises(rc.InputError, match=wrong[kind]):
            on_spark.evaluate(known, ranked, SPECS)
    with pytest.raises(rc.InputError, match=r"the run, user 1: a row has no item"):
        on_spark.evaluate(spark.createDataFrame([(1, [1])], "user long, item array<long>"), ranked, SPECS)
    known = spark.createDataFrame([(1, [1])], "user long, item array<long>")
    ranked = spark.createDataFrame([(1, 1, [0.5])], "user long, item long, score array<double>")
    with pytest.raises(
        rc.InputError, match="the column 'score' of the score holds lists, and that of the item holds none"
    ):
        on_spark.evaluate(known, ranked, SPECS)
