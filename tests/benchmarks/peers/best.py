"""best.py of the prototypes: NumPy alone, with no check of anything."""

import contextlib
import io
import os
import runpy
import sys
from typing import Any
from unittest import mock

from tests.benchmarks.data import CUTOFFS, Data
from tests.benchmarks.peers.peer import Means, Peer, main, prototypes

ORDER = ("precision", "recall", "f1", "map", "mrr", "ndcg")


def prepare(data: Data) -> Any:
    """Its function, which has read the same files; what the script prints of itself is left out."""
    script = prototypes() / "best.py"
    arguments = mock.patch.object(sys, "argv", [str(script), data.folder.name, "1"])
    folder = mock.patch.dict(os.environ, {"PERF_DATA": str(data.folder.parent)})
    with arguments, folder, contextlib.redirect_stdout(io.StringIO()):
        return runpy.run_path(str(script))["evaluate"]


def evaluate(call: Any) -> Means:
    """Six metrics, per-user values in double precision."""
    rows = call(list(CUTOFFS))
    return {f"{metric}@{k}": rows[i, j] for i, metric in enumerate(ORDER) for j, k in enumerate(CUTOFFS)}


PEER = Peer("best.py", "rankconv", evaluate, lambda call: call, prepare, prototype=True, goal=1 / 2)

if __name__ == "__main__":
    main(PEER)
