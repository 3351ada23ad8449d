"""Tables: what users bring is escaped, wide comparisons are turned."""

import re

import rankconv as rc
from rankconv.evaluation.results.comparison import comparison_table
from rankconv.rendering.pages.page import Page
from rankconv.rendering.pages.table import Table
from rankconv.rendering.pages.text import text as as_text
from rankconv.rendering.pages.web.html import fragment


def test_markdown_escapes_what_users_bring() -> None:
    table = Table(["metric|x", "mean"], [["a|b<script>\x07", "1"]])
    body = table.to_markdown().splitlines()
    assert body[-1].count("|") - body[-1].count("\\|") == 3
    assert "<script>" not in table.to_markdown()
    assert "\x07" not in table.to_markdown()


def test_latex_escapes_what_users_bring() -> None:
    assert "50\\% \\& a\\_b" in Table(["name"], [["50% & a_b"]]).to_latex()


def test_csv_quotes_what_needs_it() -> None:
    assert Table(["a", "b"], [["x,y", '"']]).to_csv() == 'a,b\n"x,y",""""\n'


def test_many_presets_stand_one_below_the_other() -> None:
    comparison = rc.compare({"u": ["a"]}, {"u": ["a"]}, ["ndcg@3", "map@3"], "all")
    assert list(comparison_table(comparison, width=80).headers) == ["preset", "ndcg@3", "map@3"]
    assert comparison_table(comparison, width=None).headers[0] == "metric"


def test_an_empty_table_prints_its_headers() -> None:
    assert "metric" in Table(["metric", "mean"], []).to_markdown()


MARKED = Table(
    ["run", "a", "b"],
    [["one", "0.5", "0.25"], ["other", "0.4", "0.40"]],
    best=frozenset({(0, 1), (1, 2)}),
    differing=frozenset({(0, 2)}),
    first="a",
)


def test_marks_and_their_legend_are_in_every_form() -> None:
    """The best is bold, a star in a terminal; what differs from the first has a sign of its own; CSV has neither."""
    lines = ["run      a      b", "─────  ────  ─────", "one    0.5*  0.25≠", "other  0.4   0.40*", ""]
    assert as_text(Page([[MARKED]])).split("\n") == [*lines, "*: best run; ≠: differs from a"]
    markdown = MARKED.to_markdown()
    assert re.findall(r"\*\*(.*?)\*\*", markdown) == ["0.5", "0.40"]
    assert "0.25≠" in markdown
    assert markdown.endswith("\n\nBold: best run; ≠: differs from a")
    latex = MARKED.to_latex()
    assert re.findall(r"\\textbf\{(.*?)\}", latex) == ["0.5", "0.40"]
    assert r"0.25$^{\neq}$" in latex
    assert latex.endswith(r"Bold: best run; $\neq$: differs from a")
    html = fragment(Page([[MARKED]]))
    assert re.findall(r"<strong>(.*?)</strong>", html) == ["0.5", "0.40"]
    assert re.findall(r"<mark>(.*?)</mark>", html) == ["0.25"]
    assert "Bold: best run; ≠: differs from a" in html
    assert MARKED.to_csv() == "run,a,b\none,0.5,0.25\nother,0.4,0.40\n"


def test_more_than_two_notes_are_folded_in_a_browser() -> None:
    for count in (1, 2, 3):
        html = fragment(Page([[Table(["a"], [["1"]], notes=[f"note {n}" for n in range(count)])]]))
        assert html.count('<p class="note">') == count
        assert ("<summary>3 notes</summary>" in html) == (count == 3)
