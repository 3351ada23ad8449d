"""The one line that `rankconv evaluate` says before anybody believes its number."""

from collections.abc import Mapping
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
        """By how much it moves a number; 0 where that was not measured."""
        return 0.0 if self.move is None else self.move.by

    def __str__(self) -> str:
        found, lint = self.found, self.lint
        how = f"would change {self.move.metric} by up to {step(self.weight)}" if self.move else "may change the numbers"
        run = f" of run '{self.run}'" if self.run else ""
        return f"{lint.title} ({found.count:,} of {found.of:,} {lint.unit}{run}): {lint.otherwise} {how}"


def warning(judged: Mapping[str, Joined], results: Mapping[str, Result], command: str) -> str:
    """What changes the numbers of these runs most, in one line; empty where nothing does.

    Only what is found fast is looked for, in long runs no further than the metrics read; `command` shows the rest.
    """
    named = len(judged) > 1
    found = [one for run, joined in judged.items() for one in _warned(run if named else "", joined, results[run])]
    if not found:
        return ""
    worst, others = max(found, key=lambda one: one.weight), len({one.lint.name for one in found}) - 1
    more = f" ({others} more {'finding' if others == 1 else 'findings'})" if others else ""
    return f"rankconv: {worst}{more}; see: {command}"


def _warned(run: str, joined: Joined, result: Result) -> list[Warned]:
    measured = {(one.definition.preset, spec): one for spec, one in result.by_spec.items()}
    data = Data(joined, measured, quick=len(joined.rankings.item) > FEW_ROWS)
    found = [(lint, found) for lint in LINTS.values() if lint.at_evaluate and (found := lint.find(data))]
    if data.quick:
        return [Warned(run, lint, one, None) for lint, one in found if can_move(lint, data)]
    moved = [(lint, one, furthest(moves(lint, data))) for lint, one in found]
    return [Warned(run, lint, one, move) for lint, one, move in moved if move]
