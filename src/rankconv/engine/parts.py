"""One part of the users, judged by itself and then let go: counts of the data, and what each definition makes of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankconv.aggregation.judged_cases import WholeData
from rankconv.data.arrays import Numbers
from rankconv.data.ids import Ids, Kind
from rankconv.data.joined import Joined
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.metric_result import Measured, Refusal
from rankconv.engine.plan import NUMBERED_ITEMS, Stop, in_words, lacks, policy_of_all_data, tied
from rankconv.engine.run import populations, run
from rankconv.engine.summed import Id, Summed
from rankconv.errors import InputError
from rankconv.presets.definition import Definition

PartCallback = Callable[[Joined, Sequence[Aggregate]], None]
"""Called with the data of a part and what became of each of them, by the order of the definitions."""
EXAMPLES = 3
"""So many ids of each side a message shows where no user is on both."""


@dataclass(frozen=True)
class Counted:
    """What is known of the data of some users, without the data."""

    users: Kind = "none"
    items: Kind = "none"
    """Whether ids are text or integers."""
    scored: bool | None = None
    """Whether rows have scores; None without rows."""
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

    @classmethod
    def of(cls, joined: Joined, numbered: bool) -> "Counted":
        """The counts of these data; `numbered` says whether item ids are looked at as numbers."""
        labelled, ranked = joined.label_rows_of >= 0, joined.list_rows_of >= 0
        both, rows = int((labelled & ranked).sum()), joined.rankings.row_count
        return cls(
            users=joined.users.kind,
            items=joined.item_kind,
            scored=joined.rankings.scored if rows else None,
            seen=joined.extra.seen is not None,
            labelled=int(labelled.sum()) - both,
            ranked=int(ranked.sum()) - both,
            both=both,
            label_rows=joined.labels.row_count,
            list_rows=rows,
            examples=((), ()) if both else (_least(joined.labels.users), _least(joined.rankings.users)),
            labelled_items="" if joined.extra.labelled_items is None else joined.extra.labelled_items.digest,
            odd_item=joined.items.not_a_number if numbered else "",
        )

    @property
    def size(self) -> int:
        """The number of users."""
        return self.labelled + self.ranked + self.both

    def plus(self, other: "Counted") -> "Counted":
        """Both together; an InputError where they cannot be parts of one data set."""
        both = self.both + other.both
        sides = zip(self.examples, other.examples, strict=True)
        labelled, ranked = (tuple(sorted({*ours, *theirs})[:EXAMPLES]) for ours, theirs in sides)
        return Counted(
            users=_one_of("user ids that are", self.users, other.users),
            items=_one_of("item ids that are", self.items, other.items),
            scored=_one_of("lists with scores:", self.scored, other.scored),
            seen=_one_of("seen= given:", self.seen, other.seen),
            labelled=self.labelled + other.labelled,
            ranked=self.ranked + other.ranked,
            both=both,
            label_rows=self.label_rows + other.label_rows,
            list_rows=self.list_rows + other.list_rows,
            examples=((), ()) if both else (labelled, ranked),
            labelled_items=_one_of("labelled= is", self.labelled_items or None, other.labelled_items or None) or "",
            odd_item=min(filter(None, (self.odd_item, other.odd_item)), default=""),
        )

    def check(self) -> None:
        """An InputError where no user is on both sides, though there are users on either."""
        if self.labelled and self.ranked and not self.both:
            labelled, ranked = (", ".join(map(repr, some)) for some in self.examples)
            raise InputError(
                "the labels and the rankings have no user in common",
                allowed=f"Labels have {labelled}, …; rankings have {ranked}, …",
                do="Check that both name users in the same way.",
            )


def _least(ids: Ids) -> tuple[Id, ...]:
    return tuple(np.sort(ids.values)[:EXAMPLES].tolist())


def _one_of(what: str, ours: Any, theirs: Any) -> Any:
    """What both have, one of which may have nothing; an InputError where they differ."""
    if {ours, theirs} & {None, "none"} or ours == theirs:
        return theirs if ours in (None, "none") else ours
    text = " and ".join({True: "yes", False: "no"}.get(one, str(one)) for one in sorted((ours, theirs)))
    do = "Write both in one form" if "ids" in what else "Pass all users in the same form"
    raise InputError(f"parts of the data do not fit each other ({what} {text})", do=do)


@dataclass(frozen=True)
class PartOfUsers:
    """The counts of a part, and what each definition makes of it, in the order of the definitions."""

    counted: Counted
    summed: tuple[Summed, ...]

    @classmethod
    def nobody(cls, definitions: Sequence[Definition]) -> "PartOfUsers":
        """The part without a user."""
        return cls(Counted(), (Summed(),) * len(definitions))

    @classmethod
    def of(
        cls, joined: Joined, definitions: Sequence[Definition], on_part: PartCallback | None = None
    ) -> "PartOfUsers":
        """These users, each in this part only; where a listener is given, with each of them."""
        found = _aggregated(joined, definitions, per_user=on_part is not None)
        if on_part is not None:
            on_part(joined, found)
        summed = (replace(one.summed(joined.users), **_missing(joined, one.definition)) for one in found)
        return cls(Counted.of(joined, any(NUMBERED_ITEMS in one.needs for one in definitions)), tuple(summed))

    def plus(self, other: "PartOfUsers", definitions: Sequence[Definition]) -> "PartOfUsers":
        """Both together, whose users must be different; an InputError where they cannot be parts of one data set."""
        counted = self.counted.plus(other.counted)  # first: rows of other kinds of ids cannot be put together
        each = zip(self.summed, other.summed, definitions, strict=True)
        return PartOfUsers(counted, tuple(ours.plus(theirs, one.aggregation) for ours, theirs, one in each))

    def measured(self, definitions: Sequence[Definition]) -> list[Measured]:
        """What comes out where these are all users; an InputError where no user has both labels and a list."""
        self.counted.check()
        each = zip(definitions, self.summed, strict=True)
        size = self.counted.size
        return [Aggregate.of(one, summed, size).finish_summed(self._stop(one, summed)) for one, summed in each]

    def _stop(self, definition: Definition, summed: Summed) -> Stop | None:
        wrong = summed.unmet
        if summed.tied and self.counted.odd_item:
            wrong = in_words(definition, NUMBERED_ITEMS, f"'{self.counted.odd_item}' is none")
        data = WholeData(self.counted.size, self.counted.label_rows)
        policy = "" if wrong else policy_of_all_data(data, definition)
        return Stop(Refusal(definition, "needs", wrong) if wrong else None, policy) if wrong or policy else None


def values_of(joined: Joined, definitions: Sequence[Definition]) -> list[Numbers]:
    """What each definition gives each user, shape (users,), whatever becomes of the number of all users."""
    return [one.of_each[0] for one in _aggregated(joined, definitions, per_user=True)]


def _aggregated(joined: Joined, definitions: Sequence[Definition], *, per_user: bool) -> list[Aggregate]:
    masks = populations(joined, definitions, None)
    found = [Aggregate(one, len(joined.users), per_user) for one in definitions]
    met = [one for one in found if not any(_lacking(joined, one.definition).values())]
    run(joined, [one.reader(masks[one.definition.aggregation.given("users")]) for one in met])
    return found


def _lacking(joined: Joined, definition: Definition) -> dict[str, str]:
    """What the definition needs, each with what is wrong with it in these data, in words."""
    return {need: lacks(joined, need, definition.preparation) for need in definition.needs}


def _missing(joined: Joined, definition: Definition) -> dict[str, Any]:
    lacking = {need: wrong for need, wrong in _lacking(joined, definition).items() if wrong and need != NUMBERED_ITEMS}
    need, wrong = next(iter(lacking.items()), ("", ""))
    numbered = NUMBERED_ITEMS in definition.needs
    unmet = in_words(definition, need, wrong) if need else ""
    return {"unmet": unmet, "tied": numbered and tied(joined, definition.preparation)}
