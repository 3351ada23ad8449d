"""From joined data and definitions to numbers: grouped by judging, block by block, then averaged."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES, Seen, Situation
from rankconv.averaging.means import total
from rankconv.definition import Definition
from rankconv.errors import MetricError
from rankconv.metrics.base import Parts, Ratio
from rankconv.ranking.block import Block
from rankconv.ranking.ids import Codes
from rankconv.ranking.joined import Joined
from rankconv.ranking.judging import Judging, judge
from rankconv.ranking.rows import Mask, Numbers

OUTSIDE, SCORED = 0, 1
"""States of a user; a cause that decided has a number from 2 on."""


@dataclass(frozen=True)
class Refusal:
    """A number that a preset does not give, because the system that it describes refuses the data."""

    definition: Definition
    cause: str
    what: str
    """What is wrong, without saying with whom: "has no ranked row in the input"."""
    answer: str = ""
    """What the preset says of it: `missing=error-all`."""
    user: Any = None
    """The first user concerned; None where it is the data as a whole."""

    @property
    def why(self) -> str:
        """The whole reason in words."""
        who = "" if self.user is None else f"user {self.user!r} "
        return f"{who}{self.what}" + (f", and the preset says {self.answer}" if self.answer else "")

    @property
    def error(self) -> MetricError:
        """As an exception."""
        do = "Another preset may take the data; from Python, errors='collect' keeps the other numbers."
        return MetricError(self.why, where=self.definition.text, do=do)


@dataclass(eq=False)
class Measured:
    """What came out of one definition."""

    definition: Definition
    mean: float
    values: Numbers
    """Shape (users,); NaN where outside or skipped."""
    states: NDArray[np.int8]
    refusals: list[Refusal] = field(default_factory=list)

    @property
    def state_names(self) -> list[str]:
        """What each number in `states` stands for."""
        averaging = self.definition.averaging
        return ["outside", "scored", *(f"{cause}: {averaging.given(cause)}" for cause in CAUSES)]

    @property
    def counts(self) -> dict[str, int]:
        """How many users were scored, answered by which cause, left outside."""
        numbers = np.bincount(self.states, minlength=2 + len(CAUSES)).tolist()
        return {name: count for name, count in zip(self.state_names, numbers, strict=True) if count or name == "scored"}


def measure(joined: Joined, definitions: Sequence[Definition], chosen: Mask | None) -> list[Measured]:
    """Evaluate all definitions in one pass over the users; `chosen` restricts the population."""
    runs = [_Collected(joined, definition, chosen) for definition in definitions]
    groups: dict[tuple[Judging, int | None], list[_Collected]] = {}
    for run in runs:
        if not run.stopped:
            judging = run.definition.judging
            groups.setdefault((judging, run.definition.k if judging.reads_cutoff else None), []).append(run)
    needed = [run.population for group in groups.values() for run in group]
    if needed:
        _run_blocks(joined, groups, np.flatnonzero(np.logical_or.reduce(needed)))
    return [run.finish() for run in runs]


def _run_blocks(joined: Joined, groups: dict[tuple[Judging, int | None], list["_Collected"]], users: Codes) -> None:
    for rows in joined.blocks(users):
        for (judging, k), group in groups.items():
            block = judge(rows.copy(k), judging)
            for run in group:
                run.take(block)


class _Collected:
    """One definition while the blocks go by."""

    def __init__(self, joined: Joined, definition: Definition, chosen: Mask | None) -> None:
        self.joined, self.definition = joined, definition
        size = len(joined.users)
        self.values = np.full(size, np.nan)
        self.states = np.zeros(size, np.int8)
        self.numerators, self.denominators, self.weights = (np.zeros(size) for _ in range(3))
        self.mean = np.nan
        self.parts: list[Numbers] = []
        self.combine: Any = None
        self.refusals: list[Refusal] = []
        answers = definition.averaging.answers
        self.causes = [name for name in CAUSES if definition.averaging.given(name) != "formula"]
        self.population: Mask = answers["users"](joined=joined)
        if chosen is not None:
            self.population = self.population & chosen
        self.seen = Seen()
        self.judged_causes = [name for name in JUDGED_CAUSES if definition.averaging.given(name) != "formula"]
        self.stopped = self._unmet_need() or self._stopped_by_data()

    def _unmet_need(self) -> bool:
        have = {
            "scores": self.joined.rankings.score is not None or not len(self.joined.rankings.item),
            "seen": self.joined.extra.seen is not None,
            "catalogue": self.joined.extra.catalogue is not None,
        }
        for need, asker in self.definition.judging.needs.items():
            if not have[need]:
                given = "the rankings have none" if need == "scores" else f"pass {need}=…"
                self._refuse("needs", f"{asker} needs {need}, and {given}")
                return True
        return False

    def _stopped_by_data(self) -> bool:
        for name, cause in DATA_CAUSES.items():
            if self.definition.averaging.given(name) != "formula" and cause.holds(self.joined, self.population):
                self.mean = self._answer_for_all(name, cause.what)
                return True
        return False

    def _answer_for_all(self, name: str, what: str) -> float:
        """What the preset says of the data as a whole: every user has it, and so has the mean."""
        answer = self.definition.averaging.answers[name]
        if answer.text == "error":
            self._refuse(name, what, f"{name}=error")
        number = float(answer.keywords.get("value", np.nan))
        self.values = np.where(self.population, number, np.nan)
        self.states = np.where(self.population, SCORED, OUTSIDE).astype(np.int8)
        return number if self.population.any() else np.nan

    def _refuse(self, cause: str, what: str, answer: str = "", user: Any = None) -> None:
        self.refusals.append(Refusal(self.definition, cause, what, answer, user))

    def take(self, block: Block) -> None:
        """Score the users of one judged block."""
        at = block.users
        inside = self.population[at]
        found = self.definition.metric.per_user(block)
        rows_needed = float(self.definition.averaging.given("rows-needed"))
        situation = Situation(block, self.definition.metric, found, rows_needed)
        states = np.where(inside, SCORED, OUTSIDE).astype(np.int8)
        ratio = situation.ratio
        values = np.where(inside, ratio.value, np.nan)
        for name in self.causes:
            self._decide(name, situation, states, values)
        self.values[at], self.states[at] = values, states
        self.numerators[at], self.denominators[at] = ratio.numerator, ratio.denominator
        self.weights[at] = _weight(found)
        if self.judged_causes:
            self.seen.add(block, inside)
        if isinstance(found, Parts):
            self._take_parts(found, at, states, values)

    def _take_parts(self, found: Parts, at: Codes, states: NDArray[np.int8], values: Numbers) -> None:
        """Keep the parts for a mean that averages them; who is answered by a cause has the answer in each part."""
        self.combine = found.combine
        for place, part in enumerate(found.values):
            if place == len(self.parts):
                self.parts.append(np.full(len(self.values), np.nan))
            self.parts[place][at] = np.where(states == SCORED, part, values)

    def _decide(self, name: str, situation: Situation, states: NDArray[np.int8], values: Numbers) -> None:
        """Let one cause answer for the users who are still undecided."""
        users = (states == SCORED) & CAUSES[name].holds(situation)
        if not users.any():
            return
        states[users] = _state_of(name)
        answer = self.definition.averaging.answers[name]
        if answer.option.name in ("error", "error-all") and name not in {one.cause for one in self.refusals}:
            first = int(np.flatnonzero(users)[0])
            self._refuse_user(name, situation.block, first)
        number = answer.keywords.get("value", np.nan)
        values[users] = situation.ratio.numerator[users] if answer.option.name == "numerator" else number

    def _refuse_user(self, name: str, block: Block, user: int) -> None:
        items = self.joined.items
        what = CAUSES[name].who
        for reason in block.reasons if name == "not-allowed" else []:
            at = np.flatnonzero(reason.user == user)
            if len(at):
                what = reason.text.format(item=repr(items.id(int(reason.item[at[0]]))))
                break
        answer = f"{name}={self.definition.averaging.given(name)}"
        self._refuse(name, what, answer, self.joined.users.id(int(block.users[user])))

    def finish(self) -> Measured:
        """The mean over the users who count."""
        self.refusals.sort(key=lambda refusal: _state_of(refusal.cause) if refusal.cause in CAUSES else -1)
        averaging = self.definition.averaging
        self.values = averaging.answers["round-user"](values=self.values)
        skipped = [_state_of(name) for name in self.causes if averaging.given(name) == "skip"]
        counted = (self.states != OUTSIDE) & ~np.isin(self.states, skipped)
        if not self.refusals and not self.stopped:
            self.mean = self._mean(counted)
            self._ask_of_all_lists()
        if any(averaging.given(refusal.cause) == "error-all" for refusal in self.refusals if refusal.cause in CAUSES):
            self.values = np.full(len(self.values), np.nan)
        mean = np.nan if self.refusals else self.mean
        return Measured(self.definition, mean, self.values, self.states, self.refusals)

    def _ask_of_all_lists(self) -> None:
        """Unless all lists together are in a situation that the preset answers, the mean stands."""
        for name in self.judged_causes:
            if JUDGED_CAUSES[name].holds(self.seen, self.definition.k):
                self.mean = self._answer_for_all(name, JUDGED_CAUSES[name].what)
                return

    def _mean(self, counted: Mask) -> float:
        answers = self.definition.averaging.answers
        weights = self.weights[counted]
        weighted = answers["mean"].option.traits.get("needs_weight")
        if not counted.any() or (weighted and not total(weights)):
            if answers["nobody"].text == "error":
                self._refuse("nobody", "no user counts", "nobody=error")
            return float(answers["nobody"]())
        scored = counted & (self.states == SCORED)
        mean = answers["mean"](
            values=self.values[counted],
            weights=weights,
            ratios=(self.numerators[scored], self.denominators[scored]),
            parts=([part[counted] for part in self.parts], self.combine),
        )
        return float(answers["round-mean"](values=np.array([mean]))[0])


def _state_of(cause: str) -> int:
    """The state of a user for whom this cause decided."""
    return 2 + list(CAUSES).index(cause)


def _weight(found: Ratio | Parts) -> Numbers | float:
    return 1.0 if isinstance(found, Parts) or found.weight is None else found.weight
