"""One metric on one case: does the library give what the preset gives?"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rankconv.evaluating import evaluate
from rankconv.presets.resolved import Preset
from rankconv.results import Result
from rankconv.verifying.adapter import Adapter, NotGiven, Theirs, Tolerance, reason
from rankconv.verifying.asked import Asked
from rankconv.verifying.cases import Case, User
from rankconv.verifying.quiet import quiet
from rankconv.verifying.ties import Bounds

EQUAL, WITHIN_TIES, REFUSED_ALIKE, DIFFERENT = "equal", "within ties", "refused alike", "different"
STATUSES = (EQUAL, WITHIN_TIES, REFUSED_ALIKE, DIFFERENT)


@dataclass(frozen=True)
class Pair:
    """Both numbers of one user, or of the mean where the user is empty; None is a refusal, NaN no number."""

    user: str
    ours: float | None
    theirs: float | None
    why: str = ""
    """Why the one that refuses does so."""

    @property
    def distance(self) -> float:
        """How far they are apart; 0 where one is no finite number."""
        if self.ours is None or self.theirs is None:
            return 0.0
        apart = abs(self.ours - self.theirs)
        return apart if math.isfinite(apart) else 0.0

    @property
    def refusals(self) -> tuple[bool, bool]:
        """Which of the two refuse."""
        return self.ours is None, self.theirs is None

    def alike(self, tolerance: Tolerance) -> bool:
        """Equal to the tolerance; NaN equals only NaN, and a refusal a refusal."""
        if self.ours is None or self.theirs is None:
            return self.ours is self.theirs
        if not (math.isfinite(self.ours) and math.isfinite(self.theirs)):
            return self.ours == self.theirs or (math.isnan(self.ours) and math.isnan(self.theirs))
        scale = max(abs(self.ours), abs(self.theirs))
        return self.distance <= tolerance.relative * scale + tolerance.absolute


@dataclass(frozen=True)
class Outcome:
    """What became of one metric on one case."""

    status: str
    largest: float = 0.0
    """The largest difference of two numbers that count as equal or different."""
    pair: Pair | None = None
    """The first one that differs: of a user, if one can be named."""
    user: User | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Comparing:
    """A preset and the adapter of its library, to be held against each other case by case."""

    preset: Preset
    adapter: Adapter

    def outcomes(self, case: Case, metrics: Sequence[Asked]) -> Iterator[Outcome | None]:
        """What became of each metric; None where the library cannot be handed the case."""
        users = [user.name for user in case.users]
        ours = evaluate(case.joined, [one.spec for one in metrics], preset=self.preset, users=users, errors="collect")
        given, failed = self._given(case)
        for one in metrics:
            theirs = failed or self._asked(given, one)
            yield self._outcome(case, one, ours, theirs) if isinstance(theirs, Theirs) else None

    def _given(self, case: Case) -> tuple[Any, Theirs | NotGiven | None]:
        try:
            with quiet():
                return self.adapter.given(case.users), None
        except NotGiven as problem:
            return None, problem
        except Exception as problem:
            return None, Theirs(refused={"": reason(problem)})

    def _asked(self, given: Any, one: Asked) -> Theirs | NotGiven:
        try:
            with quiet():
                answer = self.adapter.ask(given, one.call, one.k)
        except NotGiven as problem:
            return problem
        except Exception as problem:
            return Theirs(refused={"": reason(problem)})
        return answer if isinstance(answer, Theirs) else Theirs(float(answer))

    def _outcome(self, case: Case, one: Asked, ours: Result, theirs: Theirs) -> Outcome:
        pairs = list(pairs_of(one.spec, ours, theirs))
        alike = [pair for pair in pairs if pair.alike(self.adapter.tolerance)]
        unlike = [pair for pair in pairs if not pair.alike(self.adapter.tolerance)]
        bounds = Bounds(self.preset, one, case)
        wrong = [pair for pair in unlike if pair.theirs is None or not bounds.excuse(pair.user, pair.theirs)]
        largest = max((pair.distance for pair in (*alike, *wrong)), default=0.0)
        if wrong:
            return Outcome(DIFFERENT, largest, *self._first(case, one, wrong[0]))
        if unlike:
            return Outcome(WITHIN_TIES, largest)
        return Outcome(REFUSED_ALIKE if ours.errors.get(one.spec) and theirs.refused else EQUAL, largest)

    def _first(self, case: Case, one: Asked, wrong: Pair) -> tuple[Pair, User | None]:
        """The user who differs; where only the mean is known, he is looked for in the halves of the case."""
        if wrong.user or len(case.users) == 1:
            return wrong, next(user for user in case.users if wrong.user in ("", user.name))
        middle = len(case.users) // 2
        for users in (case.users[:middle], case.users[middle:]):
            [outcome] = self.outcomes(Case(case.name, users), [one])
            if outcome and outcome.pair and outcome.pair.refusals == wrong.refusals:
                return outcome.pair, outcome.user
        return wrong, None


def pairs_of(spec: str, ours: Result, theirs: Theirs) -> Iterator[Pair]:
    """Both numbers of each user whom the library tells of, then both means."""
    errors = ours.errors.get(spec)
    if theirs.per_user or theirs.refused.keys() - {""}:
        states, values = ours.state[spec].tolist(), ours.per_user[spec].tolist()
        for user, state, value in zip(ours.users.tolist(), states, values, strict=True):
            refused = theirs.refused.get(user, "")
            number = None if refused else theirs.per_user.get(user, math.nan)
            yield Pair(
                user, None if ": error" in state else value, number, refused or (state if ": error" in state else "")
            )
    if theirs.mean is not None or theirs.refused:
        why = errors[0].why if errors else next(iter(theirs.refused.values()), "")
        yield Pair("", None if errors else ours[spec], theirs.mean, why)
