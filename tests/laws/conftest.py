"""These tests prepare small examples as those of a large run."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def _as_large_data(as_large_data: None) -> None:
    """For every test here."""
