"""The plan of an evaluation, which blocks which definitions read, and its run: block by block."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rankconv.data.arrays import Codes, Mask
from rankconv.data.attributes import NeedsWholeLists
from rankconv.data.joined import Joined
from rankconv.data.matching import Tables
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.grade_table import (
    PlainRows,
    PreparedLevels,
    TiedOrder,
    TieRule,
    plain_users,
    untied_users,
)
from rankconv.preparation.blocks.row_block import prepare
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.searches import as_evaluated
from rankconv.preparation.ties import TieEffect
from rankconv.preparation.working_rows import WorkingBlock, working_blocks

if TYPE_CHECKING:
    from rankconv.preparation.blocks.grade_table_block import GradeTableBlock

FEW_ROWS = 100
"""Up to so many rows of labels and lists are prepared faster row by row than the fast way is set up."""
SHORT_ROWS = 5000
"""Up to so many rows are looked at whole in one pass faster than first rows in one and whole lists in another."""
FEW_USERS = 500
"""Up to so many users without ties are prepared together with those who have some, which is faster than once more."""


@dataclass(eq=False)
class BlockReader:
    """One who wants prepared lists: a definition, or a search that measures many metrics at once."""

    preparation: Preparation
    k: int | None
    """The metric's cutoff, for the few settings of preparation that read it."""
    rows_read: int | None
    """The rank below which no row is looked at; None where whole lists are."""
    users: Mask
    """Whose lists are wanted of the data that are run, shape (users,)."""
    take: Callable[[Block, Mask], None] = field(repr=False)
    """Is given each prepared block, with who of its users is meant, shape (users of the block,)."""
    ties_by_row: bool = False
    """Whether rows that are tied must be prepared one by one, as they count by their items."""
    copied: bool = False
    """Whether lists and labels are copied for each group of labels, so that fewer of them fit into a block."""
    to_do: int = field(init=False)
    """The number of users whose lists are wanted in all, where data come in parts."""
    done: int = 0
    """Of how many users the lists were given."""
    needs_whole_lists: bool = False
    """Whether it looked below the first rows of lists that were cut, so that it could not be served."""

    def __post_init__(self) -> None:
        self.to_do = int(np.count_nonzero(self.users))


Wanted = Sequence[tuple[BlockReader, Mask]]
"""Readers, each with the users whose lists it gets, shape (users,)."""


@dataclass(frozen=True, eq=False)
class PlainPass:
    """Users whose lists preparation leaves as they are, for readers who look equally deep."""

    rows: int | None
    """So many rows of each list are looked at; None for all."""
    levels: dict[Preparation, PreparedLevels]
    """What each preparation makes of each grade."""
    alone: Mapping[Preparation, Mask]
    """Whose lists each preparation leaves as they are, shape (users,)."""
    wanted: Wanted
    order: TiedOrder | None = None
    """How rows stand where tied ones are ordered, or share what they are worth."""

    @property
    def deepest(self) -> int | None:
        """The rank down to which lists are looked at, below the last cutoff where ties reach so far; None for all."""
        return self.rows if self.order is None else self.order.depth


@dataclass(frozen=True, eq=False)
class Plan:
    """Which users are prepared by the levels of their grades alone, which row by row, and for which readers."""

    plain: list[PlainPass]
    by_row: dict[tuple[Preparation, int | None], list[tuple[BlockReader, Mask]]]
    """By preparation, and by the cutoff where the preparation reads it."""

    @classmethod
    def of(cls, joined: Joined, readers: Sequence[BlockReader]) -> "Plan":
        """The plan for these readers.

        Readers of whole lists and readers of first rows get passes of their own over the users whose lists preparation
        leaves as they are, unless there are few rows; all other users are prepared once for both.
        """
        made, rows = cls([], {}), joined.rankings.row_count + joined.labels.row_count
        if rows <= FEW_ROWS or joined.levels is None or joined.rankings.has_calls or joined.has_spans:
            made._prepare_by_row((reader, reader.users) for reader in readers)
            return made
        passes = [readers]
        if rows > SHORT_ROWS:
            passes = [[one for one in readers if bool(one.rows_read) == cut] for cut in (True, False)]
        for some in passes:
            made._split(joined, some, _rows_read(some))
        return made

    def _split(self, joined: Joined, readers: Sequence[BlockReader], rows: int | None) -> None:
        ways = _UnchangedLists(joined, rows)
        plain, tied = list[tuple[BlockReader, Mask]](), dict[TiedOrder, list[tuple[BlockReader, Mask]]]()
        for reader in readers:
            untied, left = ways.of(reader.preparation, reader.users)
            both = len(joined.users) <= FEW_USERS
            order, users = ways.tied(reader.preparation, reader.users if both else left)
            if order is not None and not reader.ties_by_row:
                tied.setdefault(order, []).append((reader, users))
                untied, left = untied & ~users, left & ~users
            if untied.any():
                plain.append((reader, untied))
            self._prepare_by_row([(reader, left)])
        if plain:
            self.plain.append(PlainPass(rows, ways.levels, ways.plain, plain))
        self.plain.extend(PlainPass(rows, ways.levels, ways.but_for_ties, some, order) for order, some in tied.items())

    def _prepare_by_row(self, wanted: Iterable[tuple[BlockReader, Mask]]) -> None:
        for reader, users in wanted:
            if users.any():
                key = (reader.preparation, reader.k if reader.preparation.reads_cutoff else None)
                self.by_row.setdefault(key, []).append((reader, users))


def _rows_read(readers: Sequence[BlockReader]) -> int | None:
    """How many first rows of each list these readers look at; None where one of them looks at whole lists."""
    read = [one.rows_read or 0 for one in readers]
    return max(read) if all(read) and read else None


class _UnchangedLists:
    """Which users' lists a preparation leaves as they are, computed once for readers who want equal users."""

    def __init__(self, joined: Joined, rows: int | None) -> None:
        self._joined, self._rows = joined, rows
        self.levels: dict[Preparation, PreparedLevels] = {}
        self.plain: dict[Preparation, Mask] = {}
        """Whose lists a preparation leaves as they are, shape (users,)."""
        self.but_for_ties: dict[Preparation, Mask] = {}
        """Whose lists it leaves as they are but for the order of ties, likewise."""
        self._known: dict[tuple[Preparation, int], tuple[Mask, Mask]] = {}
        self._tied: dict[tuple[Preparation, int], tuple[TiedOrder | None, Mask]] = {}
        self._orders: dict[tuple[str, bool, bool, bytes], TiedOrder | None] = {}

    def of(self, preparation: Preparation, users: Mask) -> tuple[Mask, Mask]:
        """Those of the users whose lists the preparation leaves as they are, and the others, both of shape (users,)."""
        key = preparation, id(users)
        if key not in self._known:
            if preparation not in self.plain:
                self.plain[preparation] = self._left_alone(preparation)
            plain = self.plain[preparation]
            self._known[key] = users & plain, users & ~plain
        return self._known[key]

    def tied(self, preparation: Preparation, users: Mask) -> tuple[TiedOrder | None, Mask]:
        """How a preparation orders ties, and which of these users' lists it leaves as they are, shape (users,).

        There is no order where it must look at single rows.
        """
        key = preparation, id(users)
        if key not in self._tied:
            self._tied[key] = self._found_tied(preparation, users)
        return self._tied[key]

    def _found_tied(self, preparation: Preparation, users: Mask) -> tuple[TiedOrder | None, Mask]:
        rule = TieRule.of(preparation) if users.any() else None
        if rule is None or not (users & ~untied_users(self._joined, preparation, self._rows)).any():
            return None, users
        if preparation not in self.but_for_ties:
            self.but_for_ties[preparation] = self._left_alone(preparation, rule)
        able = users & self.but_for_ties[preparation]
        return (self._order(rule, preparation) if able.any() else None), able

    def _order(self, rule: TieRule, preparation: Preparation) -> TiedOrder | None:
        grades = self.levels[preparation].grade
        key = rule.ties.text, rule.narrow, rule.ranked, grades.tobytes() if rule.by_grade else b""
        if key not in self._orders:
            self._orders[key] = TiedOrder.of(self._joined, rule, self._rows, grades)
        return self._orders[key]

    def _left_alone(self, preparation: Preparation, *ties: TieRule) -> Mask:
        plain = plain_users(self._joined, preparation, self._rows, *ties)
        if not plain.any():
            return plain
        self.levels[preparation] = PreparedLevels.of(self._joined, preparation)
        return plain & self.levels[preparation].allow(self._joined)


def any_of(masks: Iterable[Mask]) -> Codes:
    """The users who are in any of these masks, each of shape (users,)."""
    different = {id(mask): mask for mask in masks}
    return np.flatnonzero(np.logical_or.reduce(list(different.values())))


WORTH_TAKING_OUT = 0.5
"""The share of users wanted below which the others are taken out of the rows."""
ProgressCallback = Callable[[Sequence[BlockReader]], None]
"""Called after each block of users what there is to do, and how far it is done."""


def run(joined: Joined, readers: Sequence[BlockReader], report: ProgressCallback | None = None) -> None:
    """Give each reader the prepared lists of the users that it wants, block by block.

    NeedsWholeLists where lists were cut to their first rows, and a reader looks at more.
    """
    cut = joined.rankings.form.cut is not None
    if cut and any(one.rows_read is None for one in readers):
        raise NeedsWholeLists
    tell = partial(report, readers) if report else _nobody_listens
    by_data: dict[Joined, list[BlockReader]] = {}
    for reader in readers:
        data = as_evaluated(joined, reader.preparation.settings) if joined.settings_change_it else joined
        by_data.setdefault(data, []).append(reader)
    for data, some in by_data.items():
        plan = Plan.of(data, some)
        for one in plan.plain:
            _run_plain(data, one, tell)
        if cut and (plan.by_row or any(one.needs_whole_lists for one in some)):
            raise NeedsWholeLists
        if plan.by_row:
            _run_by_row(data, plan, tell)


def _nobody_listens() -> None:
    """Used where progress is not reported."""


Part = tuple[Joined, Mask]
"""Data that have the users of all data and the rows of some of them, and which these are, shape (users,)."""


def run_in_parts(parts: Iterable[Part], readers: Sequence[BlockReader], report: ProgressCallback | None = None) -> None:
    """Give each reader the prepared lists of the users that it wants; each user is in one part."""
    wanted = {id(reader.users): reader.users for reader in readers}
    masks = [id(reader.users) for reader in readers]
    for joined, inside in parts:
        within = {mask: users & inside for mask, users in wanted.items()}
        for reader, mask in zip(readers, masks, strict=True):
            reader.users = within[mask]
        run(joined, readers, report)
        del joined  # before the next part is read


def run_first_rows(joined: Joined, readers: Sequence[BlockReader], report: ProgressCallback | None = None) -> None:
    """Give each reader lists that were cut to their first rows, where these decide; others then need whole lists."""
    able = [one for one in readers if one.rows_read is not None]
    plan = Plan.of(joined, able)
    by_row = {id(reader) for wanted in plan.by_row.values() for reader, _ in wanted}
    for reader in readers:
        reader.needs_whole_lists = reader.rows_read is None or id(reader) in by_row
    for one in plan.plain:
        _run_plain(joined, one, partial(report, able) if report else _nobody_listens)


class GradeTableBlocks:
    """The prepared blocks of the users of these rows; preparations with the same result for all rows share one."""

    def __init__(
        self, source: PlainRows, levels: dict[Preparation, PreparedLevels], alone: Mapping[Preparation, Mask]
    ) -> None:
        """`alone` says for each preparation whose lists it leaves as they are, of all users, shape (users,)."""
        self._source, self._levels, self._alone = source, levels, alone
        self._left: dict[Preparation, bytes] = {}

    def shared(self, wanted: Wanted) -> Iterator[tuple["GradeTableBlock", Wanted]]:
        """The different blocks, each with all readers of it; one is made when the readers of the last one are done."""
        by_block: dict[Hashable, list[tuple[BlockReader, Mask]]] = {}
        for reader, who in wanted:
            by_block.setdefault(self._key(reader.preparation, reader.k), []).append((reader, who))
        for some in by_block.values():
            yield self._block(some[0][0].preparation, some[0][0].k), some

    def _key(self, preparation: Preparation, k: int | None) -> Hashable:
        """Equal where preparations, each for a metric with a cutoff, share their block."""
        levels, depth = self._levels[preparation], k if preparation.cut else None
        gate = preparation.given("min-score")
        same = levels.signature, levels.scores, preparation.given("relevant"), preparation.of_groups, gate
        return (*same, depth, self._leaves(preparation))

    def _block(self, preparation: Preparation, k: int | None) -> "GradeTableBlock":
        """The block under this preparation, for a metric with this cutoff."""
        from rankconv.preparation.blocks.grade_table_block import ExpectedBlock, GradeTableBlock  # few rows need none

        expected = self._source.order is not None and preparation.tie_rule is TieEffect.EXPECTED
        kind = ExpectedBlock if expected else GradeTableBlock
        return kind(self._source, preparation, k, self._levels[preparation])

    def _leaves(self, preparation: Preparation) -> bytes:
        """Whose lists the preparation leaves as they are; the single rows of all others are prepared in its own way.

        Empty where it leaves all.
        """
        if preparation not in self._left:
            alone = self._alone[preparation][self._source.users]
            self._left[preparation] = b"" if alone.all() else alone.tobytes()
        return self._left[preparation]


def _run_plain(joined: Joined, plain_pass: PlainPass, tell: Callable[[], None]) -> None:
    tables, copied = Tables(), any(reader.copied for reader, _ in plain_pass.wanted)
    for users in joined.groups(any_of(who for _, who in plain_pass.wanted), plain_pass.deepest, copied):
        blocks = GradeTableBlocks(
            PlainRows(joined, users, plain_pass.rows, tables, plain_pass.order), plain_pass.levels, plain_pass.alone
        )
        for block, wanted in blocks.shared(plain_pass.wanted):
            for reader, who in wanted:
                if reader.needs_whole_lists:
                    continue
                try:
                    _give(reader, block, who)
                except NeedsWholeLists:
                    reader.needs_whole_lists = True
            del block  # before the next one is filled
        tell()


def _run_by_row(joined: Joined, plan: Plan, tell: Callable[[], None]) -> None:
    every = [one for wanted in plan.by_row.values() for one in wanted]
    copied = any(reader.copied for reader, _ in every)
    for rows in working_blocks(joined, any_of(who for _, who in every), copied):
        for (preparation, k), wanted in plan.by_row.items():
            block = prepare(_of_wanted_users(rows, wanted).copy(k), preparation)
            for reader, who in wanted:
                _give(reader, block, who)
        tell()


def _of_wanted_users(rows: WorkingBlock, wanted: Wanted) -> WorkingBlock:
    """The rows of the users that are wanted, where they are few enough for it to be worth the while; else all rows."""
    users = np.logical_or.reduce([who[places(rows.users)] for _, who in wanted])
    few = np.count_nonzero(users) < WORTH_TAKING_OUT * len(users)
    return rows.of(users) if few else rows


def _give(reader: BlockReader, block: Block, who: Mask) -> None:
    inside = who[places(block.users)]
    reader.done += int(inside.sum())
    reader.take(block, inside)


def places(users: Codes) -> Codes | slice:
    """These users, shape (users,); as a slice where they follow each other."""
    if len(users) and users[-1] - users[0] == len(users) - 1:
        return slice(int(users[0]), int(users[-1]) + 1)
    return users
