"""What labels in groups mean: each of several items may serve a group, and an item several groups."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.preparation.pairs import Pairs, pairs_of
from rankconv.preparation.registry import judged_by, step_after
from rankconv.preparation.rows import Known, LabelRows, ListRows, WorkingBlock, match
from rankconv.preparation.steps.grades import GRADES, NEGATIVE
from rankconv.preparation.steps.relevance import decide_relevant
from rankconv.specs.convention import Context, Convention, Setting

NEED = "labels in groups"
"""What the labels must have come as, where somebody looks at groups."""
NEED_WEIGHTS = "weights of groups"
"""What the labels must tell of their groups, where these weigh what the caller says."""
AGRAWAL_2009 = {
    "title": "Diversifying search results",
    "authors": "R. Agrawal, S. Gollapudi, A. Halverson, S. Ieong",
    "year": 2009,
    "doi": "10.1145/1498759.1498766",
}
GROUPS = Convention("subtopics", "Labels in subtopics", reads=(), closed=True, tells="labels in groups")


@GROUPS.setting("ignore", rule="labels like any others", plain="always", rises=True, no="")
def _() -> None:
    """An item of several groups is one label, with the highest of its grades."""


@GROUPS.setting(
    "any",
    rule="a group counts once: the first row with any of its items is the hit",
    needs=NEED,
    reads_order=True,
    rises=True,
    says=(
        "labels come in groups, and any item of a group will do: the first one in the list is a hit for it, further "
        "ones are misses, and the relevant labels are the groups with a relevant item"
    ),
)
def _() -> None:
    """R is the number of groups with a relevant item; an item that is the first for several groups is a hit each time.

    The ideal list has one item of each group, its best; so nDCG may pass 1 where an item serves several groups at once.
    """


@GROUPS.setting(
    "separate",
    rule="each group is judged alone, and the metric is the weighted mean over groups",
    needs=NEED,
    separate=True,
    rises=True,
    plain="always",
    cite="agrawal2009",
    paper=AGRAWAL_2009,
    says="labels come in groups; the metric is taken of each group alone and averaged over the groups",
)
def _() -> None:
    """Intent-aware: MAP-IA, P-IA, nDCG-IA. A group for which the metric is 0/0 adds nothing."""


UNGROUPED = Convention("no-subtopic", "Labels without a subtopic", reads=(), closed=True, tells="labels without groups")


@UNGROUPED.setting("refuse", rule="nothing that groups can be made of", plain="always", no="")
def _() -> None:
    """A definition that needs groups has no number then."""


@UNGROUPED.setting(
    "own", rule="a group each", makes="own", plain="always", says="labels without groups are a group each"
)
def _() -> None:
    """Every labelled item is needed."""


@UNGROUPED.setting(
    "one", rule="one group", makes="one", plain="always", says="all labels of a user without groups are one group"
)
def _() -> None:
    """Any labelled item will do."""


GROUP_WEIGHT = Convention(
    "subtopic-weight",
    "Weight of each subtopic",
    reads=("relevant", "given"),
    closed=True,
    tells="groups of different size",
)
"""A setting gives the weight of each group, shape (groups,), and whether it is divided by their sum; `relevant` is how
many relevant labels each group has, and `given` what the caller says that it weighs, both of that shape."""


def _has(relevant: Numbers) -> Numbers:
    return np.asarray(relevant * 0 + 1) * (np.asarray(relevant, np.float64) > 0)


@GROUP_WEIGHT.setting("even", rule="1 / number of groups with a relevant label", plain="always", no="")
def _(relevant: Numbers) -> tuple[Numbers, bool]:
    """A group without a relevant label is left out, as no list can serve it."""
    return _has(relevant), True


@GROUP_WEIGHT.setting(
    "even-all",
    rule="1 / number of groups",
    plain="always",
    says="each group has the same weight, also one without a relevant label",
)
def _(relevant: Numbers) -> tuple[Numbers, bool]:
    """Also of those that no list can serve."""
    return relevant * 0 + 1, True


@GROUP_WEIGHT.setting(
    "relevant",
    rule="its share of the relevant labels",
    plain="always",
    says="a group weighs as much as it has relevant labels",
)
def _(relevant: Numbers) -> tuple[Numbers, bool]:
    """The more items serve a group, the likelier is it what the user wants."""
    return relevant, True


@GROUP_WEIGHT.setting(
    "given",
    rule="the weight that the caller gives, by the sum of a user's",
    needs=NEED_WEIGHTS,
    plain="always",
    cite="agrawal2009",
    paper=AGRAWAL_2009,
    says="a group weighs what is known of how likely it is wanted",
)
def _(given: Numbers) -> tuple[Numbers, bool]:
    """The probability of each intent, also of one that no item serves."""
    return given, True


@GROUP_WEIGHT.setting("one", rule="1: a sum over groups", plain="always", says="the groups are added up, not averaged")
def _(relevant: Numbers) -> tuple[Numbers, bool]:
    """As alpha-DCG adds them up before it is divided by anything."""
    return _has(relevant), False


@UNGROUPED.idle("")
@GROUP_WEIGHT.idle("")
def _(context: Context) -> bool:
    """Nobody looks at groups, whatever the conventions of the metric are answered that are not given."""
    metric = {} if context.metric is None else context.metric.conventions()
    unset = [convention for name, convention in metric.items() if name not in context.settings]
    may_look = any(one.traits.get("needs") == NEED for convention in unset for one in convention.setting_types.values())
    looks = may_look or (context.metric is not None and NEED in context.metric.needs)
    return (
        "subtopics" in context.settings
        and not looks
        and all(context.trait(one, "needs") != NEED for one in context.settings)
    )


def count_once(block: WorkingBlock, settings: Mapping[str, Setting]) -> None:
    """Where a group counts once, keep its first row as a hit, and one label of it."""
    if settings["subtopics"].text != "any":
        return
    pairs = pairs_of(block.joined, block.users, settings["no-subtopic"].trait("makes", ""))
    served = _relevant(block, pairs, settings)
    first = _first_for(block, pairs, served)
    rows = block.rows
    rows.grade = np.where(rows.relevant & (first == 0), np.nan, rows.grade)
    rows.relevant = rows.relevant & (first > 0)
    if (first > 1).any():
        rows.hits = np.maximum(first, 1).astype(float)
        rows.weight = rows.hits if rows.weight is None else rows.weight * rows.hits
    block.known = _one_of_each(block, pairs, served)


def _relevant(block: WorkingBlock, pairs: Pairs, settings: Mapping[str, Setting]) -> LabelRows:
    """The rows of the groups, each judged as a label of a group of its own."""
    labels = LabelRows(pairs.pair, pairs.item, pairs.grade.copy())
    nothing = np.empty(0, np.int64)
    rows = ListRows(nothing, nothing, nothing, np.empty(0))
    rows.label = nothing
    alone = WorkingBlock(block.joined, block.users[pairs.user], labels, rows, False)
    for convention_name in (GRADES, NEGATIVE):
        if settings[convention_name.name].trait("when", "at once") == "at once":
            settings[convention_name.name](block=alone)
    decide_relevant(alone, settings)
    return labels


def _first_for(block: WorkingBlock, pairs: Pairs, served: LabelRows) -> Codes:
    """For how many groups each row is the first that serves them, shape (rows,)."""
    kept = np.flatnonzero(served.relevant)
    keys = pairs.user[served.user[kept]] * block.items + served.item[kept]
    order = np.argsort(keys, kind="stable")
    wanted = block.rows.user * block.items + block.rows.item
    low, high = (np.searchsorted(keys[order], wanted, side=side) for side in ("left", "right"))
    times = np.where(block.rows.item >= 0, high - low, 0)
    row = np.repeat(np.arange(len(times)), times)
    at = np.repeat(low - (np.cumsum(times) - times), times) + np.arange(len(row))
    _, first = np.unique(served.user[kept][order][at], return_index=True)
    return np.bincount(row[first], minlength=len(times))


def _one_of_each(block: WorkingBlock, pairs: Pairs, served: LabelRows) -> Known:
    """The labels that exist: the best of each group that has a relevant one, and all that are not relevant."""
    known = block.known
    assert known is not None
    if block.known_rows:
        return block.known_from_rows(np.nan_to_num(block.rows.grade))  # some rows may have gone since they were settled
    kept = np.flatnonzero(served.relevant)
    best = kept[np.lexsort((-served.grade[kept], served.user[kept]))]
    best = best[np.append(True, served.user[best][1:] != served.user[best][:-1])[: len(best)]]
    others = known.take(np.flatnonzero(~known.relevant))
    user = pairs.user[served.user[best]]
    rows = ListRows(user, served.item[best], user, np.zeros(len(user)))
    chosen = Known(
        user,
        served.grade[best],
        np.ones(len(best), bool),
        np.zeros(len(best), bool),
        served.item[best],
        match(block.labels, rows, block.items),
    )
    return _together(chosen, others)


def _together(one: Known, other: Known) -> Known:
    """Both, grouped by user."""
    columns: list[Any] = [np.append(getattr(one, name), getattr(other, name)) for name in vars(one)]
    both = Known(*columns)
    return both.take(np.argsort(both.user, kind="stable"))


step_after("duplicates after-depth", GROUPS, take=count_once)
judged_by(GROUPS, UNGROUPED, GROUP_WEIGHT)
