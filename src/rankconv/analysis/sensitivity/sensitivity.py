"""The sensitivity of a value to its definition."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from rankconv.aggregation import POLICIES, PREPARED_DATA_POLICIES
from rankconv.analysis.sensitivity.sensitivity_page import OWN_ORDER, SensitivityResult
from rankconv.analysis.why.mixtures import equal_results
from rankconv.basics.errors import MetricError
from rankconv.basics.progress import INTERRUPTS, stage, watching
from rankconv.conventions.convention import CONVENTIONS, Setting
from rankconv.conventions.spec import SpecLike
from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.compare import compare, requested
from rankconv.evaluation.joining import SideDataLike, choose, takes_joined
from rankconv.evaluation.results.comparison import Comparison
from rankconv.metrics.divisors import counts_hits
from rankconv.preparation.arithmetic import of_lists
from rankconv.preparation.facts import AS_GIVEN, OnData, facts_of
from rankconv.preparation.pipeline import Expectation
from rankconv.preparation.ties import TieEffect
from rankconv.presets import arguments
from rankconv.presets.definition import Definition, settings_of, with_changes
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import ALL

EXPECTED = "expected"
TIE_RULES = {"worst": "relevant-last", EXPECTED: "expected", "best": "relevant-first"}
"""The orders of tied rows, and the setting that makes each."""


def of_ties(definition: Definition) -> dict[str, Definition]:
    """The worst order of tied rows, the expected value over all orders where that is known, the best order."""
    closed = definition.expectation is Expectation.CLOSED_FORM
    rules = {order: rule for order, rule in TIE_RULES.items() if closed or order != EXPECTED}
    found = {order: with_changes(definition, {"order": "score", "ties": rule}) for order, rule in rules.items()}
    return {order: one for order, one in found.items() if one}


def by_score(definition: Definition) -> Definition | None:
    """As it is, but ordered by score: where that is another number, the lists do not stand by falling score."""
    return with_changes(definition, {"order": "score", "ties": "given"})


def not_known(definition: Definition, joined: Joined) -> str:
    """Why the best and the worst order are not known; nothing where they can."""
    return next(_reasons(definition, OnData(settings_of(*definition.setting_sets), joined)), "")


def _reasons(definition: Definition, here: OnData) -> Iterator[str]:
    metric, settings = definition.metric, here.settings
    if definition.preparation.tie_rule is TieEffect.SHARED:
        yield f"ties={settings['ties'].text}, so no order of them matters"
    if not metric.keeps("rises"):
        yield f"{metric.name} need not rise when a better item moves up"
    falling = [name for name, setting in settings.items() if _may_fall(name, setting, here)]
    falling += [name for name, case in POLICIES.items() if case.may_fall(type(metric), settings[name])]
    falling += [name for name, case in PREPARED_DATA_POLICIES.items() if case.may_fall(settings[name])]
    yield from (f"{convention_name}={settings[convention_name].text}" for convention_name in falling)
    yield from _grade_reasons(definition, here)


def _may_fall(convention_name: str, setting: Setting, here: OnData) -> bool:
    """Whether a number may fall under this setting though a better item moved up.

    One that is turned as a whole, as a loss is, falls where it would rise: its best order has the least value.
    """
    if counts_hits(setting):
        return True
    if setting.traits.turns:
        return False
    rises = setting.traits.rises
    if rises is None:  # a convention that says it of some settings says it of all under which a number cannot fall
        return any(other.traits.rises for other in CONVENTIONS[convention_name].setting_types.values())
    return not (rises is True or (rises and here.facts.of(rises).all()))


def _grade_reasons(definition: Definition, here: OnData) -> Iterator[str]:
    """A higher grade must be no worse, and grade 0 worth nothing, as an item without a label is."""
    if (here.facts.grades < 0).any():
        yield "grades below 0"
    grades = np.union1d(here.facts.grades, 0.0)
    hits = here.relevant(grades).astype(float)
    if hits[0] or (np.diff(hits) < 0).any():
        yield f"relevant={here.settings['relevant'].text}"
    settings = definition.metric.settings
    if "gain" in settings:
        gains = here.gains(grades)
        too_great = definition.metric.gains_are_probabilities and gains[-1] > 1
        if gains[0] or (np.diff(gains) < 0).any() or too_great:
            yield f"gain={settings['gain'].text}"
    if "discount" in settings:
        discount, ranks = settings["discount"], np.arange(1.0, (definition.metric.scope or 1024) + 1)
        # one that depends on the list says itself that no rank counts more than one above it
        rises = not discount.traits.falls if of_lists(discount) else (np.diff(discount(ranks=ranks)) > 0).any()
        yield from [f"discount={discount.text}"] if rises else []


NOT_BY_SCORE = "order=given, and the lists are not in falling order of score"


@takes_joined
def sensitivity(
    labels: Any,
    run: Any = None,
    metric: str | Definition | None = None,
    preset: str | Preset | Sequence[str | Preset] | None = None,
    *,
    users: Iterable[Any] | None = None,
    progress: bool | None = None,
    **side: Unpack[SideDataLike],
) -> SensitivityResult:
    """Measure how much a value depends on its definition, and whether the better run changes.

    Parameters
    ----------
    labels, run
        As in `rc.compare`.
    metric : MetricLike
        One metric.
    preset : str, path, Preset or a list of these, optional
        By default all presets that offer the metric.
    users, progress, seen, catalogue, train, item_features, parents, propensities, shown, group_target
        As in `rc.evaluate`.

    Returns
    -------
    SensitivityResult
        The value under each preset, and with the worst, the best and the expected order of ties. Worst and best are
        exact. They are given only for metrics that cannot fall when a better item moves up; the presets without them
        are in `left_out`. Cutoffs and levels of relevance are compared by `rc.compare`. Interrupted once the presets
        are compared, it is what was found until then, and `interrupted` is True.

    Raises
    ------
    InputError, ConventionError, MetricError
        As in `rc.compare`.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels, run = {"u": ["a"]}, {"u": [("x", 2.0), ("a", 2.0), ("y", 1.0)]}
    >>> found = rc.sensitivity(labels, run, "mrr@3", "rankconv")
    >>> for one in found.ranges:
    ...     print(one.kind, one.lowest, one.highest)
    presets 0.75 0.75
    tie orders 0.5 1.0
    """
    metric = arguments.spec(metric)
    if isinstance(metric, Definition) and preset is None:
        preset = metric.owner if isinstance(metric.owner, Preset) else metric.preset
    chosen = known_to(metric, preset)
    listed = None if users is None else arguments.users(users)
    spec = metric.requested if isinstance(metric, Definition) else metric
    with watching(progress):
        comparison = compare(labels, run, metric, chosen, users=listed, **side)
        orders = VariedTies(comparison, str(spec), chosen, listed)
        try:
            orders.measure()
        except INTERRUPTS:
            return orders.result(interrupted=True)
        return orders.result()


def known_to(metric: str | Definition, presets: str | Preset | Sequence[str | Preset] | None) -> list[Preset]:
    """The requested presets, all without any; MetricError for a metric that none of them knows, or for several."""
    rows, chosen, _ = requested(metric, ALL if presets is None else presets)
    if len(rows) > 1:
        raise MetricError(f"'{metric}' has several cutoffs", do="Give one cutoff.")
    return chosen


def varied(
    comparison: Comparison, spec: SpecLike, presets: Sequence[Preset], *, users: list[Any] | None = None
) -> SensitivityResult:
    """One metric of what was compared, over orders of ties."""
    orders = VariedTies(comparison, str(spec), presets, users)
    orders.measure()
    return orders.result()


@dataclass(eq=False)
class VariedTies:
    """One metric of what was compared, over orders of ties, as far as these were measured.

    Of what is varied only means and counts are kept, no values of users.
    """

    comparison: Comparison
    metric: str
    presets: Sequence[Preset]
    users: list[Any] | None
    """Those who are looked at; None for all."""

    def __post_init__(self) -> None:
        self._as_given = {run: self._of_presets(run) for run in self.comparison.facts}
        each = ((run, name, cell) for run, cells in self._as_given.items() for name, cell in cells.items())
        self._cells = {(run, OWN_ORDER, name): cell for run, name, cell in each}
        self._left_out: dict[str, dict[str, None]] = {}

    def _of_presets(self, run: str) -> dict[str, Measured]:
        """The presets as they are."""
        each = ((one.name, self.comparison.cell(self.metric, one.name, run)) for one in self.presets)
        return {name: cell for name, cell in each if cell}

    def measure(self) -> None:
        """Vary the order of ties of each run; what was measured stays where it is interrupted."""
        facts = self.comparison.facts
        if all(facts_of(data.joined).no_ties(AS_GIVEN) for data in facts.values()):
            return
        for run, data in facts.items():
            joined, mask = choose(data.joined, self.users)
            as_given = self._as_given[run]
            reasons = _why_not(as_given, joined, mask)
            for name, reason in reasons.items():
                self._left_out.setdefault(reason, {})[name] = None
            known = [(name, of_ties(cell.definition)) for name, cell in as_given.items() if name not in reasons]
            varied = {(run, order, name): one for name, by_order in known for order, one in by_order.items()}
            report = stage("Varying the order of ties")
            measured = measure(joined, list(varied.values()), mask, per_user=False, report=report)
            self._cells |= dict(zip(varied, measured, strict=True))

    def result(self, *, interrupted: bool = False) -> SensitivityResult:
        """What was measured."""
        left_out = {why: list(names) for why, names in self._left_out.items()}
        return SensitivityResult(self.metric, self.comparison, self._cells, left_out, interrupted)


def _why_not(as_is: Mapping[str, Measured], joined: Joined, mask: Mask | None) -> dict[str, str]:
    """Why the orders of ties are not known under some of these definitions, by their presets.

    `mask`, shape (users,), restricts the population.
    """
    given = {name: cell for name, cell in as_is.items() if not cell.definition.preparation.by_score}
    ordered = {name: one for name, cell in given.items() if (one := by_score(cell.definition))}
    report = stage("Ordering lists by score")
    found = dict(zip(ordered, measure(joined, list(ordered.values()), mask, report=report), strict=True))
    known = {name for name in given if name in found and equal_results(given[name], found[name])}
    reasons = {
        name: NOT_BY_SCORE if name in given.keys() - known else not_known(cell.definition, joined)
        for name, cell in as_is.items()
    }
    return {name: reason for name, reason in reasons.items() if reason}
