"""Several threads: an evaluator loses no batch, first uses give the numbers of one thread, warnings stay."""

import pickle
import random
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

import rankconv as rc
from rankconv.basics.errors import RespelledIds, muted, warn

THREADS, BATCHES = 6, 48


@pytest.fixture(autouse=True)
def _many_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(*works: Callable[[], None]) -> None:
    """Run these at once, and raise what one of them raises."""
    raised: list[BaseException] = []

    def run(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as problem:  # for the thread that waits
            raised.append(problem)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for problem in raised:
        raise problem


def batches() -> list[tuple[dict[str, dict[str, int]], dict[str, list[tuple[str, float]]]]]:
    draw = random.Random(0)
    users = [[f"u{20 * batch + user}" for user in range(20)] for batch in range(BATCHES)]
    labels = [{user: {f"i{item}": draw.randint(0, 3) for item in range(6)} for user in some} for some in users]
    runs = [{user: [(f"i{item}", draw.random()) for item in range(9)] for user in some} for some in users]
    return list(zip(labels, runs, strict=True))


@pytest.mark.parametrize("kept", [True, False])
def test_no_batch_of_several_threads_is_lost(kept: bool) -> None:
    each, specs = batches(), ["ndcg@5", "map(aggregate=median(interpolated))", "items_shown@3"]
    options = {} if kept else {"per_user": False, "repeated_users": "unchecked"}
    one, many = (rc.Evaluator(specs, **options) for _ in range(2))
    for batch in each:
        one.update(*batch)

    def work(first: int) -> None:
        for batch in each[first::THREADS]:
            many.update(*batch)
            assert pickle.loads(pickle.dumps(many)).size >= 20  # while others add

    in_threads(*(lambda first=first: work(first) for first in range(THREADS)))
    assert many.size == 20 * BATCHES
    assert [*map(float, many.compute().values())] == [*map(float, one.compute().values())]


def test_rows_without_ids_are_numbered_once_each() -> None:
    evaluator = rc.Evaluator("ndcg@2")
    work = lambda: [evaluator.update([[1, 2]] * 3, [[2, 1]] * 3) for _ in range(10)]
    in_threads(*[work] * THREADS)
    assert evaluator.compute().users.tolist() == [*range(3 * 10 * THREADS)]


def test_evaluators_that_are_merged_both_ways_do_not_wait_for_each_other() -> None:
    parts = batches()
    for _ in range(20):
        one, other = rc.Evaluator("ndcg@2"), rc.Evaluator("ndcg@2")
        one.update(*parts[0])
        other.update(*parts[1])

        def merge(ours: rc.Evaluator, theirs: rc.Evaluator) -> None:
            with suppress(rc.InputError):  # where the other was faster, the users are there twice
                ours.merge(theirs)

        in_threads(lambda one=one, other=other: merge(one, other), lambda one=one, other=other: merge(other, one))
        assert {one.size, other.size} <= {20, 40}


FIRST_USES = """
import random, sys, threading
sys.setswitchinterval(1e-6)
import rankconv as rc
labels = {f"u{i}": {f"i{j}": (i * j) % 4 for j in range(6)} for i in range(6)}
run = {f"u{i}": [(f"i{(j * 7 + i) % 9}", float(9 - j)) for j in range(9)] for i in range(6)}
metrics, presets = [*map(str, rc.list_metrics())], [*map(str, rc.list_presets())]

def number(spec, preset):
    try:
        return str(float(rc.evaluate(labels, run, spec, preset=preset)[spec]))
    except rc.RankconvError as error:
        return str(error)

def numbers(seed):
    draw = random.Random(seed)
    found = [number(f"{metric}@3", None) for metric in draw.sample(metrics, 8)]
    found += [number("ndcg@3", preset) for preset in draw.sample(presets, 5)]
    found += [str(getattr(rc, name)(k=3)) for name in ("NDCG", "MAP", "ERR")]
    return [*found, str(rc.check(labels, run, "map@3"))]

found, barrier = {}, threading.Barrier(4)

def work(seed):
    barrier.wait()
    found[seed] = numbers(seed)

threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
[thread.start() for thread in threads], [thread.join() for thread in threads]
assert len(found) == 4
assert all(found[seed] == numbers(seed) for seed in found)
"""
"""Metrics, presets, conventions and names are loaded when they are first used: by four threads at once."""


def test_first_uses_by_several_threads_give_the_numbers_of_one() -> None:
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FIRST_USES], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_one_thread_does_not_warn_of_others_do() -> None:
    """Filters of warnings are those of the process: two threads that set and reset them would leave them changed."""
    inside, leave = threading.Event(), threading.Event()

    def mute() -> None:
        with muted(RespelledIds):
            warn("not this one", RespelledIds)
            inside.set()
            leave.wait(10)

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        thread = threading.Thread(target=mute)
        thread.start()
        inside.wait(10)
        warn("this one", RespelledIds)
        leave.set()
        thread.join()
        warn("and this", RespelledIds)
    assert [str(one.message) for one in found] == ["this one", "and this"]
