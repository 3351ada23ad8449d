"""Dictionaries that are shared and shown: what a reader does to one must not reach the numbers of others."""

from typing import Any, NoReturn, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class ReadOnlyDict(dict[Key, Value]):
    """A dict that cannot be changed; `dict(…)` of it, and `|`, make one that can.

    >>> settings = ReadOnlyDict(gain="linear")
    >>> settings["gain"] = "binary"
    Traceback (most recent call last):
        ...
    TypeError: this dict is read-only: make a copy with dict(…)
    >>> settings | {"gain": "binary"}
    {'gain': 'binary'}
    """

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("this dict is read-only: make a copy with dict(…)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)
