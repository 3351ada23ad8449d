"""Ours against each peer. Its numbers must be ours before its time counts."""

from collections.abc import Callable
from typing import Any

import rankconv as rc
from tests.benchmarks.environments import NAMES, Answer, Missing, peer
from tests.benchmarks.ours import PLAIN, SIX, evaluation, read
from tests.benchmarks.peers.peer import Peer
from tests.benchmarks.rows import Row, amount
from tests.benchmarks.setting import Setting
from tests.benchmarks.timing import median_of

OFF = 0.3
"""A ratio to best.py that is further off what was found before needs an explanation."""
BEST_BEFORE = {"S": 0.0003, "M": 0.0264, "L": 0.347}
"""CPU seconds of best.py when those ratios were found, on another machine."""


class Disagreement(Exception):  # noqa: N818
    """Their numbers are not ours under the preset that describes them: no time counts before that is settled."""


def race(name: str) -> Callable[[Setting], list[Row]]:
    """The workload of one peer."""
    return lambda setting: [raced(name, setting)]


def raced(name: str, setting: Setting) -> Row:
    """One row: what both took, or why there is nothing to tell."""
    asked = peer(name)
    task = "from dicts" if asked.from_dicts else "coded"
    row = {"workload": name, "size": setting.size, "kind": "race", "what": f"six metrics, {task}"}
    try:
        answer = setting.best if name == "best" and setting.best else setting.ask(name)
    except Missing as why:
        return Row(**row, against=asked.title, note=f"left out: {why}")
    check_agreement(asked, answer, setting)
    theirs = answer.evaluate + (answer.convert if asked.from_dicts else 0)
    note = "; ".join(part for part in (share(asked, answer), to_best(asked, answer, setting)) if part)
    return Row(**row, ours=ours(asked, setting), against=asked.title, other=theirs, goal=asked.goal, note=note)


def ours(asked: Peer, setting: Setting) -> float:
    """What the six metrics take us from what the peer is raced from."""
    if asked.from_dicts:
        call = lambda dicts: read(rc.evaluate(*dicts, list(SIX), PLAIN))
        return median_of(call, lambda: setting.dicts, setting.repetitions)
    return median_of(evaluation(SIX), setting.pair.fresh, setting.repetitions)


def check_agreement(asked: Peer, answer: Answer, setting: Setting) -> None:
    """Every mean, under the peer's own preset, from what the peer was given."""
    given: tuple[Any, Any] = (setting.pair.labels, setting.pair.run)
    found = rc.evaluate(*(setting.dicts if asked.from_dicts else given), list(answer.means), asked.preset)
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
    if asked.prototype:
        return gives
    return f"{gives}; its own input {'is' if asked.from_dicts else 'takes another'} {amount(answer.convert, 's')}"


def to_best(asked: Peer, answer: Answer, setting: Setting) -> str:
    """Its evaluation beside best.py, held against what was found before."""
    if setting.best is None or asked.title == "best.py":
        return ""
    ratio, before = answer.evaluate / setting.best.evaluate, asked.to_best.get(setting.size)
    told = f"{ratio:.3g}x best.py"
    if before is None:
        return told
    off = ratio / before - 1
    why = f", {off:+.0%}: {moved(before, answer, setting)}{asked.note}" if abs(off) > OFF else ""
    return f"{told} (before: {before:g}x{why})"


def moved(before: float, answer: Answer, setting: Setting) -> str:
    """Which of the two is not what it was: another machine, other loads and other versions move both."""
    then = BEST_BEFORE[setting.size]
    best, theirs = setting.best.evaluate / then, answer.evaluate / (before * then)
    return f"best.py takes {best:.2g}x the time it took then, this {theirs:.2g}x"


RACES = {name: race(name) for name in NAMES}
