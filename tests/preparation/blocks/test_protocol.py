"""What a plugin reads of a block is what the block says, whether lists were prepared row by row or left as they are."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps
from typing import Any, ClassVar

import numpy as np
import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.conventions.convention import CONVENTIONS, NUMBER, Convention, SettingType
from rankconv.data.joined import Joined
from rankconv.engine import measure, plan
from rankconv.metrics import METRICS
from rankconv.metrics.gains import GAIN
from rankconv.preparation.arithmetic import CumulativeSum
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.grade_table_block import GradeTableBlock
from rankconv.preparation.blocks.row_block import RowBlock
from tests.laws import examples
from tests.laws.test_laws import bits, different, group_by_group

LABELS = {"u": {"a": 2, "b": 1, "x": 0}, "v": {"a": 1}, "w": {"c": 3, "d": 3, "e": 0.5}, "z": {"c": 1}}
RUN = {"u": ["a", "x", "b", "y"], "v": ["x", "a", "b"], "w": ["x", "c", "d", "e"], "z": ["d", "c"]}
SCORED = {user: [(item, 9.0 - place) for place, item in enumerate(items)] for user, items in RUN.items()}

NOT_OF_USERS = {
    "evaluates_each_call": "of the definition and the data",
    "deepest": "how far down others read, by which ideal lists are shared",
    "prepared": "the rows themselves, of lists that were prepared row by row",
    "hit_rows": "as prepared",
    "joined": "the data, not the block",
    "preparation": "the definition",
    **dict.fromkeys(("once", "part"), "asked with what it gives a block to"),
    "worth": "asked with grades",
    "stacked": "asked with values",
    "gains_of_known": "by label, as known",
    "known": "by label",
    "rank_of_known": "by label",
    "score_of_known": "by label",
    "reasons": "words",
    "thresholds": "asked with what it goes by",
    "at_end_of_tie": "asked with sums",
    "filtered_ranks": "two arrays, of relevant rows alone",
    **dict.fromkeys(
        ("sum", "count", "number", "numbers", "ranks_down_to", "of_ranks", "at_ranks", "discounted"),
        "asked with values",
    ),
    "sum_of_known": "asked with values by label",
    "by_rank": "asked with values by row",
    **dict.fromkeys(("unjudged_rows", "judged_miss_rows"), "by row"),
    **dict.fromkeys(
        ("averages_ties", "tie_draws", "repeated_ties", "tied_factors", "factors_of_items"), "of ties, and not of users"
    ),
    **dict.fromkeys(("chances", "as_results", "with_hits"), "asked with values"),
    **dict.fromkeys(("brief", "running", "total"), "asked with values"),
}
"""What else a block has, that is no array by user or by rank; and what it is."""
ASKED_WITH: dict[str, tuple[Any, ...]] = {
    "labels_above": (0.0,),
    "gains_by_rank": (GAIN("linear"),),
    "ideal_gains": (GAIN("exponential"), None),
    "relevant_gains": (GAIN("exponential"), None),
    "returned_gains": (GAIN("binary"), 2),
    "given_gains": (GAIN("linear"), 2),
    "length_at": (2,),
    "unretrieved_weight": (2,),
    "read_to": (2,),
    "rows_within": (2,),
    "hit_within": (2,),
    "users_of_lists": ("who",),
}
RANKS_OF_THEIR_OWN = (
    "ideal_gains",
    "relevant_gains",
    "given_gains",
    "returned_gains",
    "hits_so_far",
    "grades_so_far",
    "distinct_hits",
    "hit_items",
    "hit_grades_so_far",
    "row_weights_so_far",
    "no_hit_so_far",
)


def joined() -> Joined:
    return rc.join(LABELS, SCORED, catalogue=12)


def read(block: Block, name: str) -> Any:
    """What a plugin gets under this name, as arrays that stand for themselves."""
    value = getattr(block, name)
    value = value(*ASKED_WITH[name]) if callable(value) else value
    if isinstance(value, CumulativeSum):
        return np.vstack([value.sums, value.above, value.down_to, value.at(2), value.at(None), value.whole])
    if name.endswith("_gains"):
        each = np.array([value[rank] for rank in range(len(value))]).reshape(len(value), block.size)
        assert np.array_equal(value[:], each)
        assert np.array_equal(np.asarray(value), each)
        assert np.array_equal(np.array(value[1:2]), each[1:2])
        return each
    return np.asarray(value)


NAMES = [name for name in dir(Block) if not name.startswith("_") and name not in NOT_OF_USERS]
NAMES += ["users", "in_rankings", "label_count", "refused", "aligned_arrays", "tie_rule", "catalogue"]


@pytest.fixture
def probe() -> Iterator[dict[str, list[Any]]]:
    """A plugin metric that reads one name of each block that it gets, and what it found."""
    found: dict[str, list[Any]] = {}
    different()  # kept for all tests, it must not have the metric

    class Probe(plugin.Metric):
        """What does a block say?"""

        name = "probe"

        def per_user(self, block: Block) -> plugin.Ratio:
            for name in NAMES:
                found.setdefault(name, []).append((block.size, block.depth, read(block, name)))
            return plugin.Ratio(np.zeros(block.size), np.ones(block.size))

    yield found
    del METRICS["probe"]


@pytest.mark.parametrize("preset", ["rankconv", "mllib", "trec_eval-c", "sklearn+unretrieved", "recommenders"])
def test_both_ways_say_the_same(preset: str, probe: dict[str, list[Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    first = next(one for one in different() if one.preset == preset)
    asked = replace(rc.preset("rankconv").definition("probe"), preparation=first.preparation)
    measure(joined(), [asked], None)
    as_they_are = {name: list(read) for name, read in probe.items()}
    probe.clear()
    monkeypatch.setattr(plan, "plain_users", lambda joined, *_: np.zeros(len(joined.users), bool))
    measure(joined(), [asked], None)
    for name in NAMES:
        for (size, depth, ours), (_, _, other) in zip(as_they_are[name], probe[name], strict=False):
            assert ours.shape == other.shape, name
            assert np.array_equal(ours, other, equal_nan=ours.dtype.kind == "f"), name
            shapes = {(), (size,), (depth, size), (size, depth), (depth, 1)}
            assert ours.shape in shapes or name in RANKS_OF_THEIR_OWN, name


AT_ONCE = Joined.groups
WHOLE = ["rankconv", "mllib", "trec_eval-c", "rectools", "python-recsys", "recommenders", "sklearn@1.1"]
CUT = [*WHOLE, "sklearn+unretrieved"]


@pytest.fixture
def blocks() -> Iterator[Callable[[rc.Preset, int | None], list[Block]]]:
    """The block of all users under the preparation of a preset for a metric that reads k rows: fast, and row by row."""
    found: list[Block] = []

    class Keeper(plugin.Metric):
        """What are the blocks?"""

        name = "keeper"
        reads_below_cutoff: ClassVar[bool] = False

        def per_user(self, block: Block) -> plugin.Ratio:
            found.append(block)
            return plugin.Ratio(np.zeros(block.size), np.ones(block.size))

    def made(preset: rc.Preset, k: int | None) -> list[Block]:
        preparation = next(
            one for one in different() if one.preset == preset.name and not one.preparation.pools
        ).preparation
        asked = replace(rc.preset("rankconv").definition("keeper", (), k), preparation=preparation)
        measure(joined(), [asked], None)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(plan, "plain_users", lambda joined, *_: np.zeros(len(joined.users), bool))
            patch.setattr(Joined, "groups", AT_ONCE)
            measure(joined(), [asked], None)
        assert [type(block) for block in found] == [GradeTableBlock, RowBlock]
        return found

    yield made
    del METRICS["keeper"]


@pytest.mark.parametrize("preset", WHOLE)
def test_both_ways_say_the_same_of_each_label_and_row(preset: str, blocks: Callable[..., list[Block]]) -> None:
    for name, ours, other in zip(ROW_BY_ROW, *map(by_label_and_row, blocks(rc.preset(preset), None)), strict=True):
        assert np.array_equal(ours, other, equal_nan=ours.dtype.kind == "f"), name


ROW_BY_ROW = [
    *("user", "grade", "relevant", "at_end", "item", "label", "gains", "ranks", "scores"),
    *("row users", "row items", "row grades", "row scores", "hits", "above", "through", "ends"),
]


def by_label_and_row(block: Block) -> list[Any]:
    """What a block says label by label and row by row."""
    known, rows, by_score = block.known, block.prepared.rows, block.thresholds("score")
    of_labels = [known.user, known.grade, known.relevant, known.at_end, known.item, known.label]
    of_labels += [block.gains_of_known(GAIN("exponential")), block.rank_of_known, block.score_of_known]
    sums = by_score.above(block.hits_so_far), by_score.through(block.hits_so_far), by_score.ends
    return [*of_labels, rows.user, rows.item, rows.grade, rows.score, block.hit_rows, *sums]


@pytest.mark.parametrize("size", [1, 3, 4])
@pytest.mark.parametrize("preset", CUT)
def test_lists_that_are_not_read_to_the_end_say_the_same_down_to_there(
    preset: str, size: int, blocks: Callable[..., list[Block]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where single rows are asked for, whole lists are prepared, fewer users at a time than the block has."""
    few = group_by_group(size)
    monkeypatch.setattr(
        Joined, "groups", lambda joined, users, rows, _: (AT_ONCE if rows else few)(joined, users, rows)
    )
    short, whole = blocks(rc.preset(preset), 2)
    by_rank = [name for name in NAMES if name.endswith("_by_rank") and name not in ASKED_WITH]
    for name in (*by_rank, "scores_by_rank", "places", "listed"):
        ours = getattr(short, name)
        assert np.array_equal(ours, getattr(whole, name)[: len(ours)], equal_nan=True), name
    for name in ("distinct_hits", "hit_items", "hit_grades_so_far", "hits_so_far"):
        assert np.array_equal(getattr(short, name).at(2), getattr(whole, name).at(2)), name
    assert np.array_equal(short.known.label, whole.known.label)
    down_to = whole.rank_of_known <= 2
    assert np.array_equal(np.where(down_to, short.rank_of_known, 0), np.where(down_to, whole.rank_of_known, 0))


def test_what_is_shown_cannot_be_written_to() -> None:
    """A plugin that changes an array in place would change the numbers of others."""
    seen: list[str] = []

    class Spoiler(plugin.Metric):
        """What can be spoilt?"""

        name = "spoiler"

        def per_user(self, block: Block) -> plugin.Ratio:
            for name in ("hits_by_rank", "lengths", "relevant_count", "listed", "ranks", "grades_by_rank"):
                with pytest.raises(ValueError, match="read-only"):
                    getattr(block, name)[...] = 7
                seen.append(name)
            with pytest.raises(ValueError, match="read-only"):
                block.hits_so_far.at(2)[...] = 7
            return plugin.Ratio(np.zeros(block.size), np.ones(block.size))

    try:
        for data in (joined(), rc.join(LABELS, {user: items[::-1] for user, items in SCORED.items()})):
            measure(data, [rc.preset("rankconv").definition("spoiler")], None)
    finally:
        del METRICS["spoiler"]
    assert seen


# answers


def copy_of(setting_type: SettingType) -> Any:
    """A plugin's function that says the same, of arrays that it writes anew."""

    @wraps(setting_type.function)
    def same(*data: Any, **more: Any) -> Any:
        value = setting_type.function(*data, **more)
        if isinstance(value, tuple) or not hasattr(value, "__getitem__") or isinstance(value, str):
            return value
        return np.array(value[:]) if np.ndim(value[:]) else value

    same.__module__ = __name__
    return same


@pytest.fixture
def copies(request: pytest.FixtureRequest) -> Iterator[Convention]:
    """Each setting of one convention a second time, as a plugin adds it: with no trait of the first."""
    convention: Convention = CONVENTIONS[request.param]
    names = [name for name in convention.setting_types if name != NUMBER]
    for name in names:
        setting_type = convention.setting_types[name]
        convention.setting(f"copied-{name}", rule=setting_type.rule, **shown_traits(setting_type))(
            copy_of(setting_type)
        )
    yield convention
    for name in names:
        del convention.setting_types[f"copied-{name}"]
    rc.metrics.base.Registry.changed()


def shown_traits(setting_type: SettingType) -> dict[str, Any]:
    """What a setting must tell of itself, whoever writes it; that it leaves lists as they are need not be told."""
    return {name: value for name, value in vars(setting_type.traits).items() if name != "plain"}


def with_copy(definition: rc.Definition, convention: Convention) -> rc.Definition:
    """The same definition, that convention answered by the copy."""
    field = convention.name.replace("-", "_")
    part = next(
        part for part in ("preparation", "metric", "aggregation") if convention.name in getattr(definition, part).stated
    )
    old = getattr(definition, part)
    changed = {**old.fields, field: f"copied-{old.given(convention.name)}"}
    return replace(definition, **{part: type(old).with_settings(changed)})


def asking(convention_name: str) -> list[rc.Definition]:
    """A few definitions for each setting of this convention."""
    found: dict[str, list[rc.Definition]] = {}
    for one in different():
        setting = one.settings.get(convention_name)
        if setting is not None and setting[0] not in "-0123456789":
            found.setdefault(setting, []).append(one)
    return [one for ones in found.values() for one in ones[:: max(1, len(ones) // 4)][:4]]


CLOSED = [name for name, convention in CONVENTIONS.items() if convention.closed]
OPEN = [name for name in CONVENTIONS if name not in CLOSED]


@pytest.mark.parametrize("convention_name", CLOSED)
def test_a_setting_that_would_be_ignored_is_refused(convention_name: str) -> None:
    with pytest.raises(rc.ConventionError, match="which the engine knows by name"):
        CONVENTIONS[convention_name].setting("mine", rule="mine")(lambda: None)


@pytest.mark.parametrize("copies", OPEN[:: examples.of(quick=3, ci=1)], indirect=True)
def test_a_plugins_setting_has_the_same_bits(copies: Convention) -> None:
    data, asked = joined(), asking(copies.name)
    if not asked:
        pytest.skip("no definition of a preset answers it by a name")
    copied = [with_copy(one, copies) for one in asked]
    for ours, other in zip(measure(data, asked, None), measure(data, copied, None), strict=True):
        told = bits(data, ours), bits(data, other)
        assert _without_names(told[0]) == _without_names(told[1]), (ours.definition.text, copies.name)


def _without_names(found: tuple[str, dict[str, tuple[str, str]]]) -> Any:
    mean, users = found
    return mean, {user: (value, state.replace("copied-", "")) for user, (value, state) in users.items()}
