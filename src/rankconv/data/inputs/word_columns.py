"""Columns of words in place of grades or scores, as they are read."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.data.inputs.input_rows import Floats, RowPlace
from rankconv.data.words import Words

_WORD = re.compile(r"[^\W\d_][\w \-/]+")
_NO_WORDS = frozenset(("true", "false", "nan", "none", "null", "na", "n/a", "inf", "infinity"))
"""What numbers and gaps are written as."""
_MOST = 50
"""Different words of a column; one with more has names or texts."""


class WordColumn(NamedTuple):
    """A column of words: the one of each row, and the first row of each."""

    role: str
    texts: list[str]
    first: dict[str, str]


def numbers_or_words(
    read: Callable[[Any, str, RowPlace], Floats], values: Any, role: str, place: RowPlace
) -> Floats | WordColumn:
    """Read a column of grades or scores: numbers, or words where it has these throughout.

    `read` reads numbers, and its error is raised where a value is neither.
    """
    try:
        return read(values, role, place)
    except InputError:
        words = None if role == "rank" else _words(list(values), role, place)
        if words is None:
            raise
        return words


def _words(values: Sequence[Any], role: str, place: RowPlace) -> WordColumn | None:
    """The words among these values, of which most are such; an InputError for one that is none."""
    are_words = [isinstance(one, str) and _is_word(one) for one in values]
    if 2 * sum(are_words) <= len(values):
        return None
    first = dict[str, int]()
    for row, (value, is_word) in enumerate(zip(values, are_words, strict=True)):
        if not is_word:
            wrong = f"the {role} {value!r} is no word, and most are: {', '.join(map(repr, list(first)[:3]))}"
            raise InputError(wrong, where=place(row), do=f"Give every row a word as its {role}, or every row a number")
        first.setdefault(value, row)
    if len(first) > _MOST:
        return None
    return WordColumn(role, list(values), {word: place(row) for word, row in first.items()})


def _is_word(text: str) -> bool:
    return bool(_WORD.fullmatch(text)) and text.casefold() not in _NO_WORDS


def words_among_numbers(words: WordColumn) -> InputError:
    """Return the error for a column that has these words in some rows, and numbers in others."""
    word, where = next(iter(words.first.items()))
    do = "Give every row a word, or every row a number"
    return InputError(f"'{word}' is a word, and other rows have numbers", where=where, do=do)


def coded_words(columns: Iterable[WordColumn]) -> tuple[Floats, Words]:
    """Return the place of the word of each row, shape (rows,), and the words, of columns one after the other."""
    some = list(columns)
    first = {word: where for column in reversed(some) for word, where in column.first.items()}
    words = Words(tuple(sorted(first)), tuple(first[word] for word in sorted(first)))
    place = {word: float(at) for at, word in enumerate(words.texts)}
    return np.array([place[text] for column in some for text in column.texts]), words
