"""The errors a user can meet.

RankconvError
├── InputError       the data: a column, an id, a score, a file
├── ConventionError  the words: an unknown preset, convention or setting, a preset file that does not hold together
├── MetricError      the request: an unknown metric, a spec that does not parse, a number this preset refuses
└── LibraryError     the machine: a library that a preset is held against, or that draws plots, is not installed

Each message says, in this order and leaving out what is empty: where, what is wrong, what is allowed,
what was nearest, what to do. What to do is said in Python; where a command says it otherwise, in `shell` too.
"""

import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from functools import partial
from itertools import islice
from pathlib import Path

from rankconv.basics.escaping import printable

MOST_LIKELY = 5
"""So many names are suggested."""
_LONGEST, _COMPARED = 100, 1000
"""Letters of a word, and words, that are looked at to find the nearest."""
_MOST_SHOWN = 2000
"""Signs of what is wrong that a message repeats."""


class RankconvError(Exception):
    """Base of every error that rankconv raises on purpose."""

    def __init__(
        self, wrong: str, *, where: str = "", allowed: str = "", nearest: str = "", do: str = "", shell: str = ""
    ) -> None:
        self.wrong, self.where = _cut(wrong), _cut(where)
        self.allowed, self.nearest, self.do, self.shell = allowed, nearest, do, shell
        super().__init__(str(self))

    def __str__(self) -> str:
        return self._message(self.do)

    @property
    def on_command_line(self) -> str:
        """The message with what to do as a command says it."""
        return self._message(self.shell or self.do)

    @property
    def on_a_page(self) -> str:
        """The message for a reader without Python or a command: without what to do, where these differ."""
        return self._message("" if self.shell else self.do)

    def _message(self, do: str) -> str:
        said = [f"{self.where}: {self.wrong}" if self.where else self.wrong, self.allowed]
        said.append(f"Did you mean '{self.nearest}'?" if self.nearest else "")
        parts = [part.rstrip(".") + "." if part[-1] not in "?!." else part for part in [*said, do] if part]
        return printable(" ".join(parts))

    def at(self, where: str) -> "RankconvError":
        """This error with its place in front of the place already known."""
        place = f"{where}, {self.where}" if self.where else where
        return _rebuild(type(self), self.wrong, **{**self._details, "where": place})

    def replace(self, *, allowed: str) -> "RankconvError":
        """The error with another sentence on what is allowed."""
        return _rebuild(type(self), self.wrong, **{**self._details, "allowed": allowed})

    def __reduce__(self) -> tuple[object, ...]:
        return partial(_rebuild, type(self), **self._details), (self.wrong,)

    @property
    def _details(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in ("where", "allowed", "nearest", "do", "shell")}


class InputError(RankconvError, ValueError):
    """The labels, the rankings or a file of them cannot be read as they stand."""


class ConventionError(RankconvError, ValueError):
    """A preset, a convention or a setting is not known, or a preset file does not hold together."""


class ForeignConvention(ConventionError):  # noqa: N818  # users see it as the error that it is
    """A metric has no such convention, which another metric has."""


class PresetFileError(ConventionError):
    """The errors of one preset file, where there are several."""

    def __init__(self, errors: Sequence[RankconvError]) -> None:
        self.errors = tuple(errors)
        super().__init__(f"{len(errors)} errors")

    def __str__(self) -> str:
        return "\n".join(map(str, self.errors))

    @property
    def on_command_line(self) -> str:
        """The messages, one a line, with what to do as a command says it."""
        return "\n".join(error.on_command_line for error in self.errors)

    def at(self, where: str) -> "PresetFileError":
        """These errors, each with its place after this one."""
        return PresetFileError([error.at(where) for error in self.errors])

    def __reduce__(self) -> tuple[object, ...]:
        return PresetFileError, (self.errors,)


class MetricError(RankconvError, ValueError):
    """A metric is not known, not offered, not defined under these settings, or refused on this data."""


class NotEvaluatedError(MetricError, KeyError):
    """A result does not hold this metric."""

    __str__ = MetricError.__str__


class LibraryError(RankconvError, ImportError):
    """A library that only this call needs is not installed."""


for _public in (RankconvError, InputError, ConventionError, MetricError, LibraryError):
    _public.__module__ = "rankconv"  # as tracebacks and pickles name it, and as users import it


class PluginRun(UserWarning):
    """A preset that was named by its path made rankconv run the plugin that it names."""


class MissingGrades(UserWarning):
    """No label of a test collection has a grade from which its metrics count items as relevant."""


class UnreadData(UserWarning):
    """Side data were passed, and no definition reads them, or nothing in them is in the labels or the run."""


class RespelledIds(UserWarning):
    """Ids of the run do not match those of the labels: most of them, or but for blanks, case or several in one text."""


class LeftOut(UserWarning):
    """One of many was left out, as it cannot be read: a preset whose plugin is not loaded."""


OWN_FILES = str(Path(__file__).parents[1] / "_").removesuffix("_")


_MUTED: ContextVar[type[Warning] | None] = ContextVar("muted", default=None)


@contextmanager
def muted(kind: type[Warning]) -> Iterator[None]:
    """Give no warning of this kind in this thread; filters of warnings are those of all threads."""
    token = _MUTED.set(kind)
    try:
        yield
    finally:
        _MUTED.reset(token)


def warn(said: str, kind: type[Warning]) -> None:
    """Warn at the line that called this package."""
    if kind is _MUTED.get():
        return
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OWN_FILES):
        frame, level = frame.f_back, level + 1
    warnings.warn(said, kind, stacklevel=level)


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most like this one, or nothing."""
    return next(iter(likely(word, known, 1)), "")


def likely(word: str, known: Iterable[str], most: int = MOST_LIKELY, least: float = 0.6) -> list[str]:
    """The known words most like this one, the likest first; `least` is the ratio of difflib from which one counts.

    >>> likely("ndgc", ["map", "rndcg", "ndcg"])
    ['ndcg', 'rndcg']
    """
    looked_at = islice((name for name in known if len(name) <= _LONGEST), _COMPARED)
    by_folded = {name.casefold(): name for name in looked_at}
    folded = word[:_LONGEST].casefold()
    found = [one for one in by_folded if len(folded) > 2 and one.startswith(folded)]
    found += get_close_matches(folded, by_folded, n=most, cutoff=least)
    found += [one for one in by_folded if len(folded) > 2 and folded in one]
    return [by_folded[one] for one in dict.fromkeys(found)][:most]


def unknown(
    kind: str,
    word: str,
    known: Iterable[str],
    *,
    error: type[RankconvError] = ConventionError,
    where: str = "",
    do: str = "",
    shell: str = "",
) -> RankconvError:
    """The error for a word that is not one of the known ones: all of them, and the nearest."""
    names = list(known)
    return error(
        _is_none(kind, word),
        where=where,
        allowed=f"Choose one of: {', '.join(names)}" if names else "",
        nearest=nearest(word, names),
        do=do,
        shell=shell,
    )


def not_among(
    kind: str,
    word: str,
    likely: Sequence[str],
    all_of_them: tuple[str, str],
    *,
    error: type[RankconvError] = ConventionError,
    where: str = "",
) -> RankconvError:
    """The error for a word that is not one of many: the likeliest five, and what shows all, in Python and a shell.

    >>> str(not_among("metric", "ndgc", ["ndcg", "dcg"], ("rc.list_metrics()", "rankconv list metrics")))
    "'ndgc' is not a metric. Did you mean 'ndcg'? Others like it: dcg. All of them: rc.list_metrics()."
    """
    first, *others = [*likely[:MOST_LIKELY], ""]
    like_it = f"Others like it: {', '.join(others[:-1])}. " if others[:-1] else ""
    do, shell = (f"{like_it}All of them: {see}" for see in all_of_them)
    return error(_is_none(kind, word), where=where, nearest=first, do=do, shell=shell)


def _is_none(kind: str, word: str) -> str:
    return f"'{word}' is not {'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _cut(text: str) -> str:
    """The text, without the middle of one that nobody would read to its end."""
    return text if len(text) <= _MOST_SHOWN + 3 else f"{text[: _MOST_SHOWN // 2]} … {text[-_MOST_SHOWN // 2 :]}"


def _rebuild(kind: type[RankconvError], wrong: str, **parts: str) -> RankconvError:
    return kind(wrong, **parts)
