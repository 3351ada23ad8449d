"""One definition on one prepared block, and the values of all users: states, and the users that the preset refuses."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.aggregation import POLICIES, Situation
from rankconv.aggregation.means import MeanInputs, sums_of
from rankconv.aggregation.special_case import counts_as
from rankconv.conventions.parameters import Setting
from rankconv.data.arrays import Codes, Mask, Numbers, take_ownership
from rankconv.engine.metric_result import OUTSIDE, SCORED, no_users, states_of
from rankconv.metrics.base import Parts, Ratio
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.working_rows import Reason
from rankconv.presets.definition import Definition

TOO_LARGE = 1e100
"""A gain whose products and sums may be beyond the largest number."""
OVERFLOW = "overflow"
"""In place of a policy, where no convention refuses a user but the numbers of the machine end."""


def left_out(definition: Definition) -> list[int]:
    """The states of users who do not enter the mean."""
    return [
        OUTSIDE,
        *(state for policy, state in states_of(definition).items() if policy in definition.aggregation.skips),
    ]


def entering(definition: Definition, states: NDArray[np.int8]) -> Mask:
    """Who enters the mean, by their states, shape (users,)."""
    return ~np.isin(states, left_out(definition))


def _found(definition: Definition, block: Block) -> Ratio | Parts:
    """What the metric gives each user; nothing where it is one number of all lists."""
    if definition.metric.of_all_lists:
        return Ratio(np.full(block.size, np.nan), np.ones(block.size))
    return definition.metric.measure(block)


@dataclass(eq=False)
class BlockScores:
    """What one definition gives the users of one block; arrays of shape (users,)."""

    definition: Definition
    block: Block
    inside: Mask
    """Who is in the population."""
    situation: Situation = field(init=False)
    found: Ratio | Parts = field(init=False)
    ratio: Ratio = field(init=False)
    decided: Numbers = field(init=False)
    """What the formula or a policy says of each user."""
    values: Numbers = field(init=False)
    """What is reported of it."""
    states: NDArray[np.int8] = field(init=False)
    tally: Codes = field(init=False)
    """How many users are in each state, by its number."""
    refused: dict[str, int] = field(default_factory=dict)
    """The policies under which users are refused, each with that one of these users who has the least id."""

    overflow: str = ""
    """What is wrong with the user whose grades are too large to be computed with, `refused` under this name."""

    def __post_init__(self) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            self.found = _found(self.definition, self.block)
        rows_needed = float(self.definition.aggregation.given("min-rows"))
        self.situation = situation = Situation(
            self.block, self.definition.metric, self.found, rows_needed, self.definition.applied
        )
        self.ratio, self.values = situation.ratio, situation.ratio.value
        self.states = self.inside.astype(np.int8)
        self.tally = no_users(self.definition)
        self.tally[SCORED] = np.count_nonzero(self.inside)
        self.tally[OUTSIDE] = len(self.inside) - self.tally[SCORED]
        if self.tally[OUTSIDE]:
            self.values = np.where(self.inside, self.values, np.nan)
        with np.errstate(over="ignore", invalid="ignore"):  # some policies measure the metric again
            held = [(name, POLICIES[name].holds(situation)) for name in self.definition.aggregation.policies]
        for name, holds in held:
            self._decide(name, holds)
        self.decided = self.values
        self.values = self.definition.aggregation.settings["report"](values=self.decided)
        if not self.definition.metric.of_all_lists:
            self._refuse_overflow()

    def _decide(self, name: str, holds: Mask) -> None:
        """Let one policy decide for the users that it holds for, shape (users,), and who are still undecided."""
        if not holds.any():
            return
        users = (self.states == SCORED) & holds
        count = np.count_nonzero(users)
        if not count:
            return
        state = states_of(self.definition)[name]
        self.states[users] = state
        self.tally[state] += count
        self.tally[SCORED] -= count
        setting = self.definition.aggregation.settings[name]
        if setting.traits.refuses:
            self.refused[name] = self._least(np.flatnonzero(users))
        number = counts_as(setting)
        if setting.traits.undivided:
            self.values[users] = self.ratio.numerator[users] / setting.keywords.get("by", 1.0)
        else:
            self.values[users] = np.nan if number is None else number

    def _refuse_overflow(self) -> None:
        """Refuse users who have no number because a grade, or its gain, is too large for one."""
        ratio = self.ratio
        infinite = np.isinf(ratio.value) & (ratio.denominator != 0)
        infinite |= ~(np.isfinite(ratio.numerator) & np.isfinite(ratio.denominator))
        lost = np.flatnonzero(self.inside & infinite)
        if not len(lost):
            return
        known, gain = self.block.known, self.definition.metric.settings.get("gain")
        sizes = np.abs(known.grade if gain is None else np.nan_to_num(self.block.gains_of_known(gain), nan=np.inf))
        large = np.flatnonzero(np.isin(known.user, lost) & (sizes > TOO_LARGE))
        if len(large):
            user = self._least(np.unique(known.user[large]))
            theirs = large[known.user[large] == user]
            label = theirs[np.argmax(sizes[theirs])]
            item, grade = self.block.joined.items.id(int(known.item[label])), float(known.grade[label])
            self.refused[OVERFLOW] = user
            wrong = "which is too large to add up" if gain is None else f"whose gain is too large (gain={gain.text})"
            self.overflow = f"has item {item!r} with grade {grade:.17g}, {wrong}"

    def largest(self, reads: Collection[str]) -> tuple[float, int] | None:
        """The largest of the finite numbers that a mean adds up, and the user; None where none may be too large.

        `reads` is what the mean reads of users.
        """
        added = [self.rounded, *(self.part_values if "parts" in reads else ())]
        added += [self.weights] if "weights" in reads else []
        added += [self.ratio.numerator, self.ratio.denominator] if "ratios" in reads else []
        sizes = [np.abs(values) for values in added]
        if not any((size > TOO_LARGE).any() for size in sizes):
            return None
        size = np.fmax.reduce([np.where(self.inside & (size < np.inf), size, 0) for size in sizes])
        return float(size.max()), self._least(np.flatnonzero(size == size.max()))

    def _least(self, users: Codes) -> int:
        """That one of these users of the block, shape (users,), who has the least id: so no order of rows decides."""
        if len(users) == 1:
            return int(users[0])
        return int(users[np.argmin(self.block.joined.users.values[self.block.users[users]])])

    @cached_property
    def rounded(self) -> Numbers:
        """The values as the preset rounds them before the mean, shape (users,)."""
        values: Numbers = self.definition.aggregation.settings["round-user"](values=self.values)
        return values

    @property
    def counted(self) -> Mask | slice:
        """Who enters the mean, shape (users,); a slice where all do."""
        if self.tally[SCORED] == len(self.states):
            return slice(None)
        states = left_out(self.definition)
        if not self.tally[states].any():
            return slice(None)
        enters = np.ones(len(self.tally), bool)
        enters[states] = False
        return enters[self.states]

    @property
    def weights(self) -> Numbers:
        """What each user weighs in a weighted mean, shape (users,)."""
        given = None if isinstance(self.found, Parts) else self.found.weight
        return np.ones(self.block.size) if given is None else given

    @property
    def for_mean(self) -> MeanInputs:
        """What a mean may look at of those who enter it."""
        counted = self.counted
        by_formula = self.states == SCORED
        ratios = self.ratio.numerator[by_formula], self.ratio.denominator[by_formula]
        parts = tuple(part[counted] for part in self.part_values)
        return MeanInputs(self.rounded[counted], self.weights[counted], ratios, parts)

    @property
    def part_values(self) -> list[Numbers]:
        """The value of each part, shape (users,); a user decided by a policy has that setting in every part."""
        if not isinstance(self.found, Parts):
            return []
        return [np.where(self.states == SCORED, part, self.decided) for part in self.found.values]

    def why_refused(self, policy: str) -> str:
        """What is wrong with the user who is named under this policy."""
        if policy == OVERFLOW:
            return self.overflow
        user, items = self.refused[policy], self.block.joined.items
        own = self.definition.metric.refusal(self.block)
        reasons = [*self.block.reasons, *([] if own is None else [own])] if POLICIES[policy].of_preparation else []
        for reason in reasons:
            at = np.flatnonzero(reason.user == user)
            if len(at):
                item = int(reason.item[at[0]])
                return reason.text.format(item=repr(items.id(item))) + self._where(reason, int(user), item)
        return POLICIES[policy].who

    def _where(self, reason: Reason, place: int, item: int) -> str:
        """The lines at fault, where the data came from a file and the block has users of their own."""
        if reason.side is None or self.definition.preparation.pools:
            return ""
        from rankconv.data.inputs.row_lines import lines_of

        user = int(self.block.users[place])
        found = lines_of(self.block.joined, reason.side == "labels", user, item)
        return f" ({found})" if found else ""


class UserValues:
    """Values and states of all users, and what a mean is made of besides; arrays have shape `(users,)`."""

    def __init__(self, size: int, reads: tuple[str, ...]) -> None:
        """`reads` is what the mean reads: its `weights`, `ratios` or `parts`."""
        self.reads = reads
        self.values = np.full(size, np.nan)
        self.states = np.zeros(size, np.int8)
        self._weights = np.zeros(size if "weights" in reads else 0)
        self._split = np.zeros((2, size if "ratios" in reads else 0))
        self._part_values: list[Numbers] = []
        self.combine: Callable[..., Ratio] | None = None

    def take(self, scored: BlockScores, at: Codes | slice, of: Mask | slice) -> None:
        """Keep the values of the users `of` of a block, shape (users of the block,), at the places `at`."""
        self.values[at], self.states[at] = scored.rounded[of], scored.states[of]
        if "weights" in self.reads:
            self._weights[at] = scored.weights[of]
        if "ratios" in self.reads:
            self._split[:, at] = scored.ratio.numerator[of], scored.ratio.denominator[of]
        if "parts" in self.reads:
            combine = scored.found.combine if isinstance(scored.found, Parts) else None
            self._take_parts([part[of] for part in scored.part_values], at, combine)

    def include(self, other: "UserValues", at: Codes) -> None:
        """Keep the values of the users of another batch at the places `at`, shape (users of that batch,)."""
        self.values[at], self.states[at] = other.values, other.states
        if "weights" in self.reads:
            self._weights[at] = other._weights
        if "ratios" in self.reads:
            self._split[:, at] = other._split
        self._take_parts(other._part_values, at, other.combine)

    def finished(self) -> "UserValues":
        """Itself, when all users are there: nobody writes to it any more."""
        self.values, self.states = take_ownership(self.values), take_ownership(self.states)
        self._weights, self._split, self._part_values = (
            take_ownership(self._weights),
            take_ownership(self._split),
            [*map(take_ownership, self._part_values)],
        )
        return self

    def _take_parts(self, parts: list[Numbers], at: Codes | slice, combine: Callable[..., Ratio] | None) -> None:
        self.combine = combine or self.combine
        for place, part in enumerate(parts):
            if place == len(self._part_values):
                self._part_values.append(np.full(len(self.values), np.nan))
            self._part_values[place][at] = part

    def for_mean(self, counted: Codes, mean: Setting) -> dict[str, Any]:
        """What this mean may read of the users counted, shape (counted,); ratios are those of users who were scored."""
        ratios = self._split[:, counted[self.states[counted] == SCORED]] if "ratios" in self.reads else self._split
        values, parts = self.values[counted], [part[counted] for part in self._part_values]
        weights = self._weights[counted] if "weights" in self.reads else self._weights
        sums = sums_of(mean, MeanInputs(values, weights, (ratios[0], ratios[1]), tuple(parts)))
        more = {"ratios": ratios, "parts": (parts, self.combine), "sums": sums, "combine": self.combine}
        return {"values": values, "weights": weights, **more}
