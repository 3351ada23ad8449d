"""How far findings move numbers, and in one line the finding with the largest effect on values just computed."""

import math
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured, range_of
from rankconv.evaluation.findings import label_lints, list_lints  # noqa: F401  (importing defines the lints)
from rankconv.evaluation.findings.finding import Finding, Move, furthest, step
from rankconv.evaluation.findings.lint import LINTS, LintFacts
from rankconv.evaluation.findings.lint_data import CheckedData, CheckedMetrics, NumberKey, Turn
from rankconv.presets.definition import Definition, with_changes


class Way(NamedTuple):
    """A number that takes a finding in another way."""

    lint: str
    place: NumberKey
    """The number that it is shown with."""
    definition: Definition


Ways = Mapping[Turn | None, Sequence[Way]]
"""By the data that they concern, None for the data as they are."""
MeasuredAnew = Mapping[Turn | None, Sequence[Measured]]
"""What comes out of each way, in their order."""


def findings(known: LintFacts) -> dict[str, Finding]:
    """What was found, by the names of the lints."""
    found = ((name, LINTS[name].found(tally, known)) for name, tally in known.tallies.items())
    return {name: finding for name, finding in found if finding}


def ways(lints: Iterable[str], known: LintFacts) -> Ways:
    """All other ways to take what these lints found, together where they concern the same data."""
    found: dict[Turn | None, list[Way]] = {}
    for name in lints:
        for place, base in known.definitions.items():
            for other in LINTS[name].others(known.tallies[name], known, base):
                changed = other.settings.keys() <= base.settings.keys() and with_changes(base, other.settings)
                if changed and (changed.setting_sets != base.setting_sets or other.turn):
                    found.setdefault(other.turn, []).append(Way(name, place, changed))
    return found


def measured_anew(data: CheckedData, others: Ways) -> MeasuredAnew:
    """Measure each of these ways."""
    return {
        turn: measure(turn(data) if turn else data.joined, [way.definition for way in some], None, per_user=False)
        for turn, some in others.items()
    }


def moves(known: LintFacts, others: Ways, measured: MeasuredAnew) -> dict[str, list[Move]]:
    """The numbers that each finding moves, by the name of its lint, among those that were measured."""
    means: dict[str, dict[NumberKey, list[float]]] = {}
    for turn, some in others.items():
        for way, one in zip(some, measured[turn], strict=True):
            means.setdefault(way.lint, {}).setdefault(way.place, []).append(one.mean)
    found = {
        name: [_move(place, base, of_lint.get(place, [])) for place, base in known.measured.items()]
        for name, of_lint in means.items()
    }
    return {name: [move for move in each if move.moved] for name, each in found.items()}


def _move(place: NumberKey, base: Measured, others: Sequence[float]) -> Move:
    means = [mean for mean in (*others, base.mean) if not np.isnan(mean)]
    low, high = (min(means), max(means)) if not np.isnan(others).all() else (math.nan, math.nan)
    return Move(*place, base.mean, low, high, base.refusals[0].why if base.refusals else "")


FEW_ROWS = 5_000_000
"""A longer run is looked at quickly: what is found in part of it is reported, and measured on all of it."""


class Warned(NamedTuple):
    """A finding that can change a number that was just computed."""

    run: str
    finding: Finding
    move: Move
    """The number with the largest effect, of those that are printed otherwise then."""
    definition: Definition
    """That of the number."""

    @property
    def weight(self) -> float:
        """By how much it moves a number; without end where there is no number now."""
        return math.inf if math.isnan(self.move.by) else self.move.by

    def sentence(self, run: str) -> str:
        """All in a sentence, with the name of the run if there is one."""
        found, metric = self.finding, self.move.metric
        of = f" of run '{run}'" if run else ""
        if math.isnan(self.move.mean):
            how = f"give {metric} a number"
        elif math.isfinite(self.move.by):
            how = f"change {metric} by up to {step(self.move.by)}"
        else:
            how = f"make {metric} {self.move.effect}"
        return f"{found.title} ({found.counted}{of}): {found.otherwise} would {how}"


def places(by_spec: Mapping[str, Measured]) -> dict[NumberKey, Measured]:
    """The numbers by preset and spec."""
    return {(one.definition.preset, spec): one for spec, one in by_spec.items()}


def warned(joined: Joined, measured: Mapping[NumberKey, Measured], run: str = "", digits: int = 17) -> list[Warned]:
    """What changes the numbers of a run in these digits, as far as it is found fast.

    In long runs it is looked for no further than the metrics read.
    """
    checked = CheckedMetrics({place: one.definition for place, one in measured.items()})
    data = CheckedData(joined, checked, quick=joined.rankings.row_count > FEW_ROWS)
    tallies = {name: lint.look(data) for name, lint in LINTS.items() if lint.at_evaluate}
    known = LintFacts(data, measured, tallies)
    found = {name: one for name, one in findings(known).items() if not LINTS[name].usual(known)}
    others = ways(found, known)
    moved = moves(known, others, measured_anew(data, others))
    bounded = [place for place, one in checked.definitions.items() if np.isfinite(range_of(one)).all()]
    looked_at = {*(bounded or checked.definitions)}  # counts move further than any mean from 0 to 1

    def is_shown(move: Move) -> bool:
        changes = len({f"{value:.{digits}f}" for value in (move.mean, move.low, move.high)}) > 1
        return changes and (move.preset, move.metric) in looked_at

    most = {name: furthest(list(filter(is_shown, moved.get(name, [])))) for name in found}
    definitions = {place: one.definition for place, one in measured.items()}
    return [Warned(run, found[name], one, definitions[one.preset, one.metric]) for name, one in most.items() if one]


def warning(found: Sequence[Warned], more: str = "", *, several: bool = False) -> str:
    """The worst of it in one line, of several runs which, and how many others there are.

    `more` is the command that shows them; by default that of the metric on which the worst has an effect.
    """
    if not found:
        return ""
    first, others = worst(found), len({one.finding.name for one in found}) - 1
    count = f" ({others} more {'finding' if others == 1 else 'findings'})" if others else ""
    checks = ["rankconv", "check", "-m", first.definition.spec, "-p", first.definition.preset]
    more = more or f"{shlex.join(checks)} (Python: rc.check)"
    return f"{first.sentence(first.run if several else '')}{count}; see: {more}"


def worst(found: Sequence[Warned]) -> Warned:
    """The finding with the largest effect on a number; of equal ones that of wrong data."""
    return max(found, key=lambda one: (one.weight, one.finding.wrong))
