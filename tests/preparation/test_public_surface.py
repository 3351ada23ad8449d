"""docs/how-to/preparation-steps.md is right: every name and shape that it tells, on random data and both ways."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import rankconv as rc
from rankconv import plugin
from rankconv.conventions.convention import NUMBER, Setting
from rankconv.data.arrays import ExactSum
from rankconv.engine import plan
from rankconv.metrics import METRICS
from rankconv.preparation.blocks.grade_table_block import GradeTableBlock
from rankconv.preparation.blocks.row_block import RowBlock
from rankconv.preparation.step_registry import STEPS
from rankconv.preparation.working_rows import working_block
from tests.readme import DOCS

PAGE = (DOCS / "how-to/preparation-steps.md").read_text("utf-8")
USERS, SEEDS = 30, [0, 1, 2]


def table(after: str) -> list[list[str]]:
    """The cells of the first table behind this heading or sentence."""
    rows = PAGE[PAGE.index(after) :].split("\n|---")[1].split("\n\n")[0].splitlines()[1:]
    return [[cell.strip().strip("`") for cell in row.strip("|").split("|")] for row in rows]


OF_STEPS = table("## What a step is given")
ASKED_OF_STEPS = [[what, shape, "labels-used", about] for what, shape, about in table("Methods:\n")]
OF_BLOCKS = table("## What a metric's setting is given")


def test_the_steps_stand_in_their_order() -> None:
    told = " ".join(PAGE.split("```text\n")[1].split("```")[0].split()).split(", ")
    ours = [name for name, place in STEPS.items() if place.convention.module.startswith("rankconv.")]
    assert told == ours


def data(seed: int) -> dict[str, Any]:
    """Labels with graded, negative and repeated items, and runs with ties, repeats, gaps and short lists."""
    random = np.random.default_rng(seed)
    labels: dict[str, dict[str, float]] = {}
    run: dict[str, list[tuple[str, float]]] = {}
    for user in range(USERS):
        items = [f"i{item}" for item in random.integers(0, 12, random.integers(0, 9))]
        run[f"u{user}"] = [
            (item, float(score)) for item, score in zip(items, random.integers(0, 5, len(items)), strict=True)
        ]
        known = random.permutation(12)[: random.integers(0, 6)]
        labels[f"u{user}"] = {f"i{item}": float(random.integers(-1, 4)) for item in known}
    for user in range(USERS, 2 * USERS):  # whose lists any preparation leaves as they are
        places = random.permutation(12)[: random.integers(1, 9)]
        run[f"u{user}"] = [(f"i{item}", 20.0 - rank) for rank, item in enumerate(places)]
        labels[f"u{user}"] = {f"i{item}": float(random.integers(0, 3)) for item in random.permutation(12)[:4]}
    return {"labels": labels, "run": run}


def sizes(block: Any, working: plugin.WorkingBlock) -> dict[str, int]:
    found = {"users": block.size, "rows": len(working.rows.user), "labels": len(working.labels.user), "1": 1}
    if working.known is not None:
        found["known"] = len(working.known.user)
    if isinstance(block, plugin.Block):
        found["K"] = block.depth
    return found


def shape_of(value: Any) -> tuple[int, ...]:
    return np.shape(value)


def check(what: str, shapes: str, block: Any, working: plugin.WorkingBlock) -> None:
    """The thing exists and has one of the shapes: `number`, `number or None`, `(K, 1) or (K, users)`."""
    value, known = eval(what, {"block": block}), sizes(block, working)
    if shapes.startswith("number"):
        assert value is None or np.isscalar(value), what
        return
    asked = [tuple(known[name] for name in re.findall(r"\w+", one)) for one in shapes.split(" or ")]
    assert isinstance(value, np.ndarray), what
    assert value.shape in asked, (what, value.shape, asked)


@pytest.fixture
def spy() -> Callable[[str, list[list[str]]], list[str]]:
    """Behind a step of preparation, a convention whose answer looks at the block."""
    made: list[str] = []

    def behind(step: str, rows: list[list[str]]) -> list[str]:
        name, seen = f"spy-{len(made)}", list[str]()
        convention = plugin.Convention(name, "What is there?", reads=("block",), neutral="nothing")
        convention.setting("nothing", rule="not looked at", no="")(_nothing)

        def look(block: plugin.WorkingBlock) -> None:
            seen.append(step)
            for what, shapes, *_ in rows:
                check(what, shapes, block, block)

        convention.setting("look", rule="looked at")(look)
        plugin.preparation_step(convention, after=step)
        made.append(name)
        return seen

    return behind


def _nothing(block: plugin.WorkingBlock) -> None:
    """Nothing is looked at."""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_step_finds_what_the_page_tells(seed: int, spy: Callable[[str, list[list[str]]], list[str]]) -> None:
    order = ["start", *STEPS]
    steps = list(STEPS)
    looked = []
    for step in steps:
        there = [row for row in [*OF_STEPS, *ASKED_OF_STEPS] if order.index(row[2]) <= order.index(step)]
        looked.append(spy(step, there))
    told: dict[str, Any] = {f"spy-{number}": "look" for number in range(len(steps))}
    preset = rc.preset("base").replace(name="spied", users="union", order="score", metrics={"precision": {}}, **told)
    given = data(seed)
    for more in (
        {},
        {"labels-used": "aligned-arrays"},
        {"candidates": "with-unretrieved + padded"},
        {"duplicates": "set", "max-depth": "3"},
    ):
        rc.evaluate(given["labels"], given["run"], "precision@4", preset=preset.replace(name="spied", **more))
    assert all(looked)


def test_nothing_can_be_read_before_the_step_that_the_page_tells() -> None:
    early = [what for what, _, since, *_ in OF_STEPS if since == "labels-used" and ".rows." in what]
    missing: list[str] = []

    def look(block: plugin.WorkingBlock) -> bool:
        missing.extend(what for what in early if not hasattr(block.rows, what.rpartition(".")[2]))
        assert block.known is None
        return True

    blocks = rc.join({"u": ["a"]}, {"u": ["a"]})
    assert look(working_block(blocks, np.array([0])))
    assert missing == early


@pytest.fixture
def blocks() -> Iterator[Callable[..., list[plugin.Block]]]:
    found: list[plugin.Block] = []

    class Keeper(plugin.Metric):
        """Which blocks does a metric get?"""

        name = "surface_keeper"

        def per_user(self, block: plugin.Block) -> plugin.Ratio:
            for what, shapes, *_ in OF_BLOCKS:
                check(what, shapes, block, block.prepared)
            for setting, data in RETURNED:
                setting_is_right(setting, data, block)
            found.append(block)
            return plugin.Ratio(np.zeros(block.size), np.ones(block.size))

    def measured(seed: int, **settings: str) -> list[plugin.Block]:
        found.clear()
        given = data(seed)
        preset = rc.preset("base").replace(name="kept", users="union", metrics={"surface_keeper": {}}, **settings)
        rc.evaluate(rc.join(given["labels"], given["run"], catalogue=20), "surface_keeper", preset=preset)
        return list(found)

    yield measured
    del METRICS["surface_keeper"]


ARGUMENTS: dict[str, dict[str, Any]] = {
    "rr-hits": {"scope": 3},
    "ap-denominator": {"k": 3, "scope": 3, "inside": False},
    "hit-rule": {"scope": None},
    "count-of": {"scope": None},
    "auc-weight": {"k": None, "pairs": None},
    "gain": {},
    "discount": {},
}
RETURNED: list[tuple[Setting, dict[str, Any]]] = [
    (rc.convention(convention_name)(name), given)
    for convention_name, given in ARGUMENTS.items()
    for name, setting_type in rc.convention(convention_name).setting_types.items()
    if name != NUMBER and not setting_type.parameters.required
]


def setting_is_right(setting: Setting, given: dict[str, Any], block: plugin.Block) -> None:
    """It returns what the page says of its convention."""
    grades, ranks = np.array([0.0, 1.0, 2.0]), np.arange(1.0, 6)
    per_user = {"block": block, "pairs": block.lengths}
    more = {
        "grades": grades,
        "relevant": grades > 0,
        "level": 0.0,
        "ranks": ranks,
        "highest": grades,
        "own_highest": grades,
        **given,
        **per_user,
    }
    found = setting(**{name: more[name] for name in setting.reads if name in more})
    of_convention = {"gain": [grades.shape], "discount": [ranks.shape], "rr-hits": [(block.size,)] * 2}
    shapes = of_convention.get(setting.convention_name, [(block.size,)])
    parts = list(found) if len(shapes) == 2 else [found]
    assert [shape_of(part) for part in parts] == shapes, setting.text


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("fast", [True, False])
def test_a_metric_finds_what_the_page_tells(
    seed: int, fast: bool, blocks: Callable[..., list[plugin.Block]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "FEW_ROWS", 0)
    if not fast:
        monkeypatch.setattr(plan, "plain_users", lambda joined, *_: np.zeros(len(joined.users), bool))
    kinds = {type(block) for block in blocks(seed, order="score")}
    assert kinds == ({GradeTableBlock, RowBlock} if fast else {RowBlock})
    blocks(seed, order="score", labels_used="aligned-arrays")
    blocks(seed, order="score", ties="rank(average)")
    blocks(seed, order="score", max_depth="cutoff-and-ties")


def test_what_settings_read_is_what_the_page_tells() -> None:
    for conventions, reads, _ in table("## What a metric's setting returns"):
        for name in re.findall(r"[a-z][a-z-]+[a-z]", conventions.split(" and every")[0]):
            assert ", ".join(rc.convention(name).reads)[: len(reads)] == reads, name


def test_a_mean_returns_one_number() -> None:
    values: NDArray[np.float64] = np.array([0.5, 0.25, 1.0])
    summed = ExactSum()
    summed.add(values)
    given = {"summed": summed, "values": values, "sums": [summed, summed]}
    for name, setting_type in rc.convention("aggregate").setting_types.items():
        setting_of = None if setting_type.parameters.required else rc.convention("aggregate")(name)
        if setting_of is not None and "combine" not in setting_of.reads:
            assert isinstance(setting_of(**given), float), name
