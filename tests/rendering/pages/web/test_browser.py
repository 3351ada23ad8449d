"""Pages in a real browser: they run no script but their own, sort by a click and by a key, and fit a phone."""

from pathlib import Path

import pytest

from rankconv.rendering.pages.page import Page, Paragraph
from rankconv.rendering.pages.table import Table
from rankconv.rendering.pages.web.html import document, fragment
from tests.browser import in_a_browser, shown

pytestmark = in_a_browser
TABLE = Table(["item", "n"], [["b", "2"], ["a", "10"], ["c", "–"], ["d", "1,000"]])
TRY = """<script>
const cells = (place) => [...document.querySelectorAll("td:nth-child(" + place + ")")].map((one) => one.textContent);
const [names, numbers] = document.querySelectorAll("th button");
const told = [];
const tell = () => told.push(cells(1).join(""));
numbers.click(); tell(); numbers.click(); tell(); names.click(); tell();
told.push([...document.querySelectorAll("th")].map((one) => one.getAttribute("aria-sort")).join(","));
document.body.append("told: " + told.join(" ") + ".");
</script>"""


def opened(html: str, folder: Path, width: int = 900) -> tuple[str, str]:
    """The page after its scripts, and what the console says."""
    (folder / "page.html").write_text(html, "utf-8")
    return shown((folder / "page.html").as_uri(), folder, width)


def test_a_click_sorts_by_numbers_and_by_names(tmp_path: Path) -> None:
    """Rising, then falling; what is no number comes last."""
    dom, console = opened(f"<!doctype html><body>{fragment(Page([[TABLE]]))}{TRY}", tmp_path)
    assert "told: badc dabc abcd ascending,." in dom
    assert not console


def test_a_document_runs_its_own_script_and_no_other(tmp_path: Path) -> None:
    html = document([Page([[Paragraph("<script>document.title = 'taken'</script>"), TABLE]])], "mine")
    dom, console = opened(html, tmp_path)
    assert "<button" in dom
    assert "<title>mine</title>" in dom
    assert not console
    hostile = html.replace("</main>", "</main><script>document.title = 'taken'</script>")
    dom, console = opened(hostile, tmp_path)
    assert "<title>mine</title>" in dom
    assert "Content Security Policy" in console


@pytest.mark.parametrize("width", [500, 1600])
def test_nothing_is_wider_than_the_window(tmp_path: Path, width: int) -> None:
    """A wide table scrolls by itself; 500 is the least width that a headless Chromium takes."""
    wide = Table([f"column {n}" for n in range(40)], [[f"value {n}" for n in range(40)]])
    fits = "document.documentElement.scrollWidth <= innerWidth"
    measure = f"<script>document.body.append(`wide: ${{{fits}}}.`)</script>"
    page = (
        f'<!doctype html><meta name="viewport" content="width=device-width"><body>{fragment(Page([[wide]]))}{measure}'
    )
    assert "wide: true." in opened(page, tmp_path, width)[0]
