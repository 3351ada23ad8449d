"""All that rankconv shows in a browser, in one list: a result of each kind, and the files of the package."""

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import rankconv
import rankconv as rc
from rankconv.analysis.reproduce.listing import list_sources
from rankconv.rendering.pages.display import Drawn, PagedResult, RowResult, RowTable, Tabular
from tests.rendering.pages.runs import LABELS, TEN, runs
from tests.test_pickling import CASES, made

PACKAGE = Path(rankconv.__file__).parent
USERS = {str(user): ["a"] for user in range(30)}


def of_all(items: str) -> dict[str, list[str]]:
    """The same list for each user."""
    return {user: list(items) for user in USERS}


def signatures() -> list[str]:
    """Of one run under two presets."""
    return [rc.evaluate(USERS, of_all("xa"), "mrr", name).signatures["mrr"] for name in ("blog", "rankconv")]


OF_CASES = (
    "AgreementResult Attribution ByRank CheckResult Explanation IdentifyResult Leaderboard LearningCurve Methods "
    "Preset RankCurve Reproduction Result SegmentResult SignificanceResult TableIdentifyResult Verification"
).split()
OUTPUTS: dict[str, Callable[[], Any]] = {
    **{name: partial(made, name) for name in OF_CASES},
    "Comparison": lambda: rc.compare(LABELS, runs(3), ["ndcg@5", "map@5"], TEN),
    "ConformResult": lambda: rc.conform(lambda vector: {"mean": 0}, ["rankconv:mrr@3"]),
    "GateResult": lambda: rc.gate(USERS, of_all("xa"), "mrr", at_least=0.6),
    "JointIdentifyResult": CASES["several numbers"],
    "PresetChecks": lambda: rc.check_preset("mllib"),
    "ProtocolMethods": lambda: rc.protocol("fastml").methods(),
    "Report": lambda: rc.report(LABELS, runs(3), ["ndcg@5", "map@5"], TEN),
    "SensitivityResult": lambda: rc.sensitivity(LABELS, runs(3), "ndcg@5", TEN),
    "SignatureComparison": lambda: rc.compare_signatures(*signatures()),
    "SimilarityResult": lambda: rc.similarity({"u": ["a", "b"]}, {"u": ["b", "a"]}),
    "SourceList": list_sources,
    "TestMethods": lambda: rc.test(USERS, {name: of_all(name) for name in ("ab", "ba")}, "mrr").methods(),
}
"""A result of each kind that has a page, by its type."""
IN_NOTEBOOKS: dict[str, Callable[[], Any]] = {
    "Definition": lambda: rc.metric("mllib:ndcg@10"),
    "Labels": lambda: rc.Labels(LABELS),
    "Run": lambda: runs(1).by_name["experiment_0000"],
    "Runs": lambda: runs(3),
}
"""What a notebook shows besides results, by its type."""
OTHERS = ("rankconv.compat", "rankconv.ir", "rankconv.spark", "rankconv.addons.spark", "rankconv.addons.harnesses")
"""Modules that need libraries which are not installed with the tests; they have no results of their own."""
ABSTRACT = {Drawn, RowResult, RowTable, Tabular}
OPENED = {
    "rendering/pages/web/page.js": "tests/rendering/pages/web/test_outputs.py",
    "addons/playground/page/page.html": "tests/addons/playground/test_page.py",
    "addons/playground/page/play.js": "tests/addons/playground/test_page.py",
}
"""Pages and scripts of the package, each with the test that opens it in a browser."""


def kinds() -> set[str]:
    """The type of each result that has a page."""
    for module in walk_packages(rankconv.__path__, "rankconv."):
        if not module.name.startswith(OTHERS):
            import_module(module.name)
    return {one.__name__ for one in _below(PagedResult) if one.__module__.startswith("rankconv.")} - {
        one.__name__ for one in ABSTRACT
    }


def kinds_in_notebooks() -> set[str]:
    """The type of each object besides results that a notebook shows in a form of its own."""
    loaded = [module for name, module in sys.modules.items() if name.startswith("rankconv.")]
    classes = {one for module in loaded for one in vars(module).values() if isinstance(one, type)}
    own = {one for one in classes if "_repr_html_" in vars(one)}
    return {one.__name__ for one in own if not issubclass(one, PagedResult)}


def _below(kind: type) -> set[type]:
    return {one for child in kind.__subclasses__() for one in (child, *_below(child))}


def scripts() -> list[Path]:
    """Pages and scripts that the package brings."""
    return sorted(file for end in ("html", "js") for file in PACKAGE.rglob(f"*.{end}"))
