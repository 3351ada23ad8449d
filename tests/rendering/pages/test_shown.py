"""Every result shows itself: printed as the command line prints it, in a notebook, in a list, as a file."""

import sys
from typing import Any

import pytest

import rankconv as rc
from rankconv.rendering.pages.display import PagedResult, RowResult

LABELS = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
RUN = {"ada": [("a", 3.0), ("x", 2.0), ("b", 1.0)], "bob": [("y", 2.0), ("c", 1.0)]}


def six_users() -> tuple[Any, Any]:
    """Labels and two runs of six users."""
    runs = {name: {user: list(items) for user in "uvwxyz"} for name, items in {"good": "ab", "bad": "ba"}.items()}
    return {user: ["a"] for user in "uvwxyz"}, runs


RESULTS: dict[str, Any] = {
    "evaluate": lambda: rc.evaluate(LABELS, RUN, "ndcg@3"),
    "compare": lambda: rc.compare(LABELS, RUN, "ndcg@3", ["blog", "mllib"]),
    "explain": lambda: rc.explain(LABELS, RUN, "ndcg@3", user="ada"),
    "against": lambda: rc.explain(LABELS, RUN, "ndcg@3", user="ada", preset=["blog", "mllib"]),
    "by_rank": lambda: rc.by_rank(LABELS, RUN, "ndcg@3", user="ada"),
    "why": lambda: rc.why(LABELS, RUN, "ndcg@3", a="blog", b="mllib"),
    "check": lambda: rc.check(LABELS, RUN),
    "cite": lambda: rc.cite("ndcg@3"),
    "sensitivity": lambda: rc.sensitivity(LABELS, RUN, "ndcg@3", ["blog", "mllib"]),
    "identify": lambda: rc.identify(LABELS, RUN, "map@3", "0.6667"),
    "test": lambda: rc.test(*six_users(), "mrr"),
    "paper": lambda: rc.test(*six_users(), "mrr").methods(),
    "leaderboard": lambda: rc.leaderboard(*six_users(), "mrr"),
    "segments": lambda: rc.segments(*six_users(), "mrr", n_resamples=100),
    "curve": lambda: rc.curve(LABELS, RUN, "ndcg", max_k=3),
    "preset": lambda: rc.preset("trec_eval"),
    "report": lambda: rc.report(LABELS, RUN, "ndcg@3", ["blog", "mllib"]),
    "together": lambda: rc.identify(LABELS, RUN, {"map@3": "0.6667", "mrr": "0.75"}),
}


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    pytest.importorskip("scipy")
    return {name: made() for name, made in RESULTS.items()}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_shows_itself(name: str, results: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    found = results[name]
    assert isinstance(found, PagedResult)
    assert "\n" not in repr(found)
    assert repr(found).startswith(type(found).__name__)
    assert len(repr(found)) < 200
    monkeypatch.setenv("COLUMNS", "60")
    narrow = str(found)
    monkeypatch.setenv("COLUMNS", "120")
    assert len(narrow.split("\n")) >= len(str(found).split("\n")) >= 1
    assert found._repr_markdown_()
    assert found.to_html("a title").startswith("<!doctype html>")
    assert found._repr_html_().startswith('<div class="rankconv">')
    assert "<title>a title</title>" in found.to_html("a title")
    for form in (found.to_text(80), found.to_text(None), found.to_markdown(), found.to_latex()):
        assert form.strip()
    with pytest.raises(TypeError):
        found.to_text(80, digit=3)
    if isinstance(found, RowResult):
        assert found.to_frame().height == len(found.to_dict()[found.rows_in])


def test_a_notebook_shows_text_without_latex2mathml(results: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "latex2mathml.converter", None)
    assert results["cite"]._repr_html_() is None
    with pytest.raises(rc.LibraryError, match=r"latex2mathml.* pip install 'rankconv\[plots\]'\.$"):
        results["cite"].to_html()


def test_both_definitions_are_shown(results: dict[str, Any]) -> None:
    pytest.importorskip("latex2mathml")
    assert all(one in results["against"]._repr_html_() for one in ("blog:ndcg@3", "mllib:ndcg@3"))


def test_conventions_keep_to_the_width_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for name in rc.list_conventions():
        _heading, *lines = str(rc.convention(name)).splitlines()
        assert max(map(len, lines)) <= 80
