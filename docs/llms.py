"""The site as texts for language models: `llms.txt` lists its pages, and `llms-full.txt` has the text of all of them.

The form of the list is that of llmstxt.org. Pages of `docs/` are in it; of the generated reference its lists.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

SITE = "https://rankconv.github.io/rankconv/"
FOLDERS = {"tutorial": "Tutorials", "how-to": "How-to pages", "explanation": "Explanation", "reference": "Reference"}
"""The folders of pages in the order of the site, with their headings."""
_HTML = re.compile(r"^<.*>$\n?", re.MULTILINE)
_TOCTREE = re.compile(r"^```\{toctree\}.*?^```\n", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\([^)]*\)")


def list_text(docs: Path) -> str:
    """Return `llms.txt`: the project in a paragraph, and each page with its title and its first sentence."""
    start = _page_text(docs / "index.md")
    blocks = ["# rankconv", f"> {_first_sentence(start)}"]
    for folder, heading in FOLDERS.items():
        pages = _pages(docs / folder)
        lines = [f"- [{_title(text)}]({_address(docs, page)}): {_first_sentence(text)}" for page, text in pages]
        blocks.append("\n".join([f"## {heading}", "", *lines]))
    blocks.append(f"## Optional\n\n- [All pages in one text]({SITE}llms-full.txt)")
    return "\n\n".join(blocks) + "\n"


def full_text(docs: Path) -> str:
    """Return `llms-full.txt`: the text of all pages, each below its address."""
    pages = [(docs / "index.md", _page_text(docs / "index.md"))]
    pages += [pair for folder in FOLDERS for pair in _pages(docs / folder)]
    return "\n\n".join(f"<!-- {_address(docs, page)} -->\n\n{text.strip()}" for page, text in pages) + "\n"


def _pages(folder: Path) -> Iterator[tuple[Path, str]]:
    """The pages of a folder with their texts, its own page first."""
    found = sorted(page for page in folder.glob("*") if page.suffix in (".md", ".ipynb"))
    for page in sorted(found, key=lambda one: one.stem != "index"):
        yield page, _page_text(page)


def _page_text(page: Path) -> str:
    """The text of a page; of a notebook that of its cells."""
    text = page.read_text("utf-8")
    if page.suffix == ".ipynb":
        cells = [("".join(one["source"]), one["cell_type"]) for one in json.loads(text)["cells"]]
        text = "\n\n".join(source if kind == "markdown" else f"```python\n{source}\n```" for source, kind in cells)
    return _TOCTREE.sub("", text)


def _title(text: str) -> str:
    return text.split("\n", 1)[0].removeprefix("# ")


def _first_sentence(text: str) -> str:
    """The first sentence below the title, on one line, without links."""
    blocks = (block.strip() for block in _HTML.sub("", text).split("\n\n")[1:])
    first = next((block for block in blocks if block and not block.startswith(("#", "```", "|", "*", "$"))), "")
    sentence = re.split(r"(?<=[.:])\s", _LINK.sub(r"\1", " ".join(first.split())), maxsplit=1)[0]
    return sentence.removesuffix(":").removesuffix(".") + "."


def _address(docs: Path, page: Path) -> str:
    return SITE + page.relative_to(docs).with_suffix(".html").as_posix()


def write_texts(docs: Path, site: Path) -> None:
    """Write both texts into the folder of the site."""
    (site / "llms.txt").write_text(list_text(docs), "utf-8")
    (site / "llms-full.txt").write_text(full_text(docs), "utf-8")
