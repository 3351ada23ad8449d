"""Every page that rankconv writes, opened in a browser at two widths, as a document and as a notebook shows it."""

import json
import re
import threading
from collections.abc import Iterator
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.browser import in_a_browser, shown
from tests.html_outputs import IN_NOTEBOOKS, OPENED, OUTPUTS, PACKAGE, kinds, kinds_in_notebooks, scripts

ROOT = Path(__file__).parents[4]
HEAVIEST = 400_000
"""Bytes of a page at most: what is sent by mail and opens at once."""
LOOK = """<!doctype html><meta charset="utf-8"><body><script>
const names = %s, found = {};
const looked = (frame) => {
  const page = frame.contentDocument, faults = [];
  for (const fold of page.querySelectorAll("details")) {
    fold.querySelector("summary").focus();
    if (page.activeElement !== fold.querySelector("summary")) faults.push("a fold that keys do not reach");
    fold.open = true;
  }
  const wide = page.documentElement.scrollWidth;
  if (wide > frame.clientWidth) faults.push(`wider than ${frame.clientWidth}: ${wide}`);
  const texts = [...page.querySelectorAll("p, summary, li, h1, h2, h3, figcaption")];
  const cut = texts.filter((one) => one.clientWidth && one.scrollWidth > one.clientWidth + 1);
  if (cut.length) faults.push(`cut: ${cut[0].textContent.slice(0, 80)}`);
  const heads = page.querySelectorAll("thead th").length, buttons = page.querySelectorAll("thead th button").length;
  if (heads !== buttons) faults.push("heads that do not sort");
  if (!page.body.textContent.trim()) faults.push("empty");
  return faults;
};
addEventListener("load", () => {
  for (const frame of document.querySelectorAll("iframe")) found[frame.title] = looked(frame);
  document.body.append("looked: " + JSON.stringify(found) + ".");
});
for (const name of names) for (const width of [1280, 380]) {
  const frame = document.createElement("iframe");
  Object.assign(frame, { src: `${name}.html`, title: `${name} at ${width}`, width, height: 800 });
  document.body.append(frame);
}
</script>"""


def test_every_kind_of_result_is_listed() -> None:
    assert kinds() == {*OUTPUTS}
    assert kinds_in_notebooks() == {*IN_NOTEBOOKS}


def test_every_script_of_the_package_is_opened_by_a_test() -> None:
    assert {str(file.relative_to(PACKAGE)) for file in scripts()} == {*OPENED}
    for test in OPENED.values():
        assert "in_a_browser" in (ROOT / test).read_text("utf-8")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A folder as a browser sees it."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def looked_at(address: str, folder: Path, pages: dict[str, str]) -> tuple[dict[str, list[str]], str]:
    """The faults of each page at each width, and what the console says."""
    for name, html in pages.items():
        (folder / f"{name}.html").write_text(html, "utf-8")
    (folder / "look.html").write_text(LOOK % json.dumps([*pages]), "utf-8")
    dom, console = shown(f"{address}/look.html", folder, 1400)
    return json.loads(unescape(re.findall(r"looked: (\{.*?\})\.<", dom)[-1])), console


def in_a_notebook(shown_object: Any) -> str:
    """A page with what a notebook shows."""
    return f"<!doctype html><meta charset=utf-8><body>{shown_object._repr_html_()}"


@in_a_browser
def test_every_page_fits_its_window_and_runs_without_a_fault(address: str, tmp_path: Path) -> None:
    pages = {}
    for name, make in OUTPUTS.items():
        result = make()
        pages[name] = result.to_html()
        pages[f"{name}-in-a-notebook"] = in_a_notebook(result)
    pages |= {name: in_a_notebook(make()) for name, make in IN_NOTEBOOKS.items()}
    assert {name: len(html) for name, html in pages.items() if len(html.encode()) > HEAVIEST} == {}
    faults, console = looked_at(address, tmp_path, pages)
    assert len(faults) == 2 * len(pages)
    assert {name: one for name, one in faults.items() if one} == {}
    assert not console


@in_a_browser
def test_faults_are_found(address: str, tmp_path: Path) -> None:
    wide = '<div style="width:2000px">x</div>'
    cut = '<p style="width:5em;overflow:hidden;white-space:nowrap">a sentence that is too long for its place</p>'
    broken = "<p>x</p><script>undeclared();</script>"
    faults, console = looked_at(address, tmp_path, {"wide": wide, "cut": cut, "empty": "", "broken": broken})
    assert all("wider" in faults[f"wide at {width}"][0] for width in (1280, 380))
    assert "cut" in faults["cut at 1280"][0]
    assert faults["empty at 380"] == ["empty"]
    assert "undeclared is not defined" in console
