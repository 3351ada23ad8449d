"""kernel.c of the prototypes: everything for one user in one go, in C, on one thread."""

import ctypes
import subprocess
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.benchmarks.data import CUTOFFS, Array, Data
from tests.benchmarks.peers.peer import Means, Peer, main, prototypes

ORDER = ("precision", "recall", "f1", "mrr", "map", "ndcg")


@dataclass(frozen=True)
class Given:
    """The compiled library and its tables."""

    library: Any
    data: Data
    discount: Array
    ideal: Array


def prepare(data: Data) -> Given:
    """Compiled for this machine, beside the data."""
    target = data.folder / "kernel.so"
    source = prototypes() / "kernel.c"
    command = ["gcc", "-O3", "-march=native", "-shared", "-fPIC", str(source), "-o", str(target)]
    subprocess.run(command, check=True)
    discount = 1 / np.log2(np.arange(data.pred.shape[1]) + 2.0)
    ideal = np.concatenate([[1.0], np.cumsum(discount[: CUTOFFS[-1]])])
    return Given(ctypes.CDLL(str(target)), data, discount, ideal)


def evaluate(given: Given) -> Means:
    """Six metrics, per-user values in double precision."""
    data, width = given.data, len(CUTOFFS) * len(ORDER)
    values, sums, cutoffs = np.empty((data.users, width)), np.zeros(width), np.array(CUTOFFS, np.int32)
    start, end, catalogue = ctypes.c_int64(0), ctypes.c_int64(data.users), ctypes.c_int64(data.catalogue)
    rows = (at(data.pred), at(data.starts), at(data.items), start, end, data.pred.shape[1], catalogue)
    tables = (at(given.discount), at(given.ideal), CUTOFFS[-1], at(values), at(sums))
    given.library.fused(*rows, at(cutoffs), len(cutoffs), 1, 1, *tables)
    means = (sums / data.users).reshape(len(CUTOFFS), len(ORDER))
    return {f"{metric}@{k}": means[j, i] for i, metric in enumerate(ORDER) for j, k in enumerate(CUTOFFS)}


def at(array: Array) -> ctypes.c_void_p:
    """Where it lies."""
    return array.ctypes.data_as(ctypes.c_void_p)


TO_BEST = {"M": 0.31, "L": 0.27}
PEER = Peer("C kernel", "rankconv", evaluate, lambda given: given, prepare, prototype=True, goal=1 / 8, to_best=TO_BEST)

if __name__ == "__main__":
    main(PEER)
