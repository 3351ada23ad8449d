"""Words of the field, their signs in the post with which the project began, and where more is said of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import yaml
from places import Places
from writer import elements, heading, site_page

from rankconv.metrics.divisors import SIGNS
from rankconv.pages.web.elements import element, mathematics

FILE = Path(__file__).parent / "glossary.yaml"


def glossary(places: Places) -> str:
    """All terms, then the signs that formulas on these pages have."""
    terms: list[dict[str, Any]] = yaml.safe_load(FILE.read_text("utf-8"))
    rows = [element("tr", *_cells(one)) for one in terms]
    heads = element("tr", *(element("th", head, scope="col") for head in ("term", "also", "sign", "what it is")))
    table = element("table", element("thead", heads), element("tbody", *rows))
    signs = [part for sign, meaning in SIGNS.items() for part in _sign(sign, meaning)]
    blocks = [elements([element("div", table, class_="scroll", tabindex="0", role="group")], places)]
    blocks += [heading("Signs in formulas"), elements([element("dl", *signs)], places)]
    intro = "The signs are those of Bellei 2017, from which the project began; next to them are the field's own words."
    return site_page("Glossary", intro, *blocks, about=intro)


def _cells(one: dict[str, Any]) -> Iterator[Element]:
    named = element("a", one["term"], href=f"../{one['see']}.html") if "see" in one else one["term"]
    yield element("td", named, class_="label")
    yield element("td", one.get("also", ""), class_="prose")
    yield element("td", mathematics(one["sign"], alone=False) if "sign" in one else "")
    yield element("td", one["means"], class_="prose")


def _sign(sign: str, meaning: str) -> Iterator[Element]:
    yield element("dt", mathematics(sign, alone=False))
    yield element("dd", meaning)
