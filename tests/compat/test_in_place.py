"""The plugin that runs a library's own tests exchanges names, and stands in where the library is not installed."""

import sys
from importlib import import_module

import pytest

from examples.compat.in_place import HOMES, TORCH_FILES, put_in_place
from rankconv.compat import ml_metrics, torchmetrics


def test_it_stands_in_for_a_library_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HOMES, "ml_metrics", ("a_library_of_nobody.metrics",))
    for name in ("a_library_of_nobody", "a_library_of_nobody.metrics"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    put_in_place("ml_metrics")
    import a_library_of_nobody.metrics as stands_in  # type: ignore[import-not-found]

    assert stands_in.mapk is ml_metrics.mapk
    for name in ("a_library_of_nobody", "a_library_of_nobody.metrics"):
        sys.modules.pop(name)


def test_it_stands_in_at_every_home_of_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    homes = ("another_of_nobody", "another_of_nobody.metrics")
    monkeypatch.setitem(HOMES, "ml_metrics", homes)
    put_in_place("ml_metrics")
    try:
        assert {sys.modules[home].mapk for home in homes} == {ml_metrics.mapk}
    finally:
        for name in homes:
            sys.modules.pop(name, None)


@pytest.mark.parametrize("file", TORCH_FILES)
@pytest.mark.parametrize("kind", ["functional.retrieval", "retrieval"])
def test_each_file_of_torchmetrics_calls_one_of_our_functions(kind: str, file: str) -> None:
    pytest.importorskip("torchmetrics")
    home = import_module(f"torchmetrics.{kind}.{file}")
    assert home.__name__ in HOMES["torchmetrics"]
    assert len(set(vars(home)) & set(torchmetrics.__all__)) == 1
