"""A page in each form. A form's writer is loaded when the first page is written so: results import none of them."""

from collections.abc import Sequence

from rankconv.pages.page import Page


def text(page: Page, width: int | None = 100) -> str:
    """Lines for a terminal of this width; where it is None, tables are not folded."""
    from rankconv.pages.text import text

    return text(page, width)


def markdown(page: Page) -> str:
    """GitHub Markdown."""
    from rankconv.pages.markdown import markdown

    return markdown(page)


def latex(page: Page) -> str:
    """A fragment for a document that uses booktabs and amsmath."""
    from rankconv.pages.latex import latex

    return latex(page)


def html(page: Page) -> str:
    """What a notebook shows."""
    from rankconv.pages.web.html import fragment

    return fragment(page)


def document(pages: Sequence[Page], title: str) -> str:
    """A file for a browser, which needs nothing but itself."""
    from rankconv.pages.web.html import document

    return document(pages, title)
