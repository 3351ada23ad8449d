"""Our errors in the library's kind, so that what caught theirs catches these."""

from collections.abc import Iterator
from contextlib import contextmanager

from rankconv import InputError, RankconvError


class WrongValue(InputError, ValueError):
    """What the library refuses by a ValueError."""


class WrongType(InputError, TypeError):
    """What the library refuses by a TypeError."""


class WrongName(InputError, NameError):
    """What the library refuses by a NameError."""


class WrongDivision(InputError, ZeroDivisionError):
    """Where the library divides by zero."""


class WrongAssertion(InputError, AssertionError):
    """What the library refuses by an assertion."""


Kind = type[WrongValue] | type[WrongType] | type[WrongName] | type[WrongDivision] | type[WrongAssertion]


@contextmanager
def refused_as(kind: Kind) -> Iterator[None]:
    """Whatever rankconv refuses inside is raised in the library's kind, with rankconv's words."""
    try:
        yield
    except RankconvError as problem:
        if isinstance(problem, kind):
            raise
        parts = {part: getattr(problem, part) for part in ("where", "allowed", "nearest", "do", "shell")}
        raise kind(problem.wrong, **parts) from None
