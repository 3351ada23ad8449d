"""The list of each of several searches for a task alone, with the labels of the task."""

from dataclasses import dataclass, replace

import numpy as np

from rankconv.data.arrays import Codes, take_ownership, within
from rankconv.data.ids import Ids
from rankconv.data.joined import Joined


@dataclass(frozen=True, eq=False)
class EachCall:
    """The data with each call as a user of its own, who has the labels and the side data of theirs."""

    joined: Joined
    starts: Codes
    """Those of user `u` are from `starts[u]` to `starts[u + 1]`, shape (users + 1,); who has no call is one of them."""
    names: tuple[str, ...]
    """The name of the call of each."""

    @classmethod
    def of(cls, joined: Joined) -> "EachCall":
        """Each call of these data, whose run has calls."""
        run, calls = joined.rankings, joined.rankings.calls
        assert calls is not None
        own = np.append(calls.counts, 0)[joined.list_rows_of]
        times = np.maximum(own, 1)
        user = np.repeat(np.arange(len(times)), times)
        listed = np.repeat(own > 0, times)
        call = np.where(listed, np.repeat(calls.starts[joined.list_rows_of], times) + within(user), -1)
        lists = run.replace(
            users=Ids(take_ownership(run.users.values[calls.user]), run.users.kind),
            **{
                "starts": calls.rows,
                "score": calls.score,
                "rank": calls.rank,
                "by_score": calls.by_score,
                "calls": None,
            },
        )
        extra = joined.extra
        if extra.seen is not None:
            extra = replace(extra, seen=_of_each(extra.seen, len(joined.items), np.append(0, np.cumsum(times))))
        each = replace(
            joined,
            rankings=lists,
            users=Ids(take_ownership(joined.users.values[user]), joined.users.kind),
            label_rows_of=take_ownership(joined.label_rows_of[user]),
            list_rows_of=take_ownership(call),
            extra=extra,
        )
        names = tuple("none" if one < 0 else calls.called(one) for one in call.tolist())
        return cls(each, np.append(0, np.cumsum(times)), names)


def _of_each(seen: Codes, items: int, starts: Codes) -> Codes:
    """Sorted keys, user * items + item, of what users have seen, for each of their calls; shape (keys,)."""
    user, item = np.divmod(seen, max(items, 1))
    times = np.diff(starts)[user]
    row = np.repeat(np.arange(len(seen)), times)
    return take_ownership(np.sort((starts[user[row]] + within(row)) * max(items, 1) + item[row]))
