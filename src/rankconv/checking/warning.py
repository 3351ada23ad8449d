"""The one line that `rankconv evaluate` says before anybody believes its number."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rankconv.checking.data import Data
from rankconv.checking.finding import Move, furthest, step
from rankconv.checking.found import Found
from rankconv.checking.impact import can_move, moves
from rankconv.checking.lints import LINTS, Lint
from rankconv.ranking.joined import Joined
from rankconv.results import Result

FEW_ROWS = 500_000
"""A longer run is looked at quickly: what is found is counted, not measured, and not all of it is looked for."""


@dataclass(frozen=True)
class Warned:
    """A finding that can change a number that was just computed."""

    run: str
    lint: Lint
    found: Found
    move: Move | None
    """The number that it moves most; None where that was not measured."""

    @property
    def weight(self) -> float:
        """By how much it moves a number; without end where there is no number now, 0 where it was not measured."""
        by = 0.0 if self.move is None else self.move.by
        return math.inf if math.isnan(by) else by

    def told(self, run: str) -> str:
        """All in a sentence, with the name of the run if there is one."""
        found, lint = self.found, self.lint
        of = f" of run '{run}'" if run else ""
        return f"{lint.title} ({found.count:,} of {found.of:,} {lint.unit}{of}): {lint.otherwise} {self._how}"

    @property
    def _how(self) -> str:
        if self.move is None:
            return "may change the numbers"
        if math.isinf(self.weight):
            return f"would give {self.move.metric} a number"
        return f"would change {self.move.metric} by up to {step(self.weight)}"


def warned(joined: Joined, result: Result, digits: int = 17) -> list[Warned]:
    """What changes the numbers of a run in these digits, as far as it is found fast.

    In long runs it is not measured, and looked for no further than the metrics read.
    """
    measured = {(one.definition.preset, spec): one for spec, one in result.by_spec.items()}
    data = Data(joined, measured, quick=len(joined.rankings.item) > FEW_ROWS)
    found = [(lint, found) for lint in LINTS.values() if lint.at_evaluate and (found := lint.find(data))]
    if data.quick:
        return [Warned(result.run, lint, one, None) for lint, one in found if can_move(lint, data)]
    moved = [(lint, one, furthest(moves(lint, data))) for lint, one in found]
    told = [Warned(result.run, lint, one, move) for lint, one, move in moved if move]
    return [one for one in told if one.weight >= 0.5 * 10.0**-digits]


def warning(found: Sequence[Warned], command: str, *, several: bool = False) -> str:
    """The worst of it in one line, and how many others there are; `command` shows them. Of several runs, which."""
    worst, others = max(found, key=lambda one: (one.lint.wrong, one.weight)), len({one.lint.name for one in found}) - 1
    more = f" ({others} more {'finding' if others == 1 else 'findings'})" if others else ""
    return f"rankconv: {worst.told(worst.run if several else '')}{more}; see: {command}"
