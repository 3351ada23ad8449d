"""Data, presets and definitions that are shared: threads and interrupts leave every later number as it was."""

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from types import FrameType
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.data import joined, matching
from rankconv.data.matching import DENSE_ITEMS

SPECS = [
    "recall@20", "ndcg@10", "map", "sklearn:ndcg", "trec_eval-c:map@5", "lightfm:auc", "catboost+unretrieved:ndcg@10",
    "mllib:ndcg@7",
]  # fmt: skip
THREADS, EACH, INTERRUPTS = 8, 50, 200

Shared = dict[str, Any]


def ids(random: np.random.Generator, users: int, rows: int) -> Any:
    return random.random((users, 120)).argsort(1)[:, :rows]


def shared() -> Shared:
    """What may be shared: labels, a run, both joined, and a preset."""
    random = np.random.default_rng(0)
    labels, run = rc.Labels(ids(random, 120, 8)), rc.Run(ids(random, 120, 30))
    return {"labels": labels, "run": run, "joined": rc.join(labels, run, catalogue=130), "preset": rc.preset("mllib")}


def everything(data: Shared, spec: str, at: int) -> tuple[str, bytes]:
    """The mean and every user's value, to the last bit: of the joined data, or of labels and run joined anew."""
    given = (data["joined"],) if at % 4 else (data["labels"], data["run"])
    more = {} if at % 4 else {"catalogue": 130}
    result = rc.evaluate(*given, metrics=[spec], preset=data["preset"], on_error="collect", **more)
    return float(result[spec]).hex(), result.per_user[spec].tobytes()


@pytest.fixture(scope="module", params=[DENSE_ITEMS, 1], ids=["a place for each item", "shared places"])
def data(request: pytest.FixtureRequest) -> Iterator[Shared]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "DENSE_ITEMS", request.param)
        patch.setattr(joined, "CELLS", 1 << 10)  # several blocks, so that what one leaves behind meets another
        yield shared()


@pytest.fixture(scope="module")
def alone(data: Shared) -> dict[str, tuple[str, bytes]]:
    """The numbers of one thread that nobody disturbs."""
    return {spec: everything(data, spec, at=1) for spec in SPECS}


@contextmanager
def switching_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def test_threads_disturb_no_other(data: Shared, alone: dict[str, tuple[str, bytes]]) -> None:
    start = threading.Barrier(THREADS)

    def one(number: int) -> list[str]:
        start.wait()
        asked = [SPECS[(number + at) % len(SPECS)] for at in range(EACH)]
        return [spec for at, spec in enumerate(asked) if everything(data, spec, at + number) != alone[spec]]

    with switching_often(), ThreadPoolExecutor(THREADS) as pool:
        assert [list(wrong) for wrong in pool.map(one, range(THREADS))] == [[]] * THREADS


def lines_run(work: Callable[[], Any], where: str, most: int | None = None) -> int:
    """How many lines of these files are run, or were until a KeyboardInterrupt at the last of so many."""
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        if where not in frame.f_code.co_filename:
            return None if event == "call" and "rankconv" not in frame.f_code.co_filename else trace
        count += event == "line"
        if count == most:
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("where", ["rankconv", "matching", "joined", "facts", "parameters"])
def test_interrupts_leave_nothing_behind(data: Shared, alone: dict[str, tuple[str, bytes]], where: str) -> None:
    random, met = Random(where), 0
    lines = {spec: lines_run(lambda spec=spec: everything(data, spec, at=1), where) for spec in SPECS}  # type: ignore[misc]
    asked = [spec for spec in SPECS if lines[spec]]
    for at in range(INTERRUPTS // 5):
        spec = asked[at % len(asked)]
        try:
            lines_run(lambda spec=spec: everything(data, spec, at=1), where, random.randint(1, lines[spec]))  # type: ignore[misc]
        except KeyboardInterrupt:
            met += 1
        assert everything(data, spec, at=1) == alone[spec], at
    assert {spec: everything(data, spec, at=1) for spec in SPECS} == alone
    assert met == INTERRUPTS // 5
