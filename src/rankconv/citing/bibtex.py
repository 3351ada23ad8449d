"""Sources as BibTeX."""

import re
from collections.abc import Iterable, Mapping

from rankconv.escaping import latex
from rankconv.presets.model import Citation

Entry = tuple[str, Mapping[str, str]]
"""The key of an entry, and its fields, of which `type` is its type."""


def entry(citation: Citation, version: str = "") -> Entry:
    """The type and the fields of a source, those that it has.

    Where in the source the definition stands is not a field: the entry of a source is the same in every call.
    """
    container = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}
    fields = {
        "type": citation.type,
        "title": f"{{{latex(citation.title)}}}",
        "author": latex(" and ".join(filter(None, re.split(r",\s*", citation.authors)))),
        "year": "" if citation.year is None else str(citation.year),
        container.get(citation.type, "howpublished"): latex(citation.in_),
        "volume": "" if citation.volume is None else str(citation.volume),
        "number": "" if citation.number is None else str(citation.number),
        "pages": citation.pages,
        "publisher": latex(citation.publisher),
        "version": latex(version),
        "doi": citation.doi,
        "url": citation.url,
    }
    return citation.key, {name: value for name, value in fields.items() if value}


def bibtex(entries: Iterable[Entry]) -> str:
    """Entries as a .bib file holds them, each key once."""
    return "\n\n".join(_written(key, fields) for key, fields in dict(entries).items())


def _written(key: str, fields: Mapping[str, str]) -> str:
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if name != "type"]
    return ",\n".join([f"@{fields['type']}{{{key}", *lines]) + "\n}"
