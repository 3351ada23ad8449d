"""The pictures of definitions on pages: MovieLens under six presets, and the metrics of one run under all.

`python -m tests.generate pictures` writes them.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import rankconv as rc
from rankconv.evaluation.results.strips import strips
from rankconv.rendering.pages.web.strip_svg import strip_svg
from rankconv.typing import Comparison

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
SIX = ("trec_eval", "rankconv", "ranx", "mllib", "sklearn", "lightgbm")
"""Presets of the front page."""


def module(folder: str, name: str) -> Any:
    """Return the module of an example, which imports those next to it; some are called as libraries are."""
    known = set(sys.modules)
    sys.path.insert(0, str(EXAMPLES / folder))
    try:
        return import_module(name)
    finally:
        sys.path.pop(0)
        for other in sys.modules.keys() - known:
            if Path(getattr(sys.modules[other], "__file__", None) or "").parent == EXAMPLES / folder:
                del sys.modules[other]


def six_presets() -> Comparison:
    """Compare the two recommenders of the example by NDCG@10."""
    example = module("movielens", "compare_presets")
    split = example.split_by_time(example.load_ratings())
    return rc.compare(example.labels_of(split), example.runs_of(split), "ndcg@10", SIX)


def files() -> dict[Path, str]:
    """Return every picture."""
    folder = HERE / "explanation"
    found = {folder / "one-run" / f"{name}.svg": svg for name, svg in module("ragged", "values").pictures().items()}
    return {HERE / "six-presets.svg": strip_svg(strips(six_presets())), **found}
