"""A session of Spark. These tests run in a job of their own: `RANKCONV_SPARK=1 python -m pytest tests/addons/spark`.

With `RANKCONV_SPARK=connect` the session is one of Spark Connect.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.sql.shuffle.partitions": 5,
    "spark.ui.showConsoleProgress": "false",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests without a session run with all others."""
    ready = os.environ.get("RANKCONV_SPARK") and shutil.which("java")
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.filterwarnings("ignore"))  # pyspark's own, of pandas and of sockets
            if not ready:
                item.add_marker(pytest.mark.skip(reason="a job of its own, with Java"))


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    sql = pytest.importorskip("pyspark.sql")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    connect = os.environ["RANKCONV_SPARK"] == "connect"
    if connect:
        pytest.importorskip("grpc_status", reason="Spark Connect is not installed: pyspark[connect]")
    builder = sql.SparkSession.builder
    builder = (builder.remote if connect else builder.master)("local[2,4]")  # a task may fail three times
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    if not connect:
        made.sparkContext.setLogLevel("OFF")
    yield made
    made.stop()
