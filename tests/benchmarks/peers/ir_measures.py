"""ir_measures: one call over dictionaries, through its pytrec_eval provider."""

from typing import Any

from tests.benchmarks.peers.dictionaries import Dicts, dictionaries
from tests.benchmarks.peers.peer import Means, Peer, at_each_k, main

NAMES = {"precision": "P", "recall": "R", "map": "AP", "ndcg": "nDCG"}


def convert(given: Dicts) -> Dicts:
    """It takes the dictionaries as they are."""
    return given


def evaluate(given: tuple[Any, Any]) -> Means:
    """Four metrics in one call."""
    import ir_measures

    asked = {spec: ir_measures.parse_measure(_called(spec)) for spec in at_each_k(*NAMES)}
    found = ir_measures.calc_aggregate(asked.values(), *given)
    return {spec: found[measure] for spec, measure in asked.items()}


def _called(spec: str) -> str:
    metric, _, k = spec.partition("@")
    return f"{NAMES[metric]}@{k}"


PEER = Peer(
    "ir_measures",
    "pytrec_eval",
    evaluate,
    convert,
    dictionaries,
    requirements=("ir-measures==0.4.3", "pytrec-eval-terrier==0.5.11"),
    held="dicts",
    goal=2,
)

if __name__ == "__main__":
    main(PEER)
