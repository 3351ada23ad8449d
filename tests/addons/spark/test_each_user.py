"""The values of each user as a DataFrame of Spark, those that one machine gives; and plugins on workers."""

from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from rankconv import spark as on_spark
from tests.addons.spark.data import frames, in_memory, rows, tables, told

PLUGIN = """
import rankconv as rc


@rc.convention("gain").setting("sent-to-spark", rule="g^2 / 2", says="half of the squared grade")
def _(grades):
    "Half of the squared grade."
    return grades**2 / 2
"""


def values(result: rc.Result) -> dict[Any, list[str]]:
    columns = [[float(one).hex() for one in result.per_user[spec]] for spec in result.specs]
    return dict(zip(result.users.tolist(), map(list, zip(*columns, strict=True)), strict=True))


def test_values_of_users_are_those_of_one_machine(spark: Any) -> None:
    specs = [
        f"{name}:{metric}@3"
        for name in ("mllib", "blog", "trec_eval", "ranx", "sklearn")
        for metric in ("ndcg", "recall")
    ]
    specs = [
        one for one in specs if one.partition(":")[2].partition("@")[0] in rc.preset(one.partition(":")[0]).metrics
    ]
    sides = tables(spark, *rows())
    found, users = on_spark.evaluate(*sides, specs, position="at", partitions=4, per_user=True, on_error="collect")
    expected = in_memory(specs, on_error="collect")
    assert told(found) == told(expected)
    assert users.columns == ["user", *specs]
    rows_found = {row[0]: [float(one).hex() for one in row[1:]] for row in users.collect()}
    assert rows_found == values(expected)


def test_what_the_data_as_a_whole_decide_holds_for_each_user(spark: Any) -> None:
    """In a part with one user there is one user, and in all of them there are more: only these are caught for."""
    labels, run = rows(9)
    spec = "map(on-one-user=0.25)@3"
    for few in (1, 9):
        sides = [row for row in labels if row[0] < few], [row for row in run if row[0] < few]
        found, users = on_spark.evaluate(*tables(spark, *sides), spec, position="at", partitions=4, per_user=True)
        expected = rc.evaluate(*frames(*sides), spec)
        assert told(found) == told(expected)
        assert {row[0]: [float(row[1]).hex()] for row in users.collect()} == values(expected)


def test_a_plugin_travels_by_its_text(spark: Any, tmp_path: Path) -> None:
    plugin = tmp_path / "mine.py"
    plugin.write_text(PLUGIN)
    known, ranked = tables(spark, *rows())
    spec = "dcg(gain=sent-to-spark)@3"
    found = on_spark.evaluate(known, ranked, spec, position="at", plugins=[plugin])
    assert told(found) == told(in_memory(spec))
    moved = plugin.rename(tmp_path / "elsewhere.py")
    with pytest.raises(rc.InputError, match=r"a worker of Spark: .* needs the plugin .*mine\.py, which is not there"):
        on_spark.evaluate(known, ranked, spec, position="at", partitions=3)
    with pytest.raises(rc.InputError, match="there is no plugin file"):
        on_spark.evaluate(known, ranked, spec, position="at", plugins=[tmp_path / "nothing.py"])
    assert moved.exists()
