"""The run that a gate compares with: evaluated anew, or a result that was saved."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.addons.gate.lock import digests_of, other_data, same_run
from rankconv.analysis.significance.hypotheses import counted
from rankconv.basics.errors import InputError, MetricError, NotEvaluatedError
from rankconv.data.arrays import Mask, Numbers
from rankconv.data.labels_and_rankings import Run
from rankconv.engine.saved_result import SavedDefinition, is_saved
from rankconv.evaluation.results.number import Number
from rankconv.evaluation.results.result import Result
from rankconv.presets.definition import Definition


@dataclass(frozen=True, eq=False)
class Baseline:
    """The result of the baseline, which has other users and definitions than the run if it was saved from others."""

    result: Result
    new: Result
    """That of the run."""

    @classmethod
    def saved(cls, given: Any) -> Result | None:
        """Return the result that was given, or saved in a file; None for a run."""
        if isinstance(given, Result):
            return given
        if isinstance(given, str | os.PathLike) and is_saved(given):
            return Result.load(given)
        return None

    def of(self, metric: str) -> Number:
        """Return the baseline's number.

        Raises
        ------
        InputError, MetricError
            If it is missing, of another definition or of other labels than the run's.
        """
        definition = self.new.definition(metric)
        held: dict[str, str] = {one.definition.fingerprint: spec for spec, one in self.result.by_spec.items()}
        spec = held.get(definition.fingerprint or metric, metric)
        try:
            number = self.result[spec]
        except NotEvaluatedError:
            allowed = f"It holds: {', '.join(self.result)}"
            raise MetricError(f"the baseline has no {metric}", allowed=allowed, do=_ANEW, shell=_RUN) from None
        if number.measured.refusals:
            raise number.measured.refusals[0].error
        if number.definition != definition:
            self._check_definition(number.definition, definition, metric)
        if other := other_data(self.digests(metric), self._own_digests(metric)):
            wrong = f"{metric} of the baseline is of other data: {', '.join(other)} differ"
            raise InputError(wrong, do=_ANEW, shell=_RUN)
        return number

    @staticmethod
    def _check_definition(theirs: Definition | SavedDefinition, ours: Definition, metric: str) -> None:
        """Raise a MetricError with the settings that differ."""
        if ours.fingerprint and theirs.fingerprint == ours.fingerprint:
            return
        pairs = {name: (text, str(theirs.settings.get(name, "missing"))) for name, text in ours.settings.items()}
        differing = [f"{name} {text}, baseline: {other}" for name, (text, other) in pairs.items() if text != other]
        what = "; ".join(differing) or "a setting is a function"
        raise MetricError(f"{metric} of the baseline has another definition: {what}", do=_ANEW, shell=_RUN)

    def digests(self, metric: str) -> Mapping[str, str]:
        """Return the digests that the baseline's signature states; none of a result that was saved without."""
        return digests_of(self._signatures[1].get(metric, ""))

    def _own_digests(self, metric: str) -> Mapping[str, str]:
        return digests_of(self._signatures[0][metric])

    @cached_property
    def _signatures(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        return self.new.signatures, self.result.signatures

    def values(self, metric: str) -> Numbers:
        """Return the baseline's values of the run's users, shape (users,); an InputError where it counts others."""
        old, new = self.of(metric), self.new[metric]
        counts = (
            ~np.isnan(old.measured.values) if isinstance(old.definition, SavedDefinition) else counted(old.measured)
        )
        values = dict(zip(old.users[counts].tolist(), old.measured.values[counts].tolist(), strict=True))
        others = values.keys() ^ {*new.users[counted(new.measured)].tolist()}
        if others:
            user = min(others, key=str)
            which, lacking = ("the baseline", new) if user in values else ("the run", old)
            wrong = f"{metric} counts user {user!r} in {which} alone, so differences are of other users"
            policy = _policy_leaving_out(lacking, user)
            do = f"Count this user in both: {policy}=0." if policy else "Rank the same users in both runs."
            raise InputError(wrong, do=do)
        return np.array([values.get(user, np.nan) for user in new.users.tolist()])

    def same_lists(self, metric: str) -> Mask:
        """Return whose lists are the same in both runs, shape (users of the run,)."""
        if same_run(self.digests(metric), self._own_digests(metric)):
            return np.ones(len(self.new.users), bool)
        return self._same_lists

    @cached_property
    def _same_lists(self) -> Mask:
        users = self.new.users.tolist()
        if self.new.joined is None or self.result.joined is None:
            return np.zeros(len(users), bool)
        ours, theirs = (_lists(one.joined.rankings) for one in (self.new, self.result) if one.joined is not None)
        return np.array([ours.get(user) == theirs.get(user) for user in users], bool)


_ANEW = "Pass the baseline's run, or what rc.evaluate(labels, run, metrics, preset) gives of it here."
_RUN = "Give the baseline's run: --baseline RUN."
_UNRANKED = ("on-not-in-run", "on-no-ranking")


def _policy_leaving_out(number: Number, user: Any) -> str:
    """The policy by which a number leaves out a user of its run; empty for users without a list."""
    stated = dict(zip(number.users.tolist(), number.state.tolist(), strict=True)).get(user, "")
    policy, _, setting = stated.partition(": ")
    return policy if setting and policy not in _UNRANKED else ""


def _lists(run: Run) -> dict[Any, tuple[Any, ...]]:
    """Return the items of each list, each with whether it has the score of the one before."""
    falling, lists = run.falling, dict[Any, tuple[Any, ...]]()
    items, starts = run.items.values[run.item].tolist(), run.starts.tolist()
    equal = (
        np.zeros(len(items), bool) if falling is None else np.append(False, falling[1:] == falling[:-1])[: len(items)]
    )
    tied = equal.tolist()
    for user, first, end in zip(run.users.values.tolist(), starts, starts[1:], strict=False):
        if end > first:
            lists[user] = *items[first:end], *tied[first + 1 : end]
    return lists
