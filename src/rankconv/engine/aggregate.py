"""What the users of one definition add up to, and the number computed anew over users who are drawn again."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from rankconv.aggregation import DATA_POLICIES, POLICIES, PREPARED_DATA_POLICIES, PreparedTotals
from rankconv.aggregation.means import MeanTraits, sums_of
from rankconv.aggregation.special_case import counts_as
from rankconv.basics.errors import MetricError
from rankconv.data.arrays import LARGEST, Codes, ExactSum, Mask, Numbers, take_ownership, total
from rankconv.data.group_values import GroupMeans
from rankconv.data.ids import Ids, make_ids
from rankconv.data.joined import Joined
from rankconv.engine.metric_result import OUTSIDE, SCORED, Again, Measured, Refusal, no_users, states_of
from rankconv.engine.needs import Stop, unmet
from rankconv.engine.plan import BlockReader, Part, ProgressCallback, places, run, run_first_rows, run_in_parts
from rankconv.engine.scoring import OVERFLOW, BlockScores, UserValues, entering, left_out
from rankconv.metrics.base import Parts, Ratio
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.row_block import Chosen, Pool
from rankconv.presets.definition import Definition

if TYPE_CHECKING:
    from rankconv.metrics.beyond.of_all_lists import ShownRows, SystemLevelMetric  # loaded with the metrics beyond

Largest = tuple[float, Any]
"""The size of a number, and the id of the user who has it."""
TOO_MUCH = (OverflowError, FloatingPointError)
"""What Python and NumPy raise where a sum, a square or a product is beyond the largest number."""
SUMMED = {"summed", "sums", "combine"}
"""What a mean may read for which no user need be kept."""


def mean_of(definition: Definition, summed: ExactSum, more: dict[str, Any]) -> float:
    """The number that the users come to, as it is reported; `more` is what the mean reads besides their sum."""
    settings = definition.aggregation.settings
    mean = settings["aggregate"](summed=summed, **more)
    if {"ratios", "parts"} & {*settings["aggregate"].reads_of_users}:  # others were given what is reported of each user
        mean = reported(definition, mean)
    return float(settings["round-mean"](values=np.array([mean]))[0])


def number_of(definition: Definition, block: Block) -> tuple[float, BlockScores]:
    """The number of one list, which all users make; what the preset says of no users where it is left out."""
    scored, settings = BlockScores(definition, block, np.ones(1, bool)), definition.aggregation.settings
    if scored.states[0] in left_out(definition):
        return float(settings["on-no-users"]()), scored
    return float(settings["round-mean"](values=scored.values)[0]), scored


def larger(one: Largest | None, other: Largest | None) -> Largest | None:
    """The larger number, of equal ones that of the least user id."""
    if one is None or other is None:
        return one or other
    return min(one, other, key=lambda each: (-each[0], each[1]))


def reported(definition: Definition, value: float) -> float:
    """What is reported of a number that is not made of what was reported of the users."""
    return float(definition.aggregation.settings["report"](values=np.array([value]))[0])


@dataclass(frozen=True, eq=False)
class OfValues:
    """A mean of users' values, or of the parts that they are made of."""

    definition: Definition
    values: UserValues
    ids: Ids
    """Of all users."""

    @cached_property
    def users(self) -> Codes:
        """Those who count, shape (users who count,)."""
        return take_ownership(np.flatnonzero(entering(self.definition, self.values.states)))

    def number(self, drawn: Codes) -> float:
        """The mean over these users, shape (drawn,)."""
        users, summed = self.users[drawn], ExactSum()
        summed.add(self.values.values[users])
        mean = self.definition.aggregation.settings["aggregate"]
        try:
            with np.errstate(over="raise"):
                more = self.values.for_mean(users, mean) if mean.reads != ("summed",) else {}
                return mean_of(self.definition, summed, more)
        except TOO_MUCH:
            wrong = "users who are drawn add up to more than the largest number"
            raise MetricError(wrong, where=self.definition.text, do="Write the grades as smaller numbers.") from None


def with_values(measured: Measured, users: NDArray[Any]) -> Measured:
    """What was measured, with what computes it over other users where their values, shape (users,), are enough.

    So it is after a number was saved or pickled.
    """
    definition = measured.definition
    if measured.again is not None or measured.kept is None or not isinstance(definition, Definition):
        return measured
    reads = definition.aggregation.settings["aggregate"].reads_of_users
    of_lists = definition.metric.of_all_lists or definition.preparation.pools
    if measured.refusals or measured.of_all or of_lists or not {*reads} <= {"summed", "values", "sums"}:
        return measured
    values = UserValues(len(users), ())
    values.values, values.states = measured.kept
    return replace(measured, again=OfValues(definition, values.finished(), make_ids(users.tolist(), "user")))


@dataclass(frozen=True, eq=False)
class OfOneList:
    """The number of all users' lists as one."""

    definition: Definition
    lists: Chosen = field(repr=False)
    ids: Ids
    """Of all users."""

    @cached_property
    def _pool(self) -> Pool:
        return Pool.of(self.lists)

    @property
    def users(self) -> Codes:
        """Those whose lists are put together, shape (users,)."""
        return self._pool.users

    def number(self, drawn: Codes) -> float:
        """The number of these users' lists as one, shape (drawn,); NaN where it is undefined and left out."""
        return number_of(self.definition, self._pool.drawn(np.bincount(drawn, minlength=len(self.users))))[0]


@dataclass(frozen=True, eq=False)
class OfSome:
    """A number over some of those who count, in an order of their own."""

    whole: Again
    places: Codes
    """Which of those who count, shape (users,)."""

    @cached_property
    def users(self) -> Codes:
        """Their places among all users, shape (users,)."""
        return self.whole.users[self.places]

    @property
    def ids(self) -> Ids:
        """Of all users."""
        return self.whole.ids

    def number(self, drawn: Codes) -> float:
        """The number over these of them, shape (drawn,)."""
        return self.whole.number(self.places[drawn])


def by_id(again: Again) -> OfSome:
    """The number with those who count in the order of their ids: in which order they came does not matter."""
    return OfSome(again, np.argsort(again.ids.text_rank[again.users]))


class Aggregate:
    """What one definition makes of the users seen so far: their values, and the sums and counts of its mean."""

    def __init__(self, definition: Definition, users: int, per_user: bool) -> None:
        """`users` is how many there are; without `per_user` only what the mean is made of is kept."""
        self.definition, self.size, self.per_user = definition, users, per_user
        self.mean = definition.aggregation.settings["aggregate"]
        summed = {*self.mean.reads} <= (SUMMED if definition.metric.combine else SUMMED - {"combine"})
        self.users = UserValues(users, self.mean.reads_of_users) if per_user or not summed else None
        self.tally = no_users(definition)
        """How many users are in each state, by its number."""
        self.summed = ExactSum()
        self.sums: list[ExactSum] = []
        """What else the mean is made of, where it adds up more than values."""
        self.combine: Callable[..., Ratio] | None = None
        self.kept = np.empty(0)
        """The values that the mean is made of, where it reads them and no user is kept."""
        self.prepared_totals = PreparedTotals(definition.aggregation.prepared_data_policies, definition.k)
        self.largest: Largest | None = None
        """The size of the largest finite number that the mean adds up, and the user; None where none may be too large.
        """
        self.unmet: Refusal | None = None
        """Why nobody is scored, where the metric says so of lists that it is given."""
        self.refused: dict[str, tuple[Any, str]] = {}
        """The policies under which users are refused, each with the one of the least id and what is wrong."""
        self.lists: list[tuple[Block, Mask]] = []
        """The prepared blocks and who of them counts, where all lists make one."""
        self.shown: list[ShownRows] = []
        """The rows of those who count, where the metric is one number of all lists."""
        self.groups = GroupMeans()
        """The values of the groups of items, where the metric has some."""

    def reader(self, users: Mask) -> BlockReader:
        """The reader that takes the prepared lists of these users, shape (users,) bool, for this definition."""
        metric, preparation, aggregation = self.definition.metric, self.definition.applied, self.definition.aggregation
        below = aggregation.reads_whole_lists and not preparation.cut
        rows = None if below else metric.rows_read
        copied = metric.looks_at_subtopics(preparation)
        return BlockReader(preparation, metric.k, rows, users, self.take, bool(metric.weighing), copied)

    def take(self, block: Block, inside: Mask) -> None:
        """Score these users of a prepared block; `inside` has shape (users of the block,)."""
        if self.unmet is None:
            try:
                self._take(block, inside)
            except MetricError as error:  # which other definitions have nothing to do with
                self.unmet = Refusal(self.definition, "needs", error.wrong, do=error.do)

    def _take(self, block: Block, inside: Mask) -> None:
        metric, scored = self.definition.metric, BlockScores(self.definition, block, inside)
        self.tally[SCORED:] += scored.tally[SCORED:]
        if metric.of_all_lists:
            counts = np.zeros(block.size, bool)
            counts[scored.counted] = True
            self.shown.append(cast("SystemLevelMetric", metric).shown(block, counts))
        if self.users is not None:
            whole = (places(block.users), slice(None)) if not scored.tally[OUTSIDE] else (block.users[inside], inside)
            self.users.take(scored, *whole)
        if self.definition.preparation.pools:
            self.lists.append((block, inside))
            return
        for policy, place in scored.refused.items():
            user = block.joined.users.id(int(block.users[place]))
            if policy not in self.refused or user < self.refused[policy][0]:
                self.refused[policy] = user, scored.why_refused(policy)
        if largest := scored.largest(self.mean.reads_of_users):
            size, place = largest
            self.largest = larger(self.largest, (size, block.joined.users.id(int(block.users[place]))))
        if not metric.of_all_lists:
            self.summed.add(scored.rounded[scored.counted])
            if scored.ratio.groups is not None:
                self.groups.add(scored.ratio.groups.of(scored.states == SCORED))
            try:
                with np.errstate(over="raise"):
                    self._add_terms(scored)
            except TOO_MUCH:
                one = self._too_much
                self.refused[OVERFLOW] = one.user, one.what
        if self.prepared_totals.sums:
            self.prepared_totals.add(scored.situation, inside)

    def _add_terms(self, scored: BlockScores) -> None:
        if MeanTraits.of(self.mean).adds is None:
            return
        self.combine = scored.found.combine if isinstance(scored.found, Parts) else None
        added = sums_of(self.mean, scored.for_mean)
        self.sums = self.sums or [ExactSum() for _ in added]
        for summed, more in zip(self.sums, added, strict=False):
            summed.include(more)

    @property
    def of_each(self) -> tuple[Numbers, NDArray[np.int8]]:
        """Values and states of these users, both of shape (users,), whatever becomes of the number of all users."""
        assert self.users is not None
        return self.users.values, self.users.states

    def finish(self, stop: Stop | None, ids: Ids | None = None, population: Mask | None = None) -> Measured:
        """The mean over the users who count, and what became of each of `population`, shape (users,).

        `stop` says why nobody was scored. Without a population its users are those of the tally; `ids` are of all
        users, None where no user was kept.
        """
        size = int(self.tally[SCORED:].sum() if population is None else np.count_nonzero(population))
        refusals, mean, policy = self.user_refusals(), np.nan, ""
        stop = Stop(self.unmet) if self.unmet else stop
        if stop is not None:
            refusals, policy = [stop.unmet] if stop.unmet else [], stop.policy
            self.tally[SCORED:] *= not stop.unmet
        elif self.lists:
            mean, refusals = self._mean_of_one_list()
        elif not refusals:
            mean, refusals = self._number_of_all_lists() if self.shown else self._mean()
            policy = next(filter(self.prepared_totals.holds, self.prepared_totals.sums), "")
        tally, of_each = self.tally, self._values_and_states(refusals)
        if policy:
            mean, more = self._setting_for_all(policy)
            tally = no_users(self.definition)
            tally[SCORED] = size
            if of_each is not None:
                assert population is not None
                of_each = np.where(population, mean, np.nan), np.where(population, SCORED, OUTSIDE).astype(np.int8)
            refusals += more
        tally[OUTSIDE] = self.size - tally[SCORED:].sum()
        refusals.sort(key=lambda refusal: states_of(self.definition).get(refusal.policy, -1))
        again = None if refusals or policy or ids is None else self._again(ids)
        groups = None if refusals or policy else self.groups.values
        mean = np.nan if refusals else mean
        return Measured(self.definition, mean, tally, of_each, refusals, policy, again, groups=groups)

    def _again(self, ids: Ids) -> Again | None:
        """What computes the number over other users; None where none is kept, or it is of all lists."""
        if self.users is None or not self.per_user or self.shown:
            return None
        if self.lists:
            return OfOneList(self.definition, self.lists, ids)
        return OfValues(self.definition, self.users.finished(), ids)

    def user_refusals(self) -> list[Refusal]:
        """Each policy under which users are refused, with one of them."""
        given, found = self.definition.aggregation.given, []
        for policy, (user, what) in self.refused.items():
            setting = f"{policy}={given(policy)}" if policy in POLICIES else ""
            found.append(Refusal(self.definition, policy, what, setting, user))
        return found

    def _values_and_states(self, refusals: list[Refusal]) -> tuple[Numbers, NDArray[np.int8]] | None:
        if self.users is None or not self.per_user:
            return None
        values, states = self.of_each
        settings = [self.definition.aggregation.settings[one.policy] for one in refusals if one.policy in POLICIES]
        nobody = any(setting.traits.refuses == "everybody" for setting in settings)
        return (np.full(self.size, np.nan) if nobody else values), states

    def _setting_for_all(self, policy: str) -> tuple[float, list[Refusal]]:
        """What the preset says of the data as a whole: every user has this number, and so has the mean."""
        setting = self.definition.aggregation.settings[policy]
        rule = DATA_POLICIES[policy] if policy in DATA_POLICIES else PREPARED_DATA_POLICIES[policy]
        refusal = Refusal(self.definition, policy, rule.what, f"{policy}={setting.text}")
        value = reported(self.definition, float(setting.keywords.get("value", np.nan)))
        return value, [refusal] if setting.traits.refuses else []

    def _mean_of_one_list(self) -> tuple[float, list[Refusal]]:
        """The number of all prepared lists as one; the values of the users stay their own."""
        value, scored = number_of(self.definition, Pool.of(self.lists).block)
        for policy in scored.refused:
            self.refused[policy] = None, scored.why_refused(policy)  # where lists are pooled, no user is named
        return value, self.user_refusals()

    def _number_of_all_lists(self) -> tuple[float, list[Refusal]]:
        """The number of the lists of all who count; 0/0 is what the preset says of it."""
        metric = cast("SystemLevelMetric", self.definition.metric)
        shown, settings = self.shown[0].together(self.shown), self.definition.aggregation.settings
        if not shown.lists:
            return self._mean()
        found = metric.of_lists(shown)
        if found.groups is not None:
            self.groups.add(found.groups)
        value = found.value
        undefined = counts_as(settings["on-zero-division"])
        value = settings["report"](values=value if undefined is None else np.where(np.isnan(value), undefined, value))
        return float(settings["round-mean"](values=value)[0]), []

    def _mean(self) -> tuple[float, list[Refusal]]:
        """The mean over those who count; a refusal where they add up to more than the largest number."""
        try:
            with np.errstate(over="raise"):
                return self._mean_of_users()
        except TOO_MUCH:
            return math.nan, [self._too_much]

    @property
    def _too_much(self) -> Refusal:
        """The refusal of values whose mean cannot be computed, with the user who has the largest."""
        size, user = self.largest or (math.nan, None)
        mean = f"aggregate={self.mean.text}"
        what = f"has the largest value, {size:.3g}, and {mean} computes more than the largest number, {LARGEST:.3g}"
        return Refusal(self.definition, OVERFLOW, what, "", user)

    def _mean_of_users(self) -> tuple[float, list[Refusal]]:
        settings, more = self.definition.aggregation.settings, dict[str, Any]()
        if len(self.kept):
            more = {"values": self.kept}
        elif self.users is not None and not {*self.mean.reads} <= SUMMED:
            counted = np.flatnonzero(entering(self.definition, self.users.states))
            more = self.users.for_mean(counted, self.mean)
        if not self.summed.number or self._nothing_weighs(more):
            refused = settings["on-no-users"].traits.refuses
            refusal = Refusal(self.definition, "on-no-users", "no user counts", "on-no-users=refuse-all")
            return float(settings["on-no-users"]()), [refusal] if refused else []
        return mean_of(self.definition, self.summed, more | {"sums": self.sums, "combine": self.combine}), []

    def _nothing_weighs(self, more: Mapping[str, Any]) -> bool:
        """Whether users count, and weigh nothing; `more` is what the mean reads of each of them."""
        adds = MeanTraits.of(self.mean).adds
        if adds is not None and adds.nobody_without is not None:
            return not self.sums[adds.nobody_without].total
        return "weights" in self.mean.reads and not total(more["weights"])


def measure(
    joined: Joined,
    definitions: Sequence[Definition],
    chosen: Mask | None,
    *,
    per_user: bool = True,
    report: ProgressCallback | None = None,
    parts: Iterable[Part] | None = None,
) -> list[Measured]:
    """Evaluate all definitions, in as few passes over the users as they allow.

    `chosen` restricts the population, shape (users,); without `per_user` only means and counts are kept. `parts` have
    the rows of all users, where `joined` has not.
    """
    found = _with_readers(joined, definitions, chosen, per_user)
    stops = [Stop.of(joined, one) for one in definitions]
    population = [reader.users for _, reader in found]
    readers = [reader for (_, reader), stop in zip(found, stops, strict=True) if stop is None]
    if parts is None:
        run(joined, readers, report)
    else:
        run_in_parts(parts, readers, report)
    done = zip(found, stops, population, strict=True)
    return [one.finish(stop, joined.users, users) for (one, _), stop, users in done]


def measure_first_rows(
    joined: Joined,
    definitions: Sequence[Definition],
    chosen: Mask | None,
    *,
    per_user: bool,
    report: ProgressCallback | None,
) -> list[Measured | None]:
    """Evaluate the definitions on lists that were cut to their first rows; None for those that need whole lists.

    `chosen` restricts the population, shape (users,).
    """
    found, stops = _with_readers(joined, definitions, chosen, per_user), [Stop.of(joined, one) for one in definitions]
    run_first_rows(joined, [reader for (_, reader), stop in zip(found, stops, strict=True) if stop is None], report)
    return [
        None if reader.needs_whole_lists else one.finish(stop, joined.users, reader.users)
        for (one, reader), stop in zip(found, stops, strict=True)
    ]


def aggregated(
    joined: Joined,
    definitions: Sequence[Definition],
    *,
    per_user: bool,
    parts: Callable[[], Iterable[Part]] | None = None,
) -> list[Aggregate]:
    """What each definition makes of these users, who are a part of all; of nobody where the data lack what it needs.

    `parts` have all rows, where `joined` has the first ones.
    """
    found = _with_readers(joined, definitions, None, per_user)
    wanted = [at for at, one in enumerate(definitions) if unmet(joined, one) is None]
    if parts is None:
        run(joined, [found[at][1] for at in wanted])
        return [one for one, _ in found]
    run_first_rows(joined, [found[at][1] for at in wanted])
    left = [at for at in wanted if found[at][1].needs_whole_lists]
    if left:
        anew = _with_readers(joined, [definitions[at] for at in left], None, per_user)
        run_in_parts(parts(), [reader for _, reader in anew])
        for at, one in zip(left, anew, strict=True):
            found[at] = one
    return [one for one, _ in found]


def _with_readers(
    joined: Joined, definitions: Sequence[Definition], chosen: Mask | None, per_user: bool
) -> list[tuple[Aggregate, BlockReader]]:
    """An empty aggregate of each definition, and the reader that fills it; `chosen` restricts users, shape (users,)."""
    masks, size = populations(joined, definitions, chosen), len(joined.users)
    found = [Aggregate(one, size, per_user) for one in definitions]
    return [(one, one.reader(masks[one.definition.aggregation.given("users")])) for one in found]


def populations(joined: Joined, definitions: Sequence[Definition], chosen: Mask | None) -> dict[str, Mask]:
    """The population of each setting of `users`, shape (users,); definitions with one setting share the mask."""
    settings = {one.aggregation.given("users"): one.aggregation.settings["users"] for one in definitions}
    found: dict[str, Mask] = {text: setting(joined=joined) for text, setting in settings.items()}
    return found if chosen is None else {text: users & chosen for text, users in found.items()}
