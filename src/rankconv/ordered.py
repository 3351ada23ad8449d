"""Containers: an ordered registry, read-only mappings, and functions compared by their code."""

from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any, NoReturn, TypeVar

from rankconv.errors import ConventionError, unknown

Thing = TypeVar("Thing")


class Ordered(dict[str, Thing]):
    """A registry in the order that its entries ask for, whichever of them came first.

    >>> steps = Ordered[int]("step")
    >>> steps.put("cut", 3, after="sort"), steps.put("read", 1), steps.put("sort", 2, after="read")
    (None, None, None)
    >>> steps.put("mine", 0, after="read")
    >>> list(steps)
    ['read', 'mine', 'sort', 'cut']
    """

    def __init__(self, noun: str) -> None:
        """`noun` says in messages what its entries are: "step of preparation"."""
        super().__init__()
        self.noun = noun
        self._placed_after: dict[str, str] = {}

    def put(self, name: str, thing: Thing, after: str = "") -> None:
        """Register it directly after that one, or at the end; under a known name it replaces that entry.

        The one that it follows may be registered later. ConventionError for a ring of entries.
        """
        before = dict(self._placed_after)
        self._placed_after[name] = after
        order = [*self._after("")]
        if len(order) < len(self._placed_after):
            self._placed_after = before
            raise ConventionError(f"the {self.noun} '{name}' is placed after itself")
        self[name] = thing
        whole = {one: self[one] for one in order}
        self.clear()
        self.update(whole)

    def _after(self, place: str) -> Iterator[str]:
        """The entries after this one, the last registered first; for '' those without a place."""
        known = [
            name
            for name, after in self._placed_after.items()
            if (after if after in self._placed_after else "") == place
        ]
        for name in reversed(known) if place else known:
            yield name
            yield from self._after(name)

    def check_known(self, name: str) -> None:
        """Raise a ConventionError for an unknown name."""
        if name not in self:
            raise unknown(self.noun, name, self)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self._placed_after.pop(name)


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


def same_code(one: Callable[..., Any], other: Callable[..., Any]) -> bool:
    """Whether both have the same code and defaults, and every global name that they use is one thing to both."""
    if one is other:
        return True
    if not (isinstance(one, FunctionType) and isinstance(other, FunctionType)) or one.__closure__ or other.__closure__:
        return False  # what is bound there may change
    defaults, others = ((each.__defaults__, each.__kwdefaults__) for each in (one, other))
    used = [one.__globals__.get(name) is other.__globals__.get(name) for name in _names(one.__code__)]
    return one.__code__ == other.__code__ and repr(defaults) == repr(others) and all(used)


def _names(code: CodeType) -> list[str]:
    inner = [name for part in code.co_consts if isinstance(part, CodeType) for name in _names(part)]
    return [*code.co_names, *inner]
