"""The command line: what can be asked for, and in which order it is measured."""

import argparse
import sys
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path

from tests.benchmarks import own
from tests.benchmarks.cold import cold
from tests.benchmarks.data import SIZES
from tests.benchmarks.devices import devices
from tests.benchmarks.environments import NAMES, Places
from tests.benchmarks.forms import forms
from tests.benchmarks.machine import load
from tests.benchmarks.matrices import matrices
from tests.benchmarks.peaks import peaks
from tests.benchmarks.publishing import Measured, write
from tests.benchmarks.races import RACES, Disagreement
from tests.benchmarks.rows import Row, table
from tests.benchmarks.setting import Setting
from tests.benchmarks.whole import frames, grown

Workload = Callable[[Setting], list[Row]]
COSTS = (
    own.definitions,
    own.presets,
    own.memory,
    own.fixed,
    cold,
)
WHOLE = (matrices, devices, frames, forms, peaks, grown)
WORKLOADS: dict[str, Workload] = {
    **{one.__name__: one for one in WHOLE},
    **RACES,
    **{one.__name__: one for one in COSTS},
}
ONCE = ("matrices", "devices", "fixed", "cold")
"""Workloads that no size changes."""


def main(arguments: list[str] | None = None) -> int:
    """Measure what is asked for, and print it; 1 where a peer's numbers are not ours."""
    asked = parser().parse_args(arguments)
    try:
        measured = measure(asked)
    except Disagreement as problem:
        print(f"no time counts: {problem}", file=sys.stderr)
        return 1
    print(f"{measured.told}\n\n{table(measured.rows)}")
    if asked.write:
        print("; ".join(write(measured)))
    return 0


def parser() -> argparse.ArgumentParser:
    """What can be asked for."""
    made = argparse.ArgumentParser("python -m tests.benchmarks", description="How fast are we, and the others?")
    made.add_argument("--only", type=words(WORKLOADS), help=f"workloads, of: {', '.join(WORKLOADS)}")
    made.add_argument("--peers", type=words(NAMES), help="of the peers, only these")
    made.add_argument("--size", type=words(SIZES), help=f"of: {', '.join(SIZES)}; M unless said")
    made.add_argument("--repetitions", type=int, help="medians of so many; 5 unless said")
    made.add_argument("--data", type=Path, default=Path(tempfile.gettempdir()) / "rankconv-benchmarks")
    made.add_argument("--venvs", type=Path, help="folder of the peers' environments, made on demand; in --data")
    made.add_argument("--quick", action="store_true", help="size S, 1 repetition, peers that are importable here")
    made.add_argument("--write", action="store_true", help="write results.md, results.svg and docs/reference/speed.md")
    return made


def words(known: Collection[str]) -> Callable[[str], list[str]]:
    """Comma-separated words, all of them known."""

    def listed(text: str) -> list[str]:
        found = text.split(",")
        wrong = [word for word in found if word not in known]
        if wrong:
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(wrong)}; choose of: {', '.join(known)}")
        return found

    return listed


def measure(asked: argparse.Namespace) -> Measured:
    """Every workload of every size; those that no size changes, once."""
    venvs = None if asked.quick and asked.venvs is None else asked.venvs or asked.data / "venvs"
    places = Places(asked.data.absolute(), venvs and venvs.absolute())
    repetitions = asked.repetitions or (1 if asked.quick else 5)
    sizes = asked.size or (["S"] if asked.quick else ["M"])
    rows: list[Row] = []
    loads = [load()]
    for size in sizes:
        setting = Setting(size, places, repetitions)
        for name in chosen(asked):
            if size == sizes[0] or name not in ONCE:
                found = WORKLOADS[name](setting)
                print(table(found, heads=False), end="", file=sys.stderr, flush=True)
                rows += found
                loads.append(load())
    return Measured(rows, repetitions, loads)


def chosen(asked: argparse.Namespace) -> list[str]:
    """The names of the workloads, in our order."""
    peers = NAMES if asked.peers is None else asked.peers
    wanted = [name for name in WORKLOADS if name not in NAMES or name in peers]
    if asked.only is None:
        return wanted if asked.peers is None else [name for name in wanted if name in NAMES]
    return [name for name in wanted if name in asked.only]
