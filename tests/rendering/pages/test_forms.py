"""Every page can be put into every form, and none of them leaves a number out."""

import re
from collections.abc import Callable

import pytest

import rankconv as rc
from rankconv.addons.verification.verification import CaseOutcome, MetricRow, Verification
from rankconv.analysis.show import convention_page, difference_page, presets_page
from rankconv.basics.escaping import latex as escaped
from rankconv.cli.five_users import LABELS as FIVE
from rankconv.cli.five_users import RUN
from rankconv.presets.definition_page import definition_page
from rankconv.presets.preset_page import any_definition
from rankconv.rendering.pages.markup import latex, markdown
from rankconv.rendering.pages.page import Aside, Code, Note, Page, SettingsColumn, StatedDefinition, TextLine
from rankconv.rendering.pages.text import text
from tests.rendering.pages.runs import FEW, LABELS, run, runs

EQUAL_IN_VERIFY = CaseOutcome("case", "equal", largest=1e-17)
PAGES: dict[str, Callable[[], Page]] = {
    "compare": lambda: rc.compare(LABELS, runs(2), ["ndcg@5", "map@5"], FEW)._page(),
    "explain": lambda: rc.explain(LABELS, run(1), "ndcg@5", user="user3")._page(),
    "why": lambda: rc.why(LABELS, run(2), "ndcg@10", a="mllib", b="trec_eval-c")._page(),
    "sensitivity": lambda: rc.sensitivity(LABELS, run(0), "ndcg@5", FEW)._page(),
    "sensitivity of runs": lambda: rc.sensitivity(LABELS, runs(3), "ndcg@5", FEW)._page(),
    "identify": lambda: rc.identify(FIVE, RUN, "map@3", "0.667")._page(),
    "identify none": lambda: rc.identify(FIVE, RUN, "map@3", "0.1234567")._page(),
    "identify several": lambda: rc.identify(FIVE, RUN, {"map@3": "0.667", "precision@3": "0.400"})._page(),
    "check": lambda: rc.check(LABELS, run(1), ["ndcg@5"], FEW)._page(),
    "cite": lambda: rc.cite(["mllib:ndcg@10", "trec_eval:map"])._page(),
    "reproduce": lambda: rc.reproduce("wikipedia")._page(whole=True),
    "verify": lambda: Verification(
        "ranx",
        "ranx",
        "0.3",
        "0.4",
        False,
        2,
        (MetricRow("map@5", "map", [CaseOutcome("case", "equal", largest=1e-17)]),),
    )._page(),
    "presets": presets_page,
    "preset": lambda: rc.preset("trec_eval")._page(),
    "definition": lambda: definition_page(any_definition(rc.preset("mllib"), "ndcg"), "0123456789abcdef"),
    "difference": lambda: difference_page(rc.preset("mllib"), rc.preset("trec_eval"), []),
    "convention": lambda: convention_page(rc.convention("discount")),
}


@pytest.mark.parametrize("name", PAGES)
def test_forms_are_whole_and_leave_no_number_out(name: str) -> None:
    """Braces and environments of LaTeX are closed, and rows of a Markdown table have as many cells as its head."""
    page = PAGES[name]()
    told = set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", text(page, None)))
    assert told
    for form in (markdown(page), latex(page)):
        found = set(re.findall(r"\d+(?:\.\d+)?", form))
        assert told <= found, told - found
    assert told <= set(re.findall(r"\d+(?:\.\d+)?", text(page, 60)))

    source = re.sub(r"\\begin\{verbatim\}.*?\\end\{verbatim\}|\\\\|\\[{}]", "", latex(page), flags=re.S)
    assert source.count("{") == source.count("}")
    begun, ended = (re.findall(rf"\\{word}\{{([^}}]*)\}}", source) for word in ("begin", "end"))
    assert sorted(begun) == sorted(ended)
    for block in markdown(page).split("\n\n"):
        rows = [re.sub(r"\\.", "", row) for row in block.split("\n") if row.startswith("|")]
        assert len({row.count("|") for row in rows}) <= 1, block


PIECES = {
    "line": TextLine("a_b"),
    "note": Note("a_b"),
    "number": Aside("0.5", "a_b"),
    "settings": SettingsColumn([("gain=linear", "a_b")]),
    "code": Code("@misc{a_b}", "bibtex"),
    "stated": StatedDefinition("a_b", ["m = 1"], {"m": "a_b"}, ["key"]),
}


def test_every_piece_has_every_form() -> None:
    for name, piece in PIECES.items():
        page = Page([[piece]])
        assert "a_b" in markdown(page)
        assert ("a_b" if name == "code" else escaped("a_b")) in latex(page)
        assert "a_b" in text(page)


def test_sections_are_parted_by_one_blank_line() -> None:
    assert text(Page([[TextLine("a"), TextLine("b")], [], [TextLine("c")]])) == "a\nb\n\nc"
