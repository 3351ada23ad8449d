"""The rate of each group of items over all lists, and its spread."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.group_values import GroupValues
from rankconv.data.train import Train
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.of_all_lists import ShownRows, SystemLevelMetric, added
from rankconv.metrics.gains import GAIN
from rankconv.metrics.groups.exposure import EXPOSURE
from rankconv.metrics.groups.item_groups import ItemGroups, OfGroups
from rankconv.metrics.groups.rates import GROUP_RATE, RateTraits
from rankconv.metrics.groups.spread import GROUP_SPREAD, UNDEFINED_GROUP, ratio_of
from rankconv.preparation.blocks.block import Block


@dataclass(frozen=True, eq=False)
class GroupedRows(ShownRows):
    """The rows of many lists with what each adds to its group; arrays have shape (rows,)."""

    worth: Any = field(default_factory=lambda: np.empty(0))
    relevant_item: Codes = field(default_factory=lambda: np.empty(0, np.int64))
    """The item of each relevant label, shape (relevant labels,)."""
    listed_item: Codes = field(default_factory=lambda: np.empty(0, np.int64))
    """The item of each hit of whole lists, shape (hits,)."""
    users: Codes = field(default_factory=lambda: np.empty(0, np.int64))
    """Whose lists these are, shape (lists,)."""

    @classmethod
    def together(cls, parts: Sequence[ShownRows]) -> "GroupedRows":
        """All of these lists."""
        first: Any = parts[0]
        whole = ShownRows.together(parts)
        names = ("worth", "relevant_item", "listed_item", "users")
        joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        rows = {name: getattr(whole, name) for name in ("item", "rank", "of", "lists")}
        made: GroupedRows = replace(first, **rows, **joined)
        return made


GROUP_RATE_OVER = Convention(
    "group-rate-over",
    "Divisor of what a group has",
    reads=("rows", "groups"),
    phrase=True,
    tells="groups of different sizes",
)
"""A setting gives the divisor of each group, shape (groups,)."""


@GROUP_RATE_OVER.setting("one", rule="1", says="1", tex="1")
def _(groups: ItemGroups) -> Numbers:
    """A larger group has more."""
    return np.ones(len(groups.names))


@GROUP_RATE_OVER.setting("items-of-group", rule="its number of items", says="the number of items in it", tex="N_g")
def _(groups: ItemGroups) -> Numbers:
    """Listed or not."""
    return groups.sizes


@GROUP_RATE_OVER.setting(
    "offered-items",
    rule="its items that users do not have in training, over all users",
    needs=("train",),
    cite="zhu2020",
    says="the number of its items that a user does not have in training, added up over the users",
    tex=r"\sum_{u \in U} \left| G \setminus T_u \right|",
    signs={"T_u": "the items that user u has in training"},
)
def _(rows: GroupedRows, groups: ItemGroups) -> Numbers:
    """How often its items could have been listed."""
    assert rows.joined is not None
    _, had = rows.joined.once(Train).history(rows.users)
    return np.asarray(groups.sizes * rows.lists - groups.of_items(had))


@GROUP_RATE_OVER.setting(
    "relevant-of-group",
    rule="its relevant labels, over all users",
    cite="zhu2020",
    says="the number of its items that are relevant to a user, added up over the users",
    tex=r"\sum_{u \in U} \left| G \cap R_u \right|",
)
def _(rows: GroupedRows, groups: ItemGroups) -> Numbers:
    """How often its items could have been hits."""
    return groups.of_items(rows.relevant_item)


@GROUP_RATE_OVER.setting(
    "listed-relevant",
    rule="its relevant rows in the whole lists",
    cite="fairranktune",
    says="the number of its items in the whole lists that are relevant to the user",
    tex=r"\sum_{u \in U} \left| G \cap R_u \cap L_u \right|",
)
def _(rows: GroupedRows, groups: ItemGroups) -> Numbers:
    """The relevance that the lists have to give."""
    return groups.of_items(rows.listed_item)


@GROUP_RATE_OVER.setting(
    "listed-items",
    rule="its different items in the lists",
    cite="deldjoo2021",
    says="the number of its different items {here}",
    tex=r"\left| G \cap \bigcup_{u \in U} L_u \right|",
)
def _(rows: GroupedRows, groups: ItemGroups) -> Numbers:
    """Each item counts once, however often it is listed."""
    return groups.of_items(np.unique(rows.item))


class GroupFairness(OfGroups, SystemLevelMetric):
    """Compute the spread over groups of items of what each has of the lists.

    What a group has, rows, hits or exposure in the first k of all lists, over what it could have, and the spread of
    these rates over the groups: 0 where all are equal, for most spreads. One number; no user has one. No end is the
    better one. `result.groups` has the rate of each group. Needs `item_features=`, or `train=` for head and tail of the
    popularity.
    Source: Zhu, Wang and Caverlee, SIGIR 2020 (REO, RSP); the forms as presets cite them.

    >>> import rankconv as rc
    >>> labels, run = {"u": ["a"], "v": ["b"]}, {"u": ["a", "c"], "v": ["a", "c"]}
    >>> found = rc.evaluate(labels, run, "reo@2", item_features={"a": "jazz", "b": "rock", "c": "rock"})
    >>> found["reo@2"], found.groups["reo@2"]
    (1.0, {'jazz': 1.0, 'rock': 0.0})
    """

    name = "group_fairness"
    cite = "zhu2020"
    why_no_expectation = "it is of all lists together"
    formula = "spread over the groups of what each has by group-rate-over"
    called = "group fairness"
    says = (
        "{group-spread}, where the value of a group is {group-rate}, added up over the users, divided by "
        "{group-rate-over}"
    )
    tex = (
        r"«group-spread», \quad v_g = \frac{\sum_{u \in U} \sum_{j=1}^{«rows»} s_{gj} «group-rate»}{«group-rate-over»}"
    )
    signs: ClassVar[dict[str, str]] = {
        "s_{gj}": "the share that group g has of the item at rank j, mostly 1 or 0",
        "G": "the items of the group",
        "L_u": "the items in the list of user u, down to the cutoff",
        "R_u": "the items that are relevant to user u",
    }
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    reads_labels: ClassVar[bool] = True
    counted_by: ClassVar[tuple[str, ...] | None] = None
    named_first: ClassVar[tuple[str, ...]] = ("item-group", "group-rate", "group-rate-over", "group-spread")
    group_rate: Annotated[str, GROUP_RATE]
    group_rate_over: Annotated[str, GROUP_RATE_OVER]
    group_spread: Annotated[str, GROUP_SPREAD]
    undefined_group: Annotated[str, UNDEFINED_GROUP]
    exposure: Annotated[str, EXPOSURE]
    gain: Annotated[str, GAIN]

    def shown(self, block: Block, users: Mask) -> GroupedRows:
        """The rows of these users, with what each adds."""
        settings = self.settings
        read = np.asarray(block.read_to(self.scope) & (block.items_by_rank >= 0) & users)
        place, user = np.nonzero(read)
        given = {"block": block, "exposure": settings["exposure"], "gain": settings["gain"]}
        given |= {"groups": self.groups(block.joined), "read": read}
        worth = block.numbers(settings["group-rate"](**given))
        known, hits = block.known, (np.asarray(block.hits_by_rank) > 0) & users
        return GroupedRows(
            block.joined,
            block.items_by_rank[place, user],
            place + 1,
            read.sum(axis=0)[user],
            int(users.sum()),
            self.k,
            worth=worth[place, user],
            relevant_item=known.item[known.relevant & users[known.user]],
            listed_item=block.items_by_rank[hits],
            users=block.users_of_lists("groups are of the lists of users")[users],
        )

    def of_lists(self, shown: ShownRows) -> Ratio:
        assert isinstance(shown, GroupedRows)
        assert shown.joined is not None
        settings, groups = self.settings, self.groups(shown.joined)
        has = shown.numbers(groups.sums(shown.item, self._worth(shown), added))
        over = shown.numbers(settings["group-rate-over"](rows=shown, groups=groups))
        rates = Ratio(has, over).value
        counts = settings["undefined-group"](rates=rates)
        found = ratio_of(settings["group-spread"](rates=rates[counts]) if counts.any() else (0.0, 0.0))
        columns = {"rate": rates, "has": has, "of": over}
        values = {name: np.asarray(one, np.float64)[:, None] for name, one in columns.items()}
        return Ratio(found.numerator, found.denominator, groups=GroupValues(groups.names, values))

    def _worth(self, shown: GroupedRows) -> Any:
        """What each row adds, shape (rows,)."""
        if not RateTraits.of(self.settings["group-rate"]).mean_of_item or not len(shown.item):
            return shown.worth
        _, at, counts = np.unique(shown.item, return_inverse=True, return_counts=True)
        return shown.worth / shown.numbers(counts)[np.ravel(at)]
