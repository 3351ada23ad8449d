"""Match the values of candidates with a printed number, and rank the matches."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from typing import Any

import numpy as np

from rankconv.analysis.identify.candidate_values import Swept, means, of_presets
from rankconv.analysis.identify.candidates import (
    CandidateFamily,
    SharedGroups,
    entries,
    every_preset,
    families,
    one_metric,
    preparation_classes,
    settings_to,
)
from rankconv.analysis.identify.chance import RARE, Chance
from rankconv.analysis.identify.changes import occurring
from rankconv.analysis.identify.identify_result import DefinitionRow, IdentifyResult, Match
from rankconv.analysis.identify.neighbours import Neighbours, gaps_to, without_sums
from rankconv.analysis.identify.printed_value import PrintedValue
from rankconv.analysis.identify.slips import CUTOFFS, OtherCutoff
from rankconv.basics.errors import RankconvError
from rankconv.basics.progress import stage
from rankconv.conventions.convention import Setting
from rankconv.conventions.spec import Spec, SpecLike, read_spec
from rankconv.conventions.spec import at_cutoff as metric_at
from rankconv.data.arrays import Mask
from rankconv.data.attributes import Form
from rankconv.data.joined import Joined, join
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.engine.needs import has_all_needs
from rankconv.evaluation.results.differences import Differences, differing_here
from rankconv.metrics.divisors import K_APPLIES_TO
from rankconv.preparation.searches import CALLS, CallTraits, as_evaluated
from rankconv.preparation.steps.labels import RELEVANT
from rankconv.preparation.steps.lists import EXCLUDE
from rankconv.preparation.steps.spans import SPAN_UNIT, SpanTraits
from rankconv.presets.definition import Definition
from rankconv.presets.folders import best_place
from rankconv.presets.preset_registry import preset

ANY = "any"
FEW_MEASURED = 20
"""And so many after an interrupt."""
MOST_MEASURED = 250
"""So many definitions are measured one by one; the others are further from all presets."""
EQUAL = 1e-12
"""Two values that differ by less are the same."""
USUAL_CUTOFFS = (None, 1, 3, 5, 10, 20, 50, 100)
"""Those at which all metrics are tried where none is given: `any@20` asks for one."""
MOST_LEVELS = 10
NEAREST = 5
EXCHANGED = VARIANT = 1
"""That labels and run are exchanged, or that a preset is used by a mistake, counts as one more convention."""
FEW_ROWS = 20_000
"""With more rows of labels and run than this, presets with settings changed are not tried one by one."""
MANY_ROWS = f"single settings of presets changed, as labels and run have more than {FEW_ROWS:,} rows"
REST = "what was left when the search was interrupted"
NO_SEEN = "exclude=seen, as no seen items are given (--seen, in Python seen=)"


def likeliest(number: PrintedValue) -> Callable[[DefinitionRow], tuple[object, ...]]:
    """Sorts exact values first, then presets, of these what most people use; then by how many settings differ."""

    def key(row: DefinitionRow) -> tuple[object, ...]:
        of_presets = row.of_presets
        known = best_place(one.definition.preset for one in of_presets)
        variant = row.distance if of_presets else 0
        rank = not of_presets, variant, number.rank(row.how), known, -len(of_presets), row.distance
        return not row.is_exact, *rank, number.gap(row.value)

    return key


def by_gap(number: PrintedValue) -> Callable[[DefinitionRow], tuple[object, ...]]:
    """Sorts by how far the value is from the number, and equal ones as `likeliest` does."""
    key = likeliest(number)
    return lambda row: (number.gap(row.value), *key(row))


def rows_of(
    joined: Joined,
    matches: Sequence[Match],
    key: Callable[[DefinitionRow], Any],
    *,
    exchanged: bool = False,
    most: int | None = None,
) -> list[DefinitionRow]:
    """Those that agree on every user as one row, the first ones by the key, each against the one above it."""
    groups: list[list[Match]] = []
    for one in matches:
        own = next((group for group in groups if _agree(group[0].measured, one.measured)), None)
        if own is None:
            groups.append([one])
        else:
            own.append(one)
    facts, rows = Differences(joined), sorted((DefinitionRow(group, exchanged) for group in groups), key=key)[:most]
    for at, row in enumerate(rows):
        above = differing_here(row.best.measured, rows[at - 1].best.measured, facts) if at else {}
        separating = [f"{name}={setting}" for name, (setting, _) in above.items()]
        rows[at] = replace(row, separating=separating)
    return rows


def by_users(chance: Chance, rows: Sequence[DefinitionRow]) -> Chance:
    """The chance that also counts what other users would give, as far as the likeliest row has values of users."""
    row = next((row for row in rows if not row.definition.pools), None)
    return chance if row is None else chance.with_users(row.best.measured.values, row.value)


def _agree(one: Measured, other: Measured) -> bool:
    """Whether both give the same to every user."""
    return bool(np.allclose(one.values, other.values, rtol=EQUAL, atol=EQUAL, equal_nan=True))


def matching(measured: Sequence[Measured], number: PrintedValue, distance: int = 0) -> list[Match]:
    """Those of the presets' own definitions that give the number."""
    return [Match(one, how, distance) for one in measured if (how := number.how(one.mean)) is not None]


def exchanged(joined: Joined) -> Joined:
    """What was returned as labels of grade 1, and the labels as lists by falling grade.

    >>> import rankconv as rc
    >>> turned = exchanged(rc.join({"u": ["a", "b"]}, {"u": ["a", "x", "y"]}))
    >>> rc.evaluate(turned, "recall")["recall"], rc.evaluate(turned, "precision")["precision"]
    (0.3333333333333333, 0.5)
    """
    labels, run = joined.labels, joined.rankings
    owner = np.repeat(np.arange(len(labels.users)), labels.lengths)
    order = np.lexsort((-labels.grade, owner))
    forms = [Form(are_spans=side.form.are_spans) for side in (run, labels)]
    returned = Labels(run.users, run.items, run.starts, run.item, np.ones(len(run.item)), run.source, form=forms[0])
    lists = Run(labels.users, labels.items, labels.starts, labels.item[order], None, labels.source, form=forms[1])
    return join(returned, lists)


def _different(joined: Joined, definitions: Sequence[Definition]) -> list[Definition]:
    """One of those that prepare this data in the same way and are the same otherwise."""
    preparations = dict.fromkeys(one.preparation for one in definitions if has_all_needs(joined, one.preparation))
    groups = enumerate(preparation_classes(joined, list(preparations)))
    class_of = {preparation: at for at, group in groups for preparation in group}
    known = [one for one in definitions if one.preparation in class_of]
    return list({(class_of[one.preparation], one.metric, one.aggregation): one for one in reversed(known)}.values())


def is_any(spec: SpecLike) -> bool:
    """Whether the metric is not known."""
    return str(spec).partition("@")[0].strip() == ANY


def _of_any_metric(spec: SpecLike) -> list[Definition]:
    """Every metric of every preset at the spec's cutoffs, or at some usual ones; equal definitions once."""
    cutoffs = read_spec(spec).cutoffs if "@" in str(spec) else USUAL_CUTOFFS
    offered = [
        one.definition(key, (), k)
        for k in cutoffs
        for one in every_preset()
        for key in one.metrics
        if one.offers(metric_at(key, k))
    ]
    return list({one.setting_sets: one for one in offered}.values())


def _at_other_levels(joined: Joined, named: Iterable[Definition]) -> Iterator[Definition]:
    for one in named:
        grades = np.unique(as_evaluated(joined, one.preparation.settings).labels.grade)
        if 1 < len(grades) <= MOST_LEVELS:
            for grade in grades[1:].tolist():
                yield from _changed(one, RELEVANT.name, f"at-least({grade:g})")


def _variants(joined: Joined, spec: Spec, named: Sequence[Definition]) -> Iterator[Definition]:
    """Presets' definitions as they are often used by mistake: at another level or cutoff, on seen items too.

    Also without a cutoff, of presets too that have no form with one. A setting that the metric's text states is not
    changed.
    """
    fixed = dict(spec.settings)
    if RELEVANT.name not in fixed:
        yield from _at_other_levels(joined, named)
    if spec.cutoffs != (None,):
        yield from entries(replace(spec, cutoffs=(None,)))
    for one in named:
        yield from filter(None, (slip.of(one) for slip in map(OtherCutoff, (None, *CUTOFFS))))
        if one.k is not None and K_APPLIES_TO.name not in fixed:
            yield from _changed(one, K_APPLIES_TO.name, "divisors-only")
    if joined.extra.seen is not None and EXCLUDE.name not in fixed:
        for one in named:
            yield from _changed(one, EXCLUDE.name, "seen")


def _changed(definition: Definition, name: str, setting: str) -> Iterator[Definition]:
    """The definition with another setting, where it has the convention."""
    changed = (*definition.changed, (name, setting))
    if name in definition.settings and definition.settings[name] != setting:
        with suppress(RankconvError):
            yield preset(definition.preset).definition(definition.key, changed, definition.requested_k)


def _of_data(family: CandidateFamily, joined: Joined) -> CandidateFamily:
    """The family for several searches for one task, and for spans, of which definitions of presets say nothing."""
    named = _taking(family.preset_definitions, joined)
    lists = [one.preparation for one in named if CallTraits.of(one.preparation.settings[CALLS.name]).of_each is None]
    return replace(family, preset_definitions=named, preparations=[*dict.fromkeys(lists)])


def _taking(definitions: Sequence[Definition], joined: Joined) -> list[Definition]:
    """The definitions, those that refuse the calls or the spans of these data under each other setting of these."""
    found = list(definitions)
    if joined.rankings.has_calls:
        refuses: Callable[[Setting], bool] = lambda setting: CallTraits.of(setting).refuses_several
        found = _under_each(found, CALLS.name, refuses)
    if joined.has_spans:
        found = _under_each(found, SPAN_UNIT.name, lambda setting: SpanTraits.of(setting).refuses_spans)
    return found


def _under_each(definitions: Sequence[Definition], name: str, refuses: Callable[[Setting], bool]) -> list[Definition]:
    """The definitions, those whose setting of this convention refuses data under each other setting of it."""
    settings, found = settings_to(name, ()), list[Definition]()
    for one in definitions:
        takes = not refuses(one.preparation.settings[name])
        found += [one] if takes else chain.from_iterable(_changed(one, name, text) for text in settings)
    return found


class Search:
    """All definitions that a metric's name may mean, measured once, to be requested any number."""

    def __init__(self, joined: Joined, metric: SpecLike, mask: Mask | None) -> None:
        self._swept = list[Swept]()
        self._interrupted = False
        self.joined, self.spec, self.metric, self.mask = joined, metric, str(metric), mask
        self._families = [] if is_any(metric) else families(metric)
        if joined.rankings.has_calls or joined.has_spans:
            self._families = [_of_data(one, joined) for one in self._families]
        of_metric = [one for family in self._families for one in family.preset_definitions]
        of_any = [] if of_metric else _of_any_metric(metric)
        self._presets = of_metric or _taking(of_any, joined)

    @property
    def measured(self) -> list[Swept]:
        """What each family gives, in the order of the families; as far as it was measured before an interrupt."""
        for family in [] if self._interrupted else self._families[len(self._swept) :]:
            self._swept.append(Swept(self.joined, family, self.mask))
            self._swept[-1].search()
        return self._swept

    @cached_property
    def _preset_values(self) -> list[Measured]:
        """What the presets' own definitions give."""
        stage("Evaluating presets")
        return of_presets(self.joined, self._presets, self.mask)

    @property
    def has_values(self) -> bool:
        """Whether the presets were evaluated, so that there is something to be shown after an interrupt."""
        return "_preset_values" in vars(self)

    def so_far(self, number: PrintedValue) -> IdentifyResult:
        """What an interrupted search has found: the values of presets, and of what was measured besides."""
        self._interrupted = True
        found = self._result(number, [])
        return replace(found, interrupted=True, not_tried=[*found.not_tried, REST])

    def _neighbours(self, number: PrintedValue) -> Neighbours:
        """What the presets give with one or two settings changed, those first whose value is near the number."""
        settings = occurring(self._presets, dict(one_metric(self.spec).settings))
        gaps = gaps_to(number, self._preset_values)
        stage("Changing settings of presets")
        near = Neighbours(self.joined, self._presets, settings, gaps, chosen=self.mask)
        near.measure_alone(without_sums(self._presets, settings, gaps))
        return near

    @property
    def _has_few_rows(self) -> bool:
        """Whether the data have so few rows that changed settings of the preparation are tried."""
        return self.joined.rankings.row_count + self.joined.labels.row_count <= FEW_ROWS

    @cached_property
    def _mistaken(self) -> tuple[Joined, list[Measured], list[Measured]]:
        """The data with labels and run exchanged, what presets give then, and what variants of their definitions give.

        Looked at only where no preset gives the number as the data are; nothing is exchanged for chosen users.
        """
        stage("Evaluating variants of presets")
        turned = exchanged(self.joined)
        known_first = sorted(self._presets, key=lambda one: best_place([one.preset]))
        variants = _different(self.joined, [*_variants(self.joined, one_metric(self.spec), known_first)])
        named = self._presets if self.mask is None else []
        return turned, of_presets(turned, named, None), of_presets(self.joined, variants, self.mask)

    def result(self, number: PrintedValue) -> IdentifyResult:
        """The rows; where there are none, the presets that come closest.

        Neighbours of presets are tried where nothing else is likelier than chance, and the digits are enough for a
        definition that is one setting from a preset: what is tried besides only adds to the chance.
        """
        found = self._result(number, [])
        if found.summary or not self._families or found.chance.probability(VARIANT) > RARE:
            return found
        if not self._has_few_rows:
            return replace(found, not_tried=[*found.not_tried, MANY_ROWS])
        return self._result(number, [self._neighbours(number)])

    def _result(self, number: PrintedValue, near: Sequence[Neighbours]) -> IdentifyResult:
        found = matching(self._preset_values, number)
        skipped = found or not self._families or (self._interrupted and "_mistaken" not in vars(self))
        turned, of_turned, variants = (self.joined, [], []) if skipped else self._mistaken
        tried = [(self._preset_values, 0), (of_turned, EXCHANGED), (variants, VARIANT)]
        equal, left_off = self._measured_equals(number)
        found += [*matching(variants, number, distance=VARIANT), *equal, *self._measured_neighbours(number, near)]
        rows = rows_of(self.joined, found, likeliest(number))
        rows += rows_of(turned, matching(of_turned, number), likeliest(number), exchanged=True)
        chance = by_users(self._chance(number, tried, near), rows)
        rows = [replace(row, chance=chance.probability(row.distance + EXCHANGED * row.exchanged)) for row in rows]
        nearest = [] if rows else self._nearest_presets(number)
        count = sum(one.tried for one in self.measured) + sum(one.tried for one in near)
        count += len(self._presets) + len(of_turned) + len(variants)
        users = len(self.joined.users)
        not_tried = [] if self.joined.extra.seen is not None else [NO_SEEN]
        about: dict[str, Any] = {"left_off": left_off, "nearest": nearest, "not_tried": not_tried}
        return IdentifyResult(self.metric, number, rows, count, users, chance, library=self.joined.library, **about)

    def nearest(self, number: PrintedValue) -> list[tuple[int, SharedGroups]]:
        """The groups of equal definitions that give the number, each with its distance from a preset, in that order."""
        groups = [
            (distance, SharedGroups.of(part.near, one))
            for part in self.measured
            for distance, one in part.nearest(number.intervals)
        ]
        return sorted(groups, key=lambda pair: pair[0])

    def _measured_equals(self, number: PrintedValue) -> tuple[list[Match], int]:
        """The nearest definition of each group that is equal, measured; and how many groups were left off."""
        found, left_off = list[Match](), 0
        for part in self.measured:
            groups = part.nearest(number.intervals)
            most = FEW_MEASURED if self._interrupted else MOST_MEASURED
            nearest, left_off = groups[:most], left_off + max(0, len(groups) - most)
            closest = [(pair, SharedGroups.of(part.near, pair[1]).closest()[1]) for pair in nearest]
            possible = [(pair, definitions[0]) for pair, definitions in closest if definitions]
            measured = measure(self.joined, [definition for _, definition in possible], self.mask)
            for ((distance, one), _), each in zip(possible, measured, strict=True):
                how = None if each.refusals else number.how(each.mean)
                if how is not None:
                    found.append(Match(each, how, distance, one.count, of_preset=False))
        return found, left_off

    def _measured_neighbours(self, number: PrintedValue, near: Sequence[Neighbours]) -> list[Match]:
        """The neighbours that give the number, measured."""
        found = [one for some in near for one in some.between(number.intervals)]
        found.sort(key=lambda one: len(one.changes))
        made = ((definition, len(one.changes)) for one in found if (definition := one.definition) is not None)
        nearest = list(islice(made, MOST_MEASURED))
        measured = measure(self.joined, [definition for definition, _ in nearest], self.mask)
        each = [
            (one, number.how(one.mean), distance)
            for one, (_, distance) in zip(measured, nearest, strict=True)
            if not one.refusals
        ]
        return [Match(one, how, distance, 1, of_preset=False) for one, how, distance in each if how is not None]

    def _chance(
        self,
        number: PrintedValue,
        presets: Sequence[tuple[Sequence[Measured], int]],
        near: Sequence[Neighbours],
    ) -> Chance:
        """The chance of all values: those of presets at these distances, and of all other definitions."""
        of_presets = [(means(some), np.full(len(some), distance, np.int64)) for some, distance in presets]
        others = [*(one.values for one in self.measured), *(one.values for one in near)]
        return Chance.of(number, [*of_presets, *others], means(self._preset_values))

    def _nearest_presets(self, number: PrintedValue) -> list[DefinitionRow]:
        """The presets whose numbers come closest."""
        named = [Match(one, "") for one in self._preset_values]
        return rows_of(self.joined, named, by_gap(number), most=NEAREST)
