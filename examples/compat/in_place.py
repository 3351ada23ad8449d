"""A plugin of pytest: a library's own tests, run against the drop-in names of rankconv.

    python -m pytest -p examples.compat.in_place --in-place sklearn path/to/sklearn/metrics/tests/test_ranking.py

Where the library is installed, only the names that we offer are exchanged in it; where it is not, ours takes its
place whole. The library's tests come from its package or its repository, and are no part of this project.
"""

import sys
from importlib import import_module, util
from types import ModuleType

import pytest

TORCH_FILES = (
    "auroc",
    "average_precision",
    "fall_out",
    "hit_rate",
    "ndcg",
    "precision",
    "r_precision",
    "recall",
    "reciprocal_rank",
)
"""One function each, which its class of the same file calls: their classes compute by our functions."""
HOMES = {
    "ml_metrics": ("ml_metrics",),
    "sklearn": ("sklearn.metrics", "sklearn.metrics._ranking"),
    "pytrec_eval": ("pytrec_eval",),
    "ranx": ("ranx",),
    "recommenders": ("recommenders.evaluation.python_evaluation",),
    "torchmetrics": (
        "torchmetrics.functional",
        "torchmetrics.functional.retrieval",
        *(f"torchmetrics.{kind}.{file}" for kind in ("functional.retrieval", "retrieval") for file in TORCH_FILES),
    ),
}
"""Where each library keeps the names."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which library."""
    parser.addoption("--in-place", choices=HOMES, help="the library whose names become those of rankconv.compat")


def pytest_configure(config: pytest.Config) -> None:
    """Exchange them before any test is imported."""
    library = config.getoption("--in-place")
    if library:
        put_in_place(library)


def put_in_place(library: str) -> None:
    """Exchange the names of a library, or stand in for it where it is not installed."""
    ours = import_module(f"rankconv.compat.{library}")
    installed = util.find_spec(HOMES[library][0].partition(".")[0]) is not None
    for home in HOMES[library]:
        theirs = import_module(home) if installed else _new(home)
        for name in ours.__all__:
            setattr(theirs, name, getattr(ours, name))


def _new(home: str) -> ModuleType:
    """An empty module of this path, with those above it."""
    above, _, last = home.rpartition(".")
    made = sys.modules.setdefault(home, ModuleType(home))
    made.__path__ = []
    if above:
        setattr(_new(above), last, made)
    return made
