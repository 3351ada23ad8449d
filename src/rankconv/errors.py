"""The errors a user can meet.

RankingError
├── InputError       the data: a column, an id, a score, a file
├── ConventionError  the words: an unknown preset, question or answer, a preset file that does not hold together
├── MetricError      the request: an unknown metric, a spec that does not parse, a number this preset refuses
└── LibraryError     the machine: a library that a preset is held against, or that draws plots, is not installed

Each message says, in this order and leaving out what is empty: where, what is wrong, what is allowed,
what was nearest, what to do.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice

from rankconv.escaping import printable

_LONGEST, _COMPARED = 100, 1000
"""Letters of a word, and words, that are looked at to find the nearest."""
_MOST_SHOWN = 2000
"""Signs of what is wrong that a message repeats."""


class RankingError(Exception):
    """Base of every error that rankconv raises on purpose."""

    def __init__(self, wrong: str, *, where: str = "", allowed: str = "", nearest: str = "", do: str = "") -> None:
        self.wrong, self.where = _cut(wrong), _cut(where)
        self.allowed, self.nearest, self.do = allowed, nearest, do
        super().__init__(str(self))

    def __str__(self) -> str:
        said = [f"{self.where}: {self.wrong}" if self.where else self.wrong, self.allowed]
        said.append(f"Did you mean '{self.nearest}'?" if self.nearest else "")
        parts = [part.rstrip(".") + "." if part[-1] not in "?!." else part for part in [*said, self.do] if part]
        return printable(" ".join(parts))

    def at(self, where: str) -> "RankingError":
        """The same error with its place in front of the place already known."""
        place = f"{where}, {self.where}" if self.where else where
        return type(self)(self.wrong, where=place, allowed=self.allowed, nearest=self.nearest, do=self.do)

    def but(self, *, allowed: str) -> "RankingError":
        """The error with another sentence on what is allowed."""
        return type(self)(self.wrong, where=self.where, allowed=allowed, nearest=self.nearest, do=self.do)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.wrong, self.where, self.allowed, self.nearest, self.do)


class InputError(RankingError):
    """The labels, the rankings or a file of them cannot be read as they stand."""


class ConventionError(RankingError):
    """A preset, a question or an answer is not known, or a preset file does not hold together."""


class MetricError(RankingError):
    """A metric is not known, not offered, not defined under these answers, or refused on this data."""


class LibraryError(RankingError):
    """A library that is needed for what was asked, and for nothing else, is not installed."""


class LeftOut(UserWarning):
    """Something that many were asked for was left out, as it cannot be read: a preset whose plugin is not loaded."""


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most like this one, or nothing."""
    likely = islice((name for name in known if len(name) <= _LONGEST), _COMPARED)
    by_folded = {name.casefold(): name for name in likely}
    found = get_close_matches(word[:_LONGEST].casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[found[0]] if found else ""


def unknown(
    kind: str,
    word: str,
    known: Iterable[str],
    *,
    error: type[RankingError] = ConventionError,
    where: str = "",
    do: str = "",
) -> RankingError:
    """The error for a word that is not one of the known ones: all of them, and the nearest."""
    names = list(known)
    article = "an" if kind[0] in "aeiou" else "a"
    return error(
        f"'{word}' is not {article} {kind}",
        where=where,
        allowed=f"Choose one of: {', '.join(names)}" if names else "",
        nearest=nearest(word, names),
        do=do,
    )


def _cut(text: str) -> str:
    """The text, without the middle of one that nobody would read to its end."""
    return text if len(text) <= _MOST_SHOWN + 3 else f"{text[: _MOST_SHOWN // 2]} … {text[-_MOST_SHOWN // 2 :]}"


def _rebuild(kind: type[RankingError], wrong: str, where: str, allowed: str, near: str, do: str) -> RankingError:
    return kind(wrong, where=where, allowed=allowed, nearest=near, do=do)
