"""One picture of many definitions: its words are true, every name is there once, and no text covers another."""

import json
import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankconv as rc
from rankconv.evaluation.results.strips import strip_of
from rankconv.rendering.pages.markup import latex, markdown
from rankconv.rendering.pages.page import Page
from rankconv.rendering.pages.strip_file import draw
from rankconv.rendering.pages.strip_layout import LANE, SIZE, WIDE, label_top, laid_out
from rankconv.rendering.pages.strip_plot import BLOCKS, CHOSEN, StripMark, StripPlot, StripRow, block_lines
from rankconv.rendering.pages.text import text
from rankconv.rendering.pages.web.html import document
from rankconv.rendering.pages.web.strip_svg import strip_svg
from tests.browser import in_a_browser, shown
from tests.rendering.pages.runs import LABELS, TEN, runs
from tests.rendering.pages.test_plots import Found, assert_legible, drawn

__all__ = ["drawn"]
SVG = "{http://www.w3.org/2000/svg}"
COMPARED = rc.compare(LABELS, runs(2), ["ndcg@5"], TEN)
names = st.text("abcdefghij-_+", min_size=1, max_size=40)


def plot() -> StripPlot:
    """Two runs under ten presets."""
    found = strip_of(COMPARED, "ndcg@5")
    assert found is not None
    return found


@st.composite
def any_plot(draw: st.DrawFn) -> StripPlot:
    """Any picture."""

    def row(run: str) -> StripRow:
        values = sorted(draw(st.sets(st.integers(-40, 10_000), min_size=1, max_size=40)))
        lists = draw(st.lists(st.lists(names, min_size=1, max_size=5), min_size=len(values), max_size=len(values)))
        return StripRow(run, [StripMark(value / 10_000, each) for value, each in zip(values, lists, strict=True)])

    rows = [row(run) for run in draw(st.lists(names, min_size=1, max_size=6, unique=True))]
    return StripPlot("m@10", rows, draw(st.sampled_from(["", *rows[0].marks[0].names])))


def test_words_state_the_spread_and_the_place_of_the_default_preset() -> None:
    """Against the means of the comparison."""
    for row in plot().rows:
        means = {preset: round(COMPARED["ndcg@5", preset, row.run], 4) for preset in TEN}
        given = {preset: mean for preset, mean in means.items() if np.isfinite(mean)}
        low, high, own = min(given.values()), max(given.values()), given["rankconv"]
        different = set(given.values())
        said = plot().words(row)
        assert re.findall(r"\d\.\d{4}", said) == [f"{one:.4f}" for one in (low, high, high - low, own)]
        assert f"rankconv {own:.4f}, above {sum(one < own for one in different)} of {len(different)} values" in said
        first, second = re.findall(r"\d\.\d{4} \(([^)]*)\)", said)
        assert given[first.split(",")[0].split(" ")[0]] == low
        assert given[second.split(",")[0].split(" ")[0]] == high


def test_a_mark_for_each_value_and_run_has_the_presets_that_give_it() -> None:
    for row in plot().rows:
        assert [mark.value for mark in row.marks] == sorted({mark.value for mark in row.marks})
        for mark in row.marks:
            assert {round(COMPARED["ndcg@5", name, row.run], 4) for name in mark.names} == {mark.value}


USUAL = [StripMark((20 + n) / 100, [f"preset-{n}"]) for n in range(40)]
"""From 0.20 to 0.59."""


@pytest.mark.parametrize(
    ("more", "low", "high"),
    [
        ([], 0.2, 0.59),
        ([StripMark(1.2, ["near"])], 0.2, 1.2),
        ([StripMark(14.5, ["far"])], 0.2, 0.59),
        ([StripMark(1.2, ["near"]), StripMark(14.5, ["far"])], 0.2, 1.2),
        ([StripMark(14.5, ["one", "two", "three", "four"])], 0.2, 14.5),  # too many to be left beyond the end
    ],
)
def test_few_values_that_are_far_are_drawn_at_the_end_of_the_axis(
    more: list[StripMark], low: float, high: float
) -> None:
    found = StripPlot("ndcg@10", [StripRow("run", [*USUAL, *more])], "preset-3")
    assert (found.low, found.high) == (low, high)
    beyond = [name for mark in more if mark.value > high for name in mark.names]
    assert found.beyond == beyond
    assert all(found.place(mark.value) == 1 for mark in more if mark.value >= high)
    words = "at an end and beyond it: far"
    assert (words in found.legend) == (words in "\n".join(block_lines(found, 80))) == bool(beyond)


def test_the_chosen_name_is_never_beyond_the_axis() -> None:
    found = StripPlot("ndcg@10", [StripRow("run", [*USUAL, StripMark(14.5, ["far"])])], "far")
    assert (found.high, found.beyond) == (14.5, [])


def test_the_first_preset_is_chosen_where_the_default_preset_is_not_compared() -> None:
    found = strip_of(rc.compare(LABELS, runs(1), "ndcg@5", ["mllib", "blog"]), "ndcg@5")
    assert found is not None
    assert found.chosen == "mllib"


@given(any_plot())
def test_a_file_has_each_name_once_and_no_text_on_another(given: StripPlot) -> None:
    """Boxes of the texts as wide as the layout takes letters; `test_letters_…` measures them in a browser."""
    root = ElementTree.fromstring(strip_svg([given]))
    titles = [one.findtext(f"{SVG}title") for one in root if one.get("class") in ("mark", "chosen")]
    wanted = [", ".join(mark.names) for row in given.rows for mark in row.marks]
    assert sorted(one or "" for one in titles) == sorted(wanted)
    layout = laid_out([given])
    [measure] = layout.measures
    for row in measure.rows:
        places = [mark.x for mark in row.marks]
        assert places == sorted(places)
        named = [mark for mark in row.marks if mark.lane]
        assert named
        boxes = [(mark.x, mark.x + 8 + 0.62 * SIZE * len(mark.label), label_top(mark, row.axis)) for mark in named]
        for one, (left, right, top) in zip(named, boxes, strict=True):
            assert right <= layout.width
            assert row.top + LANE * len(row.caption) <= top + LANE
            for other, (begin, end, height) in zip(named, boxes, strict=True):
                if one is not other:
                    assert top != height or right <= begin or end <= left
                    crossed = left < other.x <= right and other.lane >= one.lane
                    assert not crossed
    shown_without = sum(not mark.lane for row in measure.rows for mark in row.marks)
    assert (f"no space for the names of {shown_without} mark" in " ".join(measure.title)) == bool(shown_without)


@given(any_plot(), st.integers(40, 140))
def test_blocks_are_where_values_are(given: StripPlot, width: int) -> None:
    printed = list(block_lines(given, width))
    lines = [line for line in printed if set(line) & {*BLOCKS, CHOSEN}]
    lines = [line for line in lines if not set(line) & set("0123456789")]
    assert all(len(line) <= max(width, 60) for line in lines)
    if len(given.rows) <= 4:
        for row, line in zip(given.rows, lines, strict=True):
            drawn_in = [place for place, sign in enumerate(line) if sign != " "]
            assert 1 <= len(drawn_in) <= len(row.marks)
            assert (CHOSEN in line) == (row.mark_of(given.chosen) is not None)
            if row.marks[0].value == given.low < given.high:
                assert drawn_in[0] == 2
            if given.low < row.marks[-1].value == given.high:
                assert drawn_in[-1] == max(map(len, printed)) - 1 or drawn_in[-1] == len(printed[-1]) - 1


def test_every_form_has_its_words() -> None:
    page = Page([[plot()]])
    for row in plot().rows:
        assert plot().caption(row) in " ".join(re.sub(r"\n *", " ", text(page, 80)).split())
        for form in (markdown(page), latex(page)):
            assert all(number in form for number in re.findall(r"\d\.\d{4}", plot().words(row)))


@pytest.mark.parametrize("end", ["svg", "png"])
def test_compare_and_sensitivity_are_plotted(tmp_path: Path, end: str) -> None:
    pytest.importorskip("matplotlib")
    COMPARED.plot(tmp_path / f"a.{end}")
    rc.sensitivity(LABELS, runs(2), "ndcg@5", TEN).plot(tmp_path / f"b.{end}")
    one, other = ((tmp_path / f"{name}.{end}").read_bytes() for name in "ab")
    assert one == other
    assert one.startswith(b"\x89PNG" if end == "png" else b"<svg")


def test_texts_of_a_png_do_not_overlap(drawn: Found, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    many = StripPlot("ndcg@10", [StripRow("run", [StripMark(n / 97, [f"preset-{n}"] * 3) for n in range(1, 40)])])
    draw([plot(), many], tmp_path / "a.png")
    assert_legible(drawn)


MEASURE = """<script>
const boxes = [...document.querySelectorAll("svg text")].map((one) => one.getBoundingClientRect());
const faults = [];
boxes.forEach((a, at) => boxes.slice(at + 1).forEach((b, more) => {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (across > 1 && down > 4) faults.push([at, at + 1 + more]);
}));
const all = document.querySelector("svg").getBoundingClientRect();
const out = (one) => one.left < all.left || one.right > all.right || one.bottom > all.bottom;
const outside = boxes.filter(out).length;
document.body.append("measured: " + JSON.stringify({ texts: boxes.length, faults, outside }) + ".");
</script>"""


@in_a_browser
def test_letters_of_a_browser_fit_the_layout(tmp_path: Path) -> None:
    names = ["a-preset-with-a-name-of-forty-letters", "mteb"]
    many = StripPlot("ndcg@10", [StripRow("run", [StripMark(n / 97, names) for n in range(1, 40)])])
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><body>{strip_svg([plot(), many])}{MEASURE}", "utf-8")
    dom, console = shown(file.as_uri(), tmp_path, WIDE + 40)
    found = json.loads(unescape(re.findall(r"measured: (\{.*?\})\.", dom)[-1]))
    assert found["texts"] > 30
    assert (found["faults"], found["outside"], console) == ([], 0, "")


FOCUS = """<script>
const marks = [...document.querySelectorAll(".mark")];
const seen = (mark) => getComputedStyle(mark.querySelector("foreignObject")).visibility;
const before = marks.map(seen), names = [], left = [];
for (const mark of marks) {
  mark.focus();
  if (document.activeElement === mark && seen(mark) === "visible") names.push(mark.querySelector("p").textContent);
  const box = mark.querySelector("p").getBoundingClientRect();
  if (box.left < 0 || box.right > innerWidth) left.push(box.right);
}
const focus = document.hasFocus();
document.body.append("measured: " + JSON.stringify({ before: [...new Set(before)], names, left, focus }) + ".");
</script>"""


@in_a_browser
@pytest.mark.parametrize("width", [500, 1280])
def test_a_mark_in_focus_shows_its_presets(tmp_path: Path, width: int) -> None:
    html = document([Page([[plot()]])], "a page").replace("</main>", f"</main>{FOCUS}")
    html = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)  # for the script of the test
    (tmp_path / "page.html").write_text(html, "utf-8")
    for _ in range(5):  # on a busy machine a window has no focus at first, and shows that of no mark
        dom, console = shown((tmp_path / "page.html").as_uri(), tmp_path, width)
        found = json.loads(unescape(re.findall(r"measured: (\{.*?\})\.<", dom)[-1]))
        if found["focus"]:
            break
    assert (found["before"], found["left"], console) == (["hidden"], [], "")
    wanted = [f"{mark.value:.4f}: {', '.join(mark.names)}" for row in plot().rows for mark in row.marks]
    assert sorted(found["names"]) == sorted(wanted)
