"""Locks: what differs from them is refused by name, whatever the verdict would be."""

from pathlib import Path
from typing import Any

import pytest

import rankconv as rc

LABELS: dict[int, dict[str, int]] = {user: {"a": 2, "b": 1} for user in range(30)} | {30: {}}
RUN = {user: ["x", "b", "a"] for user in range(31)}


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    file = tmp_path / "lock.json"
    assert decided(file).verdict == "fail"
    assert file.exists()
    return file


def decided(file: Path, metric: Any = "ndcg@3", preset: Any = None, labels: Any = LABELS, run: Any = RUN) -> Any:
    return rc.gate(labels, run, metric, preset, at_least=0.7, lock=file)


def test_the_same_gate_agrees_with_its_lock_whatever_the_run(lock: Path) -> None:
    before = lock.read_text()
    assert decided(lock).notes == [f"All is as locked in {lock}."]
    better = {user: ["a", "b"] for user in range(31)}
    assert decided(lock, run=better).verdict == "pass"
    shuffled = dict(reversed([(user, dict(reversed(grades.items()))) for user, grades in LABELS.items()]))
    assert decided(lock, labels=shuffled).verdict == "fail"
    assert lock.read_text() == before


def test_an_edited_preset_cannot_turn_fail_into_pass(lock: Path, tmp_path: Path) -> None:
    """The law: any change of a setting that acts is refused with its name, also by another preset."""
    easier = tmp_path / "easier.yaml"
    easier.write_text(
        "name: easier\nextends: rankconv\nsummary: Easier.\nsource: {kind: own}\nmetrics: {ndcg: {ideal: retrieved}}\n"
    )
    for metric, preset, names in (
        (
            "ndcg(ideal=retrieved)@3",
            None,
            ["ndcg@3 is locked, and not evaluated", "ndcg(ideal=retrieved)@3 is evaluated"],
        ),
        ("ndcg@3", rc.preset("rankconv").replace(ideal="retrieved"), ["ideal retrieved, locked: all-labels"]),
        ("ndcg@3", rc.preset("rankconv").replace(gain="exponential"), ["gain exponential, locked: linear"]),
        ("ndcg@3", "mllib", ["gain binary, locked: linear", "on-no-relevant 0"]),
        ("ndcg@5", None, ["ndcg@3 is locked, and not evaluated"]),
        (["ndcg@3", "map"], None, ["map is evaluated, and not locked"]),
    ):
        with pytest.raises(rc.InputError) as error:
            decided(lock, metric, preset)
        assert all(name in str(error.value) for name in names), str(error.value)


def test_other_labels_and_users_are_refused_by_name(lock: Path) -> None:
    fewer = {user: grades for user, grades in LABELS.items() if user != 3}
    for labels, run, names in (
        (LABELS | {3: {"a": 1, "b": 1}}, RUN, ["ndcg@3: grades"]),
        (LABELS | {3: {"a": 1, "z": 1}}, RUN, ["ndcg@3: labels"]),
        (fewer, RUN, ["ndcg@3: labels", "users 29, locked: 30", "user ids"]),
    ):
        with pytest.raises(rc.InputError) as error:
            decided(lock, labels=labels, run=run)
        assert all(name in str(error.value) for name in names), str(error.value)
    lock.unlink()
    ranked = "ndcg(users=intersection)@3"
    decided(lock, ranked)
    with pytest.raises(rc.InputError, match=r"users 29, locked: 30; .*user ids"):
        decided(lock, ranked, run={user: items for user, items in RUN.items() if user != 3})


def test_what_cannot_be_locked_is_refused(lock: Path) -> None:
    lock.write_text("{}")
    with pytest.raises(rc.InputError, match="not a lock"):
        decided(lock)
    lock.write_text('{"form": 7, "metrics": {}}')
    with pytest.raises(rc.InputError, match="form 7"):
        decided(lock)
    lock.unlink()

    def half(grade: Any) -> Any:
        return grade / 2

    with pytest.raises(rc.InputError, match="has no fingerprint"):
        decided(lock, rc.metric("ndcg@3").replace(gain=half))
    assert not lock.exists()
