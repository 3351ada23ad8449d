"""What `presets` prints: the heads of the files, without reading what they answer."""

from itertools import groupby

from rankconv.presets.heads import heads
from rankconv.report.table import Table


def presets_table() -> Table:
    """All presets by group, one line each; the word of a group can be asked for like a preset."""
    rows = []
    for group, members in groupby(heads(), key=lambda head: head["group"]):
        for place, head in enumerate(members):
            first = group if place == 0 else ""
            rows.append([first, head["name"], str(head.get("version", "")), head.get("title", "")])
    return Table(["group", "preset", "version", "what it is"], rows, labels=4)
