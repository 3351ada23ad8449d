"""What the users of one definition add up to, while blocks of them go by; of several batches, put together."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.averaging import CAUSES, DATA_CAUSES, JUDGED_CAUSES, JudgedTotals
from rankconv.averaging.exact_sum import ExactSum, total
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.ids import Ids
from rankconv.engine.again import OfOneList, OfValues, mean_of, reported
from rankconv.engine.measured import OUTSIDE, SCORED, Again, Measured, Refusal, no_users, states_of
from rankconv.engine.plan import Reader, Stop
from rankconv.engine.scoring import BlockScores, left_out
from rankconv.engine.user_values import UserValues
from rankconv.judging.block import Block
from rankconv.judging.pooling import pooled
from rankconv.metrics.beyond.of_all_lists import OfAllLists, Shown
from rankconv.presets.definition import Definition


class Aggregate:
    """What one definition makes of the users seen so far: their values, and the sums and counts of its mean."""

    def __init__(self, definition: Definition, users: int, per_user: bool) -> None:
        """`users` is how many there are; without `per_user` only what the mean is made of is kept."""
        self.definition = definition
        self._reads = definition.averaging.answers["mean"].reads
        keeps = per_user or self._reads != ("summed",)
        self._of_users = UserValues(users, self._reads) if keeps else None
        self._size, self._per_user = users, per_user
        self._tally = no_users(definition)
        """How many users are in each state, by its number."""
        self._summed = ExactSum()
        self._asked_of_all = definition.averaging.asked(JUDGED_CAUSES)
        self._seen = JudgedTotals(self._asked_of_all, definition.k)
        self._refused: dict[str, tuple[int, str]] = {}
        """The causes under which users are refused, each with the first of them and what is wrong."""
        self._lists: list[tuple[Block, Mask]] = []
        """The judged blocks and who of them counts, where all lists make one."""
        self._shown: list[Shown] = []
        """The rows of those who count, where the metric is one number of all lists."""

    def reader(self, users: Mask) -> Reader:
        """The reader that takes the judged lists of these users, shape (users,) bool, for this definition."""
        metric, judging, averaging = self.definition.metric, self.definition.judging, self.definition.averaging
        below = averaging.reads_whole_lists and not judging.cut
        return Reader(judging, metric.k, None if below else metric.rows_read, users, self.take)

    def take(self, block: Block, inside: Mask) -> None:
        """Score these users of a judged block; `inside` has shape (users of the block,)."""
        scored = BlockScores(self.definition, block, inside)
        self._tally[SCORED:] += scored.tally[SCORED:]
        if isinstance(self.definition.metric, OfAllLists):
            counts = np.zeros(block.size, bool)
            counts[scored.counted] = True
            self._shown.append(self.definition.metric.shown(block, counts))
        if self._of_users is not None:
            whole = (places(block.users), slice(None)) if inside.all() else (block.users[inside], inside)
            self._of_users.take(scored, *whole)
        if self.definition.judging.pools:
            self._lists.append((block, inside))
            return
        for cause, place in scored.refused.items():
            self._refuse(cause, int(block.users[place]), scored.why_refused(cause))
        self._summed.add(scored.rounded[scored.counted])
        if self._asked_of_all:
            self._seen.add(scored.situation, inside)

    def include(self, other: "Aggregate", place: Codes) -> None:
        """Add what another batch came to; `place`, shape (users of the batch,), says where its users stand here."""
        self._tally += other._tally
        self._summed.include(other._summed)
        self._seen.include(other._seen)
        if self._of_users is not None and other._of_users is not None:
            self._of_users.include(other._of_users, place)
        for cause, (user, what) in other._refused.items():
            self._refuse(cause, int(place[user]), what)

    def _refuse(self, cause: str, user: int, what: str) -> None:
        if cause not in self._refused or user < self._refused[cause][0]:
            self._refused[cause] = (user, what)

    # in the end

    def finish(self, users: Ids, population: Mask, stop: Stop | None) -> Measured:
        """The mean over the users who count, and what became of each of `population`, shape (users,).

        `stop` says why nobody was scored.
        """
        refusals, mean, cause = self._refusals(users), np.nan, ""
        if stop is not None:
            refusals, cause = [stop.unmet] if stop.unmet else [], stop.cause
        elif self._lists:
            mean, refusals = self._mean_of_one_list()
        elif not refusals:
            mean, refusals = self._number_of_all_lists() if self._shown else self._mean()
            cause = self._cause_of_all_lists()
        tally, of_each = self._tally, self._values_and_states(refusals)
        if cause:
            mean, more = self._answer_for_all(cause)
            states = np.where(population, SCORED, OUTSIDE).astype(np.int8)
            tally = np.bincount(states, minlength=len(tally))
            of_each = None if of_each is None else (np.where(population, mean, np.nan), states)
            refusals += more
        tally[OUTSIDE] = self._size - tally[SCORED:].sum()
        refusals.sort(key=lambda refusal: states_of(self.definition).get(refusal.cause, -1))
        again = None if refusals or cause else self._again()
        return Measured(self.definition, np.nan if refusals else mean, tally, of_each, refusals, cause, again)

    def _again(self) -> Again | None:
        """What computes the number over other users; None where nothing of them is kept, or it is of all lists."""
        if self._of_users is None or not self._per_user or self._shown:
            return None
        return OfOneList(self.definition, self._lists) if self._lists else OfValues(self.definition, self._of_users)

    def _refusals(self, users: Ids | None) -> list[Refusal]:
        """Each cause under which users are refused, with the first of them; nobody is named where lists are pooled."""
        given, found = self.definition.averaging.given, []
        for cause, (user, what) in self._refused.items():
            answer = f"{cause}={given(cause)}" if cause in CAUSES else ""
            found.append(Refusal(self.definition, cause, what, answer, None if users is None else users.id(user)))
        return found

    def _values_and_states(self, refusals: list[Refusal]) -> tuple[Numbers, NDArray[np.int8]] | None:
        if self._of_users is None or not self._per_user:
            return None
        values, states = self._of_users.values, self._of_users.states
        answers = [self.definition.averaging.answers[one.cause] for one in refusals if one.cause in CAUSES]
        nobody = any(answer.trait("refuses") == "everybody" for answer in answers)
        return (np.full(self._size, np.nan) if nobody else values), states

    def _answer_for_all(self, cause: str) -> tuple[float, list[Refusal]]:
        """What the preset says of the data as a whole: every user has this number, and so has the mean."""
        answer = self.definition.averaging.answers[cause]
        asked = DATA_CAUSES[cause] if cause in DATA_CAUSES else JUDGED_CAUSES[cause]
        refused = [Refusal(self.definition, cause, asked.what, f"{cause}=error")] if answer.trait("refuses") else []
        return reported(self.definition, float(answer.keywords.get("value", np.nan))), refused

    def _cause_of_all_lists(self) -> str:
        """The first situation of all judged lists that holds and that the preset answers; empty where none does."""
        return next(filter(self._seen.holds, self._asked_of_all), "")

    def _mean_of_one_list(self) -> tuple[float, list[Refusal]]:
        """The number of all judged lists as one; the values of the users stay their own."""
        scored = BlockScores(self.definition, pooled(self._lists), np.ones(1, bool))
        for cause, place in scored.refused.items():
            self._refuse(cause, place, scored.why_refused(cause))
        answers = self.definition.averaging.answers
        if scored.states[0] in left_out(self.definition):
            return float(answers["nobody"]()), self._refusals(None)
        return float(answers["round-mean"](values=scored.values)[0]), self._refusals(None)

    def _number_of_all_lists(self) -> tuple[float, list[Refusal]]:
        """The number of the lists of all who count; 0/0 is what the preset says of it."""
        metric, averaging = self.definition.metric, self.definition.averaging
        assert isinstance(metric, OfAllLists)
        shown = Shown.together(self._shown)
        if not shown.lists:
            return self._mean()
        value = metric.of_lists(shown).value
        undefined = averaging.answers["undefined"].keywords.get("value", np.nan)
        value = averaging.answers["reported"](values=np.where(np.isnan(value), undefined, value))
        return float(averaging.answers["round-mean"](values=value)[0]), []

    def _mean(self) -> tuple[float, list[Refusal]]:
        answers, more = self.definition.averaging.answers, dict[str, Any]()
        if self._of_users is not None and self._reads != ("summed",):
            more = self._of_users.for_mean(OfValues(self.definition, self._of_users).users)
        if not self._summed.number or ("weights" in self._reads and not total(more["weights"])):
            refused = answers["nobody"].trait("refuses")
            refusal = Refusal(self.definition, "nobody", "no user counts", "nobody=error")
            return float(answers["nobody"]()), [refusal] if refused else []
        return mean_of(self.definition, self._summed, more), []


def places(users: Codes) -> Codes | slice:
    """These users, shape (users,); as a slice where they follow each other."""
    if len(users) and users[-1] - users[0] == len(users) - 1:
        return slice(int(users[0]), int(users[-1]) + 1)
    return users
