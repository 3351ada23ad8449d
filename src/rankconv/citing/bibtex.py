"""Sources as BibTeX."""

import re
from collections.abc import Iterable, Mapping

from rankconv.escaping import latex
from rankconv.presets.model import Citation

Entry = tuple[str, Mapping[str, str]]
"""The key of an entry, and its fields."""


def entry(citation: Citation, version: str = "") -> Entry:
    """The fields of a source, those that it has."""
    fields = {
        "title": f"{{{latex(citation.title)}}}",
        "author": latex(" and ".join(filter(None, re.split(r",\s*", citation.authors)))),
        "year": "" if citation.year is None else str(citation.year),
        "version": latex(version),
        "doi": citation.doi,
        "url": citation.url,
        "note": latex(citation.where),
    }
    return citation.key, {name: value for name, value in fields.items() if value}


def bibtex(entries: Iterable[Entry]) -> str:
    """Entries as a .bib file holds them, each key once."""
    return "\n\n".join(_written(key, fields) for key, fields in dict(entries).items())


def _written(key: str, fields: Mapping[str, str]) -> str:
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items()]
    return ",\n".join([f"@misc{{{key}", *lines]) + "\n}"
