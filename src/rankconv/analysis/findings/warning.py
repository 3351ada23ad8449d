"""The data problem with the largest effect on values just computed, in one line."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rankconv.analysis.findings.data import CheckedMetrics, Place, Spelling
from rankconv.analysis.findings.finding import Found, Move, furthest, step
from rankconv.analysis.findings.lint import Known, LookedAt, data_of, measured_anew, moves, ways
from rankconv.analysis.findings.lints import LINTS, Lint
from rankconv.data.joined import Joined
from rankconv.engine.metric_result import Measured

FEW_ROWS = 5_000_000
"""A longer run is looked at quickly: what is found in part of it is reported, and measured on all of it."""


class Warned(NamedTuple):
    """A finding that can change a number that was just computed."""

    run: str
    lint: Lint[Any]
    found: Found
    move: Move
    """The number that it largest effect, of those that are printed otherwise then."""

    @property
    def weight(self) -> float:
        """By how much it moves a number; without end where there is no number now."""
        return math.inf if math.isnan(self.move.by) else self.move.by

    def sentence(self, run: str) -> str:
        """All in a sentence, with the name of the run if there is one."""
        found, lint = self.found, self.lint
        of = f" of run '{run}'" if run else ""
        return f"{lint.title} ({found.count:,} of {found.of:,} {lint.unit}{of}): {lint.otherwise} {self._how}"

    @property
    def _how(self) -> str:
        if math.isinf(self.weight):
            return f"would give {self.move.metric} a number"
        return f"would change {self.move.metric} by up to {step(self.weight)}"


def places(by_spec: Mapping[str, Measured]) -> dict[Place, Measured]:
    """The numbers by preset and spec."""
    return {(one.definition.preset, spec): one for spec, one in by_spec.items()}


def warned(joined: Joined, measured: Mapping[Place, Measured], run: str = "", digits: int = 17) -> list[Warned]:
    """What changes the numbers of a run in these digits, as far as it is found fast.

    In long runs it is looked for no further than the metrics read.
    """
    checked_metrics = CheckedMetrics({place: one.definition for place, one in measured.items()})
    data = data_of(joined, checked_metrics, measured, quick=joined.rankings.row_count > FEW_ROWS)
    lints = [lint for lint in LINTS.values() if lint.at_evaluate]
    seen = {lint.name: lint.look(data) for lint in lints}
    known = Known(checked_metrics, measured, LookedAt.of(joined, items=False), seen, Spelling())
    found = {lint.name: one for lint in lints if (one := lint.tell(seen[lint.name], known))}
    others = ways([LINTS[name] for name in found], known)
    moved = moves(known, others, measured_anew(data, others))
    most = {name: furthest(_shown(moved.get(name, []), digits)) for name in found}
    return [Warned(run, LINTS[name], found[name], move) for name, move in most.items() if move]


def _shown(found: Sequence[Move], digits: int) -> list[Move]:
    """Those after which another number is printed."""
    return [one for one in found if len({f"{value:.{digits}f}" for value in (one.mean, one.low, one.high)}) > 1]


def warning(found: Sequence[Warned], more: str, *, several: bool = False) -> str:
    """The worst of it in one line, of several runs which, and how many others there are; `more` shows them."""
    if not found:
        return ""
    first, others = worst(found), len({one.lint.name for one in found}) - 1
    count = f" ({others} more {'finding' if others == 1 else 'findings'})" if others else ""
    return f"{first.sentence(first.run if several else '')}{count}; see: {more}"


def worst(found: Sequence[Warned]) -> Warned:
    """The finding with the largest effect on a number; of equal ones that of wrong data."""
    return max(found, key=lambda one: (one.weight, one.lint.wrong))
