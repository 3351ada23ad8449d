"""The plugin that runs a library's own tests exchanges names, and stands in where the library is not installed."""

import sys

import pytest

from examples.compat.in_place import HOMES, put_in_place
from rankconv.compat import ml_metrics


def test_it_stands_in_for_a_library_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HOMES, "ml_metrics", ("a_library_of_nobody.metrics",))
    for name in ("a_library_of_nobody", "a_library_of_nobody.metrics"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    put_in_place("ml_metrics")
    import a_library_of_nobody.metrics as stands_in  # type: ignore[import-not-found]

    assert stands_in.mapk is ml_metrics.mapk
    for name in ("a_library_of_nobody", "a_library_of_nobody.metrics"):
        sys.modules.pop(name)
