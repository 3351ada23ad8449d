"""The rate of each group of items over all lists, and its spread."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.traits import Lack, Traits
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.group_values import GroupValues
from rankconv.data.train import Train
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.of_all_lists import ShownRows, SystemLevelMetric, added
from rankconv.metrics.gains import GAIN
from rankconv.metrics.groups.exposure import EXPOSURE, exposure_of_rows
from rankconv.metrics.groups.item_groups import ItemGroups, OfGroups
from rankconv.metrics.groups.spread import GROUP_SPREAD, UNDEFINED_GROUP, ratio_of
from rankconv.preparation.blocks.block import Block


@dataclass(frozen=True, eq=False)
class GroupedRows(ShownRows):
    """The rows of many lists with what each adds to its group; arrays have shape (rows,) unless said otherwise."""

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


class RateTraits(Traits):
    """What else is stated of the settings of what a group has."""

    mean_of_item: bool = False
    """The rows of an item count by their mean, so that each item counts once."""
    reads_exposure: bool = False
    reads_gain: bool = False


GROUP_RATE = Convention(
    "group-rate",
    "What a group has of the lists",
    reads=("block", "exposure", "gain", "groups"),
    phrase=True,
    tells="groups with other shares of the rows and of the hits",
    traits=RateTraits,
)
"""A setting gives what each row adds to the group of its item, shape (K, users)."""

NAMED = "reo, rsp, popreo, poprsp (presets elliot and warprec_fairness), exp (preset fairranktune)"


@GROUP_RATE.setting(
    "refuse",
    rule="to be said",
    says="what a group has",
    lacking=lambda joined, settings: Lack(
        "what a group has is not said",
        f"Take a metric that says it: {NAMED}; or write group-rate=hits, group-rate-over=relevant-of-group.",
    ),
)
def _(block: Block) -> Numbers:
    """Spreads of different rates have nothing in common."""
    raise NotImplementedError(block)


@GROUP_RATE.setting("rows", rule="rows", says="the number of items {here} that are in it", tex="1")
def _(block: Block) -> Numbers:
    """How often its items are listed."""
    return np.ones((block.depth, block.size))


@GROUP_RATE.setting(
    "distinct-rows",
    rule="different items of each list",
    cite="elliot",
    says="the number of different items {here} that are in it",
    tex="1",
)
def _(block: Block) -> Numbers:
    """A repeated item counts once in a list."""
    return block.first_by_rank


@GROUP_RATE.setting("hits", rule="hits", says="the number of relevant items {here} that are in it", tex="r_j")
def _(block: Block) -> Numbers:
    """How often its items are listed for users to whom they are relevant."""
    return block.hits_by_rank


@GROUP_RATE.setting(
    "exposure",
    rule="the exposure of its rows",
    reads_exposure=True,
    says="the sum over the items {here} that are in it of the exposure of their rank, {exposure}",
    tex="«exposure»",
)
def _(block: Block, exposure: Setting) -> Numbers:
    """Rows near the top count more."""
    return np.asarray(exposure_of_rows(exposure, block))


@GROUP_RATE.setting(
    "pairs",
    rule="the share of pairs with an item of another group in which it is above, of each list",
    cite="fairranktune",
    says="the share of the pairs of one of its items and one of another group {here} in which its own is above",
    tex=r"\frac{|\{i > j: i \notin G\}|}{n_g (n - n_g)}",
)
def _(block: Block, groups: ItemGroups) -> Numbers:
    """Half where a group is spread evenly over the list."""
    listed, items = np.asarray(block.listed, np.float64), block.items_by_rank
    found, below = np.zeros(items.shape), listed.sum(axis=0) - np.cumsum(listed, axis=0)
    for share in groups.shares.T:
        own = share[items] * listed
        number = own.sum(axis=0)
        pairs = number * (listed.sum(axis=0) - number)
        others = below - (number - np.cumsum(own, axis=0))
        found += np.where(own > 0, others / np.where(pairs > 0, pairs, 1), 0)
    return found


@GROUP_RATE.setting(
    "gain-of-items",
    rule="the mean gain of each of its items",
    cite="deldjoo2021",
    mean_of_item=True,
    reads_gain=True,
    says="the sum over its items of their mean gain {here}",
    tex=r"\bar{g}_i",
)
def _(block: Block, gain: Setting) -> Numbers:
    """An item that is listed often counts once."""
    return block.gains_by_rank(gain)


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
    return np.asarray(groups.sizes * rows.lists - groups.shares[had].sum(axis=0))


@GROUP_RATE_OVER.setting(
    "relevant-of-group",
    rule="its relevant labels, over all users",
    cite="zhu2020",
    says="the number of its items that are relevant to a user, added up over the users",
    tex=r"\sum_{u \in U} \left| G \cap R_u \right|",
)
def _(rows: GroupedRows, groups: ItemGroups) -> Numbers:
    """How often its items could have been hits."""
    return np.asarray(groups.shares[rows.relevant_item].sum(axis=0))


@GROUP_RATE_OVER.setting(
    "listed-relevant",
    rule="its relevant rows in the whole lists",
    cite="fairranktune",
    says="the number of its items in the whole lists that are relevant to the user",
    tex=r"\sum_{u \in U} \left| G \cap R_u \cap L_u \right|",
)
def _(rows: GroupedRows, groups: ItemGroups) -> Numbers:
    """The relevance that the lists have to give."""
    return np.asarray(groups.shares[rows.listed_item].sum(axis=0))


@GROUP_RATE_OVER.setting(
    "listed-items",
    rule="its different items in the lists",
    cite="deldjoo2021",
    says="the number of its different items {here}",
    tex=r"\left| G \cap \bigcup_{u \in U} L_u \right|",
)
def _(rows: GroupedRows, groups: ItemGroups) -> Numbers:
    """Each item counts once, however often it is listed."""
    return np.asarray(groups.shares[np.unique(rows.item)].sum(axis=0))


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
        given["groups"] = self.groups(block.joined)
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


def _without(trait: str) -> Any:
    def holds(context: Context) -> bool:
        rate = context.settings.get("group-rate")
        return rate is not None and not getattr(RateTraits.of(rate), trait)

    return holds


EXPOSURE.idle("the groups have no exposure", "group-rate")(_without("reads_exposure"))
GAIN.idle("the groups have no gain", "group-rate")(_without("reads_gain"))
