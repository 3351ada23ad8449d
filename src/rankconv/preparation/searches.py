"""Several searches for one task: their lists put together as one, or each evaluated alone.

It comes before all other preparation: the result is what the same data would be with one list for each user.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Protocol

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.conventions.parameters import Within
from rankconv.conventions.traits import Traits
from rankconv.data.arrays import Codes, Numbers, begins, take_ownership, within
from rankconv.data.calls import Calls
from rankconv.data.ids import quoted
from rankconv.data.joined import Joined
from rankconv.preparation.collapse import collapsed


class CallTraits(Traits):
    """What the engine must know of a setting of `calls`."""

    of_each: Callable[..., Any] | None = None
    """Each call is evaluated alone; this gives numerator and denominator of each user, from the values of the calls."""
    refuses_several: bool = False
    """A run with calls is refused."""
    fuses: bool = False
    """A row represents its item in all calls."""


CALLS = Convention(
    "calls",
    "Several searches for one task",
    reads=("rows",),
    tells="a task with two searches",
    traits=CallTraits,
)
"""A setting gives which rows stay, in their order, and the score of each or None. With the trait `of_each` each call is
evaluated alone. A run in which each user has one list is the same under all of them."""


@dataclass(frozen=True, eq=False)
class CallRows:
    """The rows of all calls, those of a user one call after the other; arrays have shape (rows,)."""

    user: Codes
    call: Codes
    """The place of the call among those of the user, from 0."""
    rank: Codes
    """The place of the row in its call, from 0."""
    item: Codes
    score: Numbers | None
    """Of a row in its call."""
    calls: Codes
    """How many calls each user has, shape (users,)."""

    @classmethod
    def of(cls, calls: Calls, item: Codes) -> "CallRows":
        """The rows of these calls."""
        of_row, counts = calls.of_row, calls.counts
        return cls(calls.user[of_row], calls.place[of_row], within(of_row), item, calls.score, counts)


KeptRows = tuple[Codes, Numbers | None]
"""Rows in their order, those of a user together, and the score of each, where they are ordered by scores."""


@CALLS.setting(
    "refuse", rule="a run with several lists of a user is refused", refuses_several=True, plain="always", no=""
)
def _(rows: CallRows) -> KeptRows:
    """No choice is made for the caller: which one it is may decide who is best."""
    return np.arange(len(rows.user)), None


@CALLS.setting(
    "one-after-the-other",
    rule="the rows of the first call, then those of the second, and so on",
    plain="always",
    says="the results of several searches for one task are put one after the other{scores:?, with their scores: }",
)
def _(rows: CallRows, *, scores: Literal["left-out", "kept"] = "left-out") -> KeptRows:
    """The cutoff counts rows of all calls, so that it may end in the first one.

    Scores of different searches are seldom comparable, so they are left out. With `scores=kept` the rows have them, and
    `order=score` sorts all rows by them.
    """
    return np.arange(len(rows.user)), rows.score if scores == "kept" else None


@CALLS.setting(
    "by-turns",
    rule="rank 1 of each call, then rank 2 of each, and so on",
    plain="always",
    says="the results of several searches for one task are taken by turns: rank 1 of each, then rank 2 of each",
)
def _(rows: CallRows) -> KeptRows:
    """The calls in their order; a call that has ended is passed over. A repeated item takes its turns again."""
    return np.lexsort((rows.call, rows.rank, rows.user)), None


@CALLS.setting(
    "rrf",
    rule="each item once, by the sum of 1 / (constant + rank) over the calls that have it",
    cite="cormack2009",
    fuses=True,
    plain="always",
    says="the results of several searches for one task are fused by reciprocal ranks, with the constant {constant}",
)
def _(rows: CallRows, *, constant: Annotated[float, Within(0, 1e9)] = 60) -> KeptRows:
    """Reciprocal rank fusion. An item that a call repeats counts at its first rank there.

    Items of equal sums are tied, in the order in which they came.
    """
    items = int(rows.item.max(initial=0)) + 1
    keys = rows.user * items + rows.item
    in_call = np.lexsort((rows.rank, rows.call, keys))
    again = ~(begins(keys[in_call]) | begins(rows.call[in_call]))
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    worth = 1 / (constant + rows.rank + 1.0)
    worth[in_call[again]] = 0
    total = np.bincount(place, weights=worth, minlength=len(first)).astype(np.float64)
    order = np.lexsort((first, -total, rows.user[first]))
    return first[order], total[order]


@CALLS.setting(
    "last",
    rule="the rows of the last call alone",
    plain="always",
    says="of several searches for one task the last one counts",
)
def _(rows: CallRows) -> KeptRows:
    """What the agent ended with; of a last call without a row nothing."""
    kept = np.flatnonzero(rows.call == rows.calls[rows.user] - 1)
    return kept, None if rows.score is None else rows.score[kept]


class CallsAlone(Protocol):
    """The calls of some users, each with a value of its own, of shape (calls,)."""

    @property
    def user(self) -> Codes:
        """The user of each call, as a place among the users, rising, shape (calls,)."""

    @property
    def place(self) -> Codes:
        """The place of each call among those of its user, from 0, shape (calls,)."""

    def added(self, values: Any) -> Any:
        """The sum over the calls of each user of values of shape (calls,); it has shape (users,)."""

    def numbers(self, values: Numbers) -> Any:
        """The numbers with which values are computed, shape as `values`."""


def best(values: Any, calls: CallsAlone, lower_is_better: bool) -> tuple[Any, Any]:
    """The value of the best call of each user, over 1; 0/0 where no call has a value."""
    floats = np.asarray(values, np.float64)
    key = np.where(np.isnan(floats), np.inf, floats if lower_is_better else -floats)
    order = np.lexsort((calls.place, key, calls.user))
    chosen = order[begins(calls.user[order])]
    there = ~np.isnan(floats[chosen])
    return np.where(there, values[chosen], 0), calls.numbers(there.astype(float))


def mean(values: Any, calls: CallsAlone, lower_is_better: bool) -> tuple[Any, Any]:
    """The sum over the calls of each user, over their number; 0/0 where no call has a value."""
    there = ~np.isnan(np.asarray(values, np.float64))
    some, counts = np.bincount(calls.user, weights=there) > 0, np.bincount(calls.user)
    return calls.added(np.where(there, values, 0)), calls.numbers(np.where(some, counts, 0.0))


@CALLS.setting(
    "best",
    rule="each call alone; the best value counts",
    of_each=best,
    plain="always",
    says="of several searches for one task the one counts whose value is best",
)
def _(rows: CallRows) -> KeptRows:
    """An oracle's choice: it rises with the number of calls, and nothing that a user sees makes it."""
    return np.arange(len(rows.user)), None


@CALLS.setting(
    "mean",
    rule="each call alone; the mean of their values counts",
    of_each=mean,
    plain="always",
    says="each of several searches for one task is evaluated alone, and their values are averaged",
)
def _(rows: CallRows) -> KeptRows:
    """All calls have the labels of the task. A call for which the metric is 0/0 counts 0, unless it is 0/0 for all."""
    return np.arange(len(rows.user)), None


def as_evaluated(joined: Joined, settings: Mapping[str, Setting]) -> Joined:
    """The data that these settings prepare: with one list for each user, and of documents where chunks are collapsed.

    Where each call is evaluated alone they keep their calls; a run that is refused is reported by the engine.
    """
    return collapsed(_one_list(joined, settings[CALLS.name]), settings)


def _one_list(joined: Joined, how: Setting) -> Joined:
    traits = CallTraits.of(how)
    if not joined.rankings.has_calls or traits.refuses_several or traits.of_each is not None:
        return joined
    return joined.once(_Together(how))


@dataclass(frozen=True)
class _Together:
    """A setting, under which the calls of joined data are put together once."""

    how: Setting

    def __call__(self, joined: Joined) -> Joined:
        run, calls = joined.rankings, joined.rankings.calls
        assert calls is not None
        rows = CallRows.of(calls, run.item)
        order, score = self.how(rows=rows)
        starts = np.searchsorted(rows.user[order], np.arange(len(run.users) + 1)).astype(np.int64)
        changes = {
            **{"starts": starts, "item": run.item[order], "score": score, "rank": None, "is_distinct": False},
            "calls": replace(
                calls,
                are_one_list=True,
                are_fused=CallTraits.of(self.how).fuses,
                origin=take_ownership(order),
                item=run.item,
            ),
        }
        return replace(joined, rankings=run.replace(**changes))


def why_refused(joined: Joined, settings: Mapping[str, Setting]) -> str:
    """Why these settings refuse the calls of a run, in words; empty where they do not."""
    how = settings[CALLS.name]
    if not joined.rankings.has_calls or not CallTraits.of(how).refuses_several:
        return ""
    calls = joined.rankings.calls
    assert calls is not None
    most = int(calls.counts.argmax()) if len(calls.counts) else 0
    user, count = quoted(joined.rankings.users.id(most)), int(calls.counts[most])
    return f"{CALLS.name}={how.text}, and the run has several searches for one task ({count} for user {user})"


def evaluates_each(joined: Joined, settings: Mapping[str, Setting]) -> bool:
    """Whether each call of these data is evaluated alone."""
    return joined.rankings.has_calls and CallTraits.of(settings[CALLS.name]).of_each is not None
