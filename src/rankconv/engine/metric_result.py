"""What came out of one definition: the mean, each user's value and state, and what the preset refuses."""

import math
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import ConventionError, MetricError
from rankconv.data.arrays import Codes, FrozenArrays, Mask, Numbers, take_ownership
from rankconv.data.group_values import GroupValues
from rankconv.data.ids import Ids, quoted
from rankconv.preparation.searches import CALLS
from rankconv.presets.definition import Definition, with_changes
from rankconv.presets.preset_registry import preset

ROUNDING = 1e-9
OUTSIDE, SCORED = 0, 1
"""States of a user; a policy that decided has a number from 2 on."""
_SIDE_NAMES = ("catalogue", "seen", "train", "parents", "propensities", "shown", "group_target")
SIDE_DATA = {name: name for name in _SIDE_NAMES} | {
    "features": "item_features",
    "the items of the catalogue": "catalogue",
}
"""What may be needed besides labels and lists, and the argument by which a caller gives it."""


POOLED = "in all lists"
"""The state of a user who counts in a number of all lists, and has none of their own."""

SEVERAL_CALLS = "several calls"
"""In place of a policy, where the definition refuses a run with several lists of a user."""
SPANS = "spans"
"""Likewise, where the definition refuses spans of documents."""
BY_LENGTH = {
    "span-unit": "character",
    "item-weight": "length",
    "precision-denominator": "row-weights",
    "recall-denominator": "relevant-weights",
}
"""The settings under which characters of spans are compared."""
OF_ALL_DATA = ("needs", SEVERAL_CALLS, SPANS)
"""Where it refuses the data as a whole."""
_UNKNOWN_WORDS = re.compile(r"the \w+ ('.*') ha(?:s|ve) no number under ([\w-]+)=(.+)$")
LIMITED_GRADES = ("binary", "unit-interval")
"""The settings of `grades-allowed` under which grades of 0 and 1 are taken."""
WITHOUT_REFUSAL = {"skip": "leave such {users} out", "0": "score them 0"}
"""The settings that take the place of a refusal, and what they do."""


def states_of(definition: Definition) -> dict[str, int]:
    """The policies under which a definition does not use the formula, each with the state that says so."""
    return {policy: state for state, policy in enumerate(definition.aggregation.policies, SCORED + 1)}


def unshown(definition: Definition) -> list[int]:
    """The states of users who count and have no value that is shown."""
    settings = definition.aggregation.settings
    return [state for policy, state in states_of(definition).items() if settings[policy].traits.unshown]


def no_users(definition: Definition) -> Codes:
    """A tally of nobody: a count for each state of a user, shape (states,)."""
    return np.zeros(SCORED + 1 + len(definition.aggregation.policies), np.int64)


class Refusal(NamedTuple):
    """A number that a preset does not give, because the system that it describes refuses the data."""

    definition: Definition
    policy: str
    what: str
    """What is wrong, without the user: "has no ranked row in the input"."""
    setting: str = ""
    """What the preset says of it: `on-no-ranking=refuse-all`."""
    user: Any = None
    """Of the users concerned the one of the least id; None where it is the data as a whole."""
    do: str = ""
    """What to do about it, where that is no other definition."""

    @property
    def why(self) -> str:
        """The whole reason in words."""
        who = "" if self.user is None else f"{self.definition.user_word} {quoted(self.user)} "
        return f"{who}{self.what}" + (f", and the preset says {self.setting}" if self.setting else "")

    @property
    def error(self) -> MetricError:
        """The refusal as an exception."""
        return self.error_with([])

    def error_with(self, others: Sequence["Refusal"]) -> MetricError:
        """The refusal as an exception, with the definitions that do without it and without `others`."""
        if self.policy == SEVERAL_CALLS:
            return self._of_calls
        if self.policy == SPANS:
            return self._of_spans
        if self.do:
            return MetricError(self.why, where=self.definition.text, do=self.do)
        for need, given in SIDE_DATA.items():
            if self.policy == "needs" and f"needs {need}," in self.what:
                do, shell = f"Pass {given}=….", f"Give it with --{given.replace('_', '-')}."
                return MetricError(self.why, where=self.definition.text, do=do, shell=shell)
        if self.policy == "needs" and "needs labels in groups" in self.what:
            own, one = (self.definition.requested.having("no-subtopic", word) for word in ("own", "one"))
            ways = "rc.Labels({user: {group: [items]}}) or rc.Labels(…, group='column')"
            do = f"Give the groups: {ways}; or say what labels without groups are: '{own}' or '{one}'."
            shell = do.replace(ways, "--column group=NAME")
            return MetricError(self.why, where=self.definition.text, do=do, shell=shell)
        if unknown := _UNKNOWN_WORDS.search(self.what) if self.policy == "needs" else None:
            numbers = [f"{word}={at}" for at, word in enumerate(re.findall(r"'(.*?)'", unknown[1]))]
            known = [] if unknown[3] == "none" else [unknown[3].removeprefix("numbers(").removesuffix(")")]
            with_numbers = self.definition.requested.having(unknown[2], f"numbers({', '.join([*known, *numbers])})")
            do = f"Correct what is wrong, or give each word a number, such as '{with_numbers}'."
            return MetricError(self.what, where=self.definition.text, do=do)
        if self.policy == "needs" and "needs scores from 0 to 1" in self.what:
            do = "Give scores from 0 to 1, divided by that of full support if need be, or words of support and "
            do += "score-words=numbers(support=1, partial_support=0.5, not_support=0)."
            return MetricError(self.why, where=self.definition.text, do=do)
        if self.policy == "needs" and "needs weights of groups" in self.what:
            do = "Give each group of each user one: "
            do += "rc.Labels({user: {group: [items]}}).with_group_weights({user: {group: 0.7}})."
            shell = "Give each group of each user one in Python: see with_group_weights of rc.Labels."
            return MetricError(self.why, where=self.definition.text, do=do, shell=shell)
        ways = "; or ".join(f"to {what}: '{one.text}'" for what, one in self._ways(others))
        use = f"Use another definition {ways}. " if ways else ""
        metric = f"-m {shlex.quote(self.definition.spec)}"
        taking = ", ".join(repr(one.text) for one in self._of_other_presets())
        other = f"Presets that take such data: {taking}" if taking else "Another preset may take the data"
        do = f"{use}{other}; from Python, on_error='collect' keeps the other numbers."
        shell = f"{use}{other}; see which: rankconv compare LABELS RUN {metric} -p all."
        return MetricError(self.why, where=self.definition.text, do=do, shell=shell)

    @property
    def _of_calls(self) -> MetricError:
        """What to do about several lists of a user: no setting is chosen for the caller."""
        *first, last = [name for name in CALLS.setting_types if name != self.definition.preparation.given(CALLS.name)]
        allowed = f"calls may be {', '.join(first)} or {last}"
        example = self.definition.requested.having(CALLS.name, first[0])
        do = f"Say what becomes of them: '{example}'; all settings: rc.convention('calls')."
        shell = f"Say what becomes of them: -m {shlex.quote(str(example))}; all settings: rankconv show calls."
        return MetricError(self.why, where=self.definition.text, allowed=allowed, do=do, shell=shell)

    @property
    def _of_spans(self) -> MetricError:
        """What to do about spans of documents: no setting is chosen for the caller."""
        by_length = {name: one for name, one in BY_LENGTH.items() if name in self.definition.settings}
        ways = [self.definition.requested.having("span-unit", "span")]
        if with_changes(self.definition, by_length) is not None:
            ways.append(reduce(lambda spec, one: spec.having(*one), by_length.items(), self.definition.requested))
        allowed = "span-unit may be character, with item-weight=length, or span: a whole chunk is a hit or none"
        do = f"Say what is compared: {' or '.join(map(repr, map(str, ways)))}; presets: rc.convention('span-unit')."
        shell = f"Say what is compared: {' or '.join(f'-m {shlex.quote(str(one))}' for one in ways)}; "
        shell += "presets: rankconv show span-unit."
        return MetricError(self.why, where=self.definition.text, allowed=allowed, do=do, shell=shell)

    @property
    def _invalid(self) -> str:
        """The convention by whose setting `invalid` these data are refused; empty for another reason."""
        found = re.search(r"\(([\w-]+)=invalid\)", self.what)
        return found[1] if found else ""

    def _of_other_presets(self) -> Iterator[Definition]:
        """The same metric in the presets that take what this policy refuses, as its own preset names them."""
        for name in self.definition.alternatives(self.policy):
            if name == self.definition.preset:
                continue
            with suppress(ConventionError, MetricError):
                found = preset(name).define(self.definition.requested)
                yield from (one for one in found if one.settings.get(self._invalid) != "invalid")

    def _ways(self, others: Sequence["Refusal"]) -> Iterator[tuple[str, Definition]]:
        """The definitions that refuse none of these users, and what they do with them."""
        policies = {one.policy for one in (self, *others)}
        binary = with_changes(self.definition, {"grades": "binary"})
        if policies == {"on-invalid"} and binary and self.definition.settings.get("grades-allowed") in LIMITED_GRADES:
            yield "take each grade above 0 as 1", binary
        last = with_changes(self.definition, {"duplicate-labels": "one"})
        if policies == {"on-invalid"} and last and self._invalid == "duplicate-labels":
            yield "take the last label of each item", last
        for setting, what in WITHOUT_REFUSAL.items() if policies <= self.definition.aggregation.settings.keys() else ():
            definition = with_changes(self.definition, dict.fromkeys(policies, setting))
            if definition is not None:
                word = self.definition.user_word
                yield what.format(users=f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"), definition


def range_of(definition: Definition) -> tuple[float, float]:
    """The least and the greatest value that a definition reports of a user, as its metric says."""
    ends = definition.aggregation.settings["report"](values=np.array(definition.metric.bounds))
    return float(ends.min()), float(ends.max())


def _outside(values: Numbers, bounds: tuple[float, float]) -> Mask:
    """Which values, shape (users,), are outside the bounds by more than a rounding error; NaN is not."""
    low, high = bounds
    return np.asarray((values < low - ROUNDING) | (values > high + ROUNDING))


class Again(Protocol):
    """What a number is made of, so that it can be computed over users drawn again."""

    @property
    def users(self) -> Codes:
        """Those who count, shape (users who count,): their places among all users."""

    @property
    def ids(self) -> Ids:
        """Of all users."""

    def number(self, drawn: Codes) -> float:
        """The number over these users, shape (drawn,): places among those who count, some of them several times."""


@dataclass(eq=False)
class Measured(FrozenArrays):
    """What came out of one definition."""

    definition: Definition
    mean: float
    tally: Codes
    """How many users are in each state, by its number."""
    kept: tuple[Numbers, NDArray[np.int8]] | None
    """The value and the state of each user; None where they were not requested."""
    refusals: list[Refusal] = field(default_factory=list)
    of_all: str = ""
    """The policy that decided for the data as a whole, such as `on-one-user`; empty where each user was scored."""
    again: Again | None = None
    """Computes the number over other users; None where that is no number, and after it was pickled."""
    note: str = ""
    """What is said of values outside the bounds of the metric; empty where all are inside."""
    groups: GroupValues | None = None
    """The values of the groups of items of which the number is made, shape (groups,) each; None for other metrics."""

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"again": None}

    def __post_init__(self) -> None:
        super().__post_init__()
        self.kept = None if self.kept is None else (take_ownership(self.kept[0]), take_ownership(self.kept[1]))
        if self.is_mean_outside and not self.note:
            (low, high), mean = self.bounds, self.definition.aggregation.given("aggregate")
            reason = "" if mean == "mean" else f". Reason: aggregate={mean}"
            self.note = f"the mean of {self.mean:.6g} is outside its bounds, {low:g} to {high:g}{reason}"

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value that the metric has on data without faults."""
        return range_of(self.definition)

    @property
    def is_mean_outside(self) -> bool:
        """Whether the mean is outside the bounds, by more than a rounding error."""
        return bool(_outside(np.array([self.mean]), self.bounds)[0])

    @property
    def outside_users(self) -> Mask:
        """The users with a value outside the bounds, shape (users,)."""
        return _outside(self.values, self.bounds)

    @property
    def has_users_outside(self) -> bool:
        """Whether the value of a user is known to be outside the bounds."""
        return self.kept is not None and bool(self.outside_users.any())

    @property
    def outside(self) -> str:
        """Which values are outside the bounds, in words, where those of users are."""
        users = int(np.count_nonzero(self.outside_users))
        text = f"{users:,} of {int(self.tally[SCORED:].sum()):,} users"
        if self.is_mean_outside:
            return f"the mean of {self.mean:.6g} and {text} are"
        return f"{text} {'is' if users == 1 else 'are'}"

    @property
    def values(self) -> Numbers:
        """The value of each user, shape (users,); NaN where outside or skipped."""
        return self._of_each[0]

    @property
    def shown(self) -> Numbers:
        """What is shown of each user, shape (users,): the value, and NaN where a policy shows none of who counts."""
        hidden = unshown(self.definition)
        if not hidden:
            return self.values
        return take_ownership(np.where(np.isin(self.states, hidden), np.nan, self.values))

    @property
    def states(self) -> NDArray[np.int8]:
        """The state of each user, shape (users,): a place in `state_names`."""
        return self._of_each[1]

    @property
    def _of_each(self) -> tuple[Numbers, NDArray[np.int8]]:
        if self.kept is None:
            do = "Evaluate with per_user=True, or leave it out."
            raise MetricError("values per user were not kept (per_user=False)", where=self.definition.text, do=do)
        return self.kept

    @property
    def of_everybody(self) -> float | None:
        """What all users of the population have, where all data decide it; NaN where they are refused, else None."""
        if self.of_all:
            return float(self.mean)
        policies = self.definition.aggregation.settings
        for refused in (one.policy for one in self.refusals):
            if refused in OF_ALL_DATA or (refused in policies and policies[refused].traits.refuses == "everybody"):
                return math.nan
        return None

    @property
    def state_names(self) -> list[str]:
        """What each number in `states` represents."""
        given = self.definition.aggregation.given
        return [
            "outside",
            POOLED if self.definition.metric.of_all_lists else "scored",
            *(f"{policy}: {given(policy)}" for policy in states_of(self.definition)),
        ]

    def decided(self, policy: str) -> bool:
        """Whether some user counts as this policy says."""
        states = states_of(self.definition)
        return policy in states and bool(self.tally[states[policy]])

    @property
    def counts(self) -> dict[str, int]:
        """How many users were scored, given a value by which policy, left outside."""
        numbers = zip(self.state_names, self.tally.tolist(), strict=True)
        return {name: count for name, count in numbers if count or name in ("scored", POOLED)}
