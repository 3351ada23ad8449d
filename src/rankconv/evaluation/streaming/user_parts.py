"""Parts of the users: the counts of their data, their sums, and the data of several put together."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from rankconv.aggregation.data_policies import WholeData
from rankconv.basics.errors import InputError
from rankconv.data.ids import IdKind, Ids, make_ids, unite
from rankconv.data.joined import Joined, check_common
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.metric_result import OUTSIDE, Measured, Refusal
from rankconv.engine.needs import NUMBERED_ITEMS, Stop, in_words, policy_of_all_data
from rankconv.engine.scoring import UserValues
from rankconv.engine.user_sums import Id, Summed, as_aggregate, summed
from rankconv.evaluation.notes import ENOUGH, LOOKED_AT, few_listed, no_hit
from rankconv.evaluation.results.data_sums import NOT_MADE, DataSums, parts_of, sums_of
from rankconv.presets.definition import Definition

PartCallback = Callable[[Joined, Sequence[Aggregate]], None]
"""Called with the data of a part and what became of each of them, by the order of the definitions."""
EXAMPLES = 3
"""So many ids of each side a message shows where no user is on both."""


def _worded(side: Labels | Run) -> bool | None:
    """Whether the numbers of a side are words; None without rows."""
    return side.words is not None if side.row_count else None


@dataclass(frozen=True)
class DataCounts:
    """What is known of the data of some users, without the data."""

    users: IdKind = "none"
    items: IdKind = "none"
    """Whether ids are text or integers."""
    scored: bool | None = None
    """Whether rows have scores; None without rows."""
    worded: tuple[bool | None, bool | None] = (None, None)
    """Whether grades, and scores, are words; None without rows."""
    seen: bool | None = None
    """Whether items were given that users had seen; None before there were users."""
    labelled: int = 0
    """Users who are in the labels alone."""
    ranked: int = 0
    """Users who are in the rankings alone."""
    both: int = 0
    label_rows: int = 0
    list_rows: int = 0
    examples: tuple[tuple[Id, ...], tuple[Id, ...]] = ((), ())
    """The least ids of either side, as long as no user is on both."""
    labelled_items: str = ""
    """A digest of the items that any user has a label for, where the caller gave them."""
    odd_item: str = ""
    """The least item id, as text, that is no number, where a definition compares them as numbers."""
    with_labels: int = 0
    """Users who have a label."""
    with_both: int = 0
    """Those of them who have a row too."""
    listed_label: bool = False
    """Whether the item of some label is in its user's list."""
    least_items: tuple[tuple[Id, ...], tuple[Id, ...]] = ((), ())
    """The least ids of items of either side, as long as no label is of an item in its user's list."""

    @classmethod
    def of(cls, joined: Joined, numbered: bool, *, listed_label: bool = False) -> "DataCounts":
        """The counts of these data; `numbered` says whether item ids are looked at as numbers.

        With a `listed_label` in parts to which these are added none is looked for.
        """
        labelled, ranked = joined.label_rows_of >= 0, joined.list_rows_of >= 0
        both, rows = int((labelled & ranked).sum()), joined.rankings.row_count
        has_label, listed = joined.label_counts > 0, listed_label or joined.has_listed_label
        sides = (joined.labels, joined.rankings)
        return cls(
            users=joined.users.kind,
            items=joined.item_kind,
            scored=joined.rankings.scored if rows else None,
            worded=(_worded(joined.labels), _worded(joined.rankings)),
            seen=joined.extra.seen is not None,
            labelled=int(labelled.sum()) - both,
            ranked=int(ranked.sum()) - both,
            both=both,
            label_rows=joined.labels.row_count,
            list_rows=rows,
            examples=((), ()) if both else (_least(joined.labels.users), _least(joined.rankings.users)),
            labelled_items="" if joined.extra.labelled_items is None else joined.extra.labelled_items.digest,
            odd_item=joined.items.not_a_number if numbered else "",
            with_labels=int(has_label.sum()),
            with_both=int((has_label & (joined.list_counts > 0)).sum()),
            listed_label=listed,
            least_items=((), ()) if listed else (_least(sides[0].items, LOOKED_AT), _least(sides[1].items, LOOKED_AT)),
        )

    @property
    def size(self) -> int:
        """The number of users."""
        return self.labelled + self.ranked + self.both

    def plus(self, other: "DataCounts", where: str = "") -> "DataCounts":
        """Both together; an InputError, in which `where` names the other, where they are not parts of one data set."""
        both = self.both + other.both

        def one_of(what: str, ours: Any, theirs: Any) -> Any:
            """What both have, one of which may have nothing; an InputError where they differ."""
            if {ours, theirs} & {None, "none"} or ours == theirs:
                return theirs if ours in (None, "none") else ours
            text = " and ".join({True: "yes", False: "no"}.get(one, str(one)) for one in sorted((ours, theirs)))
            do = "Write both in one form" if "ids" in what else "Pass all users in the same form"
            raise InputError(f"parts of the data do not fit each other ({what} {text})", where=where, do=do)

        sides = zip(self.examples, other.examples, strict=True)
        labelled, ranked = (tuple(sorted({*ours, *theirs})[:EXAMPLES]) for ours, theirs in sides)
        listed, items = self.listed_label or other.listed_label, zip(self.least_items, other.least_items, strict=True)
        least_labelled, least_listed = (tuple(sorted({*ours, *theirs})[:LOOKED_AT]) for ours, theirs in items)
        return DataCounts(
            users=one_of("user ids that are", self.users, other.users),
            items=one_of("item ids that are", self.items, other.items),
            scored=one_of("lists with scores:", self.scored, other.scored),
            worded=(
                one_of("grades that are words:", self.worded[0], other.worded[0]),
                one_of("scores that are words:", self.worded[1], other.worded[1]),
            ),
            seen=one_of("seen= given:", self.seen, other.seen),
            labelled=self.labelled + other.labelled,
            ranked=self.ranked + other.ranked,
            both=both,
            label_rows=self.label_rows + other.label_rows,
            list_rows=self.list_rows + other.list_rows,
            examples=((), ()) if both else (labelled, ranked),
            labelled_items=one_of("labelled= is", self.labelled_items or None, other.labelled_items or None) or "",
            odd_item=min(filter(None, (self.odd_item, other.odd_item)), default=""),
            with_labels=self.with_labels + other.with_labels,
            with_both=self.with_both + other.with_both,
            listed_label=listed,
            least_items=((), ()) if listed else (least_labelled, least_listed),
        )

    def check(self) -> None:
        """An InputError where no user is on both sides, or no item, and they would be if both spelled ids the same."""
        labelled, ranked = (make_ids([*some], "user") for some in self.examples)
        check_common(labelled, ranked, self.both)
        if not self.listed_label and max(map(len, self.least_items)) < LOOKED_AT:
            labelled, ranked = (make_ids([*some], "item") for some in self.least_items)
            unite(labelled, ranked, "item")

    def notes(self, respelled: Collection[str] = ()) -> tuple[str, ...]:
        """Return sentences on users and items of which hardly any are on both sides, as data that come at once have.

        `respelled` are those on spellings that a batch gave already.
        """
        unmatched = [] if respelled or self.listed_label or self.with_both < ENOUGH else no_hit(*self.least_items)
        return (*few_listed(self.with_labels, self.with_both), *respelled, *unmatched)


_NOBODY = DataCounts()


def _least(ids: Ids, count: int = EXAMPLES) -> tuple[Id, ...]:
    return tuple(sorted(ids.values.tolist())[:count])


@dataclass(frozen=True)
class PartOfUsers:
    """The counts of a part, and what each definition makes of it, in the order of the definitions."""

    counted: DataCounts
    summed: tuple[Summed, ...]
    digests: DataSums
    """What their data add up to, for signatures."""

    @classmethod
    def nobody(cls, definitions: Sequence[Definition], *, digests: bool = True) -> "PartOfUsers":
        """The part without a user; without `digests` those of no data are made."""
        return cls(DataCounts(), (Summed(),) * len(definitions), DataSums() if digests else NOT_MADE)

    @classmethod
    def of(
        cls, joined: Joined, found: Sequence[Aggregate], *, digests: bool = True, before: DataCounts = _NOBODY
    ) -> "PartOfUsers":
        """These users, each in this part only, and what each definition made of them.

        `before` counts the parts to which it is added.
        """
        numbered = any(NUMBERED_ITEMS in one.definition.needs for one in found)
        wanted = {part for one in found for part in parts_of(one.definition)}
        sums = sums_of(joined, wanted, part=True) if digests else NOT_MADE
        counted = DataCounts.of(joined, numbered, listed_label=before.listed_label)
        return cls(counted, tuple(summed(one, joined) for one in found), sums)

    def plus(self, other: "PartOfUsers", definitions: Sequence[Definition], where: str = "") -> "PartOfUsers":
        """Both together, whose users must be different; an InputError where they cannot be parts of one data set."""
        counted = self.counted.plus(other.counted, where)  # first: rows of other kinds of ids cannot be put together
        each = zip(self.summed, other.summed, definitions, strict=True)
        both = tuple(ours.plus(theirs, one.aggregation) for ours, theirs, one in each)
        return PartOfUsers(counted, both, self.digests.plus(other.digests, where))

    def measured(
        self,
        definitions: Sequence[Definition],
        values: Sequence[UserValues | None] = (),
        ids: Ids | None = None,
        *,
        per_user: bool = False,
    ) -> list[Measured]:
        """What comes out where these are all users; an InputError where no user has both labels and a list.

        `values` are those of all users for each definition that keeps them, and `ids` name the users.
        """
        self.counted.check()
        measured = []
        for one, found, each in zip(definitions, self.summed, values or [None] * len(definitions), strict=True):
            stop, aggregate = self._stop(one, found), as_aggregate(one, found, self.counted.size)
            aggregate.per_user = per_user
            if each is not None:  # where some part lacks what is needed, nobody has a value
                aggregate.users = UserValues(len(each.values), each.reads) if stop and stop.unmet else each
                aggregate.combine = aggregate.combine or each.combine
            population = None if each is None else each.states != OUTSIDE
            measured.append(aggregate.finish(stop, ids, population))
        return measured

    def _stop(self, definition: Definition, summed: Summed) -> Stop | None:
        wrong = summed.unmet
        if summed.tied and self.counted.odd_item:
            wrong = in_words(definition, NUMBERED_ITEMS, f"'{self.counted.odd_item}' is none")
        data = WholeData(self.counted.size, self.counted.label_rows)
        policy = "" if wrong else policy_of_all_data(data, definition)
        return Stop(Refusal(definition, "needs", wrong) if wrong else None, policy) if wrong or policy else None
