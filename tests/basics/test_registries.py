"""Entries stand where they ask to stand."""

import pytest

import rankconv as rc
from rankconv.basics.registries import Ordered


def registry(*entries: tuple[str, str]) -> Ordered[str]:
    made = Ordered[str]("step")
    for name, after in entries:
        made.put(name, name.upper(), after)
    return made


def test_the_last_that_came_stands_directly_behind() -> None:
    made = registry(("a", ""), ("c", "a"), ("z", ""), ("b", "a"))
    assert made == {"a": "A", "b": "B", "c": "C", "z": "Z"}
    assert list(made) == ["a", "b", "c", "z"]


def test_what_it_stands_behind_may_come_later() -> None:
    assert list(registry(("c", "b"), ("b", "a"), ("z", ""), ("a", ""))) == ["z", "a", "b", "c"]


def test_under_a_known_name_it_takes_that_place() -> None:
    made = registry(("a", ""), ("b", "a"), ("c", ""))
    made.put("b", "new", "a")
    assert list(made.items()) == [("a", "A"), ("b", "new"), ("c", "C")]


def test_a_ring_is_refused_and_leaves_all_as_it_was() -> None:
    made = registry(("a", ""), ("b", "a"), ("c", "b"))
    with pytest.raises(rc.ConventionError, match="the step 'a' is placed after itself"):
        made.put("a", "A", "c")
    assert list(made) == ["a", "b", "c"]
    made.put("d", "D", "a")
    assert list(made) == ["a", "d", "b", "c"]


def test_what_is_deleted_is_gone() -> None:
    made = registry(("a", ""), ("b", "a"), ("c", "b"))
    del made["b"]
    made.put("d", "D")
    assert list(made) == ["a", "c", "d"]
    with pytest.raises(rc.ConventionError, match=r"'b' is not a step\. Choose one of: a, c, d"):
        made.check_known("b")
