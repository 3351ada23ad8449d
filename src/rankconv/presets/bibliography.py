"""The papers and books of `conventions/bibliography.yaml`, by key."""

from functools import cache

from rankconv.presets.folders import conventions
from rankconv.presets.model import Citation
from rankconv.presets.yaml_file import read_document, read_text

FILE = "bibliography.yaml"


@cache
def bibliography() -> dict[str, Citation]:
    """Read every entry, by its key.

    >>> bibliography()["moffat2008"].title
    'Rank-biased precision for measurement of retrieval effectiveness'
    """
    document = read_document(read_text(conventions() / FILE, FILE), FILE, moderate=True)
    return {key: Citation.model_validate({"key": key, **entry}) for key, entry in document.data.items()}


def completed(citation: Citation) -> Citation:
    """The citation with what the bibliography says of its key; itself, where that has no such key."""
    entry = bibliography().get(citation.key)
    return citation if entry is None else entry.model_copy(update={"where": citation.where})
