"""Pages in a real browser: they run no script but their own, sort by a click and by a key, and fit a phone."""

from pathlib import Path

import pytest

from rankconv.rendering.pages.page import Fold, Page, Paragraph
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


@pytest.mark.parametrize(
    ("cells", "rising"),
    [
        (["0.5 [0.4, 0.6]", "0.25 [0.2, 0.3]", "–"], "1,0,2"),
        (["< 1e-5", "0.03", "2e-4"], "0,2,1"),
        (["+0.2", "−0.1", "-0.2"], "2,1,0"),
        (["12 %", "3.5%", "0.9*"], "2,1,0"),
        (["10 of 12", "9 of 12", "2.1.3"], "1,0,2"),
        (["", "mllib", "1,000"], "2,0,1"),
    ],
)
def test_cells_sort_by_the_number_that_they_begin_with(cells: list[str], rising: str, tmp_path: Path) -> None:
    """What is a number with an interval, a unit or a sign sorts as that number; versions and words come last."""
    table = Table(["value", "place"], [[cell, f"{place} "] for place, cell in enumerate(cells)])
    order = """<script>
    document.querySelector("th button").click();
    const order = [...document.querySelectorAll("td:last-child")].map((one) => one.textContent.trim());
    document.body.append("order: " + order + ".");
    </script>"""
    dom, console = opened(f"<!doctype html><body>{fragment(Page([[table]]))}{order}", tmp_path)
    assert f"order: {rising}." in dom
    assert not console


def test_keys_sort_and_say_how(tmp_path: Path) -> None:
    """A head is a button that the tab key reaches, and its column says how it is sorted."""
    keys = """<script>
    const button = document.querySelectorAll("th button")[1], head = button.closest("th");
    button.focus();
    const reached = document.activeElement === button && button.tabIndex === 0 && button.type === "button";
    button.click();
    const first = head.ariaSort;
    button.click();
    document.body.append(`keys: ${reached} ${first} ${head.ariaSort}.`);
    </script>"""
    dom, _ = opened(f"<!doctype html><body>{fragment(Page([[TABLE]]))}{keys}", tmp_path)
    assert "keys: true ascending descending." in dom


def test_folds_open_on_paper_and_close_again(tmp_path: Path) -> None:
    """Those that a reader opened stay open."""
    folds = Page([[Fold("first", [Paragraph("one"), Fold("inner", [Paragraph("two")])]), Fold("second", [TABLE])]])
    prints = """<script>
    const open = () => document.querySelectorAll("details[open]").length, counts = [];
    document.querySelector("details").open = true;
    counts.push(open());
    for (const moment of ["beforeprint", "afterprint"]) { dispatchEvent(new Event(moment)); counts.push(open()); }
    document.body.append(`open: ${counts}.`);
    </script>"""
    dom, console = opened(f"<!doctype html><body>{fragment(folds)}{prints}", tmp_path)
    assert "open: 1,3,1." in dom
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
