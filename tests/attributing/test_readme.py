"""The divided difference in the README is what the command above it prints."""

import pytest

from tests.readme import printed_and_pasted


def test_the_pasted_waterfall_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    printed, pasted = printed_and_pasted("why", monkeypatch)
    assert printed == pasted, f"the README's waterfall is old; write there:\n{printed}"
