"""One definition while the blocks of users go by, and what becomes of it in the end."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES, Seen
from rankconv.averaging.sums import ExactSum, total
from rankconv.definition import Definition
from rankconv.kept import Kept
from rankconv.measured import Measured, Refusal
from rankconv.ranking.block import Block
from rankconv.ranking.facts import Compared
from rankconv.ranking.ids import Codes
from rankconv.ranking.joined import Joined
from rankconv.ranking.plain import NotPlainError, PlainBlocks
from rankconv.ranking.pooling import pooled
from rankconv.ranking.rows import Mask, Numbers
from rankconv.scoring import OUTSIDE, SCORED, Scored, left_out, state_of


class Collected:
    """One definition while the blocks go by."""

    def __init__(self, joined: Joined, definition: Definition, population: Mask, per_user: bool) -> None:
        self.joined, self.definition = joined, definition
        averaging = definition.averaging
        self.reads = averaging.answers["mean"].reads
        """What the mean is made of."""
        self.kept = Kept(len(joined.users), self.reads) if per_user or self.reads != ("summed",) else None
        self.per_user = per_user
        self.tally = np.zeros(2 + len(CAUSES), np.int64)
        self.summed = ExactSum()
        self.mean = np.nan
        self.refusals: list[Refusal] = []
        self.refused: dict[str, tuple[int, str]] = {}
        """The causes under which users are refused, each with the first of them and what is wrong."""
        self.of_all = ""
        self.lists: list[tuple[Block, Mask]] = []
        """The judged blocks and who of them counts, where all lists make one."""
        self.population = population
        self.left = population
        """Who has not been scored yet."""
        self.judged_causes = averaging.asked(JUDGED_CAUSES)
        self.seen = Seen(self.judged_causes)
        self.stopped = self._unmet_need() or self._stopped_by_data()

    @property
    def to_do(self) -> int:
        """How many users it looks at."""
        return int(np.count_nonzero(self.population))

    @property
    def done(self) -> int:
        """How many of them have been scored."""
        return int(self.tally[SCORED:].sum())

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
                compared = Compared.of(self.definition.judging.answers)
                tied = not joined.facts.of("falling scores", None, compared).all()
                return f"'{joined.items.not_a_number}' is none" if tied and joined.items.not_a_number else ""
        return "" if getattr(extra, need) is not None else "none was given"

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
        states = np.where(self.population, SCORED, OUTSIDE).astype(np.int8)
        self.tally = np.bincount(states, minlength=len(self.tally))
        if self.kept is not None:
            self.kept.values, self.kept.states = np.where(self.population, number, np.nan), states
        return number

    def _refuse(self, cause: str, what: str, answer: str = "", user: Any = None) -> None:
        self.refusals.append(Refusal(self.definition, cause, what, answer, user))

    def take(self, block: Block, who: Mask) -> None:
        """Score these users of one judged block."""
        place = _place(block.users)
        inside = who[place]
        scored = Scored(self.definition, block, inside)
        whole = bool(inside.all())
        self.tally[SCORED:] += scored.tally[SCORED:]
        if self.kept is not None:
            self.kept.take(scored, *((place, slice(None)) if whole else (block.users[inside], inside)))
        if self.definition.judging.pools:
            self.lists.append((block, inside))
            return
        self._refuse_users(scored)
        self.summed.add(scored.rounded[scored.counted])
        if self.judged_causes:
            self.seen.add(block, inside)

    def take_plain(self, blocks: PlainBlocks, who: Mask) -> bool:
        """Whether these users of a block could be scored, whose lists no step of judging changes."""
        try:
            self.take(blocks.judged(self.definition.judging, self.definition.k), who)
        except NotPlainError:
            return False
        return True

    def _refuse_users(self, scored: Scored) -> None:
        for cause, place in scored.refused.items():
            user = int(scored.block.users[place])
            if cause not in self.refused or user < self.refused[cause][0]:
                self.refused[cause] = (user, scored.why_refused(cause))

    def _refuse_first(self) -> None:
        """Each cause under which users are refused, with the first of them."""
        for cause, (user, what) in self.refused.items():
            who = None if self.definition.judging.pools else self.joined.users.id(user)
            answer = f"{cause}={self.definition.averaging.given(cause)}" if cause in CAUSES else ""
            self._refuse(cause, what, answer, who)

    def finish(self) -> Measured:
        """The mean over the users who count."""
        self._refuse_first()
        self.tally[OUTSIDE] = len(self.joined.users) - self.tally[SCORED:].sum()
        if self.lists:
            self._pool()
        elif not self.refusals and not self.stopped:
            self.mean = self._mean()
            self._ask_of_all_lists()
        self.refusals.sort(key=lambda refusal: state_of(refusal.cause) if refusal.cause in CAUSES else -1)
        mean = np.nan if self.refusals else self.mean
        return Measured(self.definition, mean, self.tally, self._values_and_states(), self.refusals, self.of_all)

    def _values_and_states(self) -> tuple[Numbers, NDArray[np.int8]] | None:
        if self.kept is None or not self.per_user:
            return None
        given = [self.definition.averaging.given(one.cause) for one in self.refusals if one.cause in CAUSES]
        if "error-all" in given:
            return np.full(len(self.kept.values), np.nan), self.kept.states
        return self.kept.values, self.kept.states

    def _pool(self) -> None:
        """The number of all judged lists as one; the values of the users stay their own."""
        scored = Scored(self.definition, pooled(self.lists), np.ones(1, bool))
        self._refuse_users(scored)
        self._refuse_first()
        averaging = self.definition.averaging
        if scored.states[0] in left_out(self.definition):
            self.mean = float(averaging.answers["nobody"]())
        else:
            self.mean = float(averaging.answers["round-mean"](values=scored.values)[0])

    def _ask_of_all_lists(self) -> None:
        """Unless all lists together are in a situation that the preset answers, the mean stands."""
        for name in self.judged_causes:
            if JUDGED_CAUSES[name].holds(self.seen, self.definition.k):
                self.mean = self._answer_for_all(name, JUDGED_CAUSES[name].what)
                return

    def _mean(self) -> float:
        answers, kept = self.definition.averaging.answers, self.kept
        more: dict[str, Any] = {}
        if kept is not None and self.reads != ("summed",):
            counted = ~np.isin(kept.states, left_out(self.definition))
            more = {"values": kept.values[counted], "weights": kept.weights(counted)}
            more |= {"ratios": kept.ratios(counted), "parts": kept.parts(counted)}
        if not self.summed.number or ("weights" in self.reads and not total(more["weights"])):
            if answers["nobody"].text == "error":
                self._refuse("nobody", "no user counts", "nobody=error")
            return float(answers["nobody"]())
        mean = answers["mean"](summed=self.summed, **more)
        return float(answers["round-mean"](values=np.array([mean]))[0])


def _place(users: Codes) -> Codes | slice:
    """Where these users stand; where they follow each other, as a slice."""
    if len(users) and users[-1] - users[0] == len(users) - 1:
        return slice(int(users[0]), int(users[-1]) + 1)
    return users
