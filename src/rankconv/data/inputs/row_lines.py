"""The lines of a text file that hold the rows of one user and item, found again for a message."""

import re

from rankconv.basics.errors import InputError
from rankconv.data.inputs.files import STDIN, as_file, blocks
from rankconv.data.inputs.line_files import takes_movielens, trec_layout
from rankconv.data.joined import Joined

_BETWEEN = re.compile(rb"[\s,;|:\"']+")
"""What separates the fields of a line in some format."""
_MOST = 1 << 28
"""A larger file, in bytes, is not read again."""
_SHOWN = 5


class _KnownLines(dict[tuple[bool, int, int], str]):
    """What was found before: many definitions refuse the same row."""

    def __init__(self, _: Joined) -> None:
        super().__init__()


def lines_of(joined: Joined, of_labels: bool, user: int, item: int) -> str:
    """Return where the rows of this user and item are, such as `q.qrels, lines 1 and 4`; nothing where it is unknown.

    They are those of the labels or of the run. Every line that holds a row has both ids among its fields, those of a
    TREC file in their places; so the lines found are these where there are as many as rows. Otherwise none are named.
    """
    known = joined.once(_KnownLines)
    if (of_labels, user, item) not in known:
        known[of_labels, user, item] = _found_lines(joined, of_labels, user, item)
    return known[of_labels, user, item]


def _found_lines(joined: Joined, of_labels: bool, user: int, item: int) -> str:
    side = joined.labels if of_labels else joined.rankings
    owner = int((joined.label_rows_of if of_labels else joined.list_rows_of)[user])
    path = side.form.path
    if path in ("", STDIN) or owner < 0 or item < 0:
        return ""
    rows = slice(side.starts[owner], side.starts[owner + 1])
    codes = side.item[rows] if of_labels else joined.common(side.item[rows])
    ids = [str(joined.users.id(user)).encode(), str(joined.items.id(item)).encode()]
    found = _lines_with(path, ids, int((codes == item).sum()), table=bool(side.columns))
    if not found:
        return ""
    first = [str(line) for line in found[:_SHOWN]]
    text = first[0] if len(found) == 1 else f"{', '.join(first[:-1])} and {first[-1]}"
    return f"{path}, line{'s' if len(found) > 1 else ''} {text}" if len(found) <= _SHOWN else ""


def _lines_with(path: str, ids: list[bytes], count: int, *, table: bool) -> list[int]:
    """The lines that have all ids as fields, if there are so many; none where ids could span fields."""
    if any(_BETWEEN.search(one) or not one for one in ids):
        return []
    found: list[int] = []
    try:
        with as_file(path) as file:
            if file.path.stat().st_size > _MOST:
                return []
            of_trec = not table and trec_layout(file) is not None and not takes_movielens(file)
            for block in blocks(file):
                for number, line in block.lines:
                    if all(one in line for one in ids):
                        fields = line.split()[:3:2] if of_trec else _BETWEEN.split(line)
                        found += [number] if _has(fields, ids) else []
    except (InputError, OSError):  # it is gone, or was changed since
        return []
    return found if len(found) == count else []


def _has(fields: list[bytes], ids: list[bytes]) -> bool:
    """Whether each id is a field; of two equal ids, two."""
    return all(fields.count(one) >= ids.count(one) for one in ids)
