"""A prepared block ends when its readers are done, so that the memory of an evaluation is that of one block."""

import gc
import weakref
from collections.abc import Iterator

import numpy as np
import pytest

import rankconv as rc
from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.engine import plan
from rankconv.engine.plan import BlockReader
from rankconv.preparation.blocks.block import Block

LABELS = {f"u{user}": {f"i{item}": (user + item) % 3 for item in range(0, 12, 2)} for user in range(30)}
LISTS = {user: [f"i{item}" for item in range(10)] for user in LABELS}


@pytest.fixture
def _no_search_for_cycles() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_no_search_for_cycles")
@pytest.mark.parametrize("ideal", ["all-labels", "all-ones", "catalogue", "relevant-labels", "retrieved"])
@pytest.mark.parametrize("levels", ["any-label", "at-least(1)"])
def test_no_block_holds_itself(ideal: str, levels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own, blocks, together = plan._give, list[weakref.ref[Block]](), list[int]()

    def give(reader: BlockReader, block: Block, who: Mask) -> None:
        blocks.append(weakref.ref(block))
        together.append(len({id(one()) for one in blocks if one() is not None}))
        own(reader, block, who)

    monkeypatch.setattr(plan, "_give", give)
    specs = [f"ndcg(ideal={ideal}, relevant={levels})@3", f"ndcg(ideal={ideal}, relevant=at-least(2))@3"]
    values = rc.evaluate(LABELS, LISTS, specs)
    assert np.isfinite([*values.values()]).all()
    assert {one() for one in blocks} == {None}
    assert max(together) == 1


@pytest.mark.parametrize("few", [True, False])
def test_a_block_may_have_no_users(few: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    joined, specs = rc.join({"u": {"a": 2, "b": 1}}, {"u": ["b", "a"]}), ["ndcg", "map", "ndcg(ideal=retrieved)@1"]
    whole = rc.evaluate(joined, specs)
    monkeypatch.setattr(plan, "FEW_ROWS", plan.FEW_ROWS if few else 0)
    monkeypatch.setattr(Joined, "groups", lambda self, users, *_: iter([users[:0], users]))
    assert rc.evaluate(joined, specs).to_dict() == whole.to_dict()
