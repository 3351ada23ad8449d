"""An input format of your own: files such as `ann: bread, milk`, wherever labels or runs are taken."""

from collections.abc import Iterator
from pathlib import Path

import rankconv as rc
from rankconv import plugin


@plugin.input_format("baskets, 'user: item, item' (.basket)", endings=(".basket",))
def baskets(path: Path, what: str) -> Iterator[tuple[str, str]]:
    """One user and item after the other, both labels and runs; best first."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        user, colon, items = line.partition(":")
        if not colon:
            raise rc.InputError("there is no colon", where=f"line {number}")
        yield from ((user.strip(), item.strip()) for item in items.split(",") if item.strip())
