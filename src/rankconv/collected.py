"""One definition while the blocks of users go by, and what becomes of it in the end."""

from typing import Any

import numpy as np

from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES, Seen
from rankconv.averaging.means import total
from rankconv.definition import Definition
from rankconv.measured import Measured, Refusal
from rankconv.metrics.base import Parts
from rankconv.ranking.block import Block
from rankconv.ranking.ids import Codes
from rankconv.ranking.joined import Joined
from rankconv.ranking.plain import NotPlainError, PlainBlocks
from rankconv.ranking.pooling import pooled
from rankconv.ranking.rows import Mask, Numbers
from rankconv.scoring import OUTSIDE, SCORED, Scored, asked_causes, state_of


class Collected:
    """One definition while the blocks go by."""

    def __init__(self, joined: Joined, definition: Definition, chosen: Mask | None) -> None:
        self.joined, self.definition = joined, definition
        size = len(joined.users)
        self.values = np.full(size, np.nan)
        self.states = np.zeros(size, np.int8)
        self.weights = np.zeros(size if self.needs("weight") else 0)
        self.numerators, self.denominators = (np.zeros(size if self.needs("split") else 0) for _ in range(2))
        self.mean = np.nan
        self.parts: list[Numbers] = []
        self.combine: Any = None
        self.refusals: list[Refusal] = []
        self.refused: dict[str, tuple[int, str]] = {}
        """The causes under which users are refused, each with the first of them and what is wrong."""
        self.of_all = ""
        answers = definition.averaging.answers
        self.causes = asked_causes(definition)
        self.lists: list[tuple[Block, Mask]] = []
        """The judged blocks and who of them counts, where all lists make one."""
        self.population: Mask = answers["users"](joined=joined)
        if chosen is not None:
            self.population = self.population & chosen
        self.left = self.population
        """Who has not been scored yet."""
        self.judged_causes = definition.averaging.asked(JUDGED_CAUSES)
        self.seen = Seen(self.judged_causes)
        self.stopped = self._unmet_need() or self._stopped_by_data()

    @property
    def rows_read(self) -> int | None:
        """The rank below which no row is looked at; None where whole lists are."""
        metric, judging = self.definition.metric, self.definition.judging
        whole = "no-hits-at-all" in self.judged_causes and judging.given("depth") != "cutoff"
        return None if metric.reads_below_cutoff or whole else metric.scope

    def _unmet_need(self) -> bool:
        for need, asker in self.definition.needs.items():
            missing = self._missing(need)
            if missing:
                self._refuse("needs", f"{asker} needs {need}, and {missing}")
                return True
        return False

    def _missing(self, need: str) -> str:
        """What is wrong with what the definition needs beside labels and lists; empty where nothing is."""
        joined, extra = self.joined, self.joined.extra
        match need:
            case "scores":
                return "the rankings have none" if joined.rankings.score is None and len(joined.rankings.item) else ""
            case "item ids that are numbers":
                tied = not joined.facts.of("falling narrow scores", None).all()
                return f"'{joined.items.not_a_number}' is none" if tied and joined.items.not_a_number else ""
        return "" if getattr(extra, need) is not None else f"pass {need}=…"

    def _stopped_by_data(self) -> bool:
        for name, cause in DATA_CAUSES.items():
            if self.definition.averaging.given(name) != "formula" and cause.holds(self.joined, self.population):
                self.mean = self._answer_for_all(name, cause.what)
                return True
        return False

    def _answer_for_all(self, name: str, what: str) -> float:
        """What the preset says of the data as a whole: every user has it, and so has the mean."""
        self.of_all = name
        answer = self.definition.averaging.answers[name]
        if answer.text == "error":
            self._refuse(name, what, f"{name}=error")
        number = float(answer.keywords.get("value", np.nan))
        self.values = np.where(self.population, number, np.nan)
        self.states = np.where(self.population, SCORED, OUTSIDE).astype(np.int8)
        return number

    def _refuse(self, cause: str, what: str, answer: str = "", user: Any = None) -> None:
        self.refusals.append(Refusal(self.definition, cause, what, answer, user))

    def take(self, block: Block, who: Mask) -> None:
        """Score these users of one judged block."""
        place = _place(block.users)
        inside = who[place]
        scored = Scored(self.definition, block, inside)
        at, of = (place, slice(None)) if inside.all() else (block.users[inside], inside)
        self.values[at], self.states[at] = scored.values[of], scored.states[of]
        if self.definition.judging.pools:
            self.lists.append((block, inside))
            return
        self._refuse_users(scored)
        if self.needs("split"):
            ratio = scored.ratio
            self.numerators[at], self.denominators[at] = ratio.numerator[of], ratio.denominator[of]
        if self.needs("weight"):
            self.weights[at] = scored.weights[of]
        if self.judged_causes:
            self.seen.add(block, inside)
        if self.needs("parts"):
            self._take_parts(scored, at, of)

    def needs(self, what: str) -> bool:
        """Whether the mean needs each user's `split` value, `weight` or `parts`."""
        return bool(self.definition.averaging.answers["mean"].option.traits.get(f"needs_{what}"))

    def take_plain(self, blocks: PlainBlocks, who: Mask) -> bool:
        """Whether these users of a block could be scored, whose lists no step of judging changes."""
        try:
            self.take(blocks.judged(self.definition.judging, self.definition.k), who)
        except NotPlainError:
            return False
        return True

    def _take_parts(self, scored: Scored, at: Codes | slice, of: Mask | slice) -> None:
        """Keep the parts for a mean that averages them."""
        if isinstance(scored.found, Parts):
            self.combine = scored.found.combine
        for place, part in enumerate(scored.parts):
            if place == len(self.parts):
                self.parts.append(np.full(len(self.values), np.nan))
            self.parts[place][at] = part[of]

    def _refuse_users(self, scored: Scored) -> None:
        for cause, place in scored.refused.items():
            user = int(scored.block.users[place])
            if cause not in self.refused or user < self.refused[cause][0]:
                self.refused[cause] = (user, scored.why_refused(cause))

    def _refuse_first(self) -> None:
        """Each cause under which users are refused, with the first of them."""
        for cause, (user, what) in self.refused.items():
            who = None if self.definition.judging.pools else self.joined.users.id(user)
            self._refuse(cause, what, f"{cause}={self.definition.averaging.given(cause)}", who)

    def finish(self) -> Measured:
        """The mean over the users who count."""
        self._refuse_first()
        averaging = self.definition.averaging
        self.values = averaging.answers["round-user"](values=self.values)
        counted = self.states != OUTSIDE
        for name in self.causes:
            if averaging.given(name) == "skip":
                counted &= self.states != state_of(name)
        if self.lists:
            self._pool()
        elif not self.refusals and not self.stopped:
            self.mean = self._mean(counted)
            self._ask_of_all_lists()
        if any(averaging.given(refusal.cause) == "error-all" for refusal in self.refusals if refusal.cause in CAUSES):
            self.values = np.full(len(self.values), np.nan)
        self.refusals.sort(key=lambda refusal: state_of(refusal.cause) if refusal.cause in CAUSES else -1)
        mean = np.nan if self.refusals else self.mean
        return Measured(self.definition, mean, self.values, self.states, self.refusals, self.of_all)

    def _ratios(self, counted: Mask) -> tuple[Numbers, Numbers]:
        scored = counted & (self.states == SCORED)
        return self.numerators[scored], self.denominators[scored]

    def _pool(self) -> None:
        """The number of all judged lists as one; the values of the users stay their own."""
        scored = Scored(self.definition, pooled(self.lists), np.ones(1, bool))
        self._refuse_users(scored)
        self._refuse_first()
        averaging = self.definition.averaging
        if scored.states[0] in [state_of(name) for name in self.causes if averaging.given(name) == "skip"]:
            self.mean = float(averaging.answers["nobody"]())
        else:
            self.mean = float(averaging.answers["round-mean"](values=scored.values)[0])

    def _ask_of_all_lists(self) -> None:
        """Unless all lists together are in a situation that the preset answers, the mean stands."""
        for name in self.judged_causes:
            if JUDGED_CAUSES[name].holds(self.seen, self.definition.k):
                self.mean = self._answer_for_all(name, JUDGED_CAUSES[name].what)
                return

    def _mean(self, counted: Mask) -> float:
        answers = self.definition.averaging.answers
        weights = self.weights[counted] if self.needs("weight") else self.weights
        if not counted.any() or (self.needs("weight") and not total(weights)):
            if answers["nobody"].text == "error":
                self._refuse("nobody", "no user counts", "nobody=error")
            return float(answers["nobody"]())
        mean = answers["mean"](
            values=self.values if counted.all() else self.values[counted],
            weights=weights,
            ratios=self._ratios(counted) if self.needs("split") else (),
            parts=([part[counted] for part in self.parts], self.combine),
        )
        return float(answers["round-mean"](values=np.array([mean]))[0])


def _place(users: Codes) -> Codes | slice:
    """Where these users stand; where they follow each other, as a slice."""
    if len(users) and users[-1] - users[0] == len(users) - 1:
        return slice(int(users[0]), int(users[-1]) + 1)
    return users
