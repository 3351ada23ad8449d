"""trec_eval itself, where it is on the path: one process for the two files."""

import shutil
import subprocess
from typing import Any

from tests.benchmarks.data import CUTOFFS
from tests.benchmarks.held import trec
from tests.benchmarks.peers.peer import Means, Peer, main

NAMES = {"precision": "P", "recall": "recall", "map": "map_cut", "ndcg": "ndcg_cut"}


def said(*arguments: str) -> str:
    """What it prints: numbers, or on the other stream its version."""
    program = shutil.which("trec_eval")
    if program is None:
        raise FileNotFoundError("trec_eval is not on the path")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
    return done.stdout or done.stderr


def evaluate(given: tuple[Any, Any]) -> Means:
    """Five metrics in one call, of which MRR has no cutoff there."""
    cut = ",".join(map(str, CUTOFFS))
    asked = [part for name in NAMES.values() for part in ("-m", f"{name}.{cut}")]
    printed = said(*asked, "-m", "recip_rank", *given)
    found = {fields[0]: float(fields[2]) for fields in map(str.split, printed.splitlines())}
    specs = {f"{ours}@{k}": f"{theirs}_{k}" for ours, theirs in NAMES.items() for k in CUTOFFS} | {"mrr": "recip_rank"}
    return {spec: found[name] for spec, name in specs.items()}


PEER = Peer(
    "trec_eval",
    "trec_eval",
    evaluate,
    lambda given: given,
    trec,
    version=lambda: said("--version").split()[-1],
    held="TREC files",
    tolerance=1e-4,
    goal=3,
)

if __name__ == "__main__":
    main(PEER)
