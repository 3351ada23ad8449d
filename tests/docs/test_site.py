"""The built site: every link, every page reached, nothing loaded from elsewhere; and in a browser no fault by axe.

`.ci/nightly site` builds it, and names its folder in RANKCONV_SITE and the file of axe-core in RANKCONV_AXE.
"""

import json
import os
import re
import threading
from collections.abc import Iterator
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.browser import CHROMIUM, shown
from tests.docs.whole_site import faults

BUILT, AXE = (Path(os.environ.get(name, "/nowhere")) for name in ("RANKCONV_SITE", "RANKCONV_AXE"))
built = pytest.mark.skipif(not BUILT.is_dir(), reason="the site is built each night")
in_a_browser = pytest.mark.skipif(CHROMIUM is None or not AXE.is_file(), reason="needs Chromium and axe-core")
PAGES = [
    "index.html",
    "tutorial/recommender.html",
    "tutorial/search.html",
    "how-to/index.html",
    "how-to/use.html",
    "how-to/coming-from.html",
    "explanation/one-run.html",
    "explanation/why-numbers-differ.html",
    "reference/index.html",
    "reference/glossary.html",
    "reference/systems.html",
    "reference/api/index.html",
    "reference/api/rankconv.evaluate.html",
    "reference/conventions/index.html",
    "reference/conventions/gain.html",
    "reference/metrics/ndcg.html",
    "reference/presets/mllib.html",
    "reference/protocols/fastml.html",
    "reference/sources/bellei2017.html",
]
"""One page or more of each kind."""


def test_faults_are_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "index.html").write_text('<a href="a/b.html#here">b</a><a href="gone.html">x</a>', "utf-8")
    (tmp_path / "a/b.html").write_text('<p id="there"></p><script src="https://elsewhere/x.js"></script>', "utf-8")
    (tmp_path / "a/lost.html").write_text('<a href="../index.html">front</a>', "utf-8")
    assert faults(tmp_path) == [
        "a/b.html: https://elsewhere/x.js is fetched from elsewhere",
        "index.html: a/b.html#here leads to no place on that page",
        "index.html: gone.html leads nowhere",
        "a/lost.html: no page leads here",
    ]


@built
def test_the_site_has_none() -> None:
    assert faults(BUILT) == []


class Handler(SimpleHTTPRequestHandler):
    """Serves the site, with the page that looks at its pages and axe-core."""

    def translate_path(self, path: str) -> str:
        """Return the file of an address."""
        own = {"/harness.html": Path(__file__).with_name("harness.html"), "/axe.min.js": AXE}
        return str(own.get(path.partition("?")[0], super().translate_path(path)))

    def log_message(self, *_: object) -> None:
        """Be quiet."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the site is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(BUILT))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@built
@in_a_browser
@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_and_has_no_fault_by_axe(address: str, tmp_path: Path, page: str) -> None:
    asked = {"pages": [page], "widths": [380, 1280], "themes": ["light", "dark"]}
    dom, _ = shown(f"{address}/harness.html#{quote(json.dumps(asked))}", tmp_path, 1400, wait=120_000)
    found = re.search(r'<pre id="faults">(.*?)</pre>', dom, re.DOTALL)
    assert found
    assert not found[1], unescape(found[1])


SOUGHT = {
    "MRR": "reference/metrics/reciprocal_rank.html",
    "mrr@10": "reference/metrics/reciprocal_rank.html",
    "nDCG@10": "reference/metrics/ndcg.html",
    "MAP@12": "reference/metrics/average_precision.html",
    "HR@10": "reference/metrics/hit_rate.html",
    "recip_rank": "reference/metrics/reciprocal_rank.html",
    "langchain": "how-to/use.html",
    "LangSmith": "how-to/doors.html",
}
"""What readers type, and the page that they want."""


@built
@in_a_browser
@pytest.mark.parametrize("words", SOUGHT)
def test_the_search_finds_first_what_is_wanted(tmp_path: Path, words: str) -> None:
    dom, _ = shown(f"{(BUILT / 'search.html').as_uri()}?q={quote(words)}", tmp_path, 900, wait=20_000)
    first = re.search(r'<ul[^>]*class="search".*?<a href="([^"#?]*)', dom, re.DOTALL)
    assert first
    assert first[1] == SOUGHT[words]


FILTER = """<script>
addEventListener("load", () => setTimeout(() => {
  const part = document.querySelector("iframe").contentDocument.querySelector(".filtered");
  const left = () => [...part.querySelectorAll("tbody tr")].filter((row) => !row.hidden);
  const cells = (place) => left().map((row) => row.cells[place].textContent);
  const words = part.querySelector("input"), gain = part.querySelector("select[aria-label='Setting of gain']");
  const found = { all: left().length };
  words.value = "mllib";
  words.dispatchEvent(new Event("input"));
  found.some = cells(0);
  words.value = "";
  gain.value = "exponential";
  gain.dispatchEvent(new Event("change"));
  Object.assign(found, { gains: [...new Set(cells(gain.parentElement.cellIndex))], left: left().length });
  found.heads = part.querySelectorAll("thead th button").length;
  found.links = part.querySelectorAll("tbody td:first-child a").length;
  found.said = part.querySelector("output").textContent;
  document.body.append("found: " + JSON.stringify(found) + ".");
}, 500));
</script><iframe src="ADDRESS" width="1280" height="800"></iframe>"""


@built
@in_a_browser
def test_a_table_of_presets_shows_the_chosen_rows(address: str, tmp_path: Path) -> None:
    (BUILT / "filter-test.html").write_text(FILTER.replace("ADDRESS", "reference/metrics/ndcg.html"), "utf-8")
    try:
        dom, _ = shown(f"{address}/filter-test.html", tmp_path, 1400, wait=20_000)
    finally:
        (BUILT / "filter-test.html").unlink()
    found = json.loads(unescape(re.findall(r"found: (\{.*?\})\.<", dom)[-1]))
    assert 0 < len(found["some"]) < found["all"] > 20
    assert all("mllib" in names for names in found["some"])
    assert found["gains"] == ["exponential"]
    assert found["said"] == f"{found['left']} of {found['all']} rows"
    assert found["heads"] > 5
    assert found["links"] >= found["all"]


@built
@in_a_browser
@pytest.mark.parametrize("words", ["ap-denominator", "average_precision", "mllib"])
def test_the_search_works_without_a_server(tmp_path: Path, words: str) -> None:
    dom, _ = shown(f"{(BUILT / 'search.html').as_uri()}?q={words}", tmp_path, 900, wait=20_000)
    assert re.search(rf'<a href="reference/\w+/{words}.html[^"]*"', dom)
