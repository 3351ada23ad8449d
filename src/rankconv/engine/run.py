"""From joined data and definitions to numbers: planned, judged block by block, added up, averaged."""

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b

import numpy as np

from rankconv.data.arrays import Mask, Numbers
from rankconv.data.attributes import NeedsWholeLists
from rankconv.data.joined import Joined
from rankconv.data.matching import Tables
from rankconv.engine.aggregate import Aggregate, places
from rankconv.engine.metric_result import Measured
from rankconv.engine.plan import PlainPass, Plan, Reader, Stop, Wanted, any_of
from rankconv.engine.resampling import reported
from rankconv.preparation.block import Block
from rankconv.preparation.blocks import GradeTableBlocks
from rankconv.preparation.grade_table import PlainRows
from rankconv.preparation.row_block import judge
from rankconv.preparation.rows import WorkingBlock, working_blocks
from rankconv.presets.definition import Definition

WORTH_TAKING_OUT = 0.5
"""The share of users wanted below which the others are taken out of the rows."""
ProgressCallback = Callable[[Sequence[Reader]], None]
"""Called after each block of users what there is to do, and how far it is done."""


def measure(
    joined: Joined,
    definitions: Sequence[Definition],
    chosen: Mask | None,
    *,
    per_user: bool = True,
    report: ProgressCallback | None = None,
) -> list[Measured]:
    """Evaluate all definitions, in as few passes over the users as they allow.

    `chosen` restricts the population, shape (users,); without `per_user` only means and counts are kept.
    """
    masks = populations(joined, definitions, chosen)
    looked_at = [masks[one.aggregation.given("users")] for one in definitions]
    stops = [Stop.of(joined, one) for one in definitions]
    found = [Aggregate(one, len(joined.users), per_user) for one in definitions]
    each = list(zip(found, looked_at, stops, strict=True))
    run(joined, [one.reader(users) for one, users, stop in each if stop is None], report)
    return [one.finish(joined.users, users, stop) for one, users, stop in each]


def measure_first_rows(
    joined: Joined,
    definitions: Sequence[Definition],
    chosen: Mask | None,
    *,
    per_user: bool,
    report: ProgressCallback | None,
) -> list[Measured | None]:
    """Evaluate the definitions on lists that were cut to their first rows; None for those that need whole lists.

    `chosen` restricts the population, shape (users,).
    """
    masks = populations(joined, definitions, chosen)
    looked_at = [masks[one.aggregation.given("users")] for one in definitions]
    found = [Aggregate(one, len(joined.users), per_user) for one in definitions]
    stops = [Stop.of(joined, one) for one in definitions]
    readers = [one.reader(users) for one, users in zip(found, looked_at, strict=True)]
    able = [one for one, stop in zip(readers, stops, strict=True) if stop is None and one.rows_read is not None]
    plan = Plan.of(joined, able)
    for wanted in plan.by_row.values():
        for reader, _ in wanted:
            reader.needs_whole_lists = True
    for some in plan.plain:
        _run_plain(joined, some, partial(report, able) if report else _nobody_listens)
    each = zip(found, looked_at, stops, readers, strict=True)
    return [
        one.finish(joined.users, users, stop)
        if stop or (reader.rows_read is not None and not reader.needs_whole_lists)
        else None
        for one, users, stop, reader in each
    ]


def populations(joined: Joined, definitions: Sequence[Definition], chosen: Mask | None) -> dict[str, Mask]:
    """The population of each setting to `users`, shape (users,); definitions with one setting share the mask."""
    settings = {one.aggregation.given("users"): one.aggregation.settings["users"] for one in definitions}
    found: dict[str, Mask] = {text: setting(joined=joined) for text, setting in settings.items()}
    return found if chosen is None else {text: users & chosen for text, users in found.items()}


def run(joined: Joined, readers: Sequence[Reader], report: ProgressCallback | None = None) -> None:
    """Give each reader the judged lists of the users that it wants, block by block.

    NeedsWholeLists where lists were cut to their first rows, and a reader looks at more.
    """
    cut = joined.rankings.form.cut is not None
    if cut and any(one.rows_read is None for one in readers):
        raise NeedsWholeLists
    tell = partial(report, readers) if report else _nobody_listens
    plan = Plan.of(joined, readers)
    for one in plan.plain:
        _run_plain(joined, one, tell)
    if cut and (plan.by_row or any(one.needs_whole_lists for one in readers)):
        raise NeedsWholeLists
    if plan.by_row:
        _run_by_row(joined, plan, tell)


def _nobody_listens() -> None:
    """Used where progress is not reported."""


def _run_plain(joined: Joined, plain_pass: PlainPass, tell: Callable[[], None]) -> None:
    tables = Tables()
    for users in joined.groups(any_of(who for _, who in plain_pass.wanted), plain_pass.deepest):
        blocks = GradeTableBlocks(
            PlainRows(joined, users, plain_pass.rows, tables, plain_pass.order), plain_pass.levels, plain_pass.alone
        )
        for reader, who in plain_pass.wanted:
            if reader.needs_whole_lists:
                continue
            try:
                _give(reader, blocks.judged(reader.preparation, reader.k), who)
            except NeedsWholeLists:
                reader.needs_whole_lists = True
        tell()


def _run_by_row(joined: Joined, plan: Plan, tell: Callable[[], None]) -> None:
    for rows in working_blocks(joined, any_of(who for wanted in plan.by_row.values() for _, who in wanted)):
        for (preparation, k), wanted in plan.by_row.items():
            block = judge(_of_those(rows, wanted).copy(k), preparation)
            for reader, who in wanted:
                _give(reader, block, who)
        tell()


def _of_those(rows: WorkingBlock, wanted: Wanted) -> WorkingBlock:
    """The rows of those alone who are wanted, where they are few enough for it to be worth the while."""
    users = np.logical_or.reduce([who[places(rows.users)] for _, who in wanted])
    return rows.of(users) if np.count_nonzero(users) < WORTH_TAKING_OUT * len(users) else rows


def _give(reader: Reader, block: Block, who: Mask) -> None:
    inside = who[places(block.users)]
    reader.done += int(inside.sum())
    reader.take(block, inside)


class Digests:
    """A digest of the values of all users under each definition, while batches of them go by."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self._definitions = definitions
        self._of_each = [blake2b(digest_size=16) for _ in definitions]
        self._of_everybody = {
            (one.aggregation.given("users"), value): blake2b(digest_size=16)
            for one in definitions
            for value in _settings_for_all(one)
        }
        """Of the same value for everybody in the population, which some situations of all data give."""

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Take the values of these users, by the order of the definitions."""
        for digest, one in zip(self._of_each, found, strict=True):
            digest.update(_bytes(one.of_each[0]))
        masks = populations(joined, self._definitions, None) if self._of_everybody else {}
        for (users, value), digest in self._of_everybody.items():
            digest.update(_bytes(np.where(masks[users], np.frombuffer(value)[0], np.nan)))

    def of(self, one: Measured) -> bytes:
        """What tells the values of all users, and the mean, from those of another definition."""
        at = next(place for place, each in enumerate(self._definitions) if each is one.definition)
        digest = self._of_each[at]
        if one.of_all:
            digest = self._of_everybody[one.definition.aggregation.given("users"), _bytes_of(one.mean)]
        return digest.digest() + _bytes_of(one.mean)


def _settings_for_all(definition: Definition) -> list[bytes]:
    """What the definition may say of everybody, for what all data are."""
    settings = definition.aggregation.settings
    policies = [*definition.aggregation.data_policies, *definition.aggregation.judged_policies]
    return [_bytes_of(reported(definition, float(settings[one].keywords.get("value", np.nan)))) for one in policies]


def _bytes_of(value: float) -> bytes:
    return _bytes(np.array([value]))


def _bytes(values: Numbers) -> bytes:
    """Bytes of these values, shape (users,), equal where the values are: NaN equals NaN, and -0 equals 0."""
    return np.where(np.isnan(values), np.nan, values + 0.0).tobytes()
