"""Settings of Sphinx: `sphinx-build -W --keep-going docs FOLDER` writes the site, the reference from the package."""

import re
import sys
from importlib.metadata import version as installed_version
from importlib.resources import files
from pathlib import Path

from docutils.nodes import Node, SkipNode
from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from generator import write_reference  # noqa: E402
from llms import write_texts  # noqa: E402

from rankconv.rendering.pages.web.elements import markup_text  # noqa: E402
from rankconv.rendering.pages.web.html import mathematics  # noqa: E402

project = "rankconv"
author = "The rankconv developers"
copyright = f"{author}, MIT license"
version = release = installed_version("rankconv")
repository = "https://github.com/rankconv/rankconv"

extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "myst_nb"]
default_role = "code"
nitpicky = True
suppress_warnings = ["misc.highlighting_failure"]  # code on pages is shortened by "…"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "inherited-members": "float, dict, Mapping, Generic, BaseModel"}
templates_path = ["templates"]
numpydoc_show_class_members = False
nb_execution_mode = "off"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

html_theme = "pydata_sphinx_theme"
html_title = "rankconv"
html_static_path = ["static", str(files("rankconv.rendering.pages.web") / "style.css")]
html_css_files = ["style.css", "site.css"]
html_js_files = ["site.js"]
html_show_sourcelink = False
html_theme_options = {
    "navbar_align": "left",
    "navigation_with_keys": False,
    "show_prev_next": False,
    "show_toc_level": 2,
    "collapse_navigation": True,
    "footer_start": ["copyright"],
    "footer_end": [],
}
_REPOSITORY_LINK = re.compile(r"(?<!!)(\[[^\]]*\])\((?:\.\./){2}")


def link_to_repository(app: Sphinx, name: str, content: list[str]) -> None:
    """Let links to files outside `docs/` lead to the repository, but to pictures; strip the empty line of doctests."""
    content[0] = _REPOSITORY_LINK.sub(rf"\1({repository}/blob/main/", content[0]).replace("\n\n```\n", "\n```\n")


def write_inline(translator: object, node: Node) -> None:
    """Write a formula in a sentence as MathML, which needs no script."""
    translator.body.append(markup_text(mathematics(node.astext(), alone=False)))  # type: ignore[attr-defined]
    raise SkipNode


def write_block(translator: object, node: Node) -> None:
    """Write a formula on its own lines."""
    translator.body.append(markup_text(mathematics(node.astext())))  # type: ignore[attr-defined]
    raise SkipNode


def write_llms(app: Sphinx, error: Exception | None) -> None:
    """Write the texts for language models next to the pages of the site."""
    if error is None and app.builder.format == "html":
        write_texts(HERE, Path(app.outdir))


def setup(app: Sphinx) -> None:
    """Write the reference before Sphinx looks for pages, and texts of the site at the end."""
    app.connect("build-finished", write_llms)
    app.connect("config-inited", lambda *_: write_reference(HERE / "reference"))
    app.connect("source-read", link_to_repository)
    page = (files("rankconv.rendering.pages.web") / "page.js").read_text("utf-8")
    page = page.replace("document.currentScript.parentElement", "document")
    page = page.replace("thead th", "thead th:not(:has(button))")  # tables of notebooks bring the script along
    app.add_js_file(None, body=f'addEventListener("DOMContentLoaded", () => {{{page}}});')
    app.add_html_math_renderer("mathml", (write_inline, None), (write_block, None))


html_math_renderer = "mathml"
