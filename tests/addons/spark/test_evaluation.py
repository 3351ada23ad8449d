"""Tables of Spark: the bits of one evaluation, whatever the partitions; errors as they are told in memory."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import rankconv as rc
from rankconv import spark as on_spark
from tests.addons.spark.data import frames, in_memory, rows, tables, told

FEW_USERS = 24
ANY_LABELS = "hole@2"
MEDIAN = "recall(order=score, ties=item-ascending, aggregate=median(lower))@2"
SPECS = ["trec_eval:map", "trec_eval:ndcg_cut_5", "trec_eval:recall_5"]
SPECS += [f"rankconv:{MEDIAN}"]
FEW = ["trec_eval:map", "trec_eval:ndcg_cut_5"]
GIVEN = ["mllib:ndcg@3", "mllib:map@3", "blog:map@3"]


@pytest.fixture
def adaptive(spark: Any, request: Any) -> Iterator[None]:
    before = spark.conf.get("spark.sql.adaptive.enabled")
    spark.conf.set("spark.sql.adaptive.enabled", request.param)
    yield
    spark.conf.set("spark.sql.adaptive.enabled", before)


@pytest.fixture(scope="module")
def definitions() -> list[Any]:
    """Two metrics of all presets; a mean that adds up users in their order is refused, as parts have no order."""
    found = []
    for preset in map(rc.preset, rc.list_presets(eras=True)):
        for metric in ("ndcg@5", "map@5"):
            try:
                found += preset.define(metric)
            except rc.MetricError:
                continue
    found = [one for one in found if one.settings["aggregate"] != "sequential-mean"]
    assert len(found) > 200
    return [*found, *rc.preset("beir").define(ANY_LABELS), *rc.preset("rankconv").define(MEDIAN)]


@pytest.fixture(scope="module")
def expected(definitions: list[Any]) -> Any:
    """What one machine makes of them, where there are few users."""
    return told(rc.evaluate(*frames(*rows(FEW_USERS)), definitions, catalogue=100, per_user=False, on_error="collect"))


@pytest.mark.parametrize(
    ("partitions", "adaptive"),
    [(1, "true"), (7, "true"), (40, "false"), (400, "true"), (None, "true"), (None, "false")],
    indirect=["adaptive"],
)
def test_no_number_of_partitions_changes_a_bit_of_any_preset(
    spark: Any, partitions: int | None, adaptive: None, definitions: list[Any], expected: Any
) -> None:
    """Of 400 partitions most are empty."""
    sides = tables(spark, *rows(FEW_USERS))
    found = on_spark.evaluate(
        *sides, definitions, position="at", partitions=partitions, catalogue=100, on_error="collect"
    )
    assert told(found) == expected


def test_items_that_any_user_has_a_label_for_are_looked_up_first(spark: Any) -> None:
    """A label on one side counts on all others."""
    sides = tables(spark, *rows())
    specs = [f"beir:{ANY_LABELS}", "judged(judged-scope=collection)@2"]
    found, users = on_spark.evaluate(*sides, specs, position="at", partitions=7, per_user=True)
    expected = in_memory(specs)
    assert told(found) == told(expected)
    assert found[specs[0]] != found[specs[1]]
    each = {row[0]: row[1] for row in users.collect()}
    assert each == dict(zip(expected.users.tolist(), expected.per_user[specs[0]], strict=True))


def test_positions_say_the_order_given(spark: Any) -> None:
    known, ranked = tables(spark, *rows())
    found = on_spark.evaluate(known, ranked.repartition(3, "item"), GIVEN, position="at", partitions=4)
    assert told(found) == told(in_memory(GIVEN))


def test_ranks_say_the_order_given(spark: Any) -> None:
    labels, run = rows()
    place = pl.int_range(pl.len()).over("user").alias("rank")
    ranked = frames(labels, run)[1].drop("score").with_columns(place)
    table = spark.createDataFrame(ranked.rows(), "user long, item string, rank int").repartition(3, "item")
    found = on_spark.evaluate(tables(spark, labels, run)[0], table, GIVEN)
    assert told(found) == told(rc.evaluate(frames(labels, run)[0], ranked, GIVEN))
    twice = table.union(spark.createDataFrame([(9, "new", 0)], table.schema))
    with pytest.raises(rc.InputError, match="the run, user 9: two rows have the rank 0"):
        on_spark.evaluate(tables(spark, labels, run)[0], twice, GIVEN)


def test_columns_have_any_names_and_types(spark: Any) -> None:
    labels = [(f"u{u}", i, n) for u, i, n in [(1, 10, 1), (1, 11, 2), (2, 10, 1), (3, 12, 1)]]
    run = [("u1", 12, 2**60 + 512), ("u1", 11, 2**60), ("u2", 10, 5), ("u3", 9, 5), ("u3", 12, 4)]
    known = spark.createDataFrame(labels, "`the user` string, `my.item` int, stars tinyint")
    ranked = spark.createDataFrame(
        [(u, i, Decimal(s)) for u, i, s in run], "uid string, `my.item` long, prediction decimal(20,0)"
    )
    spec = ["ndcg(order=score, ties=item-ascending)@3", "map(order=score, ties=item-ascending)@2"]
    found = on_spark.evaluate(
        known,
        ranked,
        spec,
        user={"labels": "the user", "run": "uid"},
        item="my.item",
        grade="stars",
        score="prediction",
    )
    expected = rc.evaluate(labels, {u: [i for v, i, _ in run if v == u] for u in ("u1", "u2", "u3")}, spec)
    assert dict(found) == dict(expected)


def test_seen_items_and_a_catalogue_may_be_tables(spark: Any) -> None:
    labels, run = rows()
    seen = [(u, f"i{(u * 5) % 17}") for u in range(0, 50, 3)]
    specs = ["recall(exclude=seen, order=score, ties=item-ascending)@3"]
    sides, beside = tables(spark, labels, run), spark.createDataFrame(seen, "user long, item string")
    expected = told(in_memory(specs, seen=seen, catalogue=[f"i{n}" for n in range(20)]))
    catalogue = spark.createDataFrame([(f"i{n}",) for n in range(20)], "item string")
    assert told(on_spark.evaluate(*sides, specs, seen=beside, catalogue=catalogue, partitions=7)) == expected
    assert told(on_spark.evaluate(*sides, specs, seen=seen, catalogue=20, partitions=7)) == expected
    assert told(on_spark.evaluate(*sides, specs, seen={}, partitions=7)) != expected


def test_tables_of_pandas_on_spark_and_of_files(spark: Any, tmp_path: Path) -> None:
    known, ranked = tables(spark, *rows())
    for name, side in (("labels", known), ("run", ranked)):
        side.repartition(3).write.parquet(str(tmp_path / name))
    read = [spark.read.parquet(str(tmp_path / name)) for name in ("labels", "run")]
    expected = told(in_memory(FEW))
    assert told(on_spark.evaluate(*read, FEW)) == expected
    read[0].createOrReplaceTempView("known_labels")
    assert told(on_spark.evaluate(spark.table("known_labels"), ranked, FEW)) == expected
    try:
        of_pandas = ranked.pandas_api()
    except ImportError as problem:
        pytest.skip(f"this pyspark has no pandas on Spark with this pandas: {problem}")
    assert told(on_spark.evaluate(known, of_pandas, FEW)) == expected


def test_a_user_of_a_million_rows(spark: Any) -> None:
    from pyspark.sql import functions as sql

    known, ranked = tables(spark, *rows())
    more = spark.range(1_000_000).select(
        sql.lit(-5).cast("long").alias("user"),
        sql.col("id").cast("string").alias("item"),
        (-sql.col("id")).cast("double").alias("score"),
    )
    big = known.union(spark.createDataFrame([(-5, str(3**n), 1.0) for n in range(12)], known.schema))
    found = on_spark.evaluate(big, ranked.drop("at").union(more), FEW, partitions=4)
    labels, run = frames(*rows())
    labels = pl.concat(
        [labels, pl.DataFrame({"user": [-5] * 12, "item": [str(3**n) for n in range(12)], "grade": 1.0})]
    )
    item = pl.int_range(1_000_000, eager=True).cast(pl.String)
    mine = pl.DataFrame({"item": item, "score": -pl.int_range(1_000_000, eager=True).cast(pl.Float64)})
    run = pl.concat([run, mine.select(pl.lit(-5, pl.Int64).alias("user"), "item", "score")])
    assert told(found) == told(rc.evaluate(labels, run, FEW))


def test_errors_of_rows_name_the_least_user_whatever_the_partitions(spark: Any) -> None:
    labels, run = rows()
    odd = [(n, "i16", float("nan")) for n in (31, 8, 40, 12)]
    for partitions in (1, 7):
        known, ranked = tables(spark, labels, [*run, *odd])
        with pytest.raises(rc.InputError, match=r"^the run, user 8, item 'i16'.*NaN"):
            on_spark.evaluate(known, ranked, FEW, partitions=partitions)
    fewer = [row for row in run if row[0] not in (11, 7, 30)]
    with pytest.raises(rc.MetricError, match="topic 7 has no ranked row"):
        on_spark.evaluate(*tables(spark, labels, fewer), FEW, partitions=5)
    with pytest.raises(rc.InputError, match="no user in common"):
        on_spark.evaluate(*tables(spark, labels, [(u + 1000, i, s) for u, i, s in run]), FEW, partitions=3)


def test_rows_without_ids_or_with_two_places_are_told(spark: Any) -> None:
    labels, run = rows()
    known, ranked = tables(spark, labels, run)
    with pytest.raises(rc.InputError, match=r"the labels, user 7: a row has no item \(column 'item'\)"):
        on_spark.evaluate(known.union(spark.createDataFrame([(7, None, 1.0)], known.schema)), ranked, FEW)
    with pytest.raises(rc.InputError, match="the run, item 'x': a row has no user"):
        on_spark.evaluate(known, ranked.union(spark.createDataFrame([(None, "x", 1.0, 1)], ranked.schema)), FEW)
    first = next(row["at"] for row in ranked.collect() if row["user"] == 3)
    same = ranked.union(spark.createDataFrame([(3, "x", 1.0, first)], ranked.schema))
    with pytest.raises(rc.InputError, match="the run, user 3: two rows have the position "):
        on_spark.evaluate(known, same, GIVEN, position="at")
    twice = known.union(spark.createDataFrame([(0, "i0", 2.0)], known.schema))
    with pytest.raises(rc.InputError, match="user 0, item 'i0': it has two labels with different grades"):
        on_spark.evaluate(twice, ranked, "pytrec_eval:map")
    with pytest.raises(rc.MetricError, match="topic 0 has item 'i0' labelled twice"):
        on_spark.evaluate(twice, ranked, FEW)


def test_workers_that_are_killed_and_tasks_that_run_twice_change_nothing(spark: Any, tmp_path: Path) -> None:
    """A plugin that the workers load ends two of them, in the middle, as `kill -9` does."""
    plugin = tmp_path / "plugin.py"
    plugin.write_text(
        "import os, pathlib, signal, rankconv as rc\n"
        "from pyspark import TaskContext\n"
        f"marks = [pathlib.Path({str(tmp_path)!r}) / name for name in ('one', 'two')]\n"
        "for mark in marks if TaskContext.get() else []:\n"
        "    if not mark.exists():\n        mark.touch()\n        os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    sides = tables(spark, *rows())
    assert told(on_spark.evaluate(*sides, SPECS, partitions=3, plugins=[plugin])) == told(in_memory(SPECS))
    assert (tmp_path / "one").exists()
    assert (tmp_path / "two").exists()


def test_positions_that_contradict_scores_are_refused_as_ranks_are_in_memory(spark: Any) -> None:
    """A score is not taken for the order where a position is named; without the score, positions order the lists."""
    table = spark.createDataFrame(
        [(1, "a", 0.1, 1), (1, "b", 0.9, 2), (1, "c", 0.5, 3)], "user long, item string, score double, at long"
    )
    known = spark.createDataFrame([(1, "b", 1.0)], "user long, item string, grade double")
    wrong = r"user 1: the ranks .+ and the scores .+ contradict: item 'a' has rank 1 and score 0\.1 and item 'b'"
    with pytest.raises(rc.InputError, match=wrong):
        on_spark.evaluate(known, table, "mllib:precision@1", position="at")
    with pytest.raises(rc.InputError, match=wrong):
        rc.evaluate({1: ["b"]}, table.withColumnRenamed("at", "rank").toPandas(), "mllib:precision@1")
    by_place = on_spark.evaluate(known, table.drop("score"), "mllib:map@3", position="at")
    assert by_place["mllib:map@3"] == 0.5
    named = table.withColumnRenamed("score", "place")
    with pytest.raises(rc.InputError, match="rank='place' and position='at' are both named"):
        on_spark.evaluate(known, named, "mllib:map@3", position="at", rank="place")
