"""What `presets` prints: the heads of the files, without reading what they answer."""

from itertools import groupby
from typing import Any

from rankconv.presets.folders import of_packages, of_user, shipped
from rankconv.presets.yaml_file import read_document
from rankconv.report.table import Table

GROUPS = {
    "house": "The house preset",
    "search": "Search",
    "recommender": "Recommenders",
    "learning-to-rank": "Learning to rank",
    "rag": "Retrieval for generation",
    "contests": "Contests",
    "texts": "Texts",
    "own": "Your own",
}


def presets_table() -> Table:
    """All presets by group, one line each."""
    order = list(GROUPS)
    heads = [_head(name, file) for name, file in (shipped() | of_user() | of_packages()).items() if name != "base"]
    heads.sort(key=lambda head: (order.index(head.get("group", "own")), head["name"]))
    rows = []
    for group, members in groupby(heads, key=lambda head: head.get("group", "own")):
        for place, head in enumerate(members):
            first = GROUPS[group] if place == 0 else ""
            rows.append([first, head["name"], str(head.get("version", "")), head.get("title", "")])
    return Table(["group", "preset", "version", "what it is"], rows, labels=4)


def _head(name: str, file: Any) -> dict[str, Any]:
    """The keys above `extends:`, where the shape of presets ends and their answers begin."""
    text = file.read_text(encoding="utf-8")
    data = read_document(text.partition("\nextends:")[0], str(file)).data
    return {"name": name, **data} if isinstance(data, dict) else {"name": name}
