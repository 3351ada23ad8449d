"""Cases that share a test: each is tried, and every one that fails is told."""

from inspect import signature

import pytest

from tests.together import together

CASES = [(1, 1), pytest.param(2, 3, id="two"), (3, 4), (10, 10)]


@together("one, other", CASES, by=lambda one, other: "large" if one > 5 else "small")
def equal(one: int, other: int, none: int) -> None:
    if one == 3:
        pytest.fail("three")
    assert one == other + none


def test_every_case_that_fails_is_told_and_others_are_tried() -> None:
    with pytest.raises(AssertionError, match=r"(?s)^2 of 3 fail\ntwo: AssertionError: .*\n3-4: Failed: three"):
        equal(group="small", none=0)
    equal(group="large", none=0)
    [mark] = equal.pytestmark
    assert mark.args == ("group", ["small", "large"])


def test_fixtures_come_as_to_any_test() -> None:
    assert list(signature(equal).parameters) == ["group", "none"]
