"""What aggregations make of users, by the situation that each user is in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankconv.aggregation import POLICIES, Aggregation, Situation
from rankconv.aggregation.means import MeanTraits
from rankconv.aggregation.special_case import counts_as
from rankconv.conventions.convention import CONVENTIONS, Setting
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.metrics.base import Ratio

PolicyRows = tuple[str, float]
"""A policy, and the rows that it needs where it asks for some; or a population, and 0."""
Held = dict[PolicyRows, Mask]
"""In which situations each of these holds, shape (situations,)."""


def policies_of(aggregation: Aggregation) -> list[PolicyRows]:
    """The policies that it sets, in the order in which they apply."""
    rows = float(aggregation.given("min-rows"))
    return [(policy, rows if POLICIES[policy].needs_rows else 0.0) for policy in aggregation.policies]


OF_SUMS, WHOLE, OF_NUMBER = "of sums", "whole", "of the number"
"""How a user's value enters the mean."""


def averages_sums(aggregation: Aggregation) -> bool:
    """Whether its mean follows from sums over users of values, numerators and denominators."""
    return bool(_share(aggregation)) and aggregation.settings["report"].changes_nothing


def _share(aggregation: Aggregation) -> str:
    return MeanTraits.of(aggregation.settings["aggregate"]).share


class Circumstances:
    """All situations that some aggregation reads; a situation is a code, with one bit for each fact that holds."""

    def __init__(self, aggregations: Sequence[Aggregation]) -> None:
        policies = sorted({one for aggregation in aggregations for one in policies_of(aggregation)})
        self.of_all = sorted({name for aggregation in aggregations for name in aggregation.prepared_data_policies})
        """The situations of all prepared lists that some aggregation reads."""
        self.populations = sorted({aggregation.given("users") for aggregation in aggregations})
        self.roundings = list({one.given("round-user"): one.settings["round-user"] for one in aggregations}.values())
        """How values of users are rounded."""
        self._divides_sums = any(_share(one) == OF_SUMS for one in aggregations)
        self._of_block = [one for one in policies if not POLICIES[one[0]].of_ratio]
        self._of_ratio = [one for one in policies if POLICIES[one[0]].of_ratio and not POLICIES[one[0]].reads_deep]
        self._of_other_labels = [one for one in policies if POLICIES[one[0]].of_ratio and POLICIES[one[0]].reads_deep]
        names = [
            *self._of_ratio,
            *self._of_other_labels,
            *self._of_block,
            *((users, 0.0) for users in self.populations),
        ]
        self._bit = {name: 1 << place for place, name in enumerate(names)}
        self.ratio_cells = 1 << len(self._of_ratio)
        """How many different situations there are that a ratio decides; they are the lowest bits."""

    def of_users(self, joined: Joined, chosen: Mask | None) -> Codes:
        """In which populations each user of the data is, as bits, shape (users,); 0 where in none."""
        codes = np.zeros(len(joined.users), np.int64)
        for users in self.populations:
            mask = CONVENTIONS["users"](users)(joined=joined)
            codes |= np.where(mask if chosen is None else mask & chosen, self._bit[users, 0.0], 0)
        return codes

    def of_block(self, situation: Situation, *, by_ratio: bool = False) -> Codes:
        """Which policies hold for each user by the prepared lists alone, or by the ratio, as bits, shape (users,)."""
        return self._holding(situation, self._of_ratio if by_ratio else self._of_block)

    def of_other_labels(self, situation: Situation) -> Codes:
        """Which policies hold by what ratios would be with other labels, which takes long, as bits, shape (users,)."""
        return self._holding(situation, self._of_other_labels)

    def _holding(self, situation: Situation, policies: Sequence[PolicyRows]) -> Codes:
        codes, by_rows = np.zeros(situation.block.size, np.int64), {situation.rows_needed: situation}
        for policy, rows in policies:
            if rows not in by_rows:
                by_rows[rows] = replace(situation, rows_needed=rows)
            codes |= np.where(POLICIES[policy].holds(by_rows[rows]), self._bit[policy, rows], 0)
        return codes

    def holds(self, name: str, rows: float, codes: Codes) -> Mask:
        """In which of these situations a policy or a population holds, shape as `codes`."""
        return np.asarray(codes & self._bit[name, rows], bool)

    def all_held(self, codes: Codes) -> Held:
        """In which of these situations each policy and population holds."""
        return {(name, rows): self.holds(name, rows, codes) for name, rows in self._bit}

    def columns(self, ratio: Ratio) -> list[Numbers]:
        """What is summed over the users of a situation, shape (users,) each.

        Numerators, values rounded in each way, and denominators where a mean reads them.
        """
        value = ratio.value
        rounded = (value if one.changes_nothing else one(values=value) for one in self.roundings)
        divisors = [np.asarray(ratio.denominator, np.float64)] if self._divides_sums else []
        return [np.asarray(ratio.numerator, np.float64), *rounded, *divisors]


COUNTED, BY_VALUE, BY_NUMERATOR, CONSTANT, REFUSED = range(5)
"""What becomes of the users of a situation: they count or not; then by their value, by their numerator times a factor,
by a number, or the data are refused."""


@dataclass(frozen=True, eq=False)
class Effects:
    """What each of several aggregations makes of each situation, and how it makes one number of the users'."""

    decided: Numbers
    """Shape (effects, 5, situations)."""
    rounding: Codes
    """Which of the roundings of users' values each takes, shape (effects,); -1 where it divides sums."""
    whole: Mask
    """Whether the number is a sum, shape (effects,)."""
    nobody: Numbers
    """The number of no users, shape (effects,)."""
    of_mean: Codes
    """Which of `roundings` the mean is rounded by, shape (effects,)."""
    roundings: Sequence[Setting]

    @classmethod
    def of(cls, circumstances: Circumstances, aggregations: Sequence[Aggregation], codes: Codes) -> "Effects":
        """What each of these makes of these situations."""
        held = circumstances.all_held(codes)
        decided = [_decided(one, held, codes) for one in aggregations]
        settings = [one.settings for one in aggregations]
        of_users = [one.text for one in circumstances.roundings]
        shares = [_share(one) for one in aggregations]
        of_mean = {one["round-mean"].text: one["round-mean"] for one in settings}
        place_of_mean = {text: place for place, text in enumerate(of_mean)}
        return cls(
            np.array(decided).reshape(len(aggregations), 5, len(codes)),
            np.array(
                [
                    -1 if share == OF_SUMS else of_users.index(one["round-user"].text)
                    for share, one in zip(shares, settings, strict=True)
                ],
                np.int64,
            ),
            np.array([share == WHOLE for share in shares], bool),
            np.array([one["on-no-users"]() for one in settings], np.float64),
            np.array([place_of_mean[one["round-mean"].text] for one in settings], np.int64),
            list(of_mean.values()),
        )

    @property
    def _beyond(self) -> tuple[Codes, Mask, Numbers, Codes]:
        """What each does with the users' values, and with their mean, shape (effects,) each."""
        return self.rounding, self.whole, self.nobody, self.of_mean

    @property
    def key(self) -> tuple[bytes, ...]:
        """Equal where the effects are equal."""
        return tuple(one.tobytes() for one in (self.decided, *self._beyond))

    def some(self, effects: Codes) -> "Effects":
        """Those in these places."""
        rounding, whole, nobody, of_mean = self._beyond
        beyond = rounding[effects], whole[effects], nobody[effects], of_mean[effects]
        return Effects(self.decided[effects], *beyond, self.roundings)

    def restricted_to(self, situations: Codes) -> "Effects":
        """They on the situations in these places."""
        return replace(self, decided=self.decided[:, :, situations])

    def kinds(self) -> list[list[int]]:
        """The places of those that are equal, by the first of them."""
        rows = np.column_stack([self.decided.reshape(len(self.whole), -1), *self._beyond])
        kinds: dict[bytes, list[int]] = {}
        for place, row in enumerate(rows):
            kinds.setdefault(row.tobytes(), []).append(place)
        return list(kinds.values())

    def of_both(self, first: Codes, second: Codes) -> "Effects":
        """What two aggregations that each change one setting of the first of all would do as one, shape (pairs,) each.

        Where both change what becomes of a situation, the change of `first` applies before that of `second`.
        """
        concerned = (self.decided != self.decided[0]).any(axis=1)
        decided = np.where(concerned[first][:, None], self.decided[first], self.decided[second])
        changed, other = self.some(first), self.some(second)
        beyond = (
            np.where(self.rounding[first] != self.rounding[0], changed.rounding, other.rounding),
            np.where(self.whole[first] != self.whole[0], changed.whole, other.whole),
            np.where(self.nobody[first] != self.nobody[0], changed.nobody, other.nobody),
            np.where(self.of_mean[first] != self.of_mean[0], changed.of_mean, other.of_mean),
        )
        return Effects(decided, *beyond, self.roundings)

    def means(self, sums: Numbers) -> Numbers:
        """The mean of each ratio under each aggregation, shape (ratios, effects); NaN where there is none.

        The sums have shape (2 or more, ratios, situations): users, and those of `Circumstances.columns`. NaN and
        infinity, which a product would carry into every mean, are taken as 0 and make NaN of the means that read them.
        """
        counts, numerators, *several = sums
        number = counts @ self.decided[:, COUNTED].T
        total = np.nan_to_num(numerators, posinf=0, neginf=0) @ self.decided[:, BY_NUMERATOR].T
        total += counts @ self.decided[:, CONSTANT].T
        refused = counts @ self.decided[:, REFUSED].T > 0
        for place, values in enumerate(several):
            by_value = (self.decided[:, BY_VALUE] * (self.rounding == place)[:, None]).T
            total += np.nan_to_num(values, posinf=0, neginf=0) @ by_value
            refused |= (counts * ~np.isfinite(values)) @ by_value > 0
        divide = self._divide
        by_formula = self.decided[divide, BY_VALUE].T
        ratios = (numerators @ by_formula, several[-1] @ by_formula) if len(divide) else ()
        return self._numbers(number, total, refused, *ratios)

    def of_users(self, situations: Codes, columns: Sequence[Numbers], groups: Codes) -> tuple[Numbers, Numbers]:
        """The means of groups of users and the users' values, shape (ratios, groups, effects) and (…, users, effects).

        The situations are places, shape (ratios, users), as is each of the columns, which are those of
        `Circumstances.columns`; `groups` has shape (users,). A user who does not count has no value, and nobody has
        one in a group that is refused.
        """
        numerators, *several = columns
        decided = self.decided[:, :, situations].transpose(1, 2, 3, 0)  # (5, ratios, users, effects)
        number = decided[COUNTED]
        total = np.nan_to_num(numerators, posinf=0, neginf=0)[..., None] * decided[BY_NUMERATOR] + decided[CONSTANT]
        of_group = np.eye(int(groups.max()) + 1)[:, groups]
        refused = (of_group @ decided[REFUSED])[:, groups] > 0
        for place, values in enumerate(several):
            by_value = decided[BY_VALUE] * (self.rounding == place)
            total += np.nan_to_num(values, posinf=0, neginf=0)[..., None] * by_value
            refused |= ~np.isfinite(values)[..., None] & (by_value > 0)
        divide = self._divide
        by_formula = decided[BY_VALUE][..., divide]
        formula = [one[..., None] * by_formula for one in (numerators, several[-1])] if len(divide) else []
        parts = [of_group @ one for one in (number, total, refused, *formula)]
        return self._numbers(*parts), self._of_single_users._numbers(number, total, refused, *formula)

    @property
    def _divide(self) -> Codes:
        """The places of those that divide sums."""
        return np.flatnonzero(self.rounding < 0)

    @property
    def _of_single_users(self) -> "Effects":
        """They on the values of users: one who does not count has none, and no mean is rounded."""
        count = len(self.whole)
        return replace(self, nobody=np.full(count, np.nan), of_mean=np.full(count, -1, np.int64))

    def _numbers(self, number: Numbers, total: Numbers, refused: Numbers, *ratio: Numbers) -> Numbers:
        """The means of totals, shape (…, effects) each; `ratio` has the sums that those that divide sums divide."""
        with np.errstate(divide="ignore", invalid="ignore"):
            means = np.where(self.whole, total, total / number)
            if ratio:
                means[..., self._divide] = ratio[0] / ratio[1]
        for place, rounding in enumerate(self.roundings):
            own = np.flatnonzero(self.of_mean == place)
            if len(own) and not rounding.changes_nothing:
                means[..., own] = rounding(values=means[..., own].reshape(-1)).reshape(*means.shape[:-1], len(own))
        means = np.where(number == 0, self.nobody, means)
        return np.where(refused, np.nan, means)

    def signatures(self, there: Mask) -> list[bytes]:
        """For each what it makes of the situations that occur, `there`, shape (situations,).

        Equal where each user gets the same.
        """
        decided = self.decided[:, :REFUSED, there].reshape(len(self.whole), -1)
        rows = np.column_stack([decided, self.whole, self.rounding])
        return [row.tobytes() for row in rows]


def _decided(aggregation: Aggregation, held: Held, codes: Codes) -> Numbers:
    """Who counts, by the value, by the numerator, by which number, and who is refused, shape (5, situations)."""
    decided = np.zeros((5, len(codes)))
    rounding = aggregation.settings["round-user"]
    open_still = held[aggregation.given("users"), 0.0]
    decided[COUNTED] = open_still
    for policy, rows in policies_of(aggregation):
        here = open_still & held[policy, rows]
        open_still = open_still & ~here
        setting = aggregation.settings[policy]
        if setting.traits.skips:
            decided[COUNTED, here] = 0
        elif setting.traits.undivided and rounding.changes_nothing:
            decided[BY_NUMERATOR, here] = 1 / setting.keywords.get("by", 1.0)
        elif (number := counts_as(setting)) is not None and np.isfinite(number):
            decided[CONSTANT, here] = rounding(values=np.array([number], np.float64))[0]
        else:  # or the sums do not have it: numerators that are rounded, infinite values
            decided[REFUSED, here] = 1
    decided[BY_VALUE] = open_still
    return decided
