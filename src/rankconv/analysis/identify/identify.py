"""The definitions that give a printed value."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, Unpack, overload

import numpy as np
from typing_extensions import TypedDict

from rankconv.analysis.identify.candidate_search import MOST_MEASURED, Search, is_any
from rankconv.analysis.identify.candidates import every_preset, one_metric
from rankconv.analysis.identify.chance import RARE
from rankconv.analysis.identify.identify_result import (
    FEW,
    FIGURES,
    IN_FULL,
    IdentifyData,
    IdentifyResult,
    count,
    few,
)
from rankconv.analysis.identify.printed_value import PrintedValue, sought
from rankconv.basics.errors import MetricError
from rankconv.basics.progress import INTERRUPTED, INTERRUPTS, watching
from rankconv.conventions.spec import Spec, SpecLike, read_spec
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.joining import SideDataLike, choose, join, takes_joined
from rankconv.presets import arguments
from rankconv.presets.definition import Definition
from rankconv.presets.preset_registry import HOUSE, preset
from rankconv.rendering.pages.cells import finite, plural
from rankconv.rendering.pages.display import RowResult
from rankconv.rendering.pages.page import Aside, Page, Paragraph, Piece, TextLine


class JointMatchData(TypedDict):
    """One way to give all numbers."""

    definitions: dict[str, str]
    """By metric."""
    values: dict[str, float | None]
    """By metric."""
    presets: list[str]
    """The presets that give all numbers; empty where settings are changed."""
    differs: int
    """How many settings differ from the preset, over all metrics."""


class JointIdentifyData(TypedDict):
    """The definitions that give several printed numbers at once, and those that give each of them."""

    found: bool
    """Whether anything gives all numbers."""
    likelier_than_chance: bool
    """Whether some row is likelier than chance."""
    rows: list[JointMatchData]
    each: dict[str, IdentifyData]
    """By metric."""


@dataclass(frozen=True, eq=False)
class JointMatch:
    """One way to give all numbers: the same preparation and aggregation for all, or one preset."""

    definitions: dict[str, Definition]
    """By metric as requested."""
    values: dict[str, float]
    presets: list[str]
    """The presets that give all numbers as they are; empty where settings were changed."""
    distance: int
    """How many settings differ from the preset, over all metrics."""
    variant: str = ""
    """What is changed of the preset for every number: another level of relevance, no cutoff, no seen items."""

    def to_dict(self) -> JointMatchData:
        """Plain data."""
        specs = {metric: one.text for metric, one in self.definitions.items()}
        values = {metric: finite(one) for metric, one in self.values.items()}
        return {"definitions": specs, "values": values, "presets": self.presets, "differs": self.distance}


@dataclass(frozen=True, eq=False, repr=False)
class JointIdentifyResult(RowResult):
    """What gives several numbers at once, and what gives each of them."""

    rows_in: ClassVar[str] = "rows"

    each: dict[str, IdentifyResult]
    """By metric."""
    rows: list[JointMatch] = field(default_factory=list)
    """Presets first, then by how many settings differ."""

    @property
    def library(self) -> str:
        """The library whose table the data came in, for `to_frame`."""
        return next(iter(self.each.values())).library

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before everything was tried."""
        return any(one.interrupted for one in self.each.values())

    @property
    def found(self) -> bool:
        """Whether anything gives all numbers."""
        return bool(self.rows)

    @cached_property
    def summary(self) -> list[JointMatch]:
        """The rows that are likelier than chance."""
        return [row for row in self.rows if self._chance(row.distance) <= RARE]

    @property
    def has_few_digits(self) -> bool:
        """Whether the digits do not decide: presets alone give more than a few of such numbers together."""
        return self._chance(0) > RARE

    def _chance(self, distance: int) -> float:
        """At most how likely invented numbers are given by definitions so far from a preset: each must be matched."""
        return math.prod(one.chance.probability(distance) for one in self.each.values())

    def _page(self, most: int | None = 12) -> Page:
        """What gives all numbers, then what gives each."""
        numbers = ", ".join(f"{metric} = {one.sought.text}" for metric, one in self.each.items())
        ways = "1 way" if len(self.rows) == 1 else f"{len(self.rows)} ways"
        none = "no preset gives all of these, and no shared preparation and aggregation does."
        by_chance = f"; random numbers have one in up to {self._chance(0):.0%} of cases" if self.has_few_digits else ""
        said = f"{ways} to give them together{by_chance}." if self.found else none
        paragraph = Paragraph(f"{INTERRUPTED * self.interrupted}{numbers}: {said}")
        listed = [row for row in self.rows if row in self.summary or row.presets or row.variant]
        shown = self.rows if most is None else listed[:most]
        hidden, left_out = len(listed) - len(shown), len(self.rows) - len(listed)
        more = [f"{hidden} more, with more settings changed"] if hidden else []
        more += [f"{left_out} no likelier than chance"] if left_out else []
        cut = most is not None and bool(more)
        sections: list[list[Piece]] = [[paragraph], *(list(_way(row, most)) for row in shown)]
        sections += [[TextLine(f"And {', and '.join(more)}.")]] if cut else []
        sections += [[_alone(metric, one)] for metric, one in self.each.items()]
        cut = cut or (most is not None and any(len(row.presets) > FEW for row in shown))
        return Page([*sections, *([[TextLine(IN_FULL)]] if cut else [])])

    def to_dict(self) -> JointIdentifyData:
        """Plain data."""
        rows, each = [row.to_dict() for row in self.rows], {metric: one.to_dict() for metric, one in self.each.items()}
        return {"found": self.found, "likelier_than_chance": bool(self.summary), "rows": rows, "each": each}


def _way(row: JointMatch, most: int | None) -> Iterator[Piece]:
    if row.presets:
        yield Paragraph(few(row.presets, most))
    else:
        yield TextLine(f"{row.distance} setting{'s' if row.distance > 1 else ''} from a preset")
    for metric, definition in row.definitions.items():
        yield Aside(f"  {row.values[metric]:.{FIGURES}f}", definition.text)


def _alone(metric: str, one: IdentifyResult) -> Paragraph:
    text = f"{plural(one.chance.matches, 'different value')} of {one.tried:,} definitions"
    by_chance = f"a random number has {count(one.chance.expected())} on average"
    return Paragraph(f"{metric} = {one.sought.text} alone: {text}; {by_chance}.")


MOST_TOGETHER = 200
"""So many ways to agree are followed from one number to the next; the nearest to a preset first."""


def together(searches: Sequence[tuple[Search, PrintedValue]]) -> JointIdentifyResult:
    """The presets that give all numbers in one row; then preparations and aggregations that do."""
    each = {search.metric: search.result(number) for search, number in searches}
    whole = _of_presets(each)
    search = searches[0][0]
    of_presets = (measure(search.joined, list(row.definitions.values()), search.mask) for row in whole)
    known = {_signature(measured) for measured in of_presets}
    return JointIdentifyResult(each, [*whole, *_verified(searches, _of_settings(searches), known)])


def together_so_far(searches: Sequence[tuple[Search, PrintedValue]]) -> JointIdentifyResult:
    """What an interrupted search has found: the presets that give all numbers, and what gives each."""
    each = {search.metric: search.so_far(number) for search, number in searches}
    return JointIdentifyResult(each, _of_presets(each))


def _of_presets(each: dict[str, IdentifyResult]) -> list[JointMatch]:
    """Presets whose own definitions give every number, or one variant of them does; equal ones are one row."""
    rows: dict[tuple[int, ...], JointMatch] = {}
    places = [_definitions_of_presets(one) for one in each.values()]
    for name, variant in places[0]:
        if all((name, variant) in others for others in places):
            found = [others[name, variant] for others in places]
            key = tuple(place for place, _ in found)
            definitions = {metric: definition for metric, (_, definition) in zip(each, found, strict=True)}
            values = {metric: one.rows[place].value for (metric, one), place in zip(each.items(), key, strict=True)}
            distance = len(each) if variant else 0
            row = rows.setdefault(key, JointMatch(definitions, values, [], distance, variant))
            row.presets.extend([] if variant else [name])
    return sorted(rows.values(), key=lambda row: -len(row.presets))


def _definitions_of_presets(one: IdentifyResult) -> dict[tuple[str, str], tuple[int, Definition]]:
    """For each preset, and what is changed of it, the first row and the definition."""
    found: dict[tuple[str, str], tuple[int, Definition]] = {}
    spec = read_spec(one.metric)
    for place, row in enumerate(one.rows):
        for definition in row.preset_definitions if not row.exchanged else ():
            found.setdefault((definition.preset, _changes(definition, spec)), (place, definition))
    return found


def _changes(definition: Definition, spec: Spec) -> str:
    """What a variant of a preset's definition changes besides what is requested; empty for the preset's own."""
    requested = dict(spec.settings)
    changed = [f"{name}={setting}" for name, setting in definition.changed if name not in requested]
    ignored = definition.requested_k is None and spec.cutoffs != (None,)
    return ", ".join([*changed, *(["no cutoff"] if ignored else [])])


def _of_settings(searches: Sequence[tuple[Search, PrintedValue]]) -> list[tuple[int, list[Definition]]]:
    """Preparations and aggregations that give all numbers with a metric for each, the nearest to a preset first."""
    shared, *others = ([group for _, group in search.nearest(number)[:MOST_TOGETHER]] for search, number in searches)
    for groups in others:
        pairs = (one & other for one in shared for other in groups)
        shared = list(islice((one for one in pairs if one.preparations and one.aggregations), MOST_TOGETHER))
    options = [option for one in shared if (option := one.closest())[1]]
    return sorted(options, key=lambda option: option[0])


def _verified(
    searches: Sequence[tuple[Search, PrintedValue]], options: Sequence[tuple[int, list[Definition]]], known: set[bytes]
) -> list[JointMatch]:
    """Those whose numbers, measured one by one, are the numbers requested.

    Of those equal on every user the nearest, and none whose signature is `known`.
    """
    found: dict[bytes, JointMatch] = {}
    search, nearest = searches[0][0], options[:MOST_MEASURED]
    measured = iter(measure(search.joined, [one for _, definitions in nearest for one in definitions], search.mask))
    metrics = [search.metric for search, _ in searches]
    for distance, option in nearest:
        each = [next(measured) for _ in searches]
        if all(number.how(one.mean) for (_, number), one in zip(searches, each, strict=True)):
            values = {metric: one.mean for metric, one in zip(metrics, each, strict=True)}
            definitions = dict(zip(metrics, option, strict=True))
            found.setdefault(_signature(each), JointMatch(definitions, values, [], distance))
    return [row for signature, row in found.items() if signature not in known]


def _signature(measured: Sequence[Measured]) -> bytes:
    """Equal where every user has the same value under each of them, to twelve decimals."""
    return np.concatenate([one.values for one in measured]).round(12).tobytes()


class IdentifyOptions(SideDataLike, total=False):
    """What `identify` takes by keyword alone."""

    tolerance: int
    users: Iterable[Any] | None
    progress: bool | None


@overload
def identify(
    labels: Any, run: Any, metric: str | Definition, value: str, **given: Unpack[IdentifyOptions]
) -> IdentifyResult: ...
@overload
def identify(
    labels: Any, run: Any, metric: Any = ..., value: str | None = ..., **given: Unpack[IdentifyOptions]
) -> IdentifyResult | JointIdentifyResult: ...
@takes_joined
def identify(
    labels: Any,
    run: Any = None,
    metric: Any = None,
    value: str | None = None,
    *,
    tolerance: int = 0,
    users: Iterable[Any] | None = None,
    progress: bool | None = None,
    **side: Unpack[SideDataLike],
) -> IdentifyResult | JointIdentifyResult:
    """Identify the definitions that give a printed value.

    The search covers the metric under every preset, combinations of its settings near them, the preparation and
    aggregation of all presets, and common mistakes such as exchanged labels and run.

    Parameters
    ----------
    labels, run
        As in `rc.evaluate`.
    metric : MetricLike or mapping
        A metric without a preset: `"ndcg@10"`, `"map"`, or `"ndcg(gain=exponential)@10"` where some settings are known;
        `"any"` or `"any@10"` where the metric is not known. Several numbers come as a dict, `{"ndcg@10": "0.4127"}`.
    value : str
        The number as text, with the digits that are known: `"0.4127"`, `"41.27%"`. A value matches if it rounds or
        truncates to it.
    tolerance : int, default 0
        By how much the last digit may differ.
    users
        As in `rc.evaluate`.
    progress : bool, optional
        Whether a progress bar is shown on stderr. By default it appears after two seconds, at a terminal or in a
        notebook.
    seen, catalogue, train, item_features, parents, propensities, shown, group_target
        As in `rc.evaluate`.

    Returns
    -------
    IdentifyResult or JointIdentifyResult
        Rows of definitions that these data do not distinguish, presets first, then by the number of settings that
        differ from the nearest preset. Without a match `found` is False and `nearest` has the nearest values. For
        several numbers, the settings that give all of them. Interrupted once the presets are evaluated, it is what was
        found until then, and `interrupted` is True.

    Raises
    ------
    InputError
        If the data cannot be read.
    MetricError
        If the metric is unknown, or the value is not a number that it can have.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
    >>> run = {"ada": ["b", "x", "a"], "bob": ["y", "c"]}
    >>> found = rc.identify(labels, run, "ndcg@10", "0.6597")
    >>> first = found.rows[0]
    >>> "trec_eval:ndcg@10" in first.presets, round(first.value, 6), found.tried > 2000
    (True, 0.659729, True)
    """
    numbers = check_numbers(_numbers(metric, value), tolerance)
    joined, mask = choose(labels if isinstance(labels, Joined) else join(labels, run, **side), users)
    searches = [(Search(joined, name, mask), number) for name, number in numbers.items()]
    with watching(progress):
        try:
            return together(searches) if len(searches) > 1 else searches[0][0].result(searches[0][1])
        except INTERRUPTS:
            if not all(search.has_values for search, _ in searches):
                raise
        return together_so_far(searches) if len(searches) > 1 else searches[0][0].so_far(searches[0][1])


def check_numbers(numbers: Mapping[Any, str], tolerance: int) -> dict[SpecLike, PrintedValue]:
    """Each metric that some preset knows with its number; a MetricError for what is neither."""
    for name in numbers:
        if not is_any(name):
            one_metric(name)
            if not any(one.offers(name) for one in every_preset()):
                preset(HOUSE).define(name)
    return {name: sought(text, tolerance) for name, text in numbers.items()}


def _numbers(metric: Any, value: Any) -> dict[SpecLike, str]:
    """Each metric with its number as text; of a definition the settings that were changed are sure."""
    if not isinstance(metric, (str, Mapping, type(None))):
        arguments.spec(metric)
    given = dict(metric) if isinstance(metric, Mapping) else {metric: value}
    fields = {_of_any_preset(one) if isinstance(one, Definition) else one: number for one, number in given.items()}
    if not fields or any(not isinstance(name, SpecLike) or number is None for name, number in fields.items()):
        do = 'Pass both, as in identify(labels, run, "ndcg@10", "0.4127").'
        shell = "Give both: -m ndcg@10 --value 0.4127."
        raise MetricError("a metric and the number that was printed for it are needed", do=do, shell=shell)
    unknown = [name for name in fields if is_any(name)]
    if unknown and len(fields) > 1:
        raise MetricError(f"'{unknown[0]}' is given together with others", do="Give it alone.")
    return {name: str(number) for name, number in fields.items()}


def _of_any_preset(definition: Definition) -> Spec:
    """The metric of a definition as any preset may have it."""
    return replace(definition.requested, metric=definition.metric.name).at(definition.k)
