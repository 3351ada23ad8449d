"""Pictures inside pages: those that are plotted, the same each time, and none where nothing can draw."""

import base64
import io
import re
from typing import Any
from xml.etree import ElementTree

import pytest

import rankconv as rc
from rankconv.basics.errors import LibraryError
from rankconv.rendering.pages import picture
from rankconv.rendering.pages.display import Drawn
from rankconv.rendering.pages.markup import markdown
from rankconv.rendering.pages.page import Drawing, Page, TextLine
from rankconv.rendering.pages.text import text
from rankconv.rendering.pages.web.html import fragment
from tests.rendering.pages.test_shown import LABELS, RESULTS, RUN

DRAWN = ("test", "leaderboard", "segments", "curve")
PACKED = re.compile(r'<img src="data:image/svg\+xml;base64,([^"]+)" alt="([^"]+)">')


def pictures(html: str) -> list[tuple[str, str]]:
    """Each picture as SVG, and what is said in its place."""
    return [(base64.b64decode(packed).decode(), words) for packed, words in PACKED.findall(html)]


@pytest.mark.parametrize("name", DRAWN)
def test_a_notebook_shows_the_picture_that_is_plotted(name: str) -> None:
    pytest.importorskip("matplotlib")
    found = RESULTS[name]()
    assert isinstance(found, Drawn)
    ((svg, words),) = pictures(found._repr_html_())
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert words == repr(found)
    file = io.BytesIO()
    found.plot(file)
    assert file.getvalue().decode() == svg
    assert pictures(found.to_html()) == [(svg, words)]


def test_all_results_that_are_drawn_are_tried() -> None:
    made = {type(RESULTS[name]()) for name in DRAWN}
    strips = {"Comparison", "SensitivityResult"}  # whose picture is part of the page
    assert {one.__name__ for one in Drawn.__subclasses__()} - {"LearningCurve", "Attribution", *strips} == {
        one.__name__ for one in made
    }


def test_letters_of_a_picture_in_a_page_are_text_to_be_found() -> None:
    pytest.importorskip("matplotlib")
    ((svg, _),) = pictures(rc.curve(LABELS, {"our run": RUN, "other": RUN}, "ndcg", max_k=3)._repr_html_())
    assert "our run</text>" in svg


def test_where_nothing_can_draw_the_page_is_whole_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Any:
        raise LibraryError("a plot needs matplotlib")

    monkeypatch.setattr(picture, "_matplotlib", missing)
    found = rc.curve(LABELS, RUN, "ndcg", max_k=3)
    assert not pictures(found._repr_html_())
    assert found._repr_html_() == fragment(found._page())


def test_a_picture_is_shown_by_browsers_alone() -> None:
    page = Page([[Drawing("bars", lambda file: None)], [TextLine("told")]])
    assert text(page) == markdown(page).strip() == "told"


def test_a_report_has_the_forest() -> None:
    pytest.importorskip("matplotlib")
    labels = {user: ["a"] for user in "uvwxyz"}
    runs = {name: {user: list(items) for user in "uvwxyz"} for name, items in {"good": "ab", "bad": "ba"}.items()}
    told = rc.report(labels, runs, "mrr@2", ["blog", "mllib"]).to_html()
    assert [words.partition("(")[0] for _, words in pictures(told)] == ["SignificanceResult"]
