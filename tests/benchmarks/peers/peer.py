"""What a peer is, and how it is timed. This runs in the peer's environment, so it needs nothing but NumPy."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.benchmarks.data import CUTOFFS, Data, load
from tests.benchmarks.timing import median_of

Means = dict[str, float]
METRICS = ("precision", "recall", "map", "mrr", "ndcg")


def at_each_k(*metrics: str) -> tuple[str, ...]:
    """`map@5`, `map@10`, and so on."""
    return tuple(f"{metric}@{k}" for metric in metrics for k in CUTOFFS)


@dataclass(frozen=True)
class Peer:
    """One way to get the numbers, as its users would get them at its best."""

    title: str
    preset: str
    """Ours that gives the same numbers."""
    evaluate: Callable[[Any], Means]
    """Everything it is timed for; its means by our specs under that preset."""
    convert: Callable[[Any], Any]
    """From what was prepared to its own input."""
    prepare: Callable[[Data], Any] = lambda data: data
    """What its users would hold in their hands; not timed."""
    requirements: Sequence[str] = ()
    """What pip installs into its environment; NumPy comes with it. Without any, ours will do."""
    version: Callable[[], str] | None = None
    """What it calls its own version; those of its requirements unless it can be asked."""
    held: str = "coded"
    """What it is raced from: "coded" data, to which its own input is added; else a form in `setting.held`, such as
    "dicts", from which both begin, so that converting counts."""
    sizes: Sequence[str] = ("XS", "S", "M", "D", "L")
    """Of which data it ends within 100 seconds, or shortly after."""
    tolerance: float = 1e-6
    goal: float | None = None
    """By how much we want to be faster; below 1, how near we want to come."""


def timed(peer: Peer, data: Data, repetitions: int) -> dict[str, Any]:
    """Its means and its times."""
    prepared = peer.prepare(data)
    convert = median_of(peer.convert, lambda: prepared, repetitions)
    given = peer.convert(prepared)
    means = {spec: float(mean) for spec, mean in peer.evaluate(given).items()}
    evaluate = median_of(peer.evaluate, lambda: given, repetitions)
    installed = ", ".join(version(one.partition("==")[0]) for one in peer.requirements)
    called = peer.version() if peer.version else installed
    return {"means": means, "convert": convert, "evaluate": evaluate, "version": called}


def main(peer: Peer) -> None:
    """FOLDER OF THE DATA, FILE FOR THE ANSWER, REPETITIONS: what every peer's file does when it is run."""
    folder, answer, repetitions = sys.argv[1:4]
    found = timed(peer, load(Path(folder)), int(repetitions))
    Path(answer).write_text(json.dumps(found), "utf-8")
