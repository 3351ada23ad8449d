"""Classes that are called with data in any form, and read it."""

from abc import ABCMeta
from collections.abc import Callable
from typing import Any

from rankconv.data.ids import Ids


class ReadingClass(ABCMeta):
    """A class whose call reads data in any form; with rows that are coded already it makes its instance of these."""

    _reader: Callable[..., Any]

    def __call__(cls, *parts: Any, **named: Any) -> Any:
        """Read data, or take coded rows, which begin with the ids of users, or runs that are read by name."""
        if cls._is_read(parts, named):
            return super().__call__(*parts, **named)
        return cls._reader(*parts, **named)

    @staticmethod
    def _is_read(parts: tuple[Any, ...], named: dict[str, Any]) -> bool:
        return isinstance(parts[0] if parts else named.get("users"), Ids)

    def read_with(cls, read: Callable[..., Any]) -> None:
        """Let calls of this class read data with a function, whose signature and docstring it shows."""
        from inspect import signature

        cls._reader = read
        cls.__signature__ = signature(read)


class NamedReadingClass(ReadingClass):
    """A class of things by name, whose call reads each of them, or takes a dict of those that are read already."""

    @staticmethod
    def _is_read(parts: tuple[Any, ...], named: dict[str, Any]) -> bool:
        given = parts[0] if parts else None
        return not named and type(given) is dict and bool(given) and all(map(_is_one_read, given.values()))


def _is_one_read(given: Any) -> bool:
    return isinstance(type(given), ReadingClass)
