"""ranx: Qrels and Run of the dictionaries, and one call. It compiles in the first round, which is not timed."""

from typing import Any

from tests.benchmarks.peers.dictionaries import Dicts, dictionaries
from tests.benchmarks.peers.peer import METRICS, Means, Peer, at_each_k, main


def convert(given: Dicts) -> tuple[Any, Any]:
    """Its own structures, sorted."""
    from ranx import Qrels, Run

    return Qrels(given[0]), Run(given[1])


def evaluate(given: tuple[Any, Any]) -> Means:
    """Five metrics in one call."""
    from ranx import evaluate as call

    return call(*given, list(at_each_k(*METRICS)))


PEER = Peer(
    "ranx",
    "ranx",
    evaluate,
    convert,
    dictionaries,
    requirements=("ranx==0.3.21",),
    held="dicts",
    goal=8,
)

if __name__ == "__main__":
    main(PEER)
