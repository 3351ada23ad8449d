"""A page for each system that people come from: their line, the line here, and what may surprise."""

import re
from pathlib import Path

from places import Places
from writer import anchor, site_page

from rankconv.analysis.show import presets_table

PAGE = Path(__file__).parents[1] / "coming_from" / "README.md"


def system_pages(places: Places) -> dict[str, tuple[str, str]]:
    """Address → title and page, of the parts of the page on coming from elsewhere."""
    before, *sections = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    data = "\n".join(before.partition("```python")[1:]).replace("```python\n\n", "```python\n")
    last = "\nPrinted by"
    found: dict[str, tuple[str, str]] = {}
    for section in sections:
        title, _, text = section.partition("\n")
        system = title.rsplit(" ", 1)[0]
        place = anchor(title)
        body = text.partition(last)[0].strip()
        given = f"## The data\n\n{data.strip()}"
        found[place] = (
            title,
            site_page(title, body, _presets(system, body, places), given, about=f"Coming from {system}"),
        )
    return found


def _presets(system: str, body: str, places: Places) -> str:
    """The presets that the line here names, and others of the same system."""
    named = {name for name in places.known["presets"] if re.search(rf"[\"'`]{re.escape(name)}[\"'`:]", body)}
    same = {row[2] for row in presets_table().rows if row[1].casefold().startswith(system.casefold())}
    links = [f"[{name}]({places.url('presets', name, 'md')})" for name in sorted(named | same)]
    return f"## Presets\n\n{', '.join(links)}" if links else ""
