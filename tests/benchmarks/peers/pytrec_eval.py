"""pytrec_eval: trec_eval's C code behind dictionaries."""

import statistics
from typing import Any

from tests.benchmarks.data import CUTOFFS
from tests.benchmarks.peers.dictionaries import Dicts, dictionaries
from tests.benchmarks.peers.peer import Means, Peer, main

NAMES = {"precision": "P", "recall": "recall", "map": "map_cut", "ndcg": "ndcg_cut"}


def convert(given: Dicts) -> tuple[Any, Any]:
    """Its evaluator, which takes the labels."""
    import pytrec_eval

    cut = ",".join(map(str, CUTOFFS))
    labels, run = given
    return pytrec_eval.RelevanceEvaluator(labels, {*(f"{name}.{cut}" for name in NAMES.values()), "recip_rank"}), run


def evaluate(given: tuple[Any, Any]) -> Means:
    """Five metrics in one call, of which MRR has no cutoff there; and the means, which are the caller's."""
    evaluator, run = given
    users = list(evaluator.evaluate(run).values())
    asked = {f"{ours}@{k}": f"{theirs}_{k}" for ours, theirs in NAMES.items() for k in CUTOFFS} | {"mrr": "recip_rank"}
    return {spec: statistics.fmean(user[key] for user in users) for spec, key in asked.items()}


PEER = Peer(
    "pytrec_eval",
    "pytrec_eval",
    evaluate,
    convert,
    dictionaries,
    requirements=("pytrec-eval-terrier==0.5.11",),
    held="dicts",
    goal=2,
)

if __name__ == "__main__":
    main(PEER)
