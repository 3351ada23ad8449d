"""A page for each published source: what it is, and whether every number that it prints comes out of its preset."""

from places import Places
from writer import html, pieces, shown, site_page

import rankconv as rc
from rankconv.analysis.reproduce.reproduction import Reproduction, numbers_table, sources_table
from rankconv.pages.page import Fold, Heading, Page


def source_page(name: str, title: str, places: Places) -> str:
    """The page of one source: what a reader should look at first, then every number."""
    found = rc.reproduce(name)
    every = Fold(f"All {len(found.rows):,} numbers", [numbers_table(found)])
    command = f"Printed by `rankconv reproduce {name}`."
    blocks = [title, shown(found._page(), places), pieces([Heading("Every number"), every], places, 1), command]
    return site_page(name, *blocks, about=title)


def sources_page(found: Reproduction, places: Places) -> str:
    """All sources, with how many of their numbers came out how."""
    page = Page([[sources_table(found)]])
    return site_page("Published sources", html([piece for section in page.sections for piece in section], places))
