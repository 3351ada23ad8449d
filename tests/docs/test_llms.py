"""The texts of the site for language models: every page is in them, with its own title and sentence."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.readme import DOCS

PAGES = sorted(one for one in DOCS.glob("*/*") if one.suffix in (".md", ".ipynb") and one.parent.name != "templates")
LINE = re.compile(r"^- \[(.+)\]\((\S+)\): (.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def llms() -> Iterator[ModuleType]:
    sys.path.insert(0, str(DOCS))
    import llms

    yield llms
    sys.path.remove(str(DOCS))


def test_the_list_has_each_page_with_its_title_and_a_sentence(llms: ModuleType) -> None:
    text = llms.list_text(DOCS)
    assert text.startswith("# rankconv\n\n> rankconv computes ranking metrics")
    lines = {address.removeprefix(llms.SITE): (title, said) for title, address, said in LINE.findall(text)}
    assert lines.keys() == {page.relative_to(DOCS).with_suffix(".html").as_posix() for page in PAGES}
    for title, said in lines.values():
        assert title
        assert len(said) > 10
        assert said.endswith(".")
        assert "](" not in said
    assert lines["how-to/gate.html"][0] == "Gate a build on a ranking metric"


def test_the_whole_text_has_every_page_and_no_table_of_contents(llms: ModuleType) -> None:
    text = llms.full_text(DOCS)
    assert text.count(f"<!-- {llms.SITE}") == len(PAGES) + 1
    assert "{toctree}" not in text
    assert (DOCS / "how-to/check.md").read_text("utf-8").strip() in text


@pytest.mark.skipif("RANKCONV_SITE" not in os.environ, reason="the site is built by .ci/nightly site")
def test_the_site_has_both_and_their_links_lead_to_its_pages(llms: ModuleType) -> None:
    site = Path(os.environ["RANKCONV_SITE"])
    text = (site / "llms.txt").read_text("utf-8")
    assert len((site / "llms-full.txt").read_text("utf-8")) > 100_000
    assert all((site / address.removeprefix(llms.SITE)).is_file() for _, address, _ in LINE.findall(text))
