"""CPU time of a call. Ours and the peers' are taken in the same way; the standard library is enough for it."""

import gc
import resource
import statistics
from collections.abc import Callable
from math import ceil
from time import process_time
from typing import Any

LEAST = 0.1
"""Seconds that a sample lasts at least: short calls are repeated within it, as the clock and the caches need."""
MOST = 100
"""Calls within a sample."""


def median_of(call: Callable[[Any], Any], given: Callable[[], Any], repetitions: int) -> float:
    """Median of so many samples, in CPU seconds of all threads. Making what is given is not timed, nor the first call:
    libraries compile in it."""
    first = sample(call, given, 1)
    calls = 1 if first > 1 else min(MOST, ceil(LEAST / max(sample(call, given, 1), LEAST / MOST)))
    return statistics.median(sample(call, given, calls) for _ in range(repetitions))


def sample(call: Callable[[Any], Any], given: Callable[[], Any], calls: int) -> float:
    """Mean of so many calls, each of which is given something of its own."""
    gc.collect()
    total = 0.0
    for _ in range(calls):
        fresh = given()
        start = spent()
        made = call(fresh)
        total += spent() - start
        del made, fresh
    return total / calls


def spent() -> float:
    """CPU seconds of this process and of those that it started and that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime
