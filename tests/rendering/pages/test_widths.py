"""At every width, for few presets and all, for one run and ten: nothing is cut, and all of the JSON is printed."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest
from rich.cells import cell_len

import rankconv as rc
from rankconv.evaluation.results.comparison import comparison_table
from rankconv.rendering.pages.table import drawn
from rankconv.rendering.pages.text import text as text_of
from rankconv.typing import Comparison, SensitivityResult
from tests.rendering.pages.runs import FEW, LABELS, TEN, run, runs

WIDTHS = [60, 80, 100, 200]
PRESETS = {"1": ["mllib"], "3": FEW, "10": TEN, "all": ["all"]}
METRICS = ["ndcg@10", "map(ap-denominator=min(k, relevant))@5", "precision@10"]
SCREENS = 190
"""Lines of what is summed up, at most."""


@cache
def comparison(count: int, presets: str) -> Comparison:
    return rc.compare(LABELS, runs(count), METRICS, PRESETS[presets])


@cache
def sensitivity(count: int, presets: str) -> SensitivityResult:
    return rc.sensitivity(LABELS, runs(count), "ndcg@10", PRESETS[presets])


def assert_fits(text: str, width: int) -> None:
    """No line is longer than the width, unless it is one word; nothing is cut."""
    for line in text.split("\n"):
        assert cell_len(line) <= width or " " not in line.strip(), line
    assert not re.search(r"\w…|…\w", text)


def assert_whole(text: str, names: Iterable[str]) -> None:
    """Each name and number stands on one line, with nothing that belongs to another one before and behind it."""
    words = set(re.split(r"[\s,;()<>]+", text))
    for name in set(names) - words:
        assert re.search(rf"(?<![\w.]){re.escape(name)}(?![\w])", text), (name, text)


def numbers_of(found: Comparison, metrics: Iterable[str] = METRICS) -> set[str]:
    means = (found[metric, preset, one] for metric in metrics for preset in found.presets for one in found.runs)
    return {f"{mean:.4f}" for mean in means if mean == mean}


def offering(found: Comparison) -> list[str]:
    """The presets that give some number for every run."""
    return [name for name in found.presets if any(name in found.means(metric) for metric in found.metrics)]


GRID = pytest.mark.parametrize(("count", "presets"), [(1, "1"), (2, "3"), (10, "10")])


@GRID
def test_comparisons(count: int, presets: str) -> None:
    found = comparison(count, presets)
    for width in WIDTHS:
        table = comparison_table(found, 4, width)
        text = "\n".join(drawn(table, width))
        assert_fits(text, width)
        assert_whole(text, [*numbers_of(found), *found.presets, *METRICS, *(found.runs if count > 1 else [])])


@GRID
def test_comparisons_by_value(count: int, presets: str) -> None:
    found = comparison(count, presets)
    for width in WIDTHS:
        text = text_of(found._page(), width)
        assert_fits(text, width)
        means = {f"{mean:.4f}" for metric in METRICS for means in found.groups(metric) for mean in means}
        assert_whole(text, [*means, *offering(found), *(found.runs if count > 1 else []), *METRICS])


@GRID
def test_sensitivity(count: int, presets: str) -> None:
    found = sensitivity(count, presets)
    for width in WIDTHS:
        text = found.to_text(width)
        assert_fits(text, width)
        assert text.count("\n") < SCREENS
        ends = [f"{end:.4f}" for one in found.ranges for end in (one.lowest, one.highest, one.span)]
        assert_whole(
            text, [*ends, *(found.runs if count > 1 else []), *(name for one in found.ranges for name in one.at)]
        )
        whole = found.to_text(width, whole=True)
        assert_fits(whole, width)
        told = [one for flip in found.flips for one in flip.changes]
        assert_whole(whole, [*numbers_of(found.comparison, ["ndcg@10"]), *(one.preset for one in told)])


@pytest.mark.parametrize(
    ("spec", "against"), [("ndcg@5", None), ("map", "mllib"), ("auc", None), ("rbp@5", None), ("ndcg@5", "mllib")]
)
def test_explanations(spec: str, against: str | None) -> None:
    found = rc.explain(LABELS, run(1), spec, user="user3", preset=["rankconv", against])
    for width in WIDTHS:
        text = found.to_text(width)
        assert_fits(text, width)
        for one in filter(None, [found, found.against]):
            rows = one.working.columns
            assert_whole(text, [*rows, *(row.item for row in one.prepared.rows[: len(next(iter(rows.values()), []))])])


def test_many_presets_are_summed_up() -> None:
    found: Any = rc.sensitivity(LABELS, runs(10), "ndcg@10", rc.list_presets()[::5])
    assert found.to_text(80, whole=True).count("\n") > found.to_text(80).count("\n")
    assert "--full prints all" in found.to_text(80)
    found = sensitivity(1, "all")
    assert "+n: n more presets with the same numbers; --full prints all" in " ".join(found.to_text(60).split())
    assert "more presets with" not in found.to_text(60, whole=True)
