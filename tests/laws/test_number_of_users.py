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
from rankconv.engine.metric_result import Measured
from rankconv.engine.user_sums import spans_users
from tests.laws import examples
from tests.laws.neighbours import SCORES, SIDE_DATA, changes, commit, one_away, two_away, users

AT_ONCE = 1000
"""So many definitions are evaluated together on one data set."""
PARTS = examples.of(quick=2, ci=2, long=16)
SINGLE, DOUBLE = examples.of(quick=2_000, ci=6_000, long=200_000), examples.of(quick=1_000, ci=3_000, long=50_000)
"""So many definitions are drawn, others for each change of the source; there are 900,000 that differ in one setting."""
SIZES = (1, 5, 50, 500)[: examples.of(quick=3, ci=3, long=4)]
REAL = 100
"""The threshold of those who use the package; other laws set it to 0."""


def depth(definition: rc.Definition) -> int | None:
    """How many rows of each list it reads; None for all."""
    return Aggregate(definition, 0, per_user=False).reader(np.zeros(0, bool)).rows_read


def together(definitions: Iterable[rc.Definition]) -> Iterator[list[rc.Definition]]:
    """Those with values of single users, as many at once as read equally deep, as one that reads deeper changes who is
    prepared by the table of grades; what is left over is mixed."""
    waiting: defaultdict[int | None, dict[Any, rc.Definition]] = defaultdict(dict)
    for one in definitions:
        if not (one.metric.of_all_lists or spans_users(one)):
            group = waiting[depth(one)]
            group[one.setting_sets] = one
            if len(group) == AT_ONCE:
                yield list(group.values())
                group.clear()
    yield [one for group in waiting.values() for one in group.values()]


def measured(labels: Any, run: Any, definitions: list[rc.Definition]) -> tuple[Joined, list[Measured]]:
    """What each definition makes of these users, with the thresholds of those who use the package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "FEW_ROWS", REAL)
        joined = rc.join(labels, run, **SIDE_DATA)
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


FALLING = [("a", 5.0), ("x", 4.0), ("y", 3.0), ("z", 2.0), ("w", 1.5), ("c", 1.0)]
NRBP = 1 / (2 * (1 + 1 / 4 + 1 / 16))
"""One of two groups is served at rank 1; the ideal serves each at ranks 1 to 3, each time worth a quarter of before."""
FAMILIES: list[tuple[str, dict[str, float], list[tuple[str, float]], float]] = [
    ("transformers4rec:recall(candidates=padded(rows=20))@3", {"a": 2, "c": 1}, FALLING, 1 / 2),
    ("precision(labels-used=aligned-arrays, candidates=padded(rows=6))@3", {"a": 1, "c": 1}, FALLING, 1 / 3),
    ("precision(candidates=padded(rows=20), precision-denominator=length)@3", {"a": 1, "c": 1}, FALLING, 1 / 20),
    (
        "precision(negative=unjudged, candidates=with-unretrieved, precision-denominator=length)@2",
        {"a": 1, "m": 0, "n": -1},
        FALLING[:3],
        1 / 4,
    ),
    (
        "precision(labels-used=relevant-only, candidates=with-unretrieved, precision-denominator=length)@2",
        {"a": 1, "m": 0},
        FALLING[:3],
        1 / 4,
    ),
    (
        "precision(exclude=identical-ids, candidates=with-unretrieved, precision-denominator=length)@2",
        {"a": 1, "u0": 1},
        FALLING[:3],
        1 / 3,
    ),
    ("recall(labels-used=aligned-arrays, exclude=identical-ids)@2", {"u0": 1, "a": 1}, FALLING[:3], 1.0),
    (
        "precision(hit-weight=grade, min-score=positive, candidates=with-unretrieved(lowest=0.001))@2",
        {"x": 0.5},
        [("a", 3.0), ("x", -1e20), ("y", 3.0)],
        0.0,
    ),
    (
        "recall(candidates=with-unretrieved, order=score)@1",
        {"a": 1, "m": 1},
        [("a", 1e308), ("x", -1e308), ("y", -1.2e308)],
        1 / 2,
    ),
    ("nrbp(no-subtopic=own, users=union, nrbp-patience=0.5)@3", {"a": 1, "b": 1}, [("a", 2.0), ("x", 1.0)], NRBP),
    ("autorag:f1(subtopics=separate)@3", {"a": 1, "b": -1}, FALLING, 1 / 2),
]
"""A definition, the labels and the list of each user, and what each has: one of each family that was once wrong."""


@pytest.mark.parametrize(("spec", "labels", "ranked", "value"), FAMILIES)
@pytest.mark.parametrize("few_rows", [0, 100, 10**6])
def test_families_that_were_wrong(
    spec: str, labels: Any, ranked: Any, value: float, few_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "FEW_ROWS", few_rows)
    for count in (2, 40):
        users = [f"u{number}" for number in range(count)]
        run: dict[str, Any] = dict.fromkeys(users, ranked) | {"longest": [*FALLING, ("l", 0.2), ("k", 0.1)]}
        joined = rc.join(dict.fromkeys(users, labels), run)
        found = rc.evaluate(joined, spec)
        assert found.per_user[spec][0] == pytest.approx(value, abs=1e-12), count


def test_a_list_that_one_definition_cuts_through_a_tie_beside_one_that_reads_deeper() -> None:
    labels = {f"u{number}": {"a": 1, "b": -1, "c": 1} for number in range(40)}
    tied = [("a", 3.0), ("x", 2.0), ("y", 2.0), ("c", 2.0), ("d", 2.0), ("b", 0.2)]
    joined = rc.join(labels, {user: tied if number % 2 else FALLING for number, user in enumerate(labels)})
    specs = ["xgboost:map@32", "autorag:map(max-depth=cutoff-and-ties)@3", "lenskit:recall@3"]
    together = rc.evaluate(joined, specs, on_error="collect")
    for spec in specs:
        alone = rc.evaluate(joined, spec, on_error="collect")
        assert np.array_equal(together.per_user[spec], alone.per_user[spec], equal_nan=True), spec


READ_BY_NOBODY = "ignore:(train|seen)= has no item"
"""Of few users drawn items may be none of those of the training, or none that they saw."""


@pytest.mark.filterwarnings(READ_BY_NOBODY)
@pytest.mark.parametrize("part", range(PARTS))
def test_one_setting_away_from_a_preset(part: int) -> None:
    random, every = commit(), changes()
    drawn = every if len(every) <= SINGLE else random.sample(every, SINGLE)
    check(Random(part), one_away(drawn[part::PARTS]))


@pytest.mark.filterwarnings(READ_BY_NOBODY)
@pytest.mark.parametrize("part", range(PARTS))
def test_two_settings_of_preparation_away_from_a_preset(part: int) -> None:
    random = commit()
    check(random, list(two_away(random, DOUBLE))[part::PARTS])
