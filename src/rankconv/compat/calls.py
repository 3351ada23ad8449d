"""What drop-in functions share: the definition of a call, and our errors in the kind of the library."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import rankconv as rc
from rankconv import InputError, RankconvError


@lru_cache(maxsize=1024)
def of(preset: str, spec: str, k: int | None = None) -> rc.Definition:
    """The metric of a preset, at a cutoff if there is one.

    Raises ConventionError and MetricError for what the preset does not offer.
    """
    return rc.metric(spec if k is None else f"{spec}@{k}", preset=preset)


def changed(definition: rc.Definition, settings: Mapping[str, Any]) -> rc.Definition:
    """The definition with other settings by convention; itself where there are none."""
    given: dict[str, Any] = dict(settings)
    return definition.replace(**given) if given else definition


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
