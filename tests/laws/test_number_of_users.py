"""What a user gets does not depend on how many users there are, under any definition near one of a preset."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.data.joined import Joined
from rankconv.engine import measure, plan
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.measured import Measured
from rankconv.inputs import numbers
from rankconv.judging import rows
from tests.laws import examples
from tests.laws.neighbours import BESIDE, SCORES, changes, commit, one_away, two_away, users

AT_ONCE = 1000
"""So many definitions are evaluated together on one data set."""
PARTS = examples.of(quick=2, ci=2, long=40)
SINGLE, DOUBLE = examples.of(quick=9_000, ci=9_000, long=1_000_000), examples.of(quick=4_000, ci=4_000, long=150_000)
"""So many definitions are drawn; there are 483,000 that differ in one setting."""
SIZES = examples.of(quick=(1, 5, 50), ci=(1, 5, 50), long=(1, 5, 50, 500))  # type: ignore[arg-type,type-var]


def depth(definition: rc.Definition) -> int | None:
    """How many rows of each list it reads; None for all."""
    return Aggregate(definition, 0, per_user=False).reader(np.zeros(0, bool)).rows_read


def together(definitions: Iterable[rc.Definition]) -> Iterator[list[rc.Definition]]:
    """Those with values of single users, as many at once as read equally deep, as one that reads deeper changes who is
    judged by the table of grades; what is left over is mixed."""
    waiting: defaultdict[int | None, dict[Any, rc.Definition]] = defaultdict(dict)
    for one in definitions:
        if not (one.pools or one.metric.of_all_lists):
            group = waiting[depth(one)]
            group[one.parts] = one
            if len(group) == AT_ONCE:
                yield list(group.values())
                group.clear()
    yield [one for group in waiting.values() for one in group.values()]


def measured(labels: Any, run: Any, definitions: list[rc.Definition]) -> tuple[Joined, list[Measured]]:
    """What each definition makes of these users, with the thresholds of those who use the package."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, real in ((plan, "FEW_ROWS", 100), (rows, "FEW_LABELS", 1000), (numbers, "MANY", 100)):
            patch.setattr(module, name, real)
        joined = rc.join(labels, run, **BESIDE)
        return joined, measure(joined, definitions, None)


def differences(random: Random, definitions: list[rc.Definition]) -> Iterator[str]:
    """Where a user has other values among few users than among many, or another state; in words."""
    scores = random.choice(SCORES)
    labels, run = users(random, max(SIZES), scores)
    few = [random.sample(list(labels)[:5], 1), *(list(labels)[:size] for size in SIZES[1:])]
    found = [
        measured(*({user: side[user] for user in some if user in side} for side in (labels, run)), definitions)
        for some in few
    ]
    whole, of_all = found.pop()
    place = {user: at for at, user in enumerate(whole.users.values.tolist())}
    for joined, of_few in found:
        at = [place[user] for user in joined.users.values.tolist()]
        for ours, theirs in zip(of_few, of_all, strict=True):
            if any(one.of_everybody is not None for one in (ours, theirs)):
                continue
            a, b = ours.values, theirs.values[at]
            same = (a == b) & (np.signbit(a) == np.signbit(b)) | (np.isnan(a) & np.isnan(b))
            for wrong in np.flatnonzero(~(same & (ours.states == theirs.states[at])))[:1]:
                user = joined.users.id(int(wrong))
                yield (
                    f"{ours.definition.text}, scores {scores}, user {user}: {a[wrong]} among {len(at)}, "
                    f"{b[wrong]} among {len(place)}; labels {labels[user]}, list {run.get(user)}"
                )


def check(random: Random, definitions: Iterable[rc.Definition]) -> None:
    wrong = [text for some in together(definitions) for text in differences(random, some)]
    assert not wrong, f"{len(wrong)} definitions:\n" + "\n".join(wrong[:20])


@pytest.mark.parametrize("part", range(PARTS))
def test_one_setting_away_from_a_preset(part: int) -> None:
    random, every = commit(), changes()
    drawn = every if len(every) <= SINGLE else random.sample(every, SINGLE)
    check(Random(part), one_away(drawn[part::PARTS]))


@pytest.mark.parametrize("part", range(PARTS))
def test_two_settings_of_judging_away_from_a_preset(part: int) -> None:
    random = commit()
    check(random, list(two_away(random, DOUBLE))[part::PARTS])
