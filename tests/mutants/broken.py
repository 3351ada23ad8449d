"""Broken source: code of functions is exchanged where they are, what runs at import is broken before."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from types import CodeType, FunctionType

from tests.mutants.mutant import Mutant, whole_source


@contextmanager
def exchanged(mutant: Mutant) -> Iterator[bool]:
    """Every function that the mutant changes has its new code meanwhile; False where none can have it."""
    sources = (whole_source(mutant.file), mutant.source())
    whole, other = (list(_codes(compile(source, str(mutant.path), "exec"))) for source in sources)
    changed = (
        {old: new for old, new in zip(whole, other, strict=False) if old != new} if len(whole) == len(other) else {}
    )
    gc.unfreeze()  # what is frozen is not among the objects
    functions = [one for one in gc.get_objects() if isinstance(one, FunctionType)]
    ours = [one for one in functions if one.__code__.co_filename == str(mutant.path) and one.__code__ in changed]
    before = [one.__code__ for one in ours]
    if any(len(old.co_freevars) != len(changed[old].co_freevars) for old in before):
        ours = []
    for function, old in zip(ours, before, strict=False):
        function.__code__ = changed[old]
    try:
        yield bool(ours)
    finally:
        for function, old in zip(ours, before, strict=False):
            function.__code__ = old


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Those of functions, and of functions in them."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & 2:  # a function, and no body of a class
                yield constant
            yield from _codes(constant)


def import_broken(mutant: Mutant) -> None:
    """From now on this process, which has not imported the file yet, takes it for broken."""
    path, whole_code, whole_data = str(mutant.path), SourceFileLoader.get_code, SourceFileLoader.get_data

    def code(loader: SourceFileLoader, name: str) -> CodeType | None:
        return compile(mutant.source(), path, "exec") if loader.path == path else whole_code(loader, name)

    def data(loader: SourceFileLoader, asked: str) -> bytes:
        return mutant.source() if asked == path else whole_data(loader, asked)

    SourceFileLoader.get_code, SourceFileLoader.get_data = code, data  # type: ignore[method-assign, assignment]
