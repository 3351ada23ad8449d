"""The pages on sources of the registry: they are fresh, and their numbers are those that were found by hand."""

import re
import sys
from importlib import import_module
from types import ModuleType
from xml.etree.ElementTree import fromstring

import pytest

from tests.readme import ROOT

KNOWN = {
    "p-at-15": [
        "| `InexpC2` | 0.346 | 0.37 |",
        "| `NLPR03vb10` | 0.2653 | 0.397 |",
        "In all 17 runs",
        "0.044 lower on average",
    ],
    "ideal-list": ["TF-IDF with 0.795", "it is 0.554 and the last of the three", "LMIR with 0.758"],
    "order-and-topics": [
        "| `2019-Intervention-doc-hh-ratio-ilps@uva-content` | 0.903 | 0.813 |",
        "0.931 printed and 0.46",
    ],
    "micro-and-macro": ["| `ECNU_TASK1_RUN1_BM25, recall@50` | 0.17 | 0.205 |", "The 27 printed recalls"],
    "level-of-relevance": [
        "idst_bert_p3 at level 1, p_exp_rm3_bert at level 2",
        "| `p_bert` | 0.5049 | 0.4677 |",
        "same 20 runs",
    ],
}
"""What other programs, and the notes of those who found it, say of each."""


@pytest.fixture(scope="module")
def stories() -> ModuleType:
    sys.path.insert(0, str(ROOT / "docs"))
    return import_module("stories")


def test_pages_and_pictures_are_fresh(stories: ModuleType) -> None:
    for file, text in stories.files().items():
        assert file.read_text("utf-8") == text, "run: python -m tests.generate stories"
    assert {file.name for file in stories.FOLDER.iterdir()} == {file.name for file in stories.files()}


@pytest.mark.parametrize("name", KNOWN)
def test_a_page_has_what_was_found_by_hand(name: str, stories: ModuleType) -> None:
    text = (stories.FOLDER / f"{name}.md").read_text("utf-8")
    for words in KNOWN[name]:
        assert words in " ".join(text.split()), words
    assert "Recomputed:" in text


@pytest.mark.parametrize("name", KNOWN)
def test_a_picture_has_a_line_for_each_row_of_the_table(name: str, stories: ModuleType) -> None:
    drawn = fromstring((stories.FOLDER / f"{name}.svg").read_text("utf-8"))
    rows = re.findall(r"^\| `", (stories.FOLDER / f"{name}.md").read_text("utf-8"), re.MULTILINE)
    lines = [one for one in drawn if one.tag.endswith("path")]
    assert len(lines) == len(rows) > 1


def test_a_picture_is_high_where_the_value_is_high(stories: ModuleType) -> None:
    pairs = [stories.Pair("a", 0.1, 0.5), stories.Pair("b", 0.3, 0.2)]
    drawn = fromstring(stories.Story("made", "Made", "", pairs, ("left", "right")).picture())
    ends = [
        list(map(float, re.findall(r" ([\d.]+)", one.get("d", "").replace("L", " L")))) for one in drawn if one.get("d")
    ]
    (first_left, first_right), (second_left, second_right) = ends
    assert first_left < second_left, "b is printed higher, and comes first"
    assert first_right > second_right
