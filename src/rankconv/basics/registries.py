"""Containers: an ordered and a lazy registry, read-only mappings, and functions compared by their code."""

from collections.abc import Callable, Iterable, Iterator, MutableMapping
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any, NoReturn, TypeVar

from rankconv.basics.errors import ConventionError, unknown

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


class LazyRegistry(MutableMapping[str, Thing]):
    """A registry whose entries may be registered by modules that are imported when their names are looked up.

    Names, their number and their order are known without an import; what reads all entries imports all modules.

    >>> makers = LazyRegistry()
    >>> makers.defer("rankconv.basics.progress", ["bar", "spinner"])
    >>> makers["hand"] = print
    >>> list(makers), "bar" in makers, makers.get("foot")
    (['bar', 'spinner', 'hand'], True, None)
    """

    def __init__(self) -> None:
        self._entries: dict[str, Thing | None] = {}
        self._modules: dict[str, list[str]] = {}

    def defer(self, module: str, names: Iterable[str]) -> None:
        """Give these names the next places; this module registers them, or imports the one that was to."""
        for name in names:
            self._entries.setdefault(name, None)
            self._modules.setdefault(name, []).append(module)

    def known_to(self, module: str, name: str) -> Thing | None:
        """The entry, for a module that registers the name: one that was to do so imports no other for it."""
        found: Thing | None = self._entries.get(name) if module in self._modules.get(name, ()) else self.get(name)
        return found

    @property
    def loaded(self) -> dict[str, Thing]:
        """The entries that were registered so far."""
        return {name: entry for name, entry in self._entries.items() if entry is not None}

    def get(self, name: str, default: Any = None) -> Any:
        """The entry; the default where there is none, or where the module that registers it has not come so far."""
        if name in self._modules:
            import_module(self._modules[name][-1])
        found = self._entries.get(name)
        return default if found is None else found

    def __getitem__(self, name: str) -> Thing:
        found: Thing | None = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def __setitem__(self, name: str, entry: Thing) -> None:
        self._entries[name] = entry

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


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


_PARTS = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_argcount", "co_kwonlyargcount")


def same_code(one: Callable[..., Any], other: Callable[..., Any]) -> bool:
    """Whether both carry out the same instructions on the same constants, also in the functions that they call."""
    return _same(one, other, [])


def _same(one: Any, other: Any, compared: list[tuple[int, int]]) -> bool:
    if one is other or (id(one), id(other)) in compared:
        return True
    if type(one) is not type(other):
        return False
    compared.append((id(one), id(other)))
    if isinstance(one, FunctionType):
        return _same_function(one, other, compared)
    if isinstance(one, CodeType):
        return all(getattr(one, part) == getattr(other, part) for part in _PARTS) and _all_same(
            one.co_consts, other.co_consts, compared
        )
    if isinstance(one, tuple):
        return _all_same(one, other, compared)
    plain = isinstance(one, (int, float, complex, str, bytes, frozenset, type(None)))
    return plain and repr(one) == repr(other)


def _same_function(one: FunctionType, other: FunctionType, compared: list[tuple[int, int]]) -> bool:
    if one.__closure__ or other.__closure__:
        return False  # what is bound there may change
    names = {*_names(one.__code__)} & ({*one.__globals__} | {*other.__globals__})
    ours, theirs = (tuple(map(where.get, sorted(names))) for where in (one.__globals__, other.__globals__))
    return (
        _same(one.__code__, other.__code__, compared)
        and _same(one.__defaults__, other.__defaults__, compared)
        and repr(one.__kwdefaults__) == repr(other.__kwdefaults__)
        and _all_same(ours, theirs, compared)
    )


def _names(code: CodeType) -> list[str]:
    inner = [name for part in code.co_consts if isinstance(part, CodeType) for name in _names(part)]
    return [*code.co_names, *inner]


def _all_same(ours: tuple[Any, ...], others: tuple[Any, ...], compared: list[tuple[int, int]]) -> bool:
    pairs = zip(ours, others, strict=False)
    return len(ours) == len(others) and all(_same(one, other, compared) for one, other in pairs)
