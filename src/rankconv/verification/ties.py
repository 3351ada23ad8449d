"""Where a system leaves the order of tied items open: between which numbers may its setting lie?"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.evaluation.evaluate import evaluate
from rankconv.evaluation.result import Result
from rankconv.metrics.divisors import counts_hits
from rankconv.presets.resolved import Preset
from rankconv.verification.adapter import SINGLE
from rankconv.verification.asked import Asked
from rankconv.verification.cases import Case, User


@dataclass(frozen=True)
class Bounds:
    """The worst and the best order of the ties of a case, for one metric."""

    preset: Preset
    asked: Asked
    case: Case

    def excuse(self, user: str, number: float) -> bool:
        """Whether a number, the mean where the user is empty, is that of some order of the ties."""
        if not self.asked.definition.preparation.settings["ties"].trait("undefined"):
            return False
        worst, best = (_number(result, user) for result in self._ends)
        if not self._rises:
            return worst != best or any(self._tied(one) for one in self.case.users if user in ("", one.name))
        lowest, highest = sorted((worst, best))  # of a loss the best order has the lowest
        return lowest - SINGLE.absolute <= number <= highest + SINGLE.absolute

    @property
    def _rises(self) -> bool:
        """AP over the hits in the top k does not rise with a better order: a hit moved into the top k may lower it."""
        return not any(map(counts_hits, self.asked.definition.metric.settings.values()))

    @cached_property
    def _ends(self) -> tuple[Result, Result]:
        return self._ordered("relevant-last"), self._ordered("relevant-first")

    def _ordered(self, ties: str) -> Result:
        definition = self.asked.definition
        with_ties = tuple((dict(definition.changed) | {"ties": ties}).items())
        spec = self.preset.definition(definition.key, with_ties, definition.asked_k).spec
        users = [user.name for user in self.case.users]
        return evaluate(self.case.joined, spec, preset=self.preset, users=users, on_error="collect")

    def _tied(self, user: User) -> bool:
        width: Any = np.float32 if self.asked.definition.preparation.compared.narrow else np.float64
        return len(np.unique(np.array(user.scores, width))) < len(user.scores)


def _number(result: Result, user: str) -> float:
    [spec] = result.specs
    return float(result.per_user[spec][result.users.tolist().index(user)]) if user else result[spec]
