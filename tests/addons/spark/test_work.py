"""What a worker does, without Spark: one plan serves all partitions that its process gets."""

import pickle
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import rankconv as rc
from rankconv.addons.spark import workers as request_module
from rankconv.addons.spark.evaluation import places
from rankconv.addons.spark.spark_sides import Sent
from rankconv.addons.spark.workers import PartialMaker, Request, WorkerRows
from rankconv.evaluation.streaming.partial import Partial, nobody, read
from rankconv.presets import definition as definition_module
from rankconv.presets.arguments import define

SPECS = ["ndcg@3", "map@3", "precision@2"]
NONE: dict[str, Any] = {"catalogue": None, "train": None, "item_features": None}


def sent(what: Any, number: str) -> Sent:
    columns = {"user": "user", "item": "item", number: "number"}
    return Sent(what, columns, columns, listed=False, ordered=False)


def partition(user: int) -> pa.RecordBatch:
    """Two labels and three rows of one user."""
    rows = [(0, user, "a", 2.0), (0, user, "b", 1.0), *((1, user, item, 3.0 - at) for at, item in enumerate("xab"))]
    [batch] = pl.DataFrame(rows, ["side", "user", "item", "number"], orient="row").to_arrow().to_batches()
    return batch


def test_a_process_plans_once_for_all_its_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    definitions = define(SPECS, rc.preset("trec_eval"))
    request = Request.of(nobody("trec_eval", definitions), [], digests=True)
    work = WorkerRows((sent("labels", "grade"), sent("run", "score")), places(definitions), NONE)
    as_sent = pickle.dumps(PartialMaker(request, work))
    calls = {"nobody": 0, "definition_part": 0}

    def counted(name: str, function: Any) -> Any:
        def call(*given: Any, **named: Any) -> Any:
            calls[name] += 1
            return function(*given, **named)

        return call

    monkeypatch.setattr(request_module, "nobody", counted("nobody", nobody))
    stated = counted("definition_part", definition_module.definition_part)
    monkeypatch.setattr(definition_module, "definition_part", stated)
    request_module._made.cache_clear()
    parts = [
        row["part"]
        for user in range(20)
        for out in pickle.loads(as_sent)(iter([partition(user)]))
        for row in out.to_pylist()
    ]
    known = request.empty().definitions
    found = Partial.merged(Partial(*read(bytes(one), known)) for one in parts).compute()
    assert calls["nobody"] == 1
    assert calls["definition_part"] <= len(SPECS)  # a definition keeps its own
    labels = {user: {"a": 2, "b": 1} for user in range(20)}
    run = {user: {"x": 3.0, "a": 2.0, "b": 1.0} for user in range(20)}
    alone = rc.evaluate(labels, run, SPECS, "trec_eval")
    assert dict(found) == dict(alone)
    assert found.signatures == alone.signatures


def test_workers_make_no_digests_where_none_are_wanted() -> None:
    empty = nobody("trec_eval", define(SPECS, rc.preset("trec_eval")), digests=False)
    request = Request.of(empty, [], digests=False)
    work = WorkerRows((sent("labels", "grade"), sent("run", "score")), places(empty.definitions), NONE)
    [[row]] = [batch.to_pylist() for batch in PartialMaker(request, work)(iter([partition(0)]))]
    found = empty.merge(Partial(*read(bytes(row["part"]), request.empty().definitions))).compute()
    assert all("|labels:not-made|run:not-made|" in one for one in found.signatures.values())
