"""Ours against each peer. Its numbers must be ours before its time counts."""

from collections.abc import Callable
from dataclasses import replace

import rankconv as rc
from tests.benchmarks.environments import NAMES, Answer, Missing, peer
from tests.benchmarks.ours import SIX, evaluation, read
from tests.benchmarks.peers.peer import Peer
from tests.benchmarks.rows import Row, amount
from tests.benchmarks.setting import Setting
from tests.benchmarks.timing import median_of


class Disagreement(Exception):  # noqa: N818
    """Their numbers are not ours under the preset that describes them: no time counts before that is settled."""


def race(name: str) -> Callable[[Setting], list[Row]]:
    """The workload of one peer."""
    return lambda setting: [raced(name, setting)]


def raced(name: str, setting: Setting) -> Row:
    """One row: what both took, or why there is nothing to tell."""
    asked = peer(name)
    task = "coded" if asked.held == "coded" else f"from {asked.held}"
    row = Row(name, setting.size, "race", task, against=asked.title, goal=asked.goal)
    if setting.size not in asked.sizes:
        return replace(row, goal=None, note="left out: one call takes more than 100 s")
    try:
        answer = setting.ask(name)
    except Missing as why:
        return replace(row, goal=None, note=f"left out: {why}")
    check_agreement(asked, answer, setting)
    theirs = answer.evaluate + (answer.convert if asked.held != "coded" else 0)
    against = f"{asked.title} {answer.version}".strip()
    return replace(row, against=against, ours=ours(asked, answer, setting), other=theirs, note=share(asked, answer))


def ours(asked: Peer, answer: Answer, setting: Setting) -> float:
    """What the peer's metrics take us from what it is raced from; of coded data, all six."""
    if asked.held == "coded":
        return median_of(evaluation(SIX), setting.pair.fresh, setting.repetitions)
    given = setting.held(asked.held)
    call = lambda held: read(rc.evaluate(held[0], held[1], list(answer.means), asked.preset))
    return median_of(call, lambda: given, setting.repetitions)


def check_agreement(asked: Peer, answer: Answer, setting: Setting) -> None:
    """Every mean, under the peer's own preset, from what the peer was given."""
    labels, run = setting.held(asked.held)
    found: rc.Result = rc.evaluate(labels, run, list(answer.means), asked.preset)
    apart = [
        f"{spec}: {theirs!r} there, {found[spec]!r} here"
        for spec, theirs in answer.means.items()
        if not abs(theirs - found[spec]) <= asked.tolerance
    ]
    if apart:
        raise Disagreement(f"{asked.title} on {setting.size} is not our preset '{asked.preset}':\n" + "\n".join(apart))


def share(asked: Peer, answer: Answer) -> str:
    """How much of its time, or beside it, goes into its own input; and what it gives, where that is less than six."""
    metrics = dict.fromkeys(spec.partition("@")[0] for spec in answer.means)
    gives = "" if len(metrics) == 6 else f"gives {', '.join(metrics)}"
    return f"{gives}; its own input {'takes another' if asked.held == 'coded' else 'is'} {amount(answer.convert, 's')}"


RACES = {name: race(name) for name in NAMES}
