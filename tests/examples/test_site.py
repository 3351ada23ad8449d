"""The parts of the site: links to what has a page, an example worked out, and the check of what is built.

The whole site is built by `.ci/nightly`, which fails where a link leads nowhere or a page is reached from nowhere.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring, tostring

import pytest

from rankconv.specs.convention import CONVENTIONS


@pytest.fixture(scope="module")
def part(examples: Path) -> Iterator[Any]:
    """A module of the site by its name."""
    sys.path.insert(0, str(examples / "site"))
    yield import_module
    sys.path.remove(str(examples / "site"))


@pytest.fixture
def places(part: Any) -> Any:
    known = {
        "conventions": {"gain", "relevant"},
        "presets": {"mllib", "blog", "sklearn+unretrieved"},
        "metrics": {"average_precision"},
    }
    return part("places").Places({**known, "sources": {"blog"}})


@pytest.mark.parametrize(
    ("given", "links"),
    [
        ("<p>Used by: mllib, blog and 3 more</p>", ["../presets/mllib.html", "../presets/blog.html"]),
        ("<p>sklearn+unretrieved</p>", ["../presets/sklearn-with-unretrieved.html"]),
        ("<dt>gain=binary</dt>", ["../conventions/gain.html"]),
        ("<p>A gain is what mllib says</p>", []),
        ("<p>mllib, nobody</p>", []),
        ("<table><tr><th>metrics</th></tr><tr><td>map</td></tr></table>", ["../metrics/average_precision.html"]),
        ("<table><tr><th>here</th></tr><tr><td>relevant</td></tr></table>", []),
    ],
)
def test_names_become_links_where_nothing_but_names_stands(places: Any, given: str, links: list[str]) -> None:
    root = fromstring(f"<div>{given}</div>")
    words = "".join(root.itertext())
    linked = places.link(root)
    assert [one.get("href") for one in linked.iter("a")] == links
    assert "".join(linked.itertext()) == words, tostring(linked)


def test_a_working_is_shown_of_a_single_user(part: Any) -> None:
    """Grade 2 at rank 1, an unjudged item at rank 2: DCG is the gain of 2, which is 2, 2^2 - 1 = 3, or 1."""
    found = part("three_lines").example(CONVENTIONS["gain"])
    assert (found.title, found.metric) == ("Grades", "dcg@2")
    shown = {setting: "".join(told.itertext()) for settings, told in found.numbers for setting in settings}
    ends = {name: shown[f"gain={name}"][-1] for name in ("linear", "exponential", "binary")}
    assert ends == {"linear": "2", "exponential": "3", "binary": "1"}


def test_a_dispute_is_decided_by_the_settings_that_part_its_numbers(part: Any) -> None:
    """The thread of PyTorch Geometric: one setting is the whole difference."""
    decided = {one.folder: one for one in part("decided").disputes()}
    assert decided["pyg-9989"].decided_by == {"ap-denominator"}


def test_what_is_wrong_with_a_site_is_told(part: Any, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "index.html").write_text('<a href="a/b.html#here">b</a><a href="gone.html">x</a>', "utf-8")
    (tmp_path / "a/b.html").write_text('<p id="there"></p><script src="https://elsewhere/x.js"></script>', "utf-8")
    (tmp_path / "a/lost.html").write_text('<a href="../index.html">front</a>', "utf-8")
    assert part("whole_site").faults(tmp_path) == [
        "a/b.html: https://elsewhere/x.js is fetched from elsewhere",
        "index.html: a/b.html#here leads to no place on that page",
        "index.html: gone.html leads nowhere",
        "a/lost.html: no page leads here",
    ]


def test_a_docstring_shows_its_examples_as_python(part: Any) -> None:
    def one() -> None:
        """What? <b>

        >>> 1 + 1
        2
        """

    assert part("api_pages").documented(one) == "What? &lt;b>\n\n```pycon\n>>> 1 + 1\n2\n```"
