"""The ranges in the README are what the command above them prints."""

import pytest

from tests.readme import printed_and_pasted


def test_the_pasted_ranges_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    printed, pasted = printed_and_pasted("sensitivity", monkeypatch)
    assert printed == pasted, f"the README's ranges are old; write there:\n{printed}"
