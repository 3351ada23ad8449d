"""The parts of a check in the README are parts of what the command above them prints."""

import pytest

from tests.readme import printed_and_pasted


def test_the_pasted_check_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    printed, pasted = printed_and_pasted("check", monkeypatch)
    parts = printed.rstrip("\n").split("\n\n")
    for part in pasted.rstrip("\n").split("\n\n"):
        assert part in parts, f"the README's check is old; write there:\n{printed}"
