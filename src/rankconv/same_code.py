"""Whether two functions are the same code: two plugins may ship one setting, and two readings of one name may not."""

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

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
