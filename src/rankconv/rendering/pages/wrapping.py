"""Sentences broken into lines at blanks, by the columns that their signs take in a terminal."""

import re
from collections.abc import Iterator
from unicodedata import category, east_asian_width

from rankconv.basics.escaping import printable

READABLE = 100
"""Columns of a line of prose, at most, however wide the terminal is."""
BETWEEN = 3
"""Columns between numbers and the words next to them."""
BELOW = 4
"""Columns before words that stand below their numbers."""
_WORD = re.compile(r"( *)([^ ]+)")
_WHOLE = re.compile(r"( *)([^ (]+\((?:[^()]|\([^()]*\))*\)[^ ]*|[^ ]+)")
"""A word, with what its brackets hold."""


def cell_len(text: str) -> int:
    """Return the columns that a text takes in a terminal: two for wide signs, none for those that are put on others."""
    if text.isascii():
        return len(text)
    return sum(0 if category(sign)[0] == "M" else 1 + (east_asian_width(sign) in "WF") for sign in text)


def prose(text: str, width: int | None, first: str = "", rest: str = "") -> str:
    """A paragraph, at most `READABLE` columns wide; `first` and `rest` stand before its lines."""
    return "\n".join(wrapped(text, min(width or READABLE, READABLE), first, rest))


def wrapped(text: str, width: int | None, first: str = "", rest: str = "") -> list[str]:
    """The lines of a text; one line where the width is None. A word is never cut: a longer one has its own line.

    >>> wrapped("ap-denominator=min(k, relevant) or hits", 32)
    ['ap-denominator=min(k, relevant)', 'or hits']
    """
    if width is None:
        return [first + printable(text)]
    lines, line, used, begun = [], first, cell_len(first), False
    for blanks, word in _words(printable(text), width - cell_len(rest)):
        size = cell_len(word)
        if begun and used + blanks + size > width:
            lines.append(line)
            line, used, begun = rest, cell_len(rest), False
        gap = blanks if begun else 0
        line, used, begun = f"{line}{' ' * gap}{word}", used + gap + size, True
    return [*lines, line if begun else line.rstrip()]


def hanging(line: str, width: int | None) -> str:
    """A line as it is; where it is too long, broken at blanks and going on four columns further in."""
    indent = len(line) - len(line.lstrip(" "))
    return "\n".join(wrapped(line[indent:], width, " " * indent, " " * (indent + 4)))


def in_columns(head: str, words: str, width: int | None, deeper: str = "") -> str:
    """A line of numbers with words, which go on below themselves; all below where a word would not fit besides."""
    first = head + " " * BETWEEN
    indent = cell_len(first)
    if width is None or indent + len(deeper) + longest(printable(words)) <= width or indent <= BELOW:
        return "\n".join(wrapped(words, width, first, " " * indent + deeper))
    lines = wrapped(words, width, " " * BELOW, " " * BELOW + deeper)
    return "\n".join([head.rstrip(), *lines] if head.strip() else lines)


def longest(text: str) -> int:
    """Columns of the widest word."""
    return max((cell_len(word) for _, word in _words(text)), default=0)


def _words(text: str, room: int | None = None) -> Iterator[tuple[int, str]]:
    """Words, each with the number of blanks before it; in `min(k, relevant)` the blank parts nothing.

    Where such brackets are wider than the room, their blanks part words after all.
    """
    for blanks, whole in _WHOLE.findall(text):
        fits = room is None or cell_len(whole) <= room
        parts = [(blanks, whole)] if fits else _WORD.findall(blanks + whole)
        yield from ((len(before), word) for before, word in parts)
