"""The annotated fields of a class: what each of them accepts, and what it holds unless told."""

import sys
from collections.abc import Mapping
from inspect import get_annotations
from typing import Any, ClassVar, Final, NamedTuple, Protocol, get_origin

from rankconv.errors import ConventionError


class Accepts(Protocol):
    """What stands in an annotation to say which values a field takes."""

    def validate(self, given: Any) -> Any:
        """The value as it is held; ConventionError for what is none."""


MISSING: Final = object()
"""In place of a default, where a field has none."""


class Field(NamedTuple):
    """One field."""

    accepts: Accepts | None
    """None where its annotation does not say what it accepts."""
    default: Any = MISSING

    def read(self, given: Any) -> Any:
        """The value as it is held; ConventionError for what is none."""
        return given if self.accepts is None else self.accepts.validate(given)


class WholeNumber(NamedTuple):
    """A whole number within bounds, or none."""

    least: int
    most: int

    def validate(self, given: Any) -> int | None:
        """The number; ConventionError for what is none, or out of bounds."""
        if given is None:
            return None
        number = int(given) if isinstance(given, int | float) and given == given // 1 else None
        if number is None or not self.least <= number <= self.most or isinstance(given, bool):
            allowed = f"A whole number from {self.least:,} up to {self.most:,}"
            raise ConventionError(f"{given!r:.60} is no cutoff", allowed=allowed)
        return number


def fields_of(kind: type) -> dict[str, Field]:
    """The fields that this class itself declares, by name: all annotations but those of constants (`ClassVar`).

    >>> from typing import Annotated
    >>> class Cut: k: Annotated[int | None, WholeNumber(1, 100)] = 10
    >>> fields_of(Cut)
    {'k': Field(accepts=WholeNumber(least=1, most=100), default=10)}
    """
    found = {}
    for name, annotation in get_annotations(kind).items():
        if isinstance(annotation, str):
            annotation = _evaluated(annotation, kind)
        if ClassVar not in (get_origin(annotation), annotation):
            accepts = (mark for mark in getattr(annotation, "__metadata__", ()) if hasattr(mark, "validate"))
            found[name] = Field(next(accepts, None), vars(kind).get(name, MISSING))
    return found


def _evaluated(annotation: str, kind: type) -> Any:
    """What an annotation says that came as text, as `from __future__ import annotations` leaves it."""
    module = vars(sys.modules[kind.__module__]) if kind.__module__ in sys.modules else {}
    return eval(annotation, {**module, **_around(kind.__module__)}, dict(vars(kind)))


def _around(module: str) -> Mapping[str, Any]:
    """The names where the class is being made, be it inside a function."""
    frame = sys._getframe()
    while frame is not None and frame.f_globals.get("__name__") != module:
        frame = frame.f_back  # type: ignore[assignment]
    return frame.f_locals if frame is not None else {}
