"""What is asked for in words: specs, names of columns, preset files, published numbers, saved results."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankconv as rc
from rankconv.basics.errors import InputError
from rankconv.data.inputs.columns import find_columns
from rankconv.data.inputs.input_rows import ColumnSpec
from rankconv.data.inputs.usual_names import USUAL_NAMES
from rankconv.presets.folders import shipped
from tests.fuzzing.mutating import mutated, outcome, searching

SPECS = [
    "ndcg@10",
    "blog:map@5,10,20",
    "trec_eval:P_5",
    "mllib:ndcgAt(10)",
    "rankconv:ndcg(ties=expected, gain=table(1=1, 2=5))@5,10",
    "map(ap-denominator=min(k, relevant))@3",
    "dcg(discount=log(base=e))@3",
]
PRESET = b"""name: mine
title: A test
extends: base
cite:
  - {key: k, title: t, year: 2001}
preparation: {order: score, ties: expected, relevant: at-least(1)}
aggregation: {on-no-relevant: 0}
metrics:
  default: {gain: table(1=2)}
  ndcg: &graded {gain: exponential, discount: log(base=2), called: "N_{k}"}
  dcg: {<<: *graded, gain: binary, with-k: {gain: grade}}
checks:
  - {rankings: {u: [a, b]}, labels: {u: {a: 1}}, metric: ndcg@2, value: "1"}
"""
PUBLISHED = b"""name: mine
title: A test
preset: blog
inputs:
  five: {labels: {u: [1, 2], v: {3: 2}}, rankings: {u: [1, 6], v: [3, '4..6']}}
tables:
  - where: table 1
    numbers:
      - {metric: precision@2, printed: "0.5"}
      - {metric: map, at: {1: "1.0", 2: 1/2}, user: u}
"""
NAMES = [name for names in USUAL_NAMES.values() for name in names]


@searching
@given(text=mutated(st.sampled_from(SPECS).map(str.encode)), preset=st.sampled_from(["rankconv", "trec_eval", "mllib"]))
def test_specs(text: bytes, preset: str) -> None:
    said = text.decode(errors="replace")
    found = outcome(lambda: rc.preset(preset).define(said))
    for one in found if isinstance(found, list) else []:
        assert rc.preset(one.text.partition(":")[0]).define(one.text.partition(":")[2]) == [one]


@searching
@given(
    columns=st.lists(st.sampled_from(NAMES) | st.sampled_from(NAMES).map(str.upper) | st.text(max_size=5), unique=True),
    named=st.dictionaries(st.sampled_from(["user", "item", "grade"]), st.sampled_from(NAMES)),
)
def test_columns_are_found_once_or_refused(columns: list[str], named: dict[str, str]) -> None:
    wanted = ColumnSpec("labels", {"user": None, "item": None, "grade": None} | named)
    found: Any = outcome(lambda: find_columns(columns, wanted, "a table"))
    if not isinstance(found, InputError):
        assert {"user", "item"} <= found.keys() <= {"user", "item", "grade"}
        assert len(set(found.values())) == len(found)
        assert set(found.values()) <= set(columns)
        assert named.items() <= found.items()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.yaml"


@searching
@given(text=mutated(st.just(PRESET)))
def test_presets(file: Path, text: bytes) -> None:
    file.write_bytes(text)
    found = outcome(lambda: rc.preset(file))
    for key in found.metrics if isinstance(found, rc.Preset) else []:
        assert outcome(lambda key=key: found.define(f"{key}@3"))


@searching
@given(data=st.data())
def test_shipped_presets_mutated(file: Path, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(sorted(shipped()))).join(["", ""])
    name = data.draw(st.sampled_from(sorted(set(shipped()) - {"base"})))
    source = shipped()[name].read_bytes().replace(f"name: {name}\n".encode(), b"name: mine\n" + text.encode())
    file.write_bytes(data.draw(mutated(st.just(source))))
    outcome(lambda: rc.preset(file))


@searching
@given(text=mutated(st.just(PUBLISHED)))
def test_published_numbers(file: Path, text: bytes) -> None:
    file.write_bytes(text)
    outcome(lambda: rc.reproduce(file).ok)


LABELS, RUN = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}, "eve": {"d": 0}}, {"ada": ["a", "x"], "bob": ["y", "c"]}
SAVED_SPECS = ["ndcg@2", "trec_eval:map"]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("saved") / "a.json"
    rc.evaluate(LABELS, RUN, SAVED_SPECS, on_error="collect").save(path)
    return path.read_bytes()


def use(path: Path) -> str:
    """All that one does with a result."""
    found = rc.Result.load(path)
    for spec in found:
        assert len(found.per_user[spec]) == len(found.state[spec]) == len(found.users)
    return f"{found.to_dict()} {found.to_markdown()} {found.to_frame()} {found!r}"


@searching
@given(data=st.data())
def test_saved_results(file: Path, saved: bytes, data: st.DataObject) -> None:
    file.write_bytes(data.draw(mutated(st.just(saved))))
    outcome(lambda: use(file))


json_values = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.just([]) | st.just({})


@searching
@given(data=st.data())
def test_saved_results_of_other_shapes(file: Path, saved: bytes, data: st.DataObject) -> None:
    """One value anywhere in the tree is another, or missing."""
    tree = json.loads(saved)
    place: Any = tree
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        inner = place[key]
        if not (isinstance(inner, dict | list) and inner and data.draw(st.booleans())):
            break
        place = inner
    if data.draw(st.booleans()):
        place[key] = data.draw(json_values)
    else:
        del place[key]
    file.write_text(json.dumps(tree))
    outcome(lambda: use(file))
