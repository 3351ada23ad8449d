"""What the users of one definition add up to, while blocks of them go by; of several batches, put together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.aggregation import DATA_POLICIES, JUDGED_POLICIES, POLICIES, JudgedTotals
from rankconv.aggregation.exact_sum import ExactSum, total
from rankconv.aggregation.means import read_by, sums_of
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.ids import Ids
from rankconv.engine.exact import NO_SUM, RowCounts, exact
from rankconv.engine.metric_result import OUTSIDE, SCORED, Again, Measured, Refusal, no_users, states_of
from rankconv.engine.plan import Reader, Stop
from rankconv.engine.resampling import OfOneList, OfValues, mean_of, reported
from rankconv.engine.scoring import BlockScores, entering, left_out
from rankconv.engine.summed import Kept, Summed, counted_items, counted_rows, one_list, refusals_of, shown_of
from rankconv.engine.user_values import UserValues
from rankconv.metrics.base import Parts, Ratio
from rankconv.metrics.beyond.of_all_lists import ShownRows, SystemLevelMetric
from rankconv.preparation.block import Block
from rankconv.preparation.pooling import pooled
from rankconv.presets.definition import Definition

SUMMED = {"summed", "sums", "combine"}
"""What a mean may read for which no user need be kept."""


class Aggregate:
    """What one definition makes of the users seen so far: their values, and the sums and counts of its mean."""

    def __init__(self, definition: Definition, users: int, per_user: bool) -> None:
        """`users` is how many there are; without `per_user` only what the mean is made of is kept."""
        self.definition = definition
        self._mean_is = definition.aggregation.settings["aggregate"]
        self._reads = self._mean_is.reads
        keeps = per_user or not {*self._reads} <= SUMMED
        self._of_users = UserValues(users, read_by(self._mean_is)) if keeps else None
        self._size, self._per_user = users, per_user
        self._tally = no_users(definition)
        """How many users are in each state, by its number."""
        self._summed = ExactSum()
        self._sums: list[ExactSum] = []
        """What else the mean is made of, where it adds up more than values."""
        self._combine: Callable[..., Ratio] | None = None
        self._kept = np.empty(0)
        """The values that the mean is made of, where it reads them and no user is kept."""
        self._judged_policies = definition.aggregation.judged_policies
        self._seen = JudgedTotals(self._judged_policies, definition.k)
        self._refused: dict[str, tuple[Any, str]] = {}
        """The policies under which users are refused, each with the one of the least id and what is wrong."""
        self._lists: list[tuple[Block, Mask]] = []
        """The judged blocks and who of them counts, where all lists make one."""
        self._one_list: Block | None = None
        """All lists as one, where their rows came counted."""
        self._shown: list[ShownRows] = []
        """The rows of those who count, where the metric is one number of all lists."""

    def reader(self, users: Mask) -> Reader:
        """The reader that takes the judged lists of these users, shape (users,) bool, for this definition."""
        metric, preparation, aggregation = self.definition.metric, self.definition.applied, self.definition.aggregation
        below = aggregation.reads_whole_lists and not preparation.cut
        return Reader(preparation, metric.k, None if below else metric.rows_read, users, self.take)

    def take(self, block: Block, inside: Mask) -> None:
        """Score these users of a judged block; `inside` has shape (users of the block,)."""
        scored = BlockScores(self.definition, block, inside)
        self._tally[SCORED:] += scored.tally[SCORED:]
        if isinstance(self.definition.metric, SystemLevelMetric):
            counts = np.zeros(block.size, bool)
            counts[scored.counted] = True
            self._shown.append(self.definition.metric.shown(block, counts))
        if self._of_users is not None:
            whole = (places(block.users), slice(None)) if not scored.tally[OUTSIDE] else (block.users[inside], inside)
            self._of_users.take(scored, *whole)
        if self.definition.preparation.pools:
            self._lists.append((block, inside))
            return
        for policy, place in scored.refused.items():
            self._refuse(policy, block.joined.users.id(int(block.users[place])), scored.why_refused(policy))
        if not self.definition.metric.of_all_lists:
            self._summed.add(scored.rounded[scored.counted])
            self._add_terms(scored)
        if self._judged_policies:
            self._seen.add(scored.situation, inside)

    def _add_terms(self, scored: BlockScores) -> None:
        if self._mean_is.trait("adds") is None:
            return
        self._combine = scored.found.combine if isinstance(scored.found, Parts) else None
        self._include_sums(sums_of(self._mean_is, scored.for_mean))

    def _include_sums(self, sums: Sequence[ExactSum]) -> None:
        self._sums = self._sums or [ExactSum() for _ in sums]
        for ours, theirs in zip(self._sums, sums, strict=False):
            ours.include(theirs)

    def include(self, other: "Aggregate", place: Codes) -> None:
        """Add what another batch came to; `place`, shape (users of the batch,), says where its users stand here."""
        self._tally += other._tally
        self._summed.include(other._summed)
        self._combine = other._combine or self._combine
        self._include_sums(other._sums)
        self._seen.include(other._seen)
        if self._of_users is not None and other._of_users is not None:
            self._of_users.include(other._of_users, place)
        for policy, (user, what) in other._refused.items():
            self._refuse(policy, user, what)

    def _refuse(self, policy: str, user: Any, what: str) -> None:
        if policy not in self._refused or user < self._refused[policy][0]:
            self._refused[policy] = (user, what)

    # without users

    def summed(self, users: Ids) -> Summed:
        """All that the mean and the counts are made of, in plain data; the users concerned are named by their ids."""
        kept: Kept | None = None
        keeps = self._mean_is.trait("keeps")
        if self._of_users is not None and keeps is not None:
            values = self._of_users.values[entering(self.definition, self._of_users.states)]
            kept = Kept([keeps(values)]) if len(values) else None
        return Summed(
            tally=tuple(self._tally[SCORED:].tolist()),
            values=exact(self._summed),
            sums=tuple(map(exact, self._sums)),
            judged_users=self._seen.users,
            judged={name: exact(one) for name, one in self._seen.sums.items()},
            refused={**self._refused, **refusals_of(self._lists, users)},
            kept=kept,
            rows=self._row_counts,
        )

    @property
    def _row_counts(self) -> RowCounts:
        """The rows of all lists, where they make one number."""
        if self._lists:
            return counted_rows(self.definition, self._lists)
        metric = self.definition.metric
        return (
            counted_items(metric, self._shown) if self._shown and isinstance(metric, SystemLevelMetric) else RowCounts()
        )

    @classmethod
    def of(cls, definition: Definition, summed: Summed, users: int) -> "Aggregate":
        """What was summed, of so many users in all, as far as `finish_summed` reads it."""
        made = cls(definition, users, per_user=False)
        made._tally[SCORED:] = summed.tally or 0
        made._summed, made._sums = summed.values.sum, [one.sum for one in summed.sums]
        made._seen.users = summed.judged_users
        made._seen.sums = {name: summed.judged.get(name, NO_SUM).sum for name in made._seen.sums}
        made._kept = np.empty(0) if summed.kept is None else summed.kept.whole
        if definition.preparation.pools:
            made._one_list = one_list(definition, summed.rows, summed.refused)
            return made
        if isinstance(definition.metric, SystemLevelMetric) and summed.rows.totals:
            made._shown = [shown_of(definition.metric, summed.rows)]
        made._refused = dict(summed.refused)
        made._combine = definition.metric.combine
        return made

    @property
    def of_each(self) -> tuple[Numbers, NDArray[np.int8]]:
        """Values and states of these users, both of shape (users,), whatever becomes of the number of all users."""
        assert self._of_users is not None
        return self._of_users.values, self._of_users.states

    # in the end

    def finish_summed(self, stop: Stop | None) -> Measured:
        """The mean over the users who count, where no user was kept."""
        population = int(self._tally[SCORED:].sum())
        if stop is not None and stop.unmet:
            self._tally[SCORED:] = 0
        return self._finish(population, None, stop, None)

    def finish(self, users: Ids, population: Mask, stop: Stop | None) -> Measured:
        """The mean over the users who count, and what became of each of `population`, shape (users,).

        `stop` says why nobody was scored.
        """
        return self._finish(int(np.count_nonzero(population)), population, stop, users)

    def _finish(self, size: int, population: Mask | None, stop: Stop | None, ids: Ids | None) -> Measured:
        """What came out; `size` users are in the population, whose mask has shape (users,), None if none was kept."""
        refusals, mean, policy = self._refusals(), np.nan, ""
        if stop is not None:
            refusals, policy = [stop.unmet] if stop.unmet else [], stop.policy
        elif self._lists or self._one_list is not None:
            mean, refusals = self._mean_of_one_list()
        elif not refusals:
            mean, refusals = self._number_of_all_lists() if self._shown else self._mean()
            policy = self._policy_of_all_lists()
        tally, of_each = self._tally, self._values_and_states(refusals)
        if policy:
            mean, more = self._setting_for_all(policy)
            tally = no_users(self.definition)
            tally[SCORED] = size
            if of_each is not None:
                assert population is not None
                of_each = np.where(population, mean, np.nan), np.where(population, SCORED, OUTSIDE).astype(np.int8)
            refusals += more
        tally[OUTSIDE] = self._size - tally[SCORED:].sum()
        refusals.sort(key=lambda refusal: states_of(self.definition).get(refusal.policy, -1))
        again = None if refusals or policy else self._again(ids)
        return Measured(self.definition, np.nan if refusals else mean, tally, of_each, refusals, policy, again)

    def _again(self, ids: Ids | None) -> Again | None:
        """What computes the number over other users; None where nothing of them is kept, or it is of all lists."""
        if ids is None or self._of_users is None or not self._per_user or self._shown:
            return None
        if self._lists:
            return OfOneList(self.definition, self._lists, ids)
        return OfValues(self.definition, self._of_users.finished(), ids)

    def _refusals(self) -> list[Refusal]:
        """Each policy under which users are refused, with one of them."""
        given, found = self.definition.aggregation.given, []
        for policy, (user, what) in self._refused.items():
            setting = f"{policy}={given(policy)}" if policy in POLICIES else ""
            found.append(Refusal(self.definition, policy, what, setting, user))
        return found

    def _values_and_states(self, refusals: list[Refusal]) -> tuple[Numbers, NDArray[np.int8]] | None:
        if self._of_users is None or not self._per_user:
            return None
        values, states = self._of_users.values, self._of_users.states
        settings = [self.definition.aggregation.settings[one.policy] for one in refusals if one.policy in POLICIES]
        nobody = any(setting.trait("refuses") == "everybody" for setting in settings)
        return (np.full(self._size, np.nan) if nobody else values), states

    def _setting_for_all(self, policy: str) -> tuple[float, list[Refusal]]:
        """What the preset says of the data as a whole: every user has this number, and so has the mean."""
        setting = self.definition.aggregation.settings[policy]
        rule = DATA_POLICIES[policy] if policy in DATA_POLICIES else JUDGED_POLICIES[policy]
        refused = (
            [Refusal(self.definition, policy, rule.what, f"{policy}={setting.text}")]
            if setting.trait("refuses")
            else []
        )
        return reported(self.definition, float(setting.keywords.get("value", np.nan))), refused

    def _policy_of_all_lists(self) -> str:
        """The first situation of all judged lists for which the preset has a policy; empty where there is none."""
        return next(filter(self._seen.holds, self._judged_policies), "")

    def _mean_of_one_list(self) -> tuple[float, list[Refusal]]:
        """The number of all judged lists as one; the values of the users stay their own."""
        block = pooled(self._lists) if self._one_list is None else self._one_list
        scored = BlockScores(self.definition, block, np.ones(1, bool))
        for policy in scored.refused:
            self._refused[policy] = None, scored.why_refused(policy)  # where lists are pooled, no user is named
        settings = self.definition.aggregation.settings
        if scored.states[0] in left_out(self.definition):
            return float(settings["on-no-users"]()), self._refusals()
        return float(settings["round-mean"](values=scored.values)[0]), self._refusals()

    def _number_of_all_lists(self) -> tuple[float, list[Refusal]]:
        """The number of the lists of all who count; 0/0 is what the preset says of it."""
        metric, aggregation = self.definition.metric, self.definition.aggregation
        assert isinstance(metric, SystemLevelMetric)
        shown = ShownRows.together(self._shown)
        if not shown.lists:
            return self._mean()
        value = metric.of_lists(shown).value
        undefined = aggregation.settings["on-zero-division"].keywords.get("value", np.nan)
        value = aggregation.settings["report"](values=np.where(np.isnan(value), undefined, value))
        return float(aggregation.settings["round-mean"](values=value)[0]), []

    def _mean(self) -> tuple[float, list[Refusal]]:
        settings, more = self.definition.aggregation.settings, dict[str, Any]()
        if len(self._kept):
            more = {"values": self._kept}
        elif self._of_users is not None and not {*self._reads} <= SUMMED:
            counted = np.flatnonzero(entering(self.definition, self._of_users.states))
            more = self._of_users.for_mean(counted, self._mean_is)
        if not self._summed.number or self._nothing_weighs(more):
            refused = settings["on-no-users"].trait("refuses")
            refusal = Refusal(self.definition, "on-no-users", "no user counts", "on-no-users=refuse-all")
            return float(settings["on-no-users"]()), [refusal] if refused else []
        return mean_of(self.definition, self._summed, more | {"sums": self._sums, "combine": self._combine}), []

    def _nothing_weighs(self, more: Mapping[str, Any]) -> bool:
        """Whether users count, and weigh nothing; `more` is what the mean reads of each of them."""
        adds = self._mean_is.trait("adds")
        if adds is not None and adds.nobody_without is not None:
            return not self._sums[adds.nobody_without].total
        return "weights" in self._reads and not total(more["weights"])


def places(users: Codes) -> Codes | slice:
    """These users, shape (users,); as a slice where they follow each other."""
    if len(users) and users[-1] - users[0] == len(users) - 1:
        return slice(int(users[0]), int(users[-1]) + 1)
    return users
