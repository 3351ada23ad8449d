"""Tables whose rows hold arrays: as RankingMetrics takes them, as ALS recommends, and of items beside numbers."""

from typing import Any

import pytest

import rankconv as rc
from rankconv import spark as on_spark
from tests.spark.data import told

PREDICTED = {1: [4, 2, 9], 2: [], 3: [7, 3], 5: [1, 8, 6, 5]}
RELEVANT = {1: [2], 2: [4], 3: [3, 7, 9], 4: [1], 5: []}
SPECS = ["mllib:ndcg@3", "mllib:map@3", "mllib:precision@2", "blog:recall@2"]
BOTH = [u for u in RELEVANT if u in PREDICTED]


def pairs() -> list[tuple[list[Any], list[Any]]]:
    return [(PREDICTED[u], RELEVANT[u]) for u in BOTH]


@pytest.mark.parametrize("kind", ["long", "double"])
@pytest.mark.parametrize("names", [("_1", "_2"), ("prediction", "label"), ("guessed", "true")])
def test_pairs_as_ranking_metrics_takes_them(spark: Any, kind: str, names: tuple[str, str]) -> None:
    made = int if kind == "long" else float
    rows = [tuple([made(one) for one in side] for side in pair) for pair in pairs()]
    table = spark.createDataFrame(rows, f"{names[0]} array<{kind}>, {names[1]} array<{kind}>").repartition(3)
    named = {"item": {"run": names[0], "labels": names[1]}} if names[0] == "guessed" else {}
    found = on_spark.evaluate(table, table, SPECS, **named)
    expected = rc.evaluate(pairs(), pairs(), SPECS)
    assert told(found) == told(expected)
    assert found.to_dict()["users"] == len(pairs())


def test_the_numbers_of_ranking_metrics(spark: Any) -> None:
    """Spark's own, where there is a SparkContext."""
    evaluation = pytest.importorskip("pyspark.mllib.evaluation")
    rows = [([float(i) for i in p], [float(i) for i in r]) for p, r in pairs()]
    table = spark.createDataFrame(rows, "_1 array<double>, _2 array<double>")
    try:
        metrics = evaluation.RankingMetrics(table.rdd.map(tuple))
    except Exception:
        pytest.skip("Spark Connect has no RDD")
    found = on_spark.evaluate(table, table, ["ndcg@3", "map@3", "precision@2", "recall@2"], "mllib")
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
    table = spark.createDataFrame([([1.5], [1.0])], "_1 array<double>, _2 array<double>")
    with pytest.raises(rc.InputError, match=r"the run, user \d+: the item id 1.5 is no whole number"):
        on_spark.evaluate(table, table, SPECS)
    table = spark.createDataFrame([([1], ["a"])], "_1 array<long>, _2 array<string>")
    with pytest.raises(rc.InputError, match="item ids are text in the labels and integer in the run"):
        on_spark.evaluate(table, table, SPECS)
    table = spark.createDataFrame([([1, None], [1])], "_1 array<long>, _2 array<long>")
    with pytest.raises(rc.InputError, match=r"the run, user \d+: a row has no item"):
        on_spark.evaluate(table, table, SPECS)
    known = spark.createDataFrame([(1, [1])], "user long, item array<long>")
    ranked = spark.createDataFrame([(1, 1, [0.5])], "user long, item long, score array<double>")
    with pytest.raises(
        rc.InputError, match="the column 'score' of the score holds lists, and that of the item holds none"
    ):
        on_spark.evaluate(known, ranked, SPECS)
