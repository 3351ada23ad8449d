"""Pages for browsers: nothing that users bring becomes an element, nothing is loaded, no word is lost."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankconv as rc
from rankconv.rendering.pages.page import (
    Code,
    Fold,
    Heading,
    Page,
    Paragraph,
    SettingsColumn,
    Title,
    Waterfall,
    WaterfallStep,
)
from rankconv.rendering.pages.table import Table
from rankconv.rendering.pages.text import text as as_text
from rankconv.rendering.pages.web.html import document, fragment

LABELS = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
RUN = {"ada": [("a", 3.0), ("x", 2.0), ("b", 1.0)], "bob": [("y", 2.0), ("c", 1.0)]}
VOID = {"meta", "input"}


class Read(HTMLParser):
    """Tags, attributes and texts, as a browser reads them; a tag that is not closed is an error."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.given: list[tuple[str, str, str | None]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.given += [(tag, *pair) for pair in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open and "script" not in self.open:
            self.texts.append(data)


def pages() -> dict[str, Page]:
    """A page of each kind of result."""
    return {
        "compare": rc.compare(LABELS, RUN, "ndcg@3", ["blog", "mllib", "trec_eval"])._page(),
        "evaluate": rc.evaluate(LABELS, RUN, "ndcg@3")._page(),
        "explain": rc.explain(LABELS, RUN, "ndcg@3", user="ada")._page(),
        "why": rc.why(LABELS, RUN, "ndcg@3", a="blog", b="mllib")._page(),
        "check": rc.check(LABELS, RUN)._page(whole=True),
        "cite": rc.cite("ndcg@3")._page(),
    }


@pytest.mark.parametrize("name", pages())
def test_every_word_and_number_that_a_terminal_shows_is_there(name: str) -> None:
    """The text of the page without signs that stand for layout or mathematics."""
    page = pages()[name]
    shown = " ".join(Read(fragment(page)).texts)
    prose = "\n".join(line for line in as_text(page, None).split("\n") if not re.search(r" = |≈|LaTeX|\\", line))
    words = set(re.findall(r"[A-Za-z]{3,}|\d\.\d{4}", prose))
    missing = {word for word in words if word not in shown}
    assert not missing, missing


@given(st.text(max_size=30))
def test_no_text_becomes_an_element(text: str) -> None:
    table = Table([text, "n"], [[text, text]], notes=[text], best=frozenset({(0, 1)}))
    steps = Waterfall(text, (text, 0.25), (text, 0.5), [WaterfallStep([text], 0.25, text)], 4)
    pieces = [Title(text), Heading(text), Paragraph(text), SettingsColumn([(text, text)])]
    page = Page([[*pieces, Code(text, "sh"), Fold(text, [table]), steps]])
    plain = Page([[*(type(one)(*["plain"] * 1) for one in pieces[:3]), SettingsColumn([("plain", "plain")])]])
    read = Read(document([page], text))
    assert {"h2", "h3", "p", "dl", "pre", "details", "table", "strong"} <= set(read.tags)
    assert read.tags.count("script") == read.tags.count("main") == 1
    assert read.tags.count("img") == Read(document([plain], "plain")).tags.count("img") == 0
    assert not [name for _, name, _ in read.given if name.startswith("on") or name in ("src", "srcdoc")]


@pytest.mark.parametrize(
    "hostile", ["<img src=x onerror=alert(1)>", "</style><script>1</script>", "שלום", "🙂", "a\x00b\x1b"]
)
def test_ids_of_any_kind_are_text(hostile: str) -> None:
    found = rc.evaluate({hostile: ["a"]}, {hostile: ["a"]}, "mrr")
    html = found.to_html()
    read = Read(html)
    assert read.tags.count("script") == 1
    assert "img" not in read.tags
    assert "\x00" not in html
    assert "\x1b" not in html
    assert any((hostile[:3].isprintable() and hostile in text) or "\\x00" in text for text in read.texts)


def test_a_document_loads_nothing_and_runs_its_own_script_alone() -> None:
    html = document(list(pages().values()), "all")
    read = Read(html)
    [policy] = [
        value or "" for tag, name, value in read.given if tag == "meta" and name == "content" and "src" in value
    ]
    script = html.partition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'")
    assert f"'sha256-{digest}'" in policy
    assert not [value for _, name, value in read.given if name in ("src", "href") and not (value or "").startswith("#")]
    assert "url(" not in html
    assert "@import" not in html


def test_numbers_that_differ_from_the_first_preset_are_marked() -> None:
    """The blog divides AP by the hits, 5/6, mllib by min(k, relevant), 5/9; precision@3 is 2/3 for both."""
    found = rc.compare({"u": ["a", "b", "c"]}, {"u": ["a", "x", "b"]}, ["map@3", "precision@3"], ["blog", "mllib"])
    html = fragment(found._printed(None))
    assert re.findall(r"<mark>(.*?)</mark>", html) == ["0.5556"]
    assert "≠: differs from blog" in html
    assert "Bold" not in html


def test_the_best_run_of_each_row_is_marked() -> None:
    """RR is 1/2 for the one and 1/3 for the other."""
    labels, runs = {"u": ["a"]}, rc.Runs(one={"u": ["x", "a"]}, other={"u": ["x", "y", "a"]})
    html = fragment(rc.compare(labels, runs, "mrr@3", ["rankconv", "trec_eval"])._page())
    assert re.findall(r"<strong>(.*?)</strong>", html) == ["0.5000"]
    assert "Bold: best run" in html
    assert "differs" not in html


def test_the_best_is_the_least_where_less_is_better() -> None:
    """Ranks of the first hit are 2 and 3."""
    labels, runs = {"u": ["a"]}, rc.Runs(one={"u": ["x", "a"]}, other={"u": ["x", "y", "a"]})
    found = rc.compare(labels, runs, ["first_rank", "mrr"], ["rankconv"])
    assert re.findall(r"<strong>(.*?)</strong>", fragment(found._printed(None))) == ["2.0000", "0.5000"]
